// SPDX-License-Identifier: Apache-2.0
/// A resampler of one pair of rates, as a class: several stages can reference it, and a stage can have none.
public final class RateConverter {
    private var resampler: BlockResampler
    private let input: Double
    private let output: Double

    /// Nil when a rate or the number of channels is out of the range of `BlockResampler`. With `followsClock`, `follow` can adjust
    /// the ratio.
    public static func make(
        channels: Int, from input: Double, to output: Double, quality: FilterQuality = .medium, followsClock: Bool = false
    ) -> RateConverter? {
        do throws(ResamplerError) {
            let resampler = try BlockResampler(
                channels: channels, from: input, to: output,
                reserving: followsClock ? BlockResampler.drift(from: input, to: output) : nil, quality: quality)
            return RateConverter(resampler, input, output)
        } catch {
            return nil
        }
    }

    /// With `setSpeed`, the input can run at a part or a multiple of its rate, in this range.
    public static func make(
        channels: Int, from input: Double, to output: Double, quality: FilterQuality = .medium, speeds: ClosedRange<Double>
    ) -> RateConverter? {
        guard input > 0, output > 0, speeds.lowerBound > 0 else { return nil }
        let ratios = (speeds.lowerBound * input / output)...(speeds.upperBound * input / output)
        do throws(ResamplerError) {
            let resampler = try BlockResampler(
                channels: channels, from: input, to: output, reserving: ratios, quality: quality)
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

    /// Changes the speed of the input from the next output frame on, without a click. A speed outside of the range of the converter
    /// is replaced by the nearest one.
    public func setSpeed(_ speed: Double) {
        guard speed.isFinite, let reserved = resampler.reserved else { return }
        let ratio = min(max(speed * input / output, reserved.lowerBound), reserved.upperBound)
        do throws(ResamplerError) {
            try resampler.adjust(from: ratio, to: 1)
        } catch {
            // A ratio of the range is possible.
        }
    }

    /// Adjusts the ratio to an input clock that runs `factor` times as fast as its nominal rate.
    public func setDrift(_ factor: Double) {
        guard factor.isFinite, abs(factor - 1) < 0.009 else { return }
        do throws(ResamplerError) {
            try resampler.adjust(from: input * factor, to: output)
        } catch {
            // The ratio does not change; the next call tries again.
        }
    }
}
