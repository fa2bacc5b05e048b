// SPDX-License-Identifier: Apache-2.0
import CRateKernels
import TestSupport
import Testing

@testable import Resampling

@Suite("A kernel")
struct RateKernelTests {
    /// The output of a kernel for noise, of which each channel has its own.
    private func output(
        _ kernel: RateKernel.Function, _ filter: RateFilter, _ ratio: RateRatio, channels: Int, from channel: Int = 0, frames: Int
    ) -> [Float] {
        var random = SeededGenerator(5)
        let plane = Int(Double(frames) * ratio.value) + filter.shape.taps + 64
        let noise = (0..<plane * (channel + channels)).map { _ in Float.random(in: -1...1, using: &random) }
        let history = Array(noise[(plane * channel)...])
        var output = [Float](repeating: 9, count: frames * channels)
        history.withUnsafeBufferPointer { history in
            output.withUnsafeMutableBufferPointer { output in
                var run = rate_run(
                    history: history.baseAddress, plane: plane, first: 11, fraction: min(1, Int64(ratio.denominator) - 1),
                    numerator: Int64(ratio.numerator),
                    denominator: Int64(ratio.denominator), output: output.baseAddress, frames: frames, channels: Int32(channels))
                kernel(filter.filter, &run)
            }
        }
        return output
    }

    @Test("of every instruction set has the same result within rounding", arguments: FilterQuality.allCases)
    func agreement(_ quality: FilterQuality) throws {
        let fast = try #require(rate_kernel_of_avx2() ?? rate_kernel_of_base())
        let base = try #require(rate_kernel_of_base())
        for (from, to) in [(44_100.0, 48_000.0), (48_000, 44_100), (44_099, 48_000), (192_000, 16_000)] {
            let ratio = try #require(RateRatio(from: from, to: to, in: BlockResampler.allRatios))
            let filter = FilterCache.filter(.exact(quality, ratio))
            for channels in BlockResampler.channelCounts {
                for frames in [1, 2, 3, 4, 5, 63] {
                    let one = output(base, filter, ratio, channels: channels, frames: frames)
                    let other = output(fast, filter, ratio, channels: channels, frames: frames)
                    let difference = zip(one, other).map { abs($0 - $1) }.max() ?? 9
                    #expect(difference < 2e-6, "\(from) to \(to), \(channels) channels, \(frames) frames")
                    #expect(one.allSatisfy { abs($0) < 3 })
                }
            }
        }
    }

    @Test("gives each channel what it gives that channel alone", arguments: FilterQuality.allCases)
    func channels(_ quality: FilterQuality) throws {
        for kernel in [rate_kernel_of_avx2(), rate_kernel_of_base()].compactMap(\.self) {
            for (from, to) in [(44_100.0, 48_000.0), (44_099, 48_000)] {
                let ratio = try #require(RateRatio(from: from, to: to, in: BlockResampler.allRatios))
                let filter = FilterCache.filter(.exact(quality, ratio))
                // The planes of a history follow each other: the first channels are those of a narrower run.
                for channels in BlockResampler.channelCounts.dropFirst() {
                    let all = output(kernel, filter, ratio, channels: channels, frames: 63)
                    let last = output(kernel, filter, ratio, channels: 1, from: channels - 1, frames: 63)
                    let isEqual = last.indices.allSatisfy { abs(all[$0 * channels + channels - 1] - last[$0]) < 2e-6 }
                    #expect(isEqual, "\(from) to \(to), channel \(channels)")
                }
            }
        }
    }

    @Test("is that of the processor")
    func choice() {
        #expect(rate_kernel_of_processor() != nil)
        if rate_kernel_of_avx2() == nil { #expect(rate_kernel_of_base() != nil) }
    }

    @Test("reads no old frame: a sample that is not a number leaves with its window", arguments: [Float.nan, .infinity])
    func numbers(_ number: Float) throws {
        var resampler = try BlockResampler(channels: 2, from: 48_000, to: 44_100)
        var output = [Float](repeating: 0, count: 900 * 2)
        // The memory of the history is full of it.
        _ = process(&resampler, [Float](repeating: number, count: 1_000 * 2), &output)
        let silence = [Float](repeating: 0, count: 100 * 2)
        for block in 0..<30 {
            var after = [Float](repeating: 9, count: resampler.outputFrames(forInput: 100) * 2)
            #expect(process(&resampler, silence, &after).consumed == 100)
            // The window has 106 frames, and the frames of a group are computed together.
            if block > 1 { #expect(after.allSatisfy { $0 == 0 }, "block \(block)") }
        }
        _ = process(&resampler, [Float](repeating: number, count: 1_000 * 2), &output)
        resampler.reset()
        var after = [Float](repeating: 9, count: 80 * 2)
        #expect(process(&resampler, silence, &after).produced == 80)
        #expect(after.allSatisfy { $0 == 0 })
    }

    @Test("computes a design once for a process")
    func cache() throws {
        let ratio = try #require(RateRatio(from: 11_025, to: 48_000, in: BlockResampler.allRatios))
        let shape = RateFilter.Shape.exact(.low, ratio)
        let first = FilterCache.filter(shape)
        #expect(first === FilterCache.filter(shape) && first.shape == shape)
        #expect(first !== FilterCache.filter(.exact(.medium, ratio)))
    }
}
