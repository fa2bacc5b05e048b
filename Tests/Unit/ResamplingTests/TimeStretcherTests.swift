// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import Resampling
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// All hops of a signal, which is appended in pieces of at most `piece` frames.
private func stretched(
    _ input: [Float], channels: Int = 1, rate: Double = 44_100, piece: Int = .max, _ speed: (Int) -> Double
) throws -> [Float] {
    let stretcher = try #require(TimeStretcher(channels: channels, rate: rate))
    return stretched(input, by: stretcher, channels: channels, piece: piece, speed)
}

private func stretched(
    _ input: [Float], by stretcher: TimeStretcher, channels: Int, piece: Int = .max, _ speed: (Int) -> Double
) -> [Float] {
    var (output, position, hops) = ([Float](), 0, 0)
    var hop = [Float](repeating: 0, count: stretcher.hop * channels)
    while true {
        while stretcher.needed > 0 {
            let count = min(stretcher.needed, piece, input.count / channels - position)
            guard count > 0 else { return output }
            input.withUnsafeBufferPointer { stretcher.append($0.baseAddress! + position * channels, count) }
            position += count
        }
        stretcher.produce(speed(hops), into: &hop)
        output += hop
        hops += 1
    }
}

private func crossings(_ signal: ArraySlice<Float>) -> Int { zip(signal, signal.dropFirst()).count { $0 < 0 && $1 >= 0 } }
private func steepest(_ signal: ArraySlice<Float>) -> Float {
    zip(signal, signal.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

@Suite("A time stretcher")
struct TimeStretcherTests {
    @Test("returns the input at its own speed, sample by sample, and again after another speed")
    func identity() throws {
        var random = SeededGenerator(5)
        let input = (0..<40_000).map { _ in Float.random(in: -1...1, using: &random) }
        let output = try stretched(input, channels: 2) { _ in 1 }
        #expect(output.count > 30_000)
        let isEqual = output[...] == input[..<output.count]
        #expect(isEqual)
        let changed = try stretched(input) { $0 < 3 ? 2 : 1 }
        let tail = Array(changed.suffix(10_000))
        let found = (0..<(input.count - 10_000)).contains { input[$0] == tail[0] && Array(input[$0..<($0 + 10_000)]) == tail }
        #expect(found)
    }

    @Test("changes the duration and keeps the frequency, without a click", arguments: [0.5, 0.77, 1.1, 1.5, 2, 8])
    func tones(speed: Double) throws {
        for frequency in [60.0, 440, 3_000] {
            let input = sine(frequency, 44_100, 44_100)
            let output = try stretched(input) { _ in speed }
            // A hop, the reach of the search, and the frames that the last hop needs.
            #expect(abs(Double(output.count) * speed - 44_100) < 3_000 + 882 * speed, "\(frequency) Hz: \(output.count) frames")
            let expected = frequency * Double(output.count) / 44_100
            #expect(abs(Double(crossings(output[...])) - expected) <= 1 + 0.005 * expected, "\(frequency) Hz")
            #expect(steepest(output[...]) < steepest(input[...]) * 1.1, "\(frequency) Hz")
        }
    }

    @Test("needs the same frames whatever the pieces are, and allocates no memory")
    func pieces() throws {
        var random = SeededGenerator(6)
        let input = (0..<60_000).map { _ in Float.random(in: -1...1, using: &random) }
        let speed = { (hop: Int) in [0.03, 1, 3, 128, 0.5][hop / 4 % 5] }
        let whole = try stretched(input, channels: 2, piece: .max, speed)
        #expect(try stretched(input, channels: 2, piece: 77, speed) == whole)
        let stretcher = try #require(TimeStretcher(channels: 2, rate: 48_000))
        let hop = UnsafeMutablePointer<Float>.allocate(capacity: stretcher.hop * 2)
        defer { hop.deallocate() }
        input.withUnsafeBufferPointer { input in
            let before = allocation_count()
            for index in 0..<20 {
                while stretcher.needed > 0 { stretcher.append(input.baseAddress!, min(stretcher.needed, 10_000)) }
                stretcher.produce(index % 2 == 0 ? 0.4 : 3, into: hop)
            }
            #expect(allocation_count() == before)
        }
        stretcher.reset()
        #expect(stretcher.needed == 2 * stretcher.hop)
    }

    @Test("is a new one after a reset, whatever its speed was", arguments: [0.5, 1, 3])
    func reset(former: Double) throws {
        var random = SeededGenerator(7)
        let input = (0..<30_000).map { _ in Float.random(in: -1...1, using: &random) }
        let stretcher = try #require(TimeStretcher(channels: 2, rate: 44_100))
        for speed in [former, 1.5, 1] {
            let isNew =
                try stretched(input, by: stretcher, channels: 2) { _ in speed }
                == stretched(input, channels: 2) { _ in speed }
            #expect(isNew, "speed \(speed)")
            stretcher.reset()
        }
    }

    @Test("exists for the channels and rates of a resampler")
    func limits() {
        #expect(TimeStretcher(channels: 0, rate: 44_100) == nil && TimeStretcher(channels: 9, rate: 44_100) == nil)
        #expect(TimeStretcher(channels: 1, rate: 3_999) == nil && TimeStretcher(channels: 1, rate: .nan) == nil)
        #expect(TimeStretcher(channels: 8, rate: 4_000) != nil && TimeStretcher(channels: 1, rate: 192_000) != nil)
    }
}

@Suite("A rate converter with speeds")
struct SpeedTests {
    @Test("changes its speed without a click, and stays in its range")
    func steps() throws {
        let converter = try #require(RateConverter.make(channels: 1, from: 44_100, to: 48_000, speeds: 0.25...4))
        let input = sine(300, 44_100, 200_000)
        var (output, position) = ([Float](repeating: 0, count: 256), 0)
        var last: Float = 0
        for block in 0..<160 {
            let speed = [1, 2, 0.25, 4, 9, 0.01, 1.37, .nan][block / 20]
            converter.setSpeed(speed)
            let needed = converter.inputFrames(forOutput: 256)
            let progress = input[position..<(position + needed)].withUnsafeBufferPointer { input in
                output.withUnsafeMutableBufferPointer { converter.process(input, into: $0) }
            }
            #expect(progress == .init(consumed: needed, produced: 256))
            position += needed
            let limited = speed.isNaN ? 1.37 : min(max(speed, 0.25), 4)
            let expected = 256.0 * 44_100 / 48_000 * limited
            // The length of the filter changes with the speed: the first blocks need more frames, or fewer.
            #expect(block % 20 < 4 || abs(Double(needed) - expected) <= 1, "\(needed) frames at speed \(speed)")
            // A tone of 300 Hz at the highest speed rises by less from sample to sample.
            let limit = Float(Double.pi * 300 * 4 / 48_000 * 1.05)
            #expect(abs(output[0] - last) < limit && steepest(output[...]) < limit, "block \(block)")
            last = output[255]
        }
        let fixed = try #require(RateConverter.make(channels: 1, from: 44_100, to: 48_000))
        let needed = fixed.inputFrames(forOutput: 1_000)
        fixed.setSpeed(2)
        #expect(fixed.inputFrames(forOutput: 1_000) == needed)
        #expect(RateConverter.make(channels: 1, from: 44_100, to: 48_000, speeds: 0...1) == nil)
    }
}
