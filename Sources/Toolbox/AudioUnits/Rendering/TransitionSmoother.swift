// SPDX-License-Identifier: Apache-2.0

/// Continues the sound of an output at its last frame when its sources have changed: adds the difference to the first frames,
/// and fades it out. Only the stream's thread uses it.
struct TransitionSmoother {
    private static let fade = 256

    private let last: UnsafeMutablePointer<Float>
    private let channels: Int
    private var hasLast = false

    init(channels: Int) {
        self.channels = channels
        last = .allocate(capacity: channels)
        last.initialize(repeating: 0, count: channels)
    }

    func free() { last.deallocate() }

    mutating func reset() { hasLast = false }

    /// Records the last frame of a slice of 16-bit samples.
    mutating func keepLast(_ frame: UnsafePointer<Int16>) {
        for channel in 0..<channels { last[channel] = Float(frame[channel]) / 32_768 }
        hasLast = true
    }

    mutating func apply(_ samples: UnsafeMutablePointer<Float>, frames: Int, isTransition: Bool) {
        guard frames > 0 else { return }
        if isTransition, hasLast {
            let length = min(frames, TransitionSmoother.fade)
            for channel in 0..<channels {
                let step = last[channel] - samples[channel]
                for frame in 0..<length {
                    samples[frame &* channels &+ channel] += step * Float(length &- frame) / Float(length)
                }
            }
        }
        last.update(from: samples + (frames &- 1) &* channels, count: channels)
        hasLast = true
    }
}
