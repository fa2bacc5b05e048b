// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Resampling

/// A queue of interleaved float frames between two stages of one thread. The memory is allocated once.
final class FrameQueue {
    let channels: Int
    let capacity: Int
    private let floats: UnsafeMutablePointer<Float>
    private var first = 0
    private(set) var count = 0

    init(channels: Int, frames: Int) {
        self.channels = channels
        capacity = frames
        floats = .allocate(capacity: max(channels * frames, 1))
        floats.initialize(repeating: 0, count: max(channels * frames, 1))
    }

    deinit { floats.deallocate() }

    func clear() {
        first = 0
        count = 0
    }

    /// The frames in the queue.
    var frames: UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: floats + first &* channels, count: count &* channels)
    }

    /// Memory for `frames` frames after those in the queue; `appended` adds the frames that were written. Older frames move to
    /// the front if necessary. Nil when there is not enough memory.
    func room(for frames: Int) -> UnsafeMutableBufferPointer<Float>? {
        guard frames <= capacity &- count else { return nil }
        if first &+ count &+ frames > capacity {
            stream_copy(floats, floats + first &* channels, count &* channels)
            first = 0
        }
        return UnsafeMutableBufferPointer(
            start: floats + (first &+ count) &* channels, count: (capacity &- first &- count) &* channels)
    }

    /// Appends interleaved frames, after `converter` has changed their rate. Frames that do not fit are lost.
    func append(_ frames: UnsafeBufferPointer<Float>, through converter: RateConverter? = nil) {
        let number = frames.count / channels
        let added = converter?.outputFrames(forInput: number) ?? number
        guard let room = room(for: added), let target = room.baseAddress else { return }
        if let converter {
            let samples = UnsafeMutableBufferPointer(start: target, count: added &* channels)
            appended(converter.process(frames, into: samples).produced)
        } else if let source = frames.baseAddress {
            stream_copy(target, source, added &* channels)
            appended(added)
        }
    }

    /// Replaces the frames of this mono queue by the means of the channels of interleaved frames. False when they do not
    /// fit.
    func setMeans(of input: UnsafePointer<Float>, channels: Int, frames: Int) -> Bool {
        clear()
        guard let room = room(for: frames) else { return false }
        for frame in 0..<frames {
            var sum: Float = 0
            for channel in 0..<channels { sum += input[frame &* channels &+ channel] }
            room[frame] = sum / Float(channels)
        }
        appended(frames)
        return true
    }

    func appended(_ frames: Int) { count &+= min(max(frames, 0), capacity &- first &- count) }

    func removeFirst(_ frames: Int) {
        let removed = min(max(frames, 0), count)
        first &+= removed
        count &-= removed
        if count == 0 { first = 0 }
    }

    /// Inserts silence before the frames in the queue. Silence that does not fit is left out.
    func insertSilence(_ frames: Int) {
        let added = min(max(frames, 0), capacity &- count)
        guard added > 0 else { return }
        let start = floats + first &* channels
        if first >= added {
            first &-= added
        } else {
            stream_copy(floats + added &* channels, start, count &* channels)
            first = 0
        }
        (floats + first &* channels).update(repeating: 0, count: added &* channels)
        count &+= added
    }
}
