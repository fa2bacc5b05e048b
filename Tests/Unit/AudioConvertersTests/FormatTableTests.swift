// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import Testing

private func native(_ values: UInt32...) -> [UInt8] { values.flatMap { [UInt8](nativeBytesOf: $0) } }

private func value(_ id: StaticString, _ specifier: [UInt8], _ buffer: [UInt8] = []) throws -> FormatValue {
    try specifier.withUnsafeBytes { specifier in
        try buffer.withUnsafeBytes { try Formats.property(code(id), specifier, $0) }
    }
}

private func numbers(_ id: StaticString, _ specifier: [UInt8]) throws -> [UInt32] {
    guard case .bytes(let bytes) = try value(id, specifier) else { return [] }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt32.self) }
    }
}

private func completed(_ format: StreamDescription) throws -> StreamDescription {
    guard case .bytes(let bytes) = try value("fmti", [], format.bytes) else { throw FormatError.unspecified }
    return bytes.withUnsafeBytes { StreamDescription(at: $0.baseAddress!) }
}

@Suite("The table of formats")
struct FormatTableTests {
    /// The frames of a packet, whether packets differ in size, and whether something outside of a packet states its size.
    @Test(
        "states the packets of each format",
        arguments: [
            ("lpcm", 1, 0, 0), ("ulaw", 1, 0, 0), ("alaw", 1, 0, 0), ("ima4", 64, 0, 0), (".mp1", 384, 1, 0),
            (".mp2", 1_152, 1, 0), (".mp3", 1_152, 1, 0), ("aac ", 1_024, 1, 1), ("aach", 2_048, 1, 1), ("aacp", 2_048, 1, 1),
            ("aacl", 512, 1, 1), ("aace", 512, 1, 1), ("alac", 4_096, 1, 1), ("ac-3", 1_536, 0, 0), ("samr", 160, 1, 0),
            ("ilbc", 0, 0, 0), ("flac", 0, 1, 0), ("opus", 0, 1, 1), ("ms\0\u{11}", 0, 0, 0), ("ms\0\u{31}", 320, 0, 0),
        ] as [(String, UInt32, UInt32, UInt32)])
    func packets(_ name: String, _ frames: UInt32, _ isVariable: UInt32, _ isExternallyFramed: UInt32) throws {
        let id = name.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let format = codec(id, rate: 44_100)
        #expect(try completed(format).framesPerPacket == frames)
        #expect(try numbers("fvbr", format.bytes) == [isVariable] && numbers("fexf", format.bytes) == [isExternallyFramed])
        // A stated number stays, apart from those that only one number fits.
        var stated = format
        stated.framesPerPacket = 480
        #expect(try completed(stated).framesPerPacket == (id == FormatID.linearPCM ? 1 : 480))
    }

    @Test("gives MPEG layer 3 half the frames below 32,000 Hz, where the rate is known")
    func lowRates() throws {
        for (rate, frames) in [(0, 1_152), (8_000, 576), (31_999, 576), (32_000, 1_152)] as [(Double, UInt32)] {
            #expect(try completed(codec(code(".mp3"), rate: rate)).framesPerPacket == frames)
        }
        var stated = codec(code(".mp3"), rate: 22_050)
        stated.framesPerPacket = 1_152
        #expect(try completed(stated).framesPerPacket == 1_152)
    }

    @Test("completes the simple codecs, with the bits and bytes of a frame where a packet is one")
    func simpleCodecs() throws {
        for id in [FormatID.uLaw, FormatID.aLaw] {
            let format = try completed(codec(id, channels: 2))
            #expect(format.bytesPerPacket == 2 && format.bytesPerFrame == 2 && format.bitsPerChannel == 8)
        }
        let format = try completed(codec(FormatID.appleIMA4, channels: 2))
        #expect(format.bytesPerPacket == 68 && format.bytesPerFrame == 0 && format.bitsPerChannel == 0)
    }

    @Test("has names with all that tells formats apart")
    func names() throws {
        func name(_ format: StreamDescription) throws -> String {
            guard case .text(let text) = try value("fnam", format.bytes) else { return "" }
            return text
        }
        let pcm = "Linear PCM, 16 bit"
        #expect(
            try name(linear(.integer(16, isSigned: false, byteOrder: .big), rate: 8_000.4, channels: 1).streamDescription)
                == "\(pcm) big-endian unsigned integer, 1 channel, 8000 Hz")
        #expect(
            try name(linear(.float32(.little), isInterleaved: false).streamDescription)
                == "Linear PCM, 32 bit little-endian floating point, 2 channels, deinterleaved, 48000 Hz")
        #expect(
            try name(linear(.integer(8), channels: 1).streamDescription)
                == "Linear PCM, 8 bit signed integer, 1 channel, 48000 Hz")
        #expect(try name(codec(code("abcd"), rate: .infinity)) == "'abcd', 1 channel")
        #expect(try name(codec(CodecFormat.flac, channels: 6)) == "FLAC, 6 channels, 8000 Hz")
    }

    @Test("has no codec of linear PCM, which needs none")
    func linearPCM() throws {
        for id in ["avde", "aven"] as [StaticString] {
            #expect(try numbers(id, native(FormatID.linearPCM)).isEmpty)
            #expect(throws: FormatError.badSpecifierSize) { try numbers(id, native(FormatID.uLaw, 0)) }
        }
    }

    @Test("lists formats of packets with replication at one rate, of 960 frames, and with channels that packets state")
    func lists() throws {
        func list(_ id: UInt32, _ rate: Double, _ cookie: [UInt8]) -> [String] {
            let format = StreamDescription(
                sampleRate: rate, formatID: id, formatFlags: FormatFlags(rawValue: 5), framesPerPacket: 1_024,
                channelsPerFrame: 2)
            return format.formatList(cookie: cookie).map {
                let name = $0.formatID == CodecFormat.aacHE ? "HE" : "LC"
                return "\(name) \(Int($0.sampleRate)) \($0.channelsPerFrame) \($0.framesPerPacket) \($0.formatFlags.rawValue)"
            }
        }
        #expect(list(CodecFormat.aacHE, 44_100, [0x2A, 0x12, 0x08, 0x00]) == ["HE 44100 2 1024 5", "LC 44100 2 1024 2"])
        #expect(list(CodecFormat.aacHE, 44_100, [0x2B, 0x92, 0x0A, 0x00]) == ["HE 44100 2 1920 5", "LC 22050 2 960 2"])
        #expect(list(CodecFormat.aacHE, 44_100, [0x2B, 0x82, 0x08]) == ["HE 44100 2 2048 5", "LC 22050 2 1024 2"])
        #expect(list(CodecFormat.aacHE, 32_000, []) == ["HE 32000 2 2048 5", "LC 16000 2 1024 2"])
    }

    @Test("takes the object type of a configuration, and counts replication at one rate once")
    func objectTypes() throws {
        for type in 1...4 as ClosedRange<UInt32> {
            let configuration = try #require(AACConfiguration(objectType: type, rate: 44_100, channels: 2))
            guard case .bytes(let bytes) = try value("essd", configuration.cookie(bitRate: 0)) else { return }
            let format = bytes.withUnsafeBytes { StreamDescription(at: $0.baseAddress!) }
            #expect(format.formatFlags.rawValue == type && format.formatID == CodecFormat.aac)
        }
        guard case .bytes(let bytes) = try value("fmti", [0x2A, 0x12, 0x08, 0x00], codec(CodecFormat.aacHE).bytes) else { return }
        let format = bytes.withUnsafeBytes { StreamDescription(at: $0.baseAddress!) }
        #expect(format.framesPerPacket == 1_024 && format.sampleRate == 44_100 && format.formatFlags.rawValue == 2)
    }
}

@Suite("Specifiers of channel layouts")
struct LayoutSpecifierTests {
    private func name(_ specifier: [UInt8]) throws -> String {
        guard case .text(let text) = try value("lonm", specifier) else { return "" }
        return text
    }

    @Test("have a usual tag, which depends on the format for more than two channels")
    func usualTags() {
        let ofAAC: [UInt32?] = [113, 115, 117, 121, nil, 126]
        for id in [CodecFormat.aac, CodecFormat.aacHE, CodecFormat.aacHEv2, CodecFormat.appleLossless, CodecFormat.opus] {
            for channels: UInt32 in 1...8 {
                let tag =
                    channels == 1
                    ? 100
                    : channels == 2
                        ? 101 : id == CodecFormat.appleLossless || id == CodecFormat.opus ? nil : ofAAC[Int(channels) - 3]
                let expected = tag.map { $0 << 16 | channels } ?? 0xFFFF_0000 | channels
                #expect(codec(id, channels: channels).listItem[40..<44].elementsEqual(native(expected)), "\(id) \(channels)")
            }
        }
    }

    @Test("have a bitmap where their channels are in the order of its bits, and have one")
    func bitmaps() throws {
        for (tag, bitmap) in [(100 << 16 | 1, nil), (101 << 16 | 2, 3), (114 << 16 | 3, nil), (126 << 16 | 8, 0xFF)]
            as [(UInt32, UInt32?)]
        {
            if let bitmap {
                #expect(try numbers("bmtg", native(tag)) == [bitmap])
            } else {
                #expect(throws: FormatError.unsupportedDataFormat) { try numbers("bmtg", native(tag)) }
            }
        }
        // The rear loudspeakers, with labels behind those of the bits.
        #expect(throws: FormatError.unsupportedDataFormat) { try numbers("bmtg", native(185 << 16 | 4)) }
    }

    @Test("have at most 1,024 channels")
    func channelCounts() throws {
        for count: UInt32 in [1, 300, 1_024, 1_025, 0xFFFF] {
            #expect(try numbers("nchm", native(147 << 16 | count, 0, 0)) == [min(count, 1_024)])
            #expect(try numbers("tagc", native(count)).contains(147 << 16 | count) == (count <= 1_024))
        }
        #expect(try numbers("tagc", native(0)).isEmpty)
        for count: UInt32 in [1_024, 1_025] {
            let layout = native(0, 0, count) + [UInt8](repeating: 0, count: 20 * Int(count))
            if count == 1_024 {
                #expect(try numbers("nchm", layout) == [count])
            } else {
                #expect(throws: FormatError.unsupportedDataFormat) { try numbers("nchm", layout) }
            }
        }
    }

    @Test("of one and two channels have the names of mono and stereo only with these loudspeakers")
    func names() throws {
        #expect(try name(native(1 << 16, 4, 0)) == "1 channels (C)" && name(native(1 << 16, 5, 0)) == "2 channels (L C)")
        #expect(try name(native(1 << 16, 3, 0)) == "Stereo (L R)")
    }

    @Test("have their exact size")
    func sizes() {
        for (id, sizes) in [
            ("cnam", [4, 19, 21]), ("csnm", [4, 19, 21]), ("lonm", [0, 11]), ("bmtg", [0, 3, 5, 8]), ("tagc", [8]),
        ] as [(StaticString, [Int])] {
            for size in sizes {
                #expect(throws: FormatError.badSpecifierSize) { try value(id, [UInt8](repeating: 0, count: size)) }
            }
        }
        for id in ["cheq", "chmp"] as [StaticString] {
            for size in [0, 15, 17, 24] {
                #expect(throws: FormatError.badSpecifierSize) { try value(id, [UInt8](repeating: 0, count: size)) }
            }
            #expect(throws: FormatError.unspecified) { try value(id, [UInt8](repeating: 0, count: 2 * MemoryLayout<UInt>.size)) }
        }
    }

    @Test("of two layouts are compared channel by channel, and give the place of each channel of the second in the first")
    func pairs() throws {
        func compare(_ id: StaticString, _ first: [UInt8], _ second: [UInt8]) throws -> [UInt32] {
            try first.withUnsafeBytes { first in
                try second.withUnsafeBytes { second in
                    try numbers(
                        id,
                        [UInt8](nativeBytesOf: UInt(bitPattern: first.baseAddress))
                            + [UInt8](nativeBytesOf: UInt(bitPattern: second.baseAddress)))
                }
            }
        }
        let (left, center) = (native(113 << 16 | 3, 0, 0), native(114 << 16 | 3, 0, 0))
        #expect(try compare("cheq", left, center) == [0] && compare("cheq", left, native(1 << 16, 7, 0)) == [1])
        #expect(try compare("chmp", left, center) == [2, 0, 1] && compare("chmp", center, left) == [1, 2, 0])
        #expect(try compare("chmp", left, native(101 << 16 | 2, 0, 0)) == [0, 1])
        #expect(try compare("chmp", native(101 << 16 | 2, 0, 0), left) == [0, 1, .max])
    }

    @Test("with a cookie are read up to its size, at most 65,536 bytes")
    func cookies() throws {
        func list(_ count: UInt32, padding: Int = 4) throws -> Int {
            let cookie = [0x13, 0x90, 0x56, 0xE5, 0xA0] + [UInt8](repeating: 0, count: 65_537)
            return try cookie.withUnsafeBytes { cookie in
                let specifier =
                    codec(CodecFormat.aac, rate: 22_050, channels: 2).bytes
                    + [UInt8](nativeBytesOf: UInt(bitPattern: cookie.baseAddress)) + native(count)
                return try numbers("flst", specifier + [UInt8](repeating: 0, count: padding)).count / 12
            }
        }
        #expect(try list(5) == 2 && list(2) == 1 && list(65_536) == 2 && list(5, padding: 0) == 2)
        #expect(throws: FormatError.badSpecifierSize) { try list(65_537) }
    }
}
