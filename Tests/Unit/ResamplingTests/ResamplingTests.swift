// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import Resampling
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The usual rates, and one whose ratios are not simple.
private let rates: [Double] = [4_000, 8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 44_099, 96_000, 192_000]

@Suite("Resampling")
struct ResamplingTests {
    @Test("passes tones up to 0.9 of the lower Nyquist rate within 0.1 dB, and adds at most -90 dB")
    func passBand() throws {
        for (from, to) in [
            (44_100.0, 48_000.0), (48_000, 44_100), (8_000, 48_000), (48_000, 16_000), (22_050, 96_000), (44_099, 48_000),
        ] {
            for part in [0.05, 0.3, 0.6, 0.9] {
                let frequency = part * min(from, to) / 2
                let output = try resampled(sine(frequency, from, Int(from / 4)), from: from, to: to)
                let (amplitude, rest) = fit(output[(output.count / 2)...], frequency, to)
                #expect(
                    abs(decibels(amplitude / 0.5)) < 0.1, "\(from) to \(to), \(frequency) Hz: \(decibels(amplitude / 0.5)) dB")
                #expect(decibels(rest / 0.5) < -90, "\(from) to \(to), \(frequency) Hz: \(decibels(rest / 0.5)) dB beside it")
            }
        }
    }

    @Test("stops tones that the lower rate cannot hold to -90 dB")
    func stopBand() throws {
        for (from, to) in [(48_000.0, 44_100.0), (48_000, 16_000), (96_000, 22_050), (192_000, 4_000)] {
            for part in [1.12, 1.4, 1.7] where part * to < from {
                let output = try resampled(sine(part * to / 2, from, Int(from / 3)), from: from, to: to)
                let tail = output[(output.count / 2)...]
                let level = (2 * tail.reduce(0) { $0 + Double($1 * $1) } / Double(tail.count)).squareRoot()
                #expect(decibels(level / 0.5) < -90, "\(from) to \(to), \(part) of Nyquist: \(decibels(level / 0.5)) dB")
            }
        }
    }

    @Test("gives exactly the asked frames from exactly the stated input, for every pair of rates")
    func exactOutput() throws {
        for from in rates {
            for to in rates {
                for block in [1, 64, 441] {
                    var resampler = try BlockResampler(channels: 3, from: from, to: to)
                    var (consumed, produced) = (0, 0)
                    var output = [Float](repeating: 0, count: block * 3)
                    for _ in 0..<24 {
                        let needed = resampler.inputFrames(forOutput: block)
                        let progress = process(&resampler, [Float](repeating: 0.25, count: needed * 3), &output)
                        #expect(progress == BlockResampler.Progress(consumed: needed, produced: block), "\(from) to \(to)")
                        consumed += progress.consumed
                        produced += progress.produced
                    }
                    let expected = Double(produced) * from / to
                    #expect(abs(Double(consumed) - expected) <= max(from / to, 1), "\(from) to \(to): \(consumed) frames")
                }
            }
        }
    }

    @Test("consumes the whole input and states what it produces, for every pair of rates")
    func exactInput() throws {
        for from in rates {
            for to in rates {
                for block in [1, 64, 441] {
                    var resampler = try BlockResampler(channels: 2, from: from, to: to)
                    for _ in 0..<24 {
                        let stated = resampler.outputFrames(forInput: block)
                        var output = [Float](repeating: 0, count: stated * 2)
                        let progress = process(&resampler, [Float](repeating: 0.25, count: block * 2), &output)
                        guard stated > 0 else { continue }
                        #expect(progress == BlockResampler.Progress(consumed: block, produced: stated), "\(from) to \(to)")
                    }
                }
            }
        }
    }

    @Test("produces the same sound whatever the sizes of the blocks are", arguments: BlockResampler.channelCounts)
    func blockSizes(_ channels: Int) throws {
        var random = SeededGenerator(8)
        let input = (0..<4_000 * channels).map { _ in Float.random(in: -1...1, using: &random) }
        for (from, to) in [(44_100.0, 48_000.0), (48_000, 8_000), (8_000, 48_000), (44_099, 48_000), (96_000, 44_100)] {
            for quality in [FilterQuality.medium, .max] {
                func converted(_ size: () -> Int, _ room: () -> Int) throws -> [Float] {
                    var resampler = try BlockResampler(channels: channels, from: from, to: to, quality: quality)
                    var (result, position): ([Float], Int) = ([], 0)
                    while position < 4_000 {
                        let count = min(size(), 4_000 - position)
                        var output = [Float](repeating: 0, count: room() * channels)
                        let part = Array(input[position * channels..<(position + count) * channels])
                        let progress = process(&resampler, part, &output)
                        position += progress.consumed
                        result += output.prefix(progress.produced * channels)
                    }
                    return result
                }
                let whole = try converted({ 4_000 }, { 30_000 })
                let pieces = try converted(
                    { Int.random(in: 0...700, using: &random) }, { Int.random(in: 1...700, using: &random) })
                let common = min(whole.count, pieces.count)
                #expect(common > 500 * channels && whole.prefix(common) == pieces.prefix(common), "\(from) to \(to)")
            }
        }
    }

    @Test("is late by the stated frames")
    func latency() throws {
        for (from, to) in [(44_100.0, 48_000.0), (48_000, 44_100), (48_000, 16_000), (16_000, 48_000)] {
            let resampler = try BlockResampler(channels: 1, from: from, to: to)
            var input = [Float](repeating: 0, count: 3_000)
            input[1_000] = 1
            let output = try resampled(input, from: from, to: to, block: 32)
            let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
            let expected = 1_000 * to / from + Double(resampler.outputLatency)
            #expect(abs(Double(peak) - expected) <= 1, "\(from) to \(to): \(peak), not \(expected)")
            #expect(abs(Double(resampler.inputLatency) * to / from - Double(resampler.outputLatency)) <= 0.5)
        }
    }

    @Test("after a reset equals a new one")
    func reset() throws {
        var resampler = try BlockResampler(
            channels: 1, from: 44_100, to: 48_000, reserving: BlockResampler.drift(from: 44_100, to: 48_000))
        let input = sine(1_000, 44_100, 500)
        func firstBlock() -> [Float] {
            var output = [Float](repeating: 0, count: 300)
            #expect(process(&resampler, input, &output).produced == 300)
            return output
        }
        let first = firstBlock()
        #expect(firstBlock() != first)
        try resampler.adjust(from: 44_100, to: 48_100)
        #expect(firstBlock() != first)
        try resampler.reset(from: 44_100, to: 48_000)
        #expect(firstBlock() == first)
        resampler.reset()
        #expect(resampler.inputFrames(forOutput: 1) == 1)
        #expect(firstBlock() == first)
    }

    @Test("keeps no sound of any channel after a reset", arguments: BlockResampler.channelCounts)
    func resetOfEachChannel(_ channels: Int) throws {
        for (from, to) in [(44_100.0, 48_000.0), (192_000, 4_000), (4_000, 192_000), (48_000, 48_000)] {
            for quality in [FilterQuality.linear, .medium, .max] {
                var resampler = try BlockResampler(
                    channels: channels, from: from, to: to, reserving: BlockResampler.drift(from: from, to: to), quality: quality)
                let frames = 4 * resampler.inputLatency + 200
                // The second reset follows sound in the state that the first one has left.
                for round in 1...2 {
                    var output = [Float](repeating: 0, count: resampler.outputFrames(forInput: frames) * channels)
                    _ = process(&resampler, [Float](repeating: 1, count: frames * channels), &output)
                    #expect(output.contains { $0 != 0 })
                    // A filter of another length moves the memory of the channels.
                    if round == 2 { try resampler.adjust(from: from * (from > to ? 0.996 : 1.004), to: to) }
                    resampler.reset()
                    let silent = resampler.outputFrames(forInput: frames)
                    var silence = [Float](repeating: 9, count: silent * channels)
                    #expect(process(&resampler, [Float](repeating: 0, count: frames * channels), &silence).produced == silent)
                    // A closure for each sample is slow without optimization.
                    let isSilent = memcmp(silence, [Float](repeating: 0, count: silence.count), 4 * silence.count) == 0
                    #expect(isSilent, "\(from) to \(to), quality \(quality), reset \(round)")
                }
            }
        }
    }

    @Test("keeps its counts exact while the ratio changes at random")
    func changingRates() throws {
        var random = SeededGenerator(8)
        for reserved in [BlockResampler.allRatios, 0.9...1.1] {
            var resampler = try BlockResampler(channels: 2, from: 48_000, to: 48_000, reserving: reserved)
            for _ in 0..<400 {
                let ratio = Double.random(in: reserved, using: &random)
                try resampler.adjust(from: 48_000, to: 48_000 / ratio)
                let block = Int.random(in: 1...300, using: &random)
                if Bool.random(using: &random) {
                    let needed = resampler.inputFrames(forOutput: block)
                    var output = [Float](repeating: 0, count: block * 2)
                    let progress = process(&resampler, [Float](repeating: 0, count: needed * 2), &output)
                    #expect(progress == BlockResampler.Progress(consumed: needed, produced: block))
                } else {
                    let stated = resampler.outputFrames(forInput: block)
                    guard stated > 0 else { continue }
                    var output = [Float](repeating: 0, count: stated * 2)
                    let progress = process(&resampler, [Float](repeating: 0, count: block * 2), &output)
                    #expect(progress == BlockResampler.Progress(consumed: block, produced: stated))
                }
            }
        }
    }

    @Test("follows a drifting rate without a click")
    func drift() throws {
        var resampler = try BlockResampler(
            channels: 1, from: 48_000, to: 48_000, reserving: BlockResampler.drift(from: 48_000, to: 48_000))
        var (result, phase): ([Float], Double) = ([], 0)
        for block in 0..<200 {
            try resampler.adjust(from: 48_000 * (1 + 0.00001 * Double(block % 40)), to: 48_000)
            let needed = resampler.inputFrames(forOutput: 128)
            var output = [Float](repeating: 0, count: 128)
            let step: Double = 2 * .pi * 440 / 48_000
            var input: [Float] = []
            for _ in 0..<needed {
                input.append(Float(0.5 * sin(phase)))
                phase += step
            }
            _ = process(&resampler, input, &output)
            result += output
        }
        // The second difference of a sine of 440 Hz is far below that of a click.
        var bend: Float = 0
        for index in 1_002..<result.count {
            let mean: Float = (result[index] + result[index - 2]) / 2
            bend = max(bend, abs(mean - result[index - 1]))
        }
        #expect(bend < 0.001)
    }

    @Test("is refused outside its rates, channels and ratios")
    func refusals() {
        func error(_ channels: Int, _ from: Double, _ to: Double, _ range: ClosedRange<Double>? = nil) -> ResamplerError? {
            do {
                _ = try BlockResampler(channels: channels, from: from, to: to, reserving: range)
                return nil
            } catch { return error }
        }
        #expect(error(0, 8_000, 8_000) == .channelCount)
        #expect(error(9, 8_000, 8_000) == .channelCount)
        #expect(error(1, 3_999, 8_000) == .rate)
        #expect(error(1, 8_000, 192_001) == .rate)
        #expect(error(1, .nan, 8_000) == .rate)
        #expect(error(1, 8_000, .infinity) == .rate)
        #expect(error(1, 0, 8_000) == .rate)
        #expect(error(1, 1e9, 8_000) == .rate)
        #expect(error(1, -48_000, 48_000) == .rate)
        #expect(error(1, 8_000, 16_000, 1...2) == .ratio)
        #expect(error(8, 4_000, 192_000) == nil)
        #expect(error(8, 192_000, 4_000) == nil)
        // A range that no pair of rates has is refused or limited.
        #expect(error(1, 48_000, 48_000, 1...1e300) == nil)
        #expect(error(1, 48_000, 48_000, 1e-300...0.5) == .ratio)
        #expect(error(1, 48_000, 48_000, 256...300) == .ratio)
    }

    @Test("keeps its ratio where the next one is not reserved")
    func refusedRatio() throws {
        var resampler = try BlockResampler(
            channels: 1, from: 48_000, to: 48_000, reserving: BlockResampler.drift(from: 48_000, to: 48_000))
        func error(_ from: Double, _ to: Double) -> ResamplerError? {
            do {
                try resampler.adjust(from: from, to: to)
                return nil
            } catch { return error }
        }
        #expect(error(48_000, 44_100) == .ratio)
        #expect(error(.nan, 48_000) == .ratio)
        #expect(error(48_000, 0) == .ratio)
        #expect(error(-48_000, -48_000) == .ratio)
        #expect(resampler.inputFrames(forOutput: 100) == 100)
        #expect(error(48_100, 48_000) == nil)
        #expect(throws: ResamplerError.ratio) { try resampler.reset(from: 48_000, to: 96_000) }
    }

    @Test("bounds its counts, whatever is asked")
    func extremeCounts() throws {
        var resampler = try BlockResampler(channels: 2, from: 48_000, to: 44_100)
        #expect(resampler.inputFrames(forOutput: .min) == 0)
        #expect(resampler.outputFrames(forInput: .min) == 0)
        #expect(resampler.inputFrames(forOutput: .max) > 0)
        #expect(resampler.outputFrames(forInput: .max) > 0)
        var empty: [Float] = []
        #expect(process(&resampler, [1, 1], &empty) == BlockResampler.Progress())
        var output: [Float] = [0, 0]
        #expect(process(&resampler, [], &output) == BlockResampler.Progress())
    }

    @Test("allocates neither to process, nor to reset, nor to change the ratio", .enabled(if: allocation_count_is_available()))
    func allocations() throws {
        for reserved in [BlockResampler.allRatios, 1.5...2.5, 0.9...1.1] {
            let middle = (reserved.lowerBound * reserved.upperBound).squareRoot()
            var resampler = try BlockResampler(channels: 8, from: 48_000, to: 48_000 / middle, reserving: reserved)
            var random = SeededGenerator(8)
            let ratios = (0..<100).map { _ in Double.random(in: reserved, using: &random) } + [1, 2, 3, 4, 8, 16, 48, 0.5]
            let rates = ratios.filter(reserved.contains).map { 48_000 / $0 }
            let input = [Float](repeating: 0.1, count: 4_096 * 8)
            var output = [Float](repeating: 0, count: 128 * 8)
            var allocations: UInt64 = 0
            // Ordinary Swift makes the metadata of generic types at their first use.
            resampler.reset()
            try resampler.reset(from: 48_000, to: rates[0])
            for (index, rate) in rates.enumerated() {
                input.withUnsafeBufferPointer { input in
                    output.withUnsafeMutableBufferPointer { output in
                        let before = allocation_count()
                        try? resampler.adjust(from: 48_000, to: rate)
                        _ = resampler.process(input, into: output)
                        if index > 0 { allocations += allocation_count() - before }
                    }
                }
            }
            let before = allocation_count()
            resampler.reset()
            try resampler.reset(from: 48_000, to: rates[0])
            allocations += allocation_count() - before
            #expect(allocations == 0)
        }
    }
}

@Suite("A resampler of one pair of rates")
struct RateConverterTests {
    @Test("is not made for rates and channels that no resampler has")
    func refusals() {
        #expect(RateConverter.make(channels: 8, from: 4_000, to: 192_000) != nil)
        #expect(RateConverter.make(channels: 9, from: 48_000, to: 48_000) == nil)
        #expect(RateConverter.make(channels: 1, from: 3_999, to: 48_000) == nil)
        #expect(RateConverter.make(channels: 1, from: 48_000, to: 192_001) == nil)
    }

    @Test("converts as a resampler of these rates does, again after a reset, and states its latency in seconds")
    func conversion() throws {
        let converter = try #require(RateConverter.make(channels: 1, from: 44_100, to: 48_000, quality: .min))
        var resampler = try BlockResampler(channels: 1, from: 44_100, to: 48_000, quality: .min)
        let input = sine(500, 44_100, 400)
        let count = converter.outputFrames(forInput: 400)
        #expect(count == resampler.outputFrames(forInput: 400))
        var expected = [Float](repeating: 0, count: count)
        let progress = process(&resampler, input, &expected)
        for _ in 0..<2 {
            var output = [Float](repeating: 0, count: count)
            let converted = input.withUnsafeBufferPointer { input in
                output.withUnsafeMutableBufferPointer { converter.process(input, into: $0) }
            }
            #expect(converted == progress && output == expected)
            converter.reset()
        }
        #expect(converter.inputLatency == resampler.inputLatency)
        #expect(converter.latency == Double(resampler.inputLatency) / 44_100)
    }

    @Test("follows its clock, but not to a ratio that no resampler has")
    func clock() throws {
        let converter = try #require(RateConverter.make(channels: 1, from: 192_000, to: 4_000, followsClock: true))
        /// The input frames of the second 100,000 output frames.
        func frames() -> Int { converter.inputFrames(forOutput: 200_000) - converter.inputFrames(forOutput: 100_000) }
        /// Frames are whole.
        func isNear(_ wanted: Double) -> Bool { abs(Double(frames()) - wanted) <= 1 }
        converter.setDrift(1.005)
        #expect(frames() == 4_800_000)
        converter.setDrift(0.996)
        #expect(isNear(4_780_800))
        let slow = frames()
        for factor in [1.005, .nan, 0.5] {
            converter.setDrift(factor)
            #expect(frames() == slow, "\(factor)")
        }
        converter.setDrift(0.996_01)
        #expect(isNear(4_780_848))
        converter.setDrift(1)
        #expect(isNear(4_800_000))
    }
}
