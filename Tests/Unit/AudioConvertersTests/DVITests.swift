// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport
import Testing

private func dvi(_ bytes: UInt32, _ frames: UInt32, channels: UInt32 = 1) -> StreamDescription {
    StreamDescription(
        sampleRate: 8_000, formatID: 0x6D73_0011, bytesPerPacket: bytes, framesPerPacket: frames, channelsPerFrame: channels)
}

@Suite("DVI ADPCM")
struct DVITests {
    private func decode(_ format: StreamDescription, _ bytes: [UInt8]) throws -> [Int16] {
        let target = try linear(.integer(16), rate: 8_000, channels: Int(format.channelsPerFrame)).streamDescription
        let converter = try Converter.make(from: format, to: target)
        return try convert(
            converter, Stream([bytes]), packetBytes: Int(format.bytesPerPacket), to: 1,
            packetBytes: 2 * Int(format.channelsPerFrame)
        ).samples
    }

    @Test("decodes the first sample of a block, and one of each code, the low half of a byte first")
    func codes() throws {
        // Code 4 adds the step 7 and an eighth of it; code 8 | 4 subtracts the step 9 and an eighth of it.
        #expect(try decode(dvi(8, 9), [0xE8, 3, 0, 0, 0x04, 0, 0, 0])[..<2] == [1_000, 1_007])
        #expect(try decode(dvi(8, 9), [0x18, 0xFC, 0, 0, 0xC4, 0, 0, 0])[..<3] == [-1_000, -993, -1_003])
        // An index beyond the table is its last one: a code of 0 adds an eighth of the step.
        #expect(try decode(dvi(8, 9), [0, 0, 0xFF, 0, 0, 0, 0, 0])[..<2] == [0, 4_095])
        // The samples do not leave their range.
        #expect(try decode(dvi(8, 9), [0xFF, 0x7F, 88, 0, 0x77, 0x77, 0x77, 0x77]).allSatisfy { $0 == 32_767 })
    }

    @Test("decodes the groups of each channel, in blocks that are independent of each other")
    func channels() throws {
        var random = SeededGenerator(4)
        for channels in 1...8 {
            let size = 4 * 3
            let mono = (0..<channels).map { _ in
                (0..<2 * size).map { index in index % size == 3 ? 0 : UInt8.random(in: 0...88, using: &random) }
            }
            var mixed: [UInt8] = []
            for group in 0..<6 { for channel in mono { mixed += channel[4 * group..<4 * group + 4] } }
            let separate = try mono.map { try decode(dvi(12, 17), $0) }
            let result = try decode(dvi(UInt32(12 * channels), 17, channels: UInt32(channels)), mixed)
            #expect(result.count == 34 * channels)
            for (index, sample) in result.enumerated() { #expect(sample == separate[index % channels][index / channels]) }
        }
    }

    @Test("has at most the frames of a block, and fewer when the file states them")
    func sizes() throws {
        #expect(try decode(dvi(8, 3), [1, 0, 0, 0, 0x04, 0, 0, 0]).count == 3)
        #expect(try decode(dvi(4, 1), [1, 0, 0, 0, 2, 0, 0, 0]) == [1, 2])
        let target = try linear(.integer(16), rate: 8_000, channels: 1).streamDescription
        for format in [
            dvi(8, 10), dvi(8, 0), dvi(0, 9), dvi(7, 9), dvi(3, 1), dvi(1 << 20, 9), dvi(8, 9, channels: 9),
            dvi(8, 9, channels: 0), dvi(8, 9, channels: 1 << 30), dvi(8, 9, channels: .max), dvi(.max, .max, channels: .max),
        ] {
            #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: format, to: target) }
        }
        #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: target, to: dvi(8, 9)) }
    }
}
