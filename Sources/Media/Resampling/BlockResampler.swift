// SPDX-License-Identifier: Apache-2.0
import CRateKernels

/// The error of creating a resampler, or of changing its ratio.
public enum ResamplerError: Error, Equatable, Sendable {
    /// The number of channels is not in `BlockResampler.channelCounts`.
    case channelCount
    /// A rate is not in `BlockResampler.rates`.
    case rate
    /// The ratio is not in the range that the resampler has filters for.
    case ratio
}

/// Converts the rate of interleaved float samples, with block sizes that are known in advance.
///
/// For playback, `inputFrames(forOutput:)` returns the number of frames that the next call of `process` needs to fill
/// its output. For capture, `outputFrames(forInput:)` returns the number of frames that the next call produces. The
/// numbers are exact: the caller chooses the number on one side, and the other one follows. The sizes of the blocks do not change
/// the samples.
///
/// Each output frame is the product of a row of the filter's table and a window of the input. A ratio that does not change and is a
/// fraction of small numbers has a row for each position of an output frame between two input frames. Other ratios interpolate
/// between rows.
///
/// Only the initializer allocates memory. No other function takes a lock.
public struct BlockResampler: ~Copyable {
    public static let channelCounts = 1...8
    public static let rates = 4_000.0...192_000.0
    /// Every ratio of two rates.
    public static let allRatios = (4_000.0 / 192_000)...(192_000.0 / 4_000)

    /// The ratios around that of two rates, whose clocks drift: one percent.
    public static func drift(from input: Double, to output: Double) -> ClosedRange<Double> {
        let ratio = input / output
        guard ratio.isFinite, ratio > 0 else { return 1...1 }
        return ratio * 0.99...ratio * 1.01
    }

    public let channels: Int
    /// The ratios to which the resampler can change; nil: the ratio does not change.
    let reserved: ClosedRange<Double>?
    private var ratio: RateRatio
    /// The filters for the reserved ratios, with a rising stretch.
    private let filters: [RateFilter]
    private var filter: UnsafeMutablePointer<rate_filter>
    private let history: SampleHistory
    private let kernel: RateKernel
    /// The position of the next output frame in input frames, counted from the first frame that has not been consumed, and the
    /// numerator of its fraction. The newest frame of its window has this position.
    private var frame = 0
    private var fraction = 0

    /// A resampler from the rate `input` to the rate `output`.
    ///
    /// Without `reserving` the ratio does not change, and is exact for most rates that are not whole numbers. With `hasShortPeriods`
    /// it is a fraction of smaller numbers. With `reserving` it can change to every ratio (input rate / output rate) of the range.
    public init(
        channels: Int, from input: Double, to output: Double, reserving: ClosedRange<Double>? = nil,
        quality: FilterQuality = .medium, hasShortPeriods: Bool = false
    ) throws(ResamplerError) {
        guard BlockResampler.channelCounts.contains(channels) else { throw .channelCount }
        guard BlockResampler.rates.contains(input), BlockResampler.rates.contains(output) else { throw .rate }
        let reserved = reserving?.clamped(to: BlockResampler.allRatios)
        let first: RateRatio?
        if let reserved {
            first = RateRatio(changeable: input, to: output, in: reserved)
        } else {
            first = RateRatio(
                from: input, to: output, in: BlockResampler.allRatios,
                largestTerm: hasShortPeriods ? RateRatio.largestShortTerm : RateRatio.largestTerm)
        }
        guard let first else { throw .ratio }
        let shapes = reserved.map { BlockResampler.shapes(quality, $0) } ?? [.exact(quality, first)]
        let filters = shapes.map { FilterCache.filter($0) }
        guard let longest = filters.last else { throw .ratio }
        self.channels = channels
        self.reserved = reserved
        self.filters = filters
        ratio = first
        filter = longest.filter
        history = SampleHistory(channels: channels, taps: longest.shape.taps)
        kernel = RateKernel.ofProcessor
        filter = filterForRatio.filter
    }

    /// The shapes for a range of ratios. One filter serves clocks that drift. In a larger range each one serves an eighth of an
    /// octave, so that at most this part of the pass band is lost.
    private static func shapes(_ quality: FilterQuality, _ range: ClosedRange<Double>) -> [RateFilter.Shape] {
        if range.upperBound <= range.lowerBound * 1.021 {
            return [.interpolating(quality, upTo: (range.lowerBound * range.upperBound).squareRoot())]
        }
        var stretch = max(range.lowerBound, 1)
        var shapes: [RateFilter.Shape] = [.interpolating(quality, upTo: stretch)]
        while stretch < range.upperBound {
            stretch *= 1.0905
            shapes.append(.interpolating(quality, upTo: stretch))
        }
        return shapes
    }

    /// The filter with the widest pass band that stops what the output cannot hold.
    private var filterForRatio: RateFilter {
        var index = 0
        while index &+ 1 < filters.count, filters[index].shape.stretch < ratio.value * 0.9999 { index &+= 1 }
        return filters[index]
    }

    /// Discards all input.
    public mutating func reset() {
        history.clear()
        frame = 0
        fraction = 0
    }

    /// Drops the output that precedes the first input frame, so that the output has no latency. Called directly after the
    /// initializer or a reset.
    public mutating func skipLatency() { frame = inputLatency }

    /// The shortest span of at least `frames` input frames that contains a whole number of output frames.
    public func wholePeriods(atLeast frames: Int) -> (input: Int, output: Int) {
        let periods = (clamped(frames) + ratio.numerator - 1) / ratio.numerator
        return (periods * ratio.numerator, periods * ratio.denominator)
    }

    /// Changes the ratio, and discards all input.
    public mutating func reset(from input: Double, to output: Double) throws(ResamplerError) {
        try adjust(from: input, to: output)
        reset()
    }

    /// Changes the ratio from the next output frame on, without a click. A control loop for a drifting clock calls this. Within
    /// one percent the filter and its latency stay the same.
    public mutating func adjust(from input: Double, to output: Double) throws(ResamplerError) {
        guard let reserved, let next = RateRatio(changeable: input, to: output, in: reserved) else { throw .ratio }
        let latency = inputLatency
        ratio = next
        filter = filterForRatio.filter
        // The middle of the window stays where it is.
        frame &+= inputLatency &- latency
    }

    /// The latency of the output in input frames.
    public var inputLatency: Int { filter.pointee.taps / 2 }

    /// The latency of the output in output frames, rounded to the nearest.
    public var outputLatency: Int {
        (inputLatency * ratio.denominator + ratio.numerator / 2) / ratio.numerator
    }

    /// The input frames that the next call of `process` needs to produce `frames` frames.
    public func inputFrames(forOutput frames: Int) -> Int {
        frames <= 0 ? 0 : max(position(after: clamped(frames) - 1) + 1, 0)
    }

    /// The number of frames that the next call of `process` produces from `frames` input frames.
    public func outputFrames(forInput frames: Int) -> Int {
        let distance = (clamped(frames) - frame) * ratio.denominator - fraction
        return distance <= 0 ? 0 : (distance - 1) / ratio.numerator + 1
    }

    /// The input position of the output frame that follows `frames` others.
    private func position(after frames: Int) -> Int {
        frame + (fraction + frames * ratio.numerator) / ratio.denominator
    }

    /// Limits a number so that its product with a term of a ratio does not overflow.
    private func clamped(_ frames: Int) -> Int { min(max(frames, 0), 1 << 30) }
}

extension BlockResampler {
    /// Frames that a call has consumed and produced.
    public struct Progress: Equatable, Sendable {
        public var consumed: Int
        public var produced: Int

        public init(consumed: Int = 0, produced: Int = 0) {
            self.consumed = consumed
            self.produced = produced
        }
    }

    /// Produces as many frames as the output has room for and the input suffices for. Consumes the input
    /// that these frames need, and the input before the next output frame.
    public mutating func process(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> Progress
    {
        let room = clamped(output.count / channels)
        let available = clamped(input.count / channels)
        guard room > 0, let target = output.baseAddress else { return Progress() }
        let wanted = Progress(
            consumed: min(available, max(inputFrames(forOutput: room), position(after: room), 0)),
            produced: min(room, outputFrames(forInput: available)))
        var done = Progress()
        while done != wanted {
            let part = min(wanted.consumed &- done.consumed, SampleHistory.block)
            if part > 0, let source = input.baseAddress {
                history.append(source + done.consumed &* channels, part)
                frame &-= part
                done.consumed &+= part
            }
            let ready = min(wanted.produced &- done.produced, outputFrames(forInput: 0))
            produce(ready, target + done.produced &* channels)
            done.produced &+= ready
            // The counts of the two sides agree: each step consumes or produces.
            guard part > 0 || ready > 0 else { break }
        }
        return done
    }

    private mutating func produce(_ frames: Int, _ target: UnsafeMutablePointer<Float>) {
        guard frames > 0 else { return }
        var run = rate_run(
            history: history.samples, plane: history.plane, first: history.count &+ frame &- filter.pointee.taps &+ 1,
            fraction: Int64(fraction), numerator: Int64(ratio.numerator), denominator: Int64(ratio.denominator), output: target,
            frames: frames, channels: Int32(truncatingIfNeeded: channels))
        kernel.run(filter, &run)
        let next = fraction &+ frames &* ratio.numerator
        frame &+= next / ratio.denominator
        fraction = next % ratio.denominator
    }
}
