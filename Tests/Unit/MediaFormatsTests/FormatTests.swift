// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

/// A description with the fields of a program.
private func description(
    _ rate: Double, flags: UInt32, bytes: UInt32, channels: UInt32, bits: UInt32, framesPerPacket: UInt32 = 1,
    bytesPerPacket: UInt32? = nil, id: UInt32 = 0x6C70_636D
) -> StreamDescription {
    StreamDescription(
        sampleRate: rate, formatID: id, formatFlags: FormatFlags(rawValue: flags), bytesPerPacket: bytesPerPacket ?? bytes,
        framesPerPacket: framesPerPacket, bytesPerFrame: bytes, channelsPerFrame: channels, bitsPerChannel: bits)
}

@Suite("A description of linear PCM")
struct FormatTests {
    @Test("names the sample, the channels and the rate of the formats that programs use")
    func usualFormats() throws {
        let stereo16 = try PCMFormat(description(44_100, flags: 4 | 8, bytes: 4, channels: 2, bits: 16))
        #expect(stereo16.sample == (try .integer(16, byteOrder: .little)))
        #expect((stereo16.channels, stereo16.sampleRate, stereo16.isInterleaved) == (2, 44_100, true))
        let float = try PCMFormat(description(48_000, flags: 0x29, bytes: 4, channels: 2, bits: 32))
        #expect(float.sample == .float32(.little) && !float.isInterleaved)
        let fixed = try PCMFormat(description(44_100, flags: 0x29 & ~1 | 4 | 24 << 7, bytes: 4, channels: 2, bits: 32))
        #expect(fixed.sample == (try .fixedPoint(32, fractionBits: 24, byteOrder: .little)))
        let unsigned = try PCMFormat(description(8_000, flags: 8, bytes: 1, channels: 1, bits: 8))
        #expect(unsigned.sample == (try .integer(8, isSigned: false)))
        let high = try PCMFormat(description(96_000, flags: 2 | 4 | 0x10, bytes: 8, channels: 2, bits: 24))
        #expect(high.sample == (try .integer(24, bytes: 4, byteOrder: .big, alignment: .high)))
        let double = try PCMFormat(description(96_000, flags: 1 | 2 | 8, bytes: 64, channels: 8, bits: 64))
        #expect(double.sample == .float64(.big) && double.channels == 8)
    }

    @Test("has one spelling for each format: packed is set where it is true, meaningless flags are not")
    func canonicalFlags() throws {
        func flags(_ flags: UInt32, bytes: UInt32, bits: UInt32) throws -> UInt32 {
            try PCMFormat(description(8_000, flags: flags, bytes: bytes, channels: 1, bits: bits)).streamDescription.formatFlags
                .rawValue
        }
        #expect(try flags(4, bytes: 2, bits: 16) == 4 | 8)
        #expect(try flags(4 | 8 | 0x10, bytes: 2, bits: 16) == 4 | 8)
        #expect(try flags(4 | 8 | 2, bytes: 1, bits: 8) == 4 | 8)
        #expect(try flags(1 | 4 | 8, bytes: 4, bits: 32) == 1 | 8)
        #expect(try flags(0x8000_0000, bytes: 1, bits: 8) == 8)
        #expect(try flags(4 | 8 | 0x40, bytes: 2, bits: 16) == 4 | 8)
        #expect(try flags(4 | 8 | 31 << 7, bytes: 4, bits: 32) == 4 | 8)
        #expect(try flags(4 | 8 | 24 << 7, bytes: 4, bits: 32) == 4 | 8 | 24 << 7)
        #expect(try flags(4 | 0x10, bytes: 4, bits: 24) == 4 | 0x10)
        #expect(try flags(4 | 8 | 0x20, bytes: 2, bits: 16) == 4 | 8 | 0x20)
    }

    @Test("equals the description that it was made from, for every format")
    func roundTrip() throws {
        for sample in try everySample() {
            for channels in 1...8 {
                for isInterleaved in [true, false] {
                    let format = try PCMFormat(
                        sampleRate: 11_025, channels: channels, sample: sample, isInterleaved: isInterleaved)
                    #expect(try PCMFormat(format.streamDescription) == format)
                    #expect(format.streamDescription.bytesPerFrame == UInt32(sample.bytes * (isInterleaved ? channels : 1)))
                    #expect(format.bufferCount * format.channelsPerBuffer == channels)
                }
            }
        }
    }

    @Test("takes the default rate where its own is 0")
    func defaultRate() throws {
        let asked = description(0, flags: 4 | 8, bytes: 2, channels: 1, bits: 16)
        #expect(try PCMFormat(asked, defaultRate: 48_000).sampleRate == 48_000)
        #expect(throws: PCMFormatError.sampleRate) { try PCMFormat(asked) }
        #expect(try PCMFormat(description(8_000, flags: 12, bytes: 2, channels: 1, bits: 16), defaultRate: 1).sampleRate == 8_000)
    }

    @Test(
        "is refused with the rule that its fields break",
        arguments: [
            (description(8_000, flags: 12, bytes: 2, channels: 1, bits: 16, id: 0x6161_6320), PCMFormatError.notLinearPCM),
            (description(8_000, flags: 12 | 1 << 14, bytes: 2, channels: 1, bits: 16), .unknownFlags),
            (description(-1, flags: 12, bytes: 2, channels: 1, bits: 16), .sampleRate),
            (description(.nan, flags: 12, bytes: 2, channels: 1, bits: 16), .sampleRate),
            (description(.infinity, flags: 12, bytes: 2, channels: 1, bits: 16), .sampleRate),
            (description(8_000, flags: 12, bytes: 2, channels: 0, bits: 16), .channelCount),
            (description(8_000, flags: 12, bytes: 18, channels: 9, bits: 16), .channelCount),
            (description(8_000, flags: 12, bytes: 2, channels: .max, bits: 16), .channelCount),
            (description(8_000, flags: 12, bytes: 2, channels: 1, bits: 16, framesPerPacket: 2), .framesPerPacket),
            (description(8_000, flags: 12, bytes: 2, channels: 1, bits: 16, bytesPerPacket: 4), .packetSize),
            (description(8_000, flags: 12, bytes: 0, channels: 1, bits: 0), .frameSize),
            (description(8_000, flags: 12, bytes: 5, channels: 2, bits: 16), .frameSize),
            (description(8_000, flags: 12, bytes: 1, channels: 1, bits: 7), .bitCount),
            (description(8_000, flags: 12, bytes: 8, channels: 1, bits: 33), .bitCount),
            (description(8_000, flags: 12, bytes: 4, channels: 1, bits: 0), .bitCount),
            (description(8_000, flags: 4, bytes: 4, channels: 1, bits: .max), .bitCount),
            (description(8_000, flags: 12, bytes: 2, channels: 2, bits: 16), .sampleExceedsContainer),
            (description(8_000, flags: 9, bytes: 4, channels: 2, bits: 32), .sampleExceedsContainer),
            (description(8_000, flags: 4, bytes: 8, channels: 1, bits: 32), .containerSize),
            (description(8_000, flags: 4, bytes: .max, channels: 1, bits: 32), .containerSize),
            (description(8_000, flags: 12, bytes: 4, channels: 1, bits: 24), .packedWithPadding),
            (description(8_000, flags: 12 | 0x20, bytes: 4, channels: 2, bits: 16), .packedWithPadding),
            (description(8_000, flags: 9, bytes: 2, channels: 1, bits: 16), .floatSize),
            (description(8_000, flags: 0x29, bytes: 8, channels: 2, bits: 32), .floatWithPadding),
            (description(8_000, flags: 9 | 24 << 7, bytes: 4, channels: 1, bits: 32), .floatWithFraction),
            (description(8_000, flags: 12 | 17 << 7, bytes: 2, channels: 1, bits: 16), .fractionExceedsSample),
        ])
    func contradictions(_ fields: StreamDescription, _ error: PCMFormatError) {
        #expect(throws: error) { try PCMFormat(fields) }
    }

    @Test("completes sizes of 0 from the channels and the bits", arguments: 1...8)
    func completion(_ channels: UInt32) throws {
        let cases: [(flags: UInt32, bits: UInt32, bytes: UInt32)] = [
            (12, 8, 1), (12, 16, 2), (12, 24, 3), (4, 20, 3), (12, 32, 4), (9, 32, 4), (9, 64, 8), (12 | 24 << 7, 32, 4),
            (0, 8, 1),
        ]
        for row in cases {
            for flag: UInt32 in [0, 0x20] {
                let size = row.bytes * (flag == 0 ? channels : 1)
                let whole = description(8_000, flags: row.flags | flag, bytes: size, channels: channels, bits: row.bits)
                let expected = try PCMFormat(whole)
                for missing in 0..<8 {
                    var described = whole
                    if missing & 1 != 0 { described.bytesPerFrame = 0 }
                    if missing & 2 != 0 { described.bytesPerPacket = 0 }
                    if missing & 4 != 0 { described.framesPerPacket = 0 }
                    #expect(try PCMFormat(described) == expected, "\(row), \(missing)")
                }
            }
        }
        // The bytes of a packet state the container, which has more bits than the samples.
        let padded = description(8_000, flags: 4, bytes: 4, channels: 1, bits: 24)
        var described = padded
        (described.bytesPerFrame, described.framesPerPacket) = (0, 0)
        #expect(try PCMFormat(described) == PCMFormat(padded))
    }

    @Test("names the fields that contradict each other, and describes the rule")
    func errorFields() {
        for error in PCMFormatError.allCases {
            #expect(!error.fields.isEmpty)
            #expect(error.text.utf8CodeUnitCount > 10)
        }
        #expect(PCMFormatError.packetSize.fields == [.bytesPerPacket, .bytesPerFrame])
        #expect(PCMFormatError.packedWithPadding.fields == [.formatFlags, .bitsPerChannel, .bytesPerFrame])
        #expect(PCMFormatError.floatWithFraction.fields == .formatFlags)
        #expect(Set(PCMFormatError.allCases.map { "\($0.text)" }).count == PCMFormatError.allCases.count)
    }

    @Test("never traps, whatever its fields are")
    func randomFields() {
        var random = SeededGenerator(7)
        let sizes: [UInt32] = [0, 1, 2, 3, 4, 6, 8, 16, 24, 32, 33, 64, 255, 1 << 31, .max]
        var accepted = 0
        for _ in 0..<30_000 {
            let bytes = sizes.randomElement(using: &random)!
            let fields = description(
                [0, 8_000, -.infinity, .nan].randomElement(using: &random)!, flags: .random(in: 0...0x1FFF, using: &random),
                bytes: bytes, channels: sizes.randomElement(using: &random)!, bits: sizes.randomElement(using: &random)!)
            guard let format = try? PCMFormat(fields, defaultRate: 1) else { continue }
            accepted += 1
            // A size of 0 is completed.
            #expect(bytes == 0 || format.streamDescription.bytesPerFrame == bytes)
        }
        #expect(accepted > 20)
    }
}

@Suite("Frames and bytes")
struct FrameTests {
    @Test("correspond in each buffer")
    func sizes() throws {
        let interleaved = try PCMFormat(sampleRate: 8_000, channels: 3, sample: .integer(24))
        #expect((interleaved.bytesPerFrame, interleaved.bufferCount, interleaved.channelsPerBuffer) == (9, 1, 3))
        let separate = try PCMFormat(sampleRate: 8_000, channels: 3, sample: .integer(24), isInterleaved: false)
        #expect((separate.bytesPerFrame, separate.bufferCount, separate.channelsPerBuffer) == (3, 3, 1))
        #expect(interleaved.bytes(frames: 100) == 900)
        #expect(separate.bytes(frames: 100) == 300)
        #expect(interleaved.frames(bytes: 26) == 2)
        #expect(interleaved.frames(bytes: 27) == 3)
        #expect(interleaved.bytes(frames: 0) == 0)
    }

    @Test("of numbers that overflow do not exist")
    func overflow() throws {
        let format = try PCMFormat(sampleRate: 8_000, channels: 2, sample: .integer(16))
        #expect(format.bytes(frames: .max) == nil)
        #expect(format.bytes(frames: -1) == nil)
        #expect(format.bytes(frames: .max / 4) == .max / 4 * 4)
        #expect(format.frames(bytes: -1) == 0)
        #expect(format.frames(bytes: .max) == .max / 4)
    }

    @Test("A sample that cannot exist is refused")
    func samples() {
        #expect(throws: PCMFormatError.bitCount) { try SampleFormat.integer(.min) }
        #expect(throws: PCMFormatError.sampleExceedsContainer) { try SampleFormat.integer(16, bytes: 1) }
        #expect(throws: PCMFormatError.sampleExceedsContainer) { try SampleFormat.integer(8, bytes: .min) }
        #expect(throws: PCMFormatError.containerSize) { try SampleFormat.integer(16, bytes: .max) }
        #expect(throws: PCMFormatError.fractionExceedsSample) { try SampleFormat.fixedPoint(16, fractionBits: 0) }
        #expect(throws: PCMFormatError.fractionExceedsSample) { try SampleFormat.fixedPoint(16, fractionBits: 17) }
    }
}
