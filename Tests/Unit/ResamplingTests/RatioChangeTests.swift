// SPDX-License-Identifier: Apache-2.0
import Resampling
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A ratio that changes")
struct RatioChangeTests {
    @Test("follows clocks within a percent, of rates that have a ratio")
    func range() {
        #expect(BlockResampler.drift(from: 48_000, to: 48_000) == 0.99...1.01)
        #expect(BlockResampler.drift(from: 96_000, to: 48_000) == 1.98...2.02)
        for (from, to) in [(0, 48_000), (48_000, 0), (.nan, 48_000), (-1, 48_000)] as [(Double, Double)] {
            #expect(BlockResampler.drift(from: from, to: to) == 1...1)
        }
    }

    /// The largest difference between a converted tone and the tone at the times of the output frames, in decibels of the tone.
    private func error(
        _ frequency: Double, reserving range: ClosedRange<Double>, blocks: Int, _ wanted: @escaping (Int) -> Double
    ) throws -> Double {
        // Ratios have this step, and its error must not add up.
        let ratio = { (block: Int) in (wanted(block) * 67_108_864).rounded() / 67_108_864 }
        let rate = 48_000.0
        var resampler = try BlockResampler(
            channels: 1, from: rate, to: rate / ((range.lowerBound + range.upperBound) / 2), reserving: range, quality: .high)
        let input = sine(frequency, rate, 300_000)
        var (position, largest) = (0, 0.0)
        // The time of the next output frame in input frames, without the latency of the filter.
        var time = 0.0
        for block in 0..<blocks {
            let before = resampler.inputLatency
            try resampler.adjust(from: rate, to: rate / ratio(block))
            time += Double(resampler.inputLatency - before)
            let needed = resampler.inputFrames(forOutput: 100)
            var output = [Float](repeating: 0, count: 100)
            _ = process(&resampler, Array(input[position..<position + needed]), &output)
            position += needed
            for sample in output {
                let heard = time - Double(resampler.inputLatency)
                let ideal = 0.5 * sin(2 * .pi * frequency * heard / rate)
                if block > blocks / 4 { largest = max(largest, abs(Double(sample) - ideal)) }
                time += ratio(block)
            }
        }
        return decibels(largest / 0.5)
    }

    @Test("by a drift makes no click: a high tone stays as it is")
    func drift() throws {
        let clock = { (block: Int) in 1 + 0.0002 * sin(Double(block) / 20) + (block % 7 == 0 ? 0.00003 : 0) }
        #expect(try error(15_000, reserving: 0.99...1.01, blocks: 800, clock) < -100)
        #expect(try error(440, reserving: 0.99...1.01, blocks: 400, clock) < -115)
    }

    @Test("by an octave makes no click either")
    func octave() throws {
        let glide = { (block: Int) in pow(2, sin(Double(block) / 30)) }
        #expect(try error(1_000, reserving: 0.5...2, blocks: 600, glide) < -100)
    }

    @Test("in the middle of a block applies from the next frame on")
    func middle() throws {
        var resampler = try BlockResampler(channels: 1, from: 48_000, to: 48_000, reserving: 0.5...2)
        var output = [Float](repeating: 0, count: 7)
        #expect(process(&resampler, [Float](repeating: 0.5, count: 4_000), &output).produced == 7)
        try resampler.adjust(from: 48_000, to: 24_000)
        let needed = resampler.inputFrames(forOutput: 1_000)
        #expect(abs(needed - 2_000) <= resampler.inputLatency)
        var rest = [Float](repeating: 0, count: 1_000)
        #expect(process(&resampler, [Float](repeating: 0.5, count: needed), &rest) == .init(consumed: needed, produced: 1_000))
        #expect(rest.suffix(700).allSatisfy { abs($0 - 0.5) < 1e-5 })
    }
}
