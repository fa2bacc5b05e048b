// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import Testing

private func bytes(_ id: StaticString, _ specifier: [UInt8] = [], _ value: [UInt8] = []) throws -> [UInt8] {
    let result = try specifier.withUnsafeBytes { specifier in
        try value.withUnsafeBytes { try Formats.property(code(id), specifier, $0) }
    }
    guard case .bytes(let bytes) = result else { return [] }
    return bytes
}

private func numbers(_ id: StaticString, _ specifier: [UInt8] = []) throws -> [UInt32] {
    let result = try bytes(id, specifier)
    return result.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
}

private func text(_ id: StaticString, _ specifier: [UInt8]) throws -> String {
    guard
        case .text(let text) = try specifier.withUnsafeBytes({
            try Formats.property(code(id), $0, UnsafeRawBufferPointer(start: nil, count: 0))
        })
    else { return "" }
    return text
}

private func native(_ values: UInt32...) -> [UInt8] { values.flatMap { [UInt8](nativeBytesOf: $0) } }

/// A layout with descriptions.
private func layout(_ labels: [UInt32]) -> [UInt8] {
    native(0, 0, UInt32(labels.count)) + labels.flatMap { native($0) + [UInt8](repeating: 0, count: 16) }
}

@Suite("Facts about formats")
struct FormatTests {
    @Test("fill in the missing members of a description")
    func completion() throws {
        func completed(_ format: StreamDescription) throws -> StreamDescription {
            try bytes("fmti", [], format.bytes).withUnsafeBytes { StreamDescription(at: $0.baseAddress!) }
        }
        let pcm = StreamDescription(
            sampleRate: 44_100, formatID: FormatID.linearPCM, formatFlags: [.signedInteger, .packed], channelsPerFrame: 2,
            bitsPerChannel: 16)
        #expect(
            try completed(pcm).bytesPerFrame == 4 && completed(pcm).bytesPerPacket == 4 && completed(pcm).framesPerPacket == 1)
        #expect(try completed(codec(FormatID.appleIMA4, channels: 2)).bytesPerPacket == 68)
        #expect(try completed(codec(code("aac "))).framesPerPacket == 1_024)
        #expect(try completed(codec(code(".mp3"), rate: 22_050)).framesPerPacket == 576)
        #expect(try completed(codec(code(".mp3"), rate: 44_100)).framesPerPacket == 1_152)
        #expect(throws: FormatError.unknownFormat) { try completed(codec(code("????"))) }
        #expect(throws: FormatError.badPropertySize) { try bytes("fmti", [], [1, 2]) }
        #expect(try [].withUnsafeBytes { try Formats.size(code("fmti"), $0) } == 40)
    }

    @Test("say which packets vary")
    func variable() throws {
        #expect(try numbers("fvbr", codec(code("aac ")).bytes) == [1] && numbers("fvbr", codec(FormatID.uLaw).bytes) == [0])
        #expect(try numbers("fexf", codec(code("alac")).bytes) == [1] && numbers("fexf", codec(code(".mp3")).bytes) == [0])
        #expect(throws: FormatError.badSpecifierSize) { try numbers("fvbr", [0]) }
    }

    @Test("list codecs")
    func codecs() throws {
        #expect(try numbers("acif").contains(FormatID.appleIMA4) && numbers("acof").contains(FormatID.appleIMA4))
        // DVI ADPCM is decoded only.
        #expect(try numbers("acif") == numbers("acof") + [0x6D73_0011])
        #expect(try numbers("avde", native(FormatID.uLaw)) == [code("adec"), FormatID.uLaw, code("appl")])
        #expect(try numbers("aven", native(FormatID.uLaw)) == [code("aenc"), FormatID.uLaw, code("appl")])
        #expect(try numbers("avde", native(code("aac "))).isEmpty)
        #expect(throws: FormatError.unknownFormat) { try numbers("avde", native(1)) }
        let items = try bytes("flst", codec(code("aac ")).bytes) + bytes("flst", codec(FormatID.uLaw).bytes)
        #expect(items.count == 96)
        #expect(try bytes("ofls", codec(code("aac ")).bytes) == Array(items[..<48]))
        #expect(try numbers("fpfl", items) == [1])
        #expect(throws: FormatError.unsupportedDataFormat) { try numbers("fpfl", Array(items[..<48])) }
        #expect(throws: FormatError.badSpecifierSize) { try numbers("fpfl", Array(items[..<50])) }
        #expect(throws: FormatError.badSpecifierSize) { try numbers("fpfl") }
        #expect(try numbers("hwcc") == [0])
    }

    @Test("include the codecs of modules, which only the properties about codecs load")
    func modules() throws {
        var loads = 0
        func numbers(_ id: StaticString, _ specifier: [UInt8]) throws -> [UInt32] {
            let value = try specifier.withUnsafeBytes { specifier in
                try Formats.property(code(id), specifier, UnsafeRawBufferPointer(start: nil, count: 0)) {
                    loads += 1
                    return InstalledCodecs(decoded: [code("aac "), code(".mp3")], encoded: [code("aac ")])
                }
            }
            guard case .bytes(let bytes) = value else { return [] }
            return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        }
        let aac = codec(code("aac ")).bytes
        #expect(try numbers("avnc", codec(FormatID.uLaw).bytes) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try numbers("avnc", aac + native(0)) == [1, 2, 3, 4, 5, 6, 8])
        #expect(throws: FormatError.unsupportedDataFormat) { try numbers("avnc", codec(code(".mp3")).bytes) }
        #expect(throws: FormatError.badSpecifierSize) { try numbers("avnc", Array(aac.dropLast())) }
        #expect(try numbers("avde", native(code(".mp3"))) == [code("adec"), code(".mp3"), code("appl")])
        #expect(try numbers("aven", native(code(".mp3"))).isEmpty)
        #expect(loads == 6)
        #expect(try numbers("fvbr", aac) == [1])
        #expect(loads == 6)
    }

    @Test("say that no known format is encrypted")
    func encryption() throws {
        #expect(try numbers("cryp", native(code("aac "))) == [0])
        #expect(throws: FormatError.unknownFormat) { try numbers("cryp", native(code("????"))) }
        #expect(throws: FormatError.badSpecifierSize) { try numbers("cryp", codec(code("aac ")).bytes) }
    }

    @Test("give the size of a tag from its first ten bytes, with a footer if it has one")
    func tags() throws {
        let start = Array("ID3".utf8)
        #expect(try numbers("id3s", start + [3, 0, 0, 0, 0, 1, 2]) == [140])
        #expect(try numbers("id3s", start + [4, 0, 0x10, 0, 0, 1, 2]) == [150])
        #expect(throws: FormatError.badSpecifierSize) { try numbers("id3s", start + [3, 0, 0, 0, 0, 1]) }
        #expect(throws: FormatError.unsupportedDataFormat) { try numbers("id3s", Array("TAG".utf8) + [3, 0, 0, 0, 0, 1, 2]) }
    }

    @Test("have the size of their value, and that of an address where they are texts")
    func sizes() throws {
        func size(_ id: StaticString, _ specifier: [UInt8]) throws -> Int {
            try specifier.withUnsafeBytes { try Formats.size(code(id), $0) }
        }
        #expect(try size("fvbr", codec(FormatID.uLaw).bytes) == 4 && size("avnc", codec(FormatID.uLaw).bytes) == 32)
        #expect(try size("fnam", codec(FormatID.uLaw).bytes) == MemoryLayout<UInt>.size)
        #expect(throws: FormatError.unsupportedProperty) { try size("????", []) }
        #expect(throws: FormatError.badSpecifierSize) { try size("fvbr", []) }
    }

    @Test("have the result codes of the header")
    func results() {
        let codes: [(FormatError, Int32)] = [
            (.unspecified, 0x7768_6174), (.unsupportedProperty, 0x7072_6F70), (.badPropertySize, 0x2173_697A),
            (.badSpecifierSize, 0x2173_7063), (.unsupportedDataFormat, 0x666D_743F), (.unknownFormat, 0x2166_6D74),
        ]
        for (error, status) in codes { #expect(error.status == status) }
    }

    @Test("are written to the log in one line, with the rule that linear PCM breaks")
    func logged() throws {
        #expect(codec(code("aac "), rate: 44_100, channels: 2).text == "'aac ', 2 channels, 44100 Hz")
        #expect(codec(1, rate: .nan).text == "0x00000001, 1 channels, ? Hz")
        var pcm = try linear(.integer(16), rate: 44_100).streamDescription
        #expect(pcm.text == "'lpcm', 2 channels, 44100 Hz, 16 bits, flags 12")
        pcm.framesPerPacket = 2
        #expect(pcm.text == "'lpcm', 2 channels, 44100 Hz, 16 bits, flags 12 (mFramesPerPacket of linear PCM is 1)")
    }

    /// The formats of a list, each a description and a tag in 48 bytes.
    private func list(_ format: StreamDescription, cookie: [UInt8]) throws -> [StreamDescription] {
        let items = try cookie.withUnsafeBytes { cookie in
            try bytes(
                "flst",
                format.bytes + [UInt8](nativeBytesOf: UInt(bitPattern: cookie.baseAddress))
                    + [UInt8](nativeBytesOf: UInt32(cookie.count)) + native(0))
        }
        #expect(items.count % 48 == 0)
        return stride(from: 0, to: items.count, by: 48).map { start in
            items[start...].withUnsafeBytes { StreamDescription(at: $0.baseAddress!) }
        }
    }

    @Test("list plain AAC behind AAC with spectral band replication")
    func formatLists() throws {
        let plain = try #require(AACConfiguration(objectType: 2, rate: 22_050, channels: 2))
        var extended = plain
        // Object type 5, 22,050 Hz, 2 channels, extended to 44,100 Hz; then LC.
        extended.bytes = [0x2B, 0x92, 0x08, 0x00]
        func described(_ id: StaticString, _ rate: Double, _ frames: UInt32) -> StreamDescription {
            StreamDescription(
                sampleRate: rate, formatID: code(id), formatFlags: FormatFlags(rawValue: 2), framesPerPacket: frames,
                channelsPerFrame: 2)
        }
        let both = [described("aach", 44_100, 2_048), described("aac ", 22_050, 1_024)]
        let cookie = extended.cookie(bitRate: 0)
        #expect(try list(both[1], cookie: cookie) == both && list(both[0], cookie: cookie) == both)
        #expect(try list(both[0], cookie: []) == both)
        #expect(try numbers("flst", both[0].bytes + native(0, 0, 0xFFFF_FFFF, 0)).count == 24, "no address, no cookie")
        #expect(try list(both[1], cookie: plain.cookie(bitRate: 0)) == [both[1]] && list(both[1], cookie: []) == [both[1]])
        #expect(try bytes("essd", cookie) == both[0].bytes && bytes("essd", plain.cookie(bitRate: 0)) == both[1].bytes)
        #expect(throws: FormatError.unsupportedDataFormat) { try bytes("essd", [3, 1, 2]) }
        #expect(throws: FormatError.badSpecifierSize) { try bytes("essd") }
    }

    @Test("have names")
    func names() throws {
        let pcm = try linear(.integer(16), rate: 44_100).streamDescription
        #expect(try text("fnam", pcm.bytes) == "Linear PCM, 16 bit little-endian signed integer, 2 channels, 44100 Hz")
        #expect(try text("fnam", codec(FormatID.appleIMA4).bytes) == "IMA 4:1, 1 channel, 8000 Hz")
        #expect(try text("lonm", native(101 << 16 | 2, 0, 0)) == "Stereo (L R)")
        #expect(try text("lonm", native(100 << 16 | 1, 0, 0)) == "Mono")
        #expect(try text("lonm", native(121 << 16 | 6, 0, 0)) == "6 channels (L R C LFE Ls Rs)")
        #expect(try text("lsnm", layout([2, 1, 1 << 16 | 7])) == "3 channels (R L 7)")
        #expect(try text("cnam", native(3, 0, 0, 0, 0)) == "Center" && text("csnm", native(3, 0, 0, 0, 0)) == "C")
        #expect(try text("lsnm", native(107 << 16 | 4, 0, 0)) == "4 channels (W X Y Z)")
        // The loudspeakers at the sides and above, and the ears.
        for label in [UInt32](49...66) + [208, 209] where label != 50 {
            let value = native(label, 0, 0, 0, 0)
            #expect(try text("cnam", value) != "Unknown" && text("csnm", value) != "Unknown", "\(label)")
        }
        #expect(try text("cnam", native(1_000, 0, 0, 0, 0)) == "Unknown" && text("csnm", native(500, 0, 0, 0, 0)) == "Unknown")
    }

    @Test("name every channel of every layout without its number")
    func namesOfLabels() throws {
        for count: UInt32 in 1...21 {
            for tag in try numbers("tagc", native(count)) where tag >> 16 != 147 {
                let text = try text("lonm", native(tag, 0, 0))
                let names = text.split(whereSeparator: { " ()".contains($0) }).dropFirst()
                #expect(names.allSatisfy { UInt32($0) == nil }, "\(text)")
                #expect(!text.contains("Unknown"), "\(text)")
            }
        }
    }
}

@Suite("Channel layouts")
struct ChannelLayoutTests {
    /// The labels, from the comments of CoreAudioTypes.h.
    @Test(
        "have the channels of their tags in order",
        arguments: [
            (111, "L R Ls Rs C Cs Lw Rw"), (112, "L R Ls Rs Vhl Vhr Tbl Tbr"), (130, "L R C LFE Ls Rs Lt Rt"),
            (145, "L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE LFE2"),
            (146, "L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE LFE2 Lc Rc HI Nar Hap"),
            (155, "L C R Ls Rs Cs"), (156, "L C R Ls Rs Rls Rrs"), (157, "L C R Ls Rs LFE Cs"), (158, "L C R Ls Rs LFE Ts"),
            (159, "L C R Ls Rs LFE Vhc"), (160, "L C R Ls Rs LFE Rls Rrs"), (161, "L C R Ls Rs LFE Lc Rc"),
            (162, "L C R Ls Rs LFE Lsd Rsd"), (163, "L C R Ls Rs LFE Lw Rw"), (164, "L C R Ls Rs LFE Vhl Vhr"),
            (165, "L C R Ls Rs LFE Cs Ts"), (166, "L C R Ls Rs LFE Cs Vhc"), (167, "L C R Ls Rs LFE Ts Vhc"),
            (168, "C L R LFE"), (169, "C L R Cs LFE"), (170, "Lc Rc L R Ls Rs"), (171, "C L R Rls Rrs Ts"),
            (172, "C Cs L R Rls Rrs"), (173, "Lc Rc L R Ls Rs LFE"), (174, "C L R Rls Rrs Ts LFE"),
            (175, "C Cs L R Rls Rrs LFE"), (176, "Lc C Rc L R Ls Rs"), (177, "Lc C Rc L R Ls Rs LFE"),
            (178, "Lc Rc L R Ls Rs Rls Rrs"), (179, "Lc C Rc L R Ls Cs Rs"), (180, "Lc Rc L R Ls Rs Rls Rrs LFE"),
            (181, "Lc C Rc L R Ls Cs Rs LFE"), (182, "C L R Ls Rs LFE Cs"), (183, "C L R Ls Rs Rls Rrs LFE"),
            (184, "C L R Ls Rs LFE Vhl Vhr"),
        ] as [(UInt32, String)])
    func layoutsOfTags(number: UInt32, channels: String) throws {
        let count = UInt32(channels.split(separator: " ").count)
        let tag = number << 16 | count
        #expect(try text("lsnm", native(tag, 0, 0)) == "\(count) channels (\(channels))")
        #expect(try numbers("tagc", native(count)).contains(tag) && bytes("cmpl", native(tag)).count == 12 + 20 * Int(count))
    }

    @Test("have tags, bitmaps and descriptions of the same channels")
    func forms() throws {
        let surround: UInt32 = 121 << 16 | 6
        #expect(try numbers("nchm", native(surround, 0, 0)) == [6] && numbers("nchm", native(1 << 16, 0x3F, 0)) == [6])
        #expect(try numbers("nchm", layout([1, 2, 3])) == [3])
        #expect(try numbers("bmtg", native(surround)) == [0x3F])
        #expect(
            try bytes("cmpl", native(surround)) == layout([1, 2, 3, 4, 5, 6])
                && bytes("cmpb", native(0x3F)) == layout([1, 2, 3, 4, 5, 6]))
        #expect(
            try numbers("cmpt", layout([1, 2, 3, 4, 5, 6])) == [surround]
                && numbers("cmpt", native(1 << 16, 3, 0)) == [101 << 16 | 2])
        #expect(try numbers("cmpt", native(surround, 0, 0)) == [surround])
        #expect(throws: FormatError.unsupportedDataFormat) { try numbers("cmpt", layout([2, 1])) }
        #expect(try numbers("tagc", native(1)) == [100 << 16 | 1, 147 << 16 | 1])
        #expect(try bytes("vacl", layout([1, 2])) == [])
        #expect(throws: FormatError.unsupportedDataFormat) { try bytes("vacl", Array(layout([1, 2]).dropLast())) }
        #expect(throws: FormatError.unsupportedDataFormat) { try numbers("nchm", native(5 << 16 | 2, 0, 0)) }
        #expect(throws: FormatError.unsupportedDataFormat) { try numbers("bmtg", native(107 << 16 | 4)) }
        #expect(throws: FormatError.unsupportedProperty) { try numbers("????") }
    }

    @Test("every tag counts its channels in its lower half")
    func tags() throws {
        for count: UInt32 in 1...8 {
            for tag in try numbers("tagc", native(count)) {
                #expect(tag & 0xFFFF == count)
                #expect(try numbers("nchm", native(tag, 0, 0)) == [count])
            }
        }
    }

    /// The answer about two layouts, whose addresses are the specifier.
    private func answer(_ id: StaticString, _ first: [UInt8], _ second: [UInt8]) throws -> [UInt32] {
        try first.withUnsafeBytes { first in
            try second.withUnsafeBytes { second in
                try numbers(
                    id,
                    [UInt8](nativeBytesOf: UInt(bitPattern: first.baseAddress))
                        + [UInt8](nativeBytesOf: UInt(bitPattern: second.baseAddress)))
            }
        }
    }

    @Test("are compared and mapped by label")
    func pairs() throws {
        let (first, second) = (layout([1, 2, 3]), layout([3, 1, 9]))
        #expect(try answer("cheq", first, second) == [0] && answer("cheq", first, native(113 << 16 | 3, 0, 0)) == [1])
        #expect(try answer("chmp", first, second) == [2, 0, 0xFFFF_FFFF])
        #expect(throws: FormatError.unsupportedDataFormat) { try answer("cheq", first, native(5 << 16 | 2, 0, 0)) }
        let none = [UInt8](nativeBytesOf: UInt(0))
        #expect(throws: FormatError.unspecified) { try numbers("cheq", none + none) }
        #expect(throws: FormatError.badSpecifierSize) { try numbers("cheq", first) }
    }
}
