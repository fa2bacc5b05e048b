// SPDX-License-Identifier: Apache-2.0
import CSpeexDSP

/// The error of creating a resampler, or of changing its ratio.
public enum ResamplerError: Error, Equatable, Sendable {
    /// The number of channels is not in `BlockResampler.channelCounts`.
    case channelCount
    /// A rate is not in `BlockResampler.rates`.
    case rate
    /// The ratio is not in the range that the resampler has memory for.
    case ratio
    case outOfMemory
}

/// Converts the rate of interleaved float samples, with block sizes that are known in advance.
///
/// For playback, `inputFrames(forOutput:)` returns the number of frames that the next call of `process` needs to fill
/// its output. For capture, `outputFrames(forInput:)` returns the number of frames that the next call produces. The
/// numbers are exact: the caller chooses the number on one side, and the other one follows.
///
/// The filter is that of libspeexdsp, by default with quality 7. Only the initializer allocates memory. No
/// function takes a lock. A new ratio computes a filter table.
public struct BlockResampler: ~Copyable {
    public static let channelCounts = 1...8
    public static let rates = 4_000.0...192_000.0
    /// Every ratio of two rates.
    public static let allRatios = (4_000.0 / 192_000)...(192_000.0 / 4_000)
    /// The qualities of libspeexdsp's filters. A filter of a better quality is longer.
    public static let qualities = 0...10
    public static let standardQuality = 7

    /// The filter for a quality of the platform, 0 to 127: Min, Low, Medium, High, Max.
    public static func filter(quality: UInt32) -> Int {
        switch quality {
        case ..<0x20: 3
        case ..<0x40: 5
        case ..<0x60: standardQuality
        case ..<0x7F: 8
        default: 10
        }
    }

    public let channels: Int
    private let handle: OpaquePointer
    private let reserved: ClosedRange<Double>
    private var ratio: RateRatio
    /// The position of the next output frame in input frames, counted from the first frame that the library
    /// has not consumed, and the numerator of its fraction.
    private var frame = 0
    private var fraction = 0
    /// A frame that the library has not consumed. There is never more than one.
    private var heldFrame = InlineArray<8, Float>(repeating: 0)
    private var heldFrames = 0

    /// A resampler from the rate `input` to the rate `output`, with memory for all ratios (input rate / output rate) in
    /// `reserving`: by default, one percent around the first ratio. With `isFixed`, the ratio never changes, and is exact for
    /// most rates that are not whole numbers.
    public init(
        channels: Int, from input: Double, to output: Double, reserving: ClosedRange<Double>? = nil,
        quality: Int = BlockResampler.standardQuality, isFixed: Bool = false
    ) throws(ResamplerError) {
        guard BlockResampler.channelCounts.contains(channels) else { throw .channelCount }
        guard BlockResampler.rates.contains(input), BlockResampler.rates.contains(output) else { throw .rate }
        let limits = reserving ?? (input / output * 0.99)...(input / output * 1.01)
        let reserved = limits.clamped(to: BlockResampler.allRatios)
        let largestTerm = isFixed ? RateRatio.largestFixedTerm : RateRatio.largestTerm
        guard let ratio = RateRatio(from: input, to: output, in: reserved, largestTerm: largestTerm) else { throw .ratio }
        guard
            let handle = speexdsp_resampler_create(
                UInt32(channels), ratio.numerator, ratio.denominator,
                Int32(min(max(quality, BlockResampler.qualities.lowerBound), BlockResampler.qualities.upperBound)))
        else { throw .outOfMemory }
        let isReserved = (RateRatio.extremes(of: reserved) + [ratio]).allSatisfy {
            speexdsp_resampler_set_ratio(handle, $0.numerator, $0.denominator)
        }
        guard isReserved else {
            speexdsp_resampler_destroy(handle)
            throw .outOfMemory
        }
        speexdsp_resampler_start(handle)
        speexdsp_resampler_reset(handle)
        self.channels = channels
        self.handle = handle
        self.reserved = reserved
        self.ratio = ratio
    }

    deinit { speexdsp_resampler_destroy(handle) }

    /// Discards all input.
    public mutating func reset() {
        speexdsp_resampler_reset(handle)
        frame = 0
        fraction = 0
        heldFrames = 0
    }

    /// Drops the output that precedes the first input frame, so that the output has no latency. Called directly after the
    /// initializer or a reset.
    public mutating func skipLatency() {
        speexdsp_resampler_skip_latency(handle)
        frame = inputLatency
    }

    /// The shortest span of at least `frames` input frames that contains a whole number of output frames.
    public func wholePeriods(atLeast frames: Int) -> (input: Int, output: Int) {
        let periods = (clamped(frames) + Int(ratio.numerator) - 1) / Int(ratio.numerator)
        return (periods * Int(ratio.numerator), periods * Int(ratio.denominator))
    }

    /// Changes the ratio exactly, and discards all input.
    public mutating func reset(from input: Double, to output: Double) throws(ResamplerError) {
        guard let next = RateRatio(from: input, to: output, in: reserved) else { throw .ratio }
        try apply(next)
        reset()
    }

    /// Changes the ratio from the next output frame on, within 16 parts per million, without a click. A control loop for
    /// a drifting clock calls this.
    public mutating func adjust(from input: Double, to output: Double) throws(ResamplerError) {
        guard let next = RateRatio(near: input, to: output, in: reserved) else { throw .ratio }
        let latency = inputLatency
        let denominator = Int(ratio.denominator)
        try apply(next)
        // The library keeps the time of the next output frame. The middle of a filter of another length has another
        // position, and the fraction of the position is rounded down to the new denominator.
        frame += inputLatency - latency
        fraction = fraction * Int(next.denominator) / denominator
    }

    private mutating func apply(_ next: RateRatio) throws(ResamplerError) {
        guard speexdsp_resampler_set_ratio(handle, next.numerator, next.denominator) else { throw .outOfMemory }
        ratio = next
    }

    /// The latency of the output in input frames.
    public var inputLatency: Int { Int(speexdsp_resampler_input_latency(handle)) }

    /// The latency of the output in output frames, rounded to the nearest.
    public var outputLatency: Int {
        (inputLatency * Int(ratio.denominator) + Int(ratio.numerator) / 2) / Int(ratio.numerator)
    }

    /// The input frames that the next call of `process` needs to produce `frames` frames.
    public func inputFrames(forOutput frames: Int) -> Int { max(neededFrames(frames) - heldFrames, 0) }

    /// The number of frames that the next call of `process` produces from `frames` input frames.
    public func outputFrames(forInput frames: Int) -> Int {
        let denominator = Int(ratio.denominator)
        let distance = (clamped(frames) + heldFrames - frame) * denominator - fraction
        return distance <= 0 ? 0 : (distance - 1) / Int(ratio.numerator) + 1
    }

    /// The input frames that the library must have to produce `frames` frames.
    private func neededFrames(_ frames: Int) -> Int { frames <= 0 ? 0 : position(after: clamped(frames) - 1) + 1 }

    /// The input position of the output frame that follows `frames` others.
    private func position(after frames: Int) -> Int {
        frame + (fraction + frames * Int(ratio.numerator)) / Int(ratio.denominator)
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
        var progress = Progress()
        guard room > 0, let target = output.baseAddress else { return progress }
        // A filter that has become shorter leaves frames in the library: the position is negative then.
        if heldFrames > 0 || frame < 0 {
            let step = runHeldFrame(heldFrames, target, room)
            progress.produced = step.produced
            heldFrames -= step.consumed
        }
        // Only a full output leaves the held frame, for the next output frame.
        guard heldFrames == 0, available > 0, let source = input.baseAddress else { return progress }
        let left = room - progress.produced
        progress.consumed = min(available, max(neededFrames(left), position(after: left), 0))
        let step = run(source, progress.consumed, target + progress.produced * channels, left)
        progress.produced += step.produced
        keep(source + step.consumed * channels, progress.consumed - step.consumed)
        return progress
    }

    /// Stores frames that the library has not consumed, because it stops at the last output frame. Input before
    /// the next output frame is consumed without output. At most one frame follows it.
    private mutating func keep(_ source: UnsafePointer<Float>, _ frames: Int) {
        let skipped = frame > 0 ? skip(source, min(frames, frame)) : 0
        guard frames > skipped else { return }
        for channel in 0..<channels { heldFrame[channel] = source[skipped * channels + channel] }
        heldFrames = 1
    }

    /// Consumes frames that precede the next output frame.
    private mutating func skip(_ source: UnsafePointer<Float>, _ frames: Int) -> Int {
        var output = InlineArray<8, Float>(repeating: 0)
        return withUnsafeMutablePointer(to: &output) {
            run(source, frames, UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self), 1).consumed
        }
    }

    /// Consumes input of at most the held frame.
    private mutating func runHeldFrame(_ frames: Int, _ target: UnsafeMutablePointer<Float>, _ room: Int) -> Progress {
        let input = heldFrame
        return withUnsafePointer(to: input) {
            run(UnsafeRawPointer($0).assumingMemoryBound(to: Float.self), frames, target, room)
        }
    }

    private mutating func run(
        _ source: UnsafePointer<Float>, _ available: Int, _ target: UnsafeMutablePointer<Float>, _ room: Int
    ) -> Progress {
        var (consumed, produced) = (UInt32(available), UInt32(room))
        speexdsp_resampler_process(handle, source, &consumed, target, &produced)
        let position = fraction + Int(produced) * Int(ratio.numerator)
        frame += position / Int(ratio.denominator) - Int(consumed)
        fraction = position % Int(ratio.denominator)
        return Progress(consumed: Int(consumed), produced: Int(produced))
    }
}
