// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import Testing

private func native(_ values: UInt32...) -> [UInt8] { values.flatMap { [UInt8](nativeBytesOf: $0) } }

private func value(_ converter: Converter, _ id: StaticString) throws -> [UInt8] {
    try withUnsafeBytes(of: 0) { try converter.property(code(id), $0) }
}

private func set(_ converter: Converter, _ id: StaticString, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try converter.setProperty(code(id), $0) }
}

/// An encoder of mono at 48,000 Hz. Its packets do not matter.
private final class StatingEncoder: VariablePacketEncoder {
    let input: PCMFormat
    let framesPerPacket = 1_024
    let largestPacket = 8
    let primingFrames = 0
    let magicCookie: [UInt8] = []
    let bitRate: UInt32

    init(bitRate: UInt32, channels: Int = 1) throws {
        self.bitRate = bitRate
        input = try linear(.integer(16), channels: channels)
    }

    func setBitRate(_ rate: UInt32) throws(ConverterError) { throw .parameter }
    func encode(_ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int { 0 }
    func reset() {}
}

@Suite("The layouts, the codec quality and the lists of a converter")
struct LayoutTests {
    private func converters() throws -> [(Converter, input: UInt32, output: UInt32)] {
        let mono = try linear(.integer(16), rate: 8_000, channels: 1).streamDescription
        let stereo = try linear(.float32(), rate: 44_100).streamDescription
        let six = try linear(.integer(16), channels: 6).streamDescription
        return [
            (try Converter.make(from: mono, to: mono), 1, 1), (try Converter.make(from: mono, to: stereo), 1, 2),
            (try Converter.make(from: six, to: stereo), 6, 2), (try Converter.make(from: codec(FormatID.uLaw), to: mono), 1, 1),
            (try Converter.make(from: mono, to: codec(FormatID.appleIMA4)), 1, 1),
            (
                try Converter.make(
                    from: mono, to: codec(CodecFormat.aac, rate: 48_000), encoder: try StatingEncoder(bitRate: 64_000)), 1, 1
            ),
        ]
    }

    @Test("are set and read, and begin with the usual layout")
    func layouts() throws {
        for (converter, input, output) in try converters() {
            for (id, channels) in [("icl ", input), ("ocl ", output)] as [(StaticString, UInt32)] {
                let usual = channels == 1 ? 100 << 16 | 1 : channels == 2 ? 101 << 16 | 2 : 0xFFFF_0000 | channels
                #expect(try value(converter, id) == native(usual, 0, 0) && converter.propertyInfo(code(id)) == (12, true))
                let described = native(0, 0, channels) + [UInt8](repeating: 0, count: 20 * Int(channels))
                // A tag with descriptions behind it, a tag that is unknown, a bitmap, and descriptions.
                for layout in [
                    native(147 << 16 | channels, 0, 0) + native(0, 0, 0, 0, 0), native(0xFFFF_0000 | channels, 0, 0),
                    native(1 << 16, (1 << channels) - 1, 0), described,
                ] {
                    try set(converter, id, layout)
                    #expect(try value(converter, id) == layout)
                }
                for wrong in [
                    native(100 << 16 | (channels + 1), 0, 0), native(1 << 16, (2 << channels) - 1, 0),
                    native(0, 0, channels - 1) + described[12...].dropLast(20), native(0, 0, 0),
                ] {
                    #expect(throws: ConverterError.parameter) { try set(converter, id, wrong) }
                }
                for wrong in [[], [1], Array(native(100 << 16 | channels, 0, 0).dropLast()), Array(described.dropLast())] {
                    #expect(throws: ConverterError.badPropertySize) { try set(converter, id, wrong) }
                }
                #expect(try value(converter, id) == described)
            }
            // A reset keeps them.
            converter.reset()
            #expect(try value(converter, "icl ")[..<4].elementsEqual(native(0)))
        }
    }

    @Test("have a codec quality without an effect")
    func codecQuality() throws {
        for (converter, _, _) in try converters() {
            #expect(try converter.number(code("cdqu")) == 0x40 && converter.propertyInfo(code("cdqu")) == (4, true))
            for quality: UInt32 in [0, 0x7F] {
                try converter.set(code("cdqu"), quality)
                #expect(try converter.number(code("cdqu")) == quality)
            }
            #expect(throws: ConverterError.parameter) { try converter.set(code("cdqu"), 0x80) }
            #expect(throws: ConverterError.badPropertySize) { try set(converter, "cdqu", [1]) }
        }
    }

    private func ranges(_ converter: Converter, _ id: StaticString) throws -> [Double] {
        let bytes = try value(converter, id)
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: Double.self) }
        }
    }

    @Test("list the bit rates and the sample rates of an encoder")
    func lists() throws {
        let mono = try linear(.integer(16), rate: 8_000, channels: 1).streamDescription
        func encoding(_ id: UInt32, _ bitRate: UInt32, channels: Int = 1) throws -> Converter {
            try Converter.make(
                from: try linear(.integer(16), rate: 48_000, channels: channels).streamDescription,
                to: codec(id, rate: 48_000, channels: UInt32(channels)),
                encoder: try StatingEncoder(bitRate: bitRate, channels: channels))
        }
        for id in ["aebr", "vebr"] as [StaticString] {
            #expect(try ranges(encoding(CodecFormat.aac, 64_000), id) == [8_000, 288_000])
            #expect(try ranges(encoding(CodecFormat.aac, 64_000, channels: 2), id) == [16_000, 576_000])
            #expect(try ranges(encoding(CodecFormat.appleLossless, 0), id) == [])
            #expect(throws: ConverterError.propertyNotSupported) {
                try encoding(CodecFormat.appleLossless, 0).number(code("brat"))
            }
            #expect(try ranges(Converter.make(from: mono, to: codec(FormatID.uLaw)), id) == [64_000, 64_000])
            #expect(try ranges(Converter.make(from: mono, to: codec(FormatID.appleIMA4)), id) == [34_000, 34_000])
        }
        for id in ["aesr", "vesr"] as [StaticString] {
            let rates = try ranges(encoding(CodecFormat.aac, 64_000), id)
            #expect(rates.count == 26 && rates[..<4] == [7_350, 7_350, 8_000, 8_000] && rates[24...] == [96_000, 96_000])
            #expect(try ranges(encoding(CodecFormat.appleLossless, 0), id) == [4_000, 192_000])
            #expect(try ranges(Converter.make(from: mono, to: codec(FormatID.uLaw)), id) == [4_000, 192_000])
        }
    }
}
