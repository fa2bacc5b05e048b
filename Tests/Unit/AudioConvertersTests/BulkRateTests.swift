// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport
import Testing

/// Repeats and drops frames. It reads parts of its input, and gives its output in bursts.
private final class FakeResampler: BulkResampler {
    static let step = 1_000
    static let burst = 300

    private let channels: Int
    private let ratio: Double
    private var input: [Float] = []
    private var produced = 0
    var isExhausted = false
    var fails = false

    init(_ channels: Int, _ from: Double, _ to: Double) { (self.channels, ratio) = (channels, from / to) }

    /// The input frame of an output frame.
    static func source(of frame: Int, _ ratio: Double) -> Int { Int(Double(frame) * ratio + 1e-9) }

    func reset() -> Bool {
        (input, produced) = ([], 0)
        return !isExhausted
    }

    func process(
        _ frames: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) throws(ConverterError) -> (consumed: Int, produced: Int) {
        guard !fails else { throw .unspecified }
        let consumed = min(frames.count / channels, FakeResampler.step)
        input += frames[..<(consumed * channels)]
        var ready = 0
        while FakeResampler.source(of: produced + ready, ratio) < input.count / channels { ready += 1 }
        guard ready >= FakeResampler.burst else { return (consumed, 0) }
        let count = min(ready, output.count / channels)
        for frame in 0..<count {
            let source = FakeResampler.source(of: produced + frame, ratio)
            for channel in 0..<channels { output[frame * channels + channel] = input[source * channels + channel] }
        }
        produced += count
        return (consumed, count)
    }
}

@Suite("A converter with a bulk resampler")
struct BulkRateTests {
    private static let rates: [(Double, Double)] = [(44_100, 48_000), (48_000, 44_100), (8_000, 48_000), (96_000, 44_100)]

    /// The last resampler that a converter has made, and whether it was to be the best.
    private final class Made {
        var resampler: FakeResampler?
        var isBest = false
    }

    private func converter(_ from: Double, _ to: Double, channels: Int = 2, _ made: Made = Made()) throws -> Converter {
        try Converter.make(
            from: try linear(.float32(), rate: from, channels: channels).streamDescription,
            to: try linear(.float32(), rate: to, channels: channels).streamDescription,
            resampler: { channels, from, to, isBest in
                let resampler = FakeResampler(channels, from, to)
                (made.resampler, made.isBest) = (resampler, isBest)
                return resampler
            })
    }

    @Test("returns all frames that begin before the end of the input, the same frames for calls of every size", arguments: rates)
    func frames(_ from: Double, _ to: Double) throws {
        var random = SeededGenerator(11)
        let converter = try converter(from, to)
        try converter.set(code("srcq"), 0x60)
        for frames in [0, 1, 147, 160, 1_000, 9_999, 44_100] {
            let samples = (0..<frames * 2).map { _ in Float.random(in: -1...1, using: &random) }
            let count = Int((Double(frames) * to / from - 1e-6).rounded(.up))
            let ideal = (0..<count).flatMap { frame in
                let source = FakeResampler.source(of: frame, from / to)
                return [samples[2 * source], samples[2 * source + 1]]
            }
            let whole = try convert(
                converter, Stream(floats: samples), packetBytes: 8, to: 1, packetBytes: 8, ask: { 300_000 })
            #expect(whole.floats == ideal, "\(frames) frames")
            let pieces = try convert(
                converter, Stream(floats: samples), packetBytes: 8, to: 1, packetBytes: 8,
                ask: { Int.random(in: 1...9_000, using: &random) }, give: { Int.random(in: 1...($0 + 2), using: &random) })
            #expect(pieces == whole, "\(frames) frames")
        }
    }

    @Test("uses the resampler only for a high quality and the initial prime method")
    func choice() throws {
        let made = Made()
        let converter = try converter(44_100, 48_000, made)
        #expect(made.resampler == nil)
        try converter.set(code("srcq"), 0x60)
        #expect(made.resampler != nil && !made.isBest)
        try converter.set(code("srcq"), 0x7F)
        #expect(made.isBest)
        made.resampler = nil
        try converter.set(code("prmm"), 2)
        #expect(made.resampler == nil)
        try converter.set(code("prmm"), 1)
        #expect(made.resampler != nil)
        let info = try withUnsafeBytes(of: 0) { try converter.property(code("prim"), $0) }
        #expect(info == [UInt8](repeating: 0, count: 8))
        made.resampler = nil
        try converter.set(code("srca"), code("line"))
        #expect(made.resampler == nil)
    }

    @Test("discards the sound at a reset, and returns the resampler's error")
    func resetsAndErrors() throws {
        let made = Made()
        let converter = try converter(44_100, 48_000, channels: 1, made)
        try converter.set(code("srca"), code("bats"))
        let resampler = try #require(made.resampler)
        let sound = Stream(floats: (0..<3_000).map { Float($0) })
        let first = try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4)
        var output = [Float](repeating: 0, count: 500)
        var input = [Float](repeating: 1, count: 2_000)
        _ = output.withUnsafeMutableBytes { output in
            input.withUnsafeMutableBytes { input in
                let input = InputPackets(buffers: SampleBuffers(input), count: 2_000)
                return converter.fill(SampleBuffers(output), packets: 500) { (_: Int) throws(ConverterError) in input }
            }
        }
        converter.reset()
        #expect(try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4) == first)
        resampler.fails = true
        #expect(throws: ConverterError.unspecified) {
            try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4)
        }
        (resampler.fails, resampler.isExhausted) = (false, true)
        converter.reset()
        #expect(throws: ConverterError.outOfMemory) {
            try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4)
        }
    }
}
