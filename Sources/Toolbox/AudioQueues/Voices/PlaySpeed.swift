// SPDX-License-Identifier: Apache-2.0
import Resampling
import Synchronization

/// Changes the speed of a queue that plays, and not its pitch: between its buffers and its output.
///
/// The sound of the buffers is taken about 60 ms before it is played. Only the thread that renders uses the members that are not
/// atomic.
final class PlaySpeed: @unchecked Sendable {
    static let range: ClosedRange<Float> = 0.5...2

    private let wanted = Atomic<UInt32>(Float(1).bitPattern)
    private let stretcher: TimeStretcher
    /// The present hop, and its next frame.
    private let hop: UnsafeMutablePointer<Float>
    private var next: Int
    private let source: UnsafeMutablePointer<Float>

    // Positions in frames of the buffers, since the last reset:
    private var taken = 0.0
    /// Behind the last frame with sound.
    private var soundEnd = 0.0
    /// The first frame of the hop, and of the hop after it.
    private var hopStart = 0.0
    private var hopEnd = 0.0
    /// The speed of the hop.
    private(set) var speed = 1.0

    private static let block = 256

    /// Nil for a rate or a number of channels that cannot be stretched.
    init?(rate: Double, channels: Int) {
        guard let stretcher = TimeStretcher(channels: channels, rate: rate) else { return nil }
        self.stretcher = stretcher
        next = stretcher.hop
        hop = .allocate(capacity: stretcher.hop * channels)
        hop.initialize(repeating: 0, count: stretcher.hop * channels)
        source = .allocate(capacity: PlaySpeed.block * channels)
        source.initialize(repeating: 0, count: PlaySpeed.block * channels)
    }

    deinit {
        hop.deallocate()
        source.deallocate()
    }

    /// The speed that a program has set. It is reached with the next hop, within 20 ms.
    var rate: Float {
        get { Float(bitPattern: wanted.load(ordering: .relaxed)) }
        set { wanted.store(newValue.bitPattern, ordering: .relaxed) }
    }

    func reset() {
        stretcher.reset()
        next = stretcher.hop
        (taken, soundEnd, hopStart, hopEnd) = (0, 0, 0, 0)
    }

    /// The frames of buffers that were taken, and that are not played yet.
    var ahead: Double { taken - played }

    private var played: Double { next < stretcher.hop ? hopStart + Double(next) * speed : hopEnd }

    /// Writes frames. `take` writes frames of the buffers into memory, and silence after them, and returns the number of frames
    /// before the silence. Returns the number of frames up to the last one with sound.
    func fill(
        _ target: UnsafeMutablePointer<Float>, _ frames: Int, _ take: (UnsafeMutablePointer<Float>, Int) -> Int
    ) -> Int {
        let channels = stretcher.channels
        var (done, sound) = (0, 0)
        while done < frames {
            if next >= stretcher.hop { beginHop(take) }
            let count = min(frames &- done, stretcher.hop &- next)
            let left = ((soundEnd - played) / speed).rounded(.up)
            if left > 0 { sound = done &+ Int(min(left, Double(count))) }
            (target + done &* channels).update(from: hop + next &* channels, count: count &* channels)
            next &+= count
            done &+= count
        }
        return sound
    }

    private func beginHop(_ take: (UnsafeMutablePointer<Float>, Int) -> Int) {
        while stretcher.needed > 0 {
            let count = min(stretcher.needed, PlaySpeed.block)
            let sound = take(source, count)
            if sound > 0 { soundEnd = taken + Double(sound) }
            taken += Double(count)
            stretcher.append(source, count)
        }
        speed = Double(rate)
        hopStart = hopEnd
        hopEnd += Double(stretcher.hop) * speed
        stretcher.produce(speed, into: hop)
        next = 0
    }
}
