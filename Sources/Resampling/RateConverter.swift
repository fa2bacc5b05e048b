// SPDX-License-Identifier: Apache-2.0
/// A resampler of one pair of rates, as an object: several stages can refer to it, and a stage can have none.
public final class RateConverter {
    private var resampler: BlockResampler
    private let input: Double
    private let output: Double
    private var correction = 1.0

    /// Nil where memory is exhausted, or a rate or the number of channels is not in the range of `BlockResampler`.
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
    /// Seconds by which the output is late.
    public var latency: Double { Double(resampler.inputLatency) / input }

    public func inputFrames(forOutput frames: Int) -> Int { resampler.inputFrames(forOutput: frames) }
    public func outputFrames(forInput frames: Int) -> Int { resampler.outputFrames(forInput: frames) }
    public func reset() { resampler.reset() }

    public func process(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> BlockResampler.Progress { resampler.process(input, into: output) }

    /// Follows an input clock that runs `factor` times as fast as its nominal rate says. A change of less than 20 parts per
    /// million is not worth a new filter.
    public func follow(_ factor: Double) {
        guard factor.isFinite, abs(factor - correction) >= 20e-6, abs(factor - 1) < 0.009 else { return }
        do throws(ResamplerError) {
            try resampler.adjust(from: input * factor, to: output)
            correction = factor
        } catch {
            // The ratio stays as it is; the next call tries again.
        }
    }
}
