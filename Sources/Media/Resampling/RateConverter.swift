// SPDX-License-Identifier: Apache-2.0
/// A resampler of one pair of rates, as a class: several stages can reference it, and a stage can have none.
public final class RateConverter {
    private var resampler: BlockResampler
    private let input: Double
    private let output: Double
    private var correction = 1.0

    /// Nil when memory is exhausted, or when a rate or the number of channels is out of the range of `BlockResampler`.
    public static func make(
        channels: Int, from input: Double, to output: Double, quality: Int = BlockResampler.standardQuality
    ) -> RateConverter? {
        do throws(ResamplerError) {
            let resampler = try BlockResampler(channels: channels, from: input, to: output, quality: quality)
            return RateConverter(resampler, input, output)
        } catch {
            return nil
        }
    }

    private init(_ resampler: consuming BlockResampler, _ input: Double, _ output: Double) {
        self.resampler = resampler
        self.input = input
        self.output = output
    }

    public var inputLatency: Int { resampler.inputLatency }
    /// The latency in seconds.
    public var latency: Double { Double(resampler.inputLatency) / input }

    public func inputFrames(forOutput frames: Int) -> Int { resampler.inputFrames(forOutput: frames) }
    public func outputFrames(forInput frames: Int) -> Int { resampler.outputFrames(forInput: frames) }
    public func reset() { resampler.reset() }

    public func process(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> BlockResampler.Progress { resampler.process(input, into: output) }

    /// Adjusts the ratio to an input clock that runs `factor` times as fast as its nominal rate. A change of less than 20 parts
    /// per million is ignored, because a new filter would cost more.
    public func follow(_ factor: Double) {
        guard factor.isFinite, abs(factor - correction) >= 20e-6, abs(factor - 1) < 0.009 else { return }
        do throws(ResamplerError) {
            try resampler.adjust(from: input * factor, to: output)
            correction = factor
        } catch {
            // The ratio does not change; the next call tries again.
        }
    }
}
