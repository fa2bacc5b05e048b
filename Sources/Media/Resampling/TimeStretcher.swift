// SPDX-License-Identifier: Apache-2.0
/// Changes the duration of interleaved float samples and not their pitch, by waveform similarity overlap-add.
///
/// The output consists of hops of 20 ms. Each one fades from the continuation of the segment before it to another segment of the
/// input: the one near the time that the speed asks for that continues the waveform best. If the continuation itself is near
/// that time, the output is the input, sample by sample.
///
/// Only the initializer allocates memory. No other function takes a lock.
public final class TimeStretcher {
    public let channels: Int
    /// The frames that a call of `produce` returns.
    public let hop: Int
    /// The distance in frames between the time that the speed asks for and the farthest segment: 12.5 ms. The periods of a tone
    /// of 40 Hz fit into the whole range.
    private let reach: Int
    private let capacity: Int
    private let input: UnsafeMutablePointer<Float>
    /// The frames in `input`, and the position of the first one in the whole input.
    private var count = 0
    private var first = 0
    /// The frames that follow the last segment, and their position.
    private let continuation: UnsafeMutablePointer<Float>
    private var continuationPosition = 0
    private var hasBegun = false
    /// The position that the speed asks for.
    private var wanted = 0.0
    private let fade: UnsafeMutablePointer<Float>
    private let search: SegmentSearch

    /// Nil for a number of channels or a rate that `BlockResampler` does not have.
    public init?(channels: Int, rate: Double) {
        guard BlockResampler.channelCounts.contains(channels), BlockResampler.rates.contains(rate) else { return nil }
        self.channels = channels
        hop = TimeStretcher.frames(0.02, rate)
        reach = TimeStretcher.frames(0.012_5, rate)
        capacity = 2 * (hop + reach)
        input = .allocate(capacity: capacity * channels)
        input.initialize(repeating: 0, count: capacity * channels)
        continuation = .allocate(capacity: hop * channels)
        continuation.initialize(repeating: 0, count: hop * channels)
        search = SegmentSearch(channels: channels, frames: hop, reach: reach)
        fade = .allocate(capacity: hop)
        for frame in 0..<hop { (fade + frame).initialize(to: TimeStretcher.fade((Double(frame) + 0.5) / Double(hop))) }
    }

    deinit {
        input.deallocate()
        continuation.deallocate()
        fade.deallocate()
    }

    private static func frames(_ seconds: Double, _ rate: Double) -> Int {
        let step = SegmentSearch.step
        return Int((seconds * rate).rounded()) / step * step
    }

    /// A smooth rise from 0 to 1. The values at `x` and `1 - x` add up to 1.
    private static func fade(_ x: Double) -> Float { Float(x * x * (3 - 2 * x)) }

    /// Discards all input.
    public func reset() {
        (count, first, continuationPosition, hasBegun, wanted) = (0, 0, 0, false, 0)
    }

    /// The frames that `append` takes before the next hop can be produced.
    public var needed: Int { max(hopEnd - first - count, 0) }

    private var target: Int { Int(wanted.rounded()) }
    /// The positions of the first frame that the next hop can use, and behind the last one.
    private var hopStart: Int { max(target - reach, 0) }
    private var hopEnd: Int { hasBegun ? target + reach + 2 * hop : 2 * hop }

    /// Appends interleaved frames of the input, at most `needed`.
    public func append(_ frames: UnsafePointer<Float>, _ number: Int) {
        let taken = min(number, needed)
        guard taken > 0 else { return }
        // The next hop uses no earlier frame.
        let dropped = min(max(hopStart - first, 0), count)
        if dropped > 0 {
            input.update(from: input + dropped * channels, count: (count - dropped) * channels)
            count -= dropped
            first += dropped
        }
        let skipped = count == 0 ? min(max(hopStart - first, 0), taken) : 0
        first += skipped
        (input + count * channels).update(from: frames + skipped * channels, count: (taken - skipped) * channels)
        count += taken - skipped
    }

    /// Produces a hop, when no frames are needed. Afterwards the input is `speed` times as far as the output.
    public func produce(_ speed: Double, into output: UnsafeMutablePointer<Float>) {
        guard needed == 0 else { return }
        let begin = hasBegun ? segment : 0
        let source = input + (begin - first) * channels
        if !hasBegun || begin == continuationPosition {
            output.update(from: source, count: hop * channels)
        } else {
            for frame in 0..<hop {
                let gain = fade[frame]
                for channel in 0..<channels {
                    let index = frame * channels + channel
                    output[index] = continuation[index] + (source[index] - continuation[index]) * gain
                }
            }
        }
        hasBegun = true
        continuationPosition = begin + hop
        continuation.update(from: source + hop * channels, count: hop * channels)
        wanted += Double(hop) * (speed.isFinite ? max(speed, 0) : 1)
    }

    /// The position of the next segment.
    private var segment: Int {
        let target = target
        if abs(continuationPosition - target) <= reach { return continuationPosition }
        let start = hopStart
        let best = search.best(continuation, in: input + (start - first) * channels, candidates: target + reach - start + 1)
        return start + best
    }
}
