// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

private let pairs: [(Double, Double)] = [
    (44_100, 48_000), (48_000, 44_100), (8_000, 48_000), (48_000, 8_000), (22_050, 44_100), (44_100, 16_000), (11_025, 12_000),
    (96_000, 44_100), (44_099, 48_000), (44_100, 44_100.5), (12_345.678, 48_000), (48_000, 44_099.9),
]

private func sine(_ frames: Int, rate: Double, frequency: Double = 500, from start: Double = 0) -> [Float] {
    (0..<frames).map { Float(0.5 * sin(2 * Double.pi * frequency * (Double($0) + start) / rate)) }
}

@Suite("A converter of two rates")
struct RateConverterTests {
    private func made(_ from: Double, _ to: Double, channels: Int = 1) throws -> Converter {
        try Converter.make(
            from: try linear(.float32(), rate: from, channels: channels).streamDescription,
            to: try linear(.float32(), rate: to, channels: channels).streamDescription)
    }

    @Test("gives the frames that the length of the input makes, the same in every size of call", arguments: pairs)
    func chunks(_ from: Double, _ to: Double) throws {
        var random = SeededGenerator(7)
        for frames in [0, 1, 2, 63, 1_000, 9_999] {
            let converter = try made(from, to, channels: 2)
            let sound = Stream(floats: (0..<frames * 2).map { _ in Float.random(in: -1...1, using: &random) })
            let whole = try convert(converter, sound, packetBytes: 8, to: 1, packetBytes: 8, ask: { 200_000 })
            #expect(whole.buffers[0].count / 8 == Int((Double(frames) * to / from).rounded(.up)), "\(frames) frames")
            let pieces = try convert(
                converter, sound, packetBytes: 8, to: 1, packetBytes: 8, ask: { Int.random(in: 1...900, using: &random) },
                give: { Int.random(in: 1...($0 + 2), using: &random) })
            #expect(pieces == whole, "\(frames) frames")
        }
    }

    @Test("keeps the time of every frame", arguments: pairs)
    func alignment(_ from: Double, _ to: Double) throws {
        let converter = try made(from, to)
        let result = try convert(
            converter, Stream(floats: sine(Int(from / 4), rate: from)), packetBytes: 4, to: 1, packetBytes: 4)
        let ideal = sine(result.floats.count, rate: to)
        let middle = result.floats.count / 4..<result.floats.count * 3 / 4
        let error = middle.map { abs(result.floats[$0] - ideal[$0]) }.max() ?? 1
        #expect(error < 0.000_2)
    }

    @Test("is late by the length of its filter with the prime method None")
    func withoutPriming() throws {
        let converter = try made(44_100, 48_000)
        #expect(try converter.number(code("prmm")) == 1)
        try converter.set(code("prmm"), 2)
        #expect(try withUnsafeBytes(of: 0) { try converter.property(code("prim"), $0) } == [UInt8](repeating: 0, count: 8))
        let result = try convert(converter, Stream(floats: sine(11_025, rate: 44_100)), packetBytes: 4, to: 1, packetBytes: 4)
        #expect(result.floats.count == 12_000)
        let late = sine(12_000, rate: 48_000, from: -48 * 48_000 / 44_100)
        #expect((3_000..<9_000).allSatisfy { abs(result.floats[$0] - late[$0]) < 0.000_2 })
    }

    @Test("reads frames before the sound with the prime method Pre")
    func prePriming() throws {
        let converter = try made(44_100, 48_000)
        try converter.set(code("prmm"), 0)
        let info = try withUnsafeBytes(of: 0) { try converter.property(code("prim"), $0) }
        let leading = Int(info.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        #expect(leading >= 48 && info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) } == 48)
        let sound = sine(11_025 + leading, rate: 44_100, from: Double(-leading))
        let result = try convert(converter, Stream(floats: sound), packetBytes: 4, to: 1, packetBytes: 4)
        #expect(result.floats.count == 12_000)
        let ideal = sine(12_000, rate: 48_000)
        #expect((0..<9_000).allSatisfy { abs(result.floats[$0] - ideal[$0]) < 0.000_2 })
    }

    @Test("has the quality that it is asked for")
    func qualities() throws {
        func noise(_ set: (Converter) throws -> Void) throws -> Float {
            let converter = try made(44_100, 48_000)
            try set(converter)
            let sound = Stream(floats: sine(22_050, rate: 44_100, frequency: 15_000))
            let result = try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4)
            let ideal = sine(24_000, rate: 48_000, frequency: 15_000)
            return (6_000..<18_000).map { abs(result.floats[$0] - ideal[$0]) }.max() ?? 1
        }
        let low = try noise { try $0.set(code("srcq"), 0) }
        let medium = try noise { try $0.set(code("srcq"), try $0.number(code("srcq"))) }
        let best = try noise { try $0.set(code("srca"), code("bats")) }
        #expect(low > medium * 2 && medium > best)
        let converter = try made(44_100, 48_000)
        try converter.set(code("srcq"), 0x7F)
        #expect(try converter.number(code("srcq")) == 0x7F && converter.number(code("srca")) == code("norm"))
        #expect(throws: ConverterError.parameter) { try converter.set(code("srcq"), 0x80) }
        #expect(throws: ConverterError.parameter) { try converter.set(code("srca"), 1) }
    }

    @Test("keeps no sound of any channel after a reset", arguments: [2, 3, 8])
    func resetOfEachChannel(_ channels: Int) throws {
        for method: UInt32 in 0...2 {
            let converter = try made(44_100, 48_000, channels: channels)
            try converter.set(code("prmm"), method)
            for _ in 0..<2 {
                let loud = [Float](repeating: 1, count: 700 * channels)
                var output = [Float](repeating: 0, count: 100 * channels)
                // The sound does not end, so that the resampler has frames of it.
                let filled = loud.withUnsafeBytes { loud in
                    output.withUnsafeMutableBytes { output in
                        converter.fill(SampleBuffers(output), packets: 100) { (count: Int) in
                            InputPackets(buffers: SampleBuffers(UnsafeMutableRawBufferPointer(mutating: loud)), count: 700)
                        }
                    }
                }
                #expect(filled.packets == 100 && filled.error == nil)
                converter.reset()
                let silence = Stream(floats: [Float](repeating: 0, count: 1_000 * channels))
                let result = try convert(converter, silence, packetBytes: 4 * channels, to: 1, packetBytes: 4 * channels)
                #expect(result.floats.allSatisfy { $0 == 0 })
            }
        }
    }

    @Test("begins again after a reset, and after the end")
    func reset() throws {
        let converter = try made(44_100, 48_000)
        let sound = Stream(floats: sine(2_000, rate: 44_100))
        let first = try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4)
        #expect(try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4) == first)
        var output = [Float](repeating: 0, count: 50)
        var input = [Float](repeating: 1, count: 300)
        _ = output.withUnsafeMutableBytes { output in
            input.withUnsafeMutableBytes { input in
                let input = InputPackets(buffers: SampleBuffers(input), count: 300)
                return converter.fill(SampleBuffers(output), packets: 50) { (_: Int) throws(ConverterError) in input }
            }
        }
        converter.reset()
        #expect(try convert(converter, sound, packetBytes: 4, to: 1, packetBytes: 4) == first)
    }

    @Test("mixes channels, and states the sizes of buffers")
    func channels() throws {
        let converter = try Converter.make(
            from: try linear(.integer(16), rate: 16_000, channels: 1).streamDescription,
            to: try linear(.float32(), rate: 48_000, channels: 2, isInterleaved: false).streamDescription)
        let result = try convert(
            converter, Stream(samples: [Int16](repeating: 8_192, count: 800)), packetBytes: 2, to: 2, packetBytes: 4)
        #expect(result.buffers[0] == result.buffers[1] && result.floats.count == 2_400)
        #expect(result.floats[600..<1_800].allSatisfy { abs($0 - 0.25) < 0.000_1 })
        #expect(try converter.number(code("cobs"), 1_600) == 9_600)
        #expect(try converter.number(code("cibs"), 9_600) >= 1_600)
    }

    @Test("allocates nothing in a call", .enabled(if: allocation_count_is_available()))
    func allocations() throws {
        let converter = try Converter.make(
            from: try linear(.integer(16), rate: 44_100).streamDescription, to: try linear(.float32()).streamDescription)
        var input = [Int16](repeating: 100, count: 8_192)
        var output = [Float](repeating: 0, count: 1_024)
        let count = output.withUnsafeMutableBytes { output in
            input.withUnsafeMutableBytes { input in
                let given = InputPackets(buffers: SampleBuffers(input), count: 4_096)
                let room = SampleBuffers(output)
                var count: UInt64 = 0
                for call in 0..<5 {
                    let before = allocation_count()
                    let filled = converter.fill(room, packets: 512) { (_: Int) throws(ConverterError) in given }
                    // Ordinary Swift makes the metadata of generic types at their first use.
                    if call > 0 { count += allocation_count() - before }
                    #expect(filled.packets == 512)
                }
                return count
            }
        }
        #expect(count == 0)
    }
}
