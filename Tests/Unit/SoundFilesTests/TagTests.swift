// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Testing

@testable import SoundFiles

private func big(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 0xFF) } }
private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Two packets of MPEG layer 3 behind a tag.
private func mp3(version: UInt8, flags: UInt8 = 0, _ frames: [UInt8]) -> [UInt8] {
    let size = [21, 14, 7, 0].map { UInt8(frames.count >> $0 & 0x7F) }
    let packet: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    return text("ID3") + [version, 0, flags] + size + frames + packet + packet
}

/// A frame of ID3; the size of version 4 has 7 bits in a byte.
private func frame(_ id: String, _ content: [UInt8], version: Int = 3, flags: [UInt8] = [0, 0]) -> [UInt8] {
    if version == 2 { return text(id) + big(content.count, 3) + content }
    let size = version == 4 ? [21, 14, 7, 0].map { UInt8(content.count >> $0 & 0x7F) } : big(content.count, 4)
    return text(id) + size + flags + content
}

private func tags(_ bytes: [UInt8]) throws -> [String: String] {
    let memory = ByteMemory(bytes)
    return Dictionary(uniqueKeysWithValues: try SoundFile(memory).tags(memory).map { ($0.key, $0.value) })
}

@Suite("Tags by hand")
struct HandmadeTagTests {
    @Test("of ID3 have four encodings, and none where a frame is compressed")
    func id3() throws {
        let frames =
            frame("TIT2", [0] + [0x53, 0xFC, 0xDF]) + frame("TPE1", [1, 0xFF, 0xFE, 0x41, 0, 0x42, 0, 0, 0])
            + frame("TALB", [2, 0, 0x43]) + frame("TYER", [3] + text("1999")) + frame("TCON", [9] + text("x"))
            + frame("TCOM", [3] + text("C"), flags: [0, 0x80]) + frame("PRIV", [1, 2, 3])
        #expect(try tags(mp3(version: 3, frames)) == ["title": "Süß", "artist": "AB", "album": "C", "year": "1999"])
        // A last byte that is half of a unit is no part of the text.
        let halves = frame("TIT2", [1, 0xFF, 0xFE, 0x41, 0, 0x42]) + frame("TALB", [2, 0, 0x43, 0]) + frame("TYER", [1])
        #expect(
            try tags(mp3(version: 3, halves + frame("TPE1", [2, 0]))).filter { $0.value != "" } == ["title": "A", "album": "C"])
        let old = frame("TT2", [0] + text("a"), version: 2) + frame("TP1", [0] + text("b"), version: 2)
        #expect(try tags(mp3(version: 2, old + [0, 0, 0, 0, 0, 0])) == ["title": "a", "artist": "b"])
        let long = String(repeating: "x", count: 300)
        #expect(try tags(mp3(version: 4, frame("TIT2", [3] + text(long), version: 4))) == ["title": long])
        // An extended header is skipped; a tag that is unsynchronised, or of another version, is not read.
        let extended = big(6, 4) + [0, 0, 0, 0, 0, 0]
        #expect(try tags(mp3(version: 3, flags: 0x40, extended + frames)).count == 4)
        #expect(try tags(mp3(version: 3, flags: 0x80, frames)).isEmpty && tags(mp3(version: 5, frames)).isEmpty)
        #expect(try tags(mp3(version: 3, text("TIT2") + big(9_999, 4) + [0, 0])).isEmpty)
    }

    @Test("of ID3 follow an extended header, whose size includes its own four bytes in version 4 and not in version 3")
    func extendedHeader() throws {
        for (version, rest) in [(3, [0, 0, 0, 0, 0, 0]), (4, [1, 0]), (4, [1, 0x20, 5, 1, 2, 3, 4, 5])] as [(Int, [UInt8])] {
            let header = big(rest.count + (version == 4 ? 4 : 0), 4) + rest
            let frames = frame("TIT2", [3] + text("a"), version: version) + frame("TPE1", [3] + text("b"), version: version)
            let found = try tags(mp3(version: UInt8(version), flags: 0x40, header + frames))
            #expect(found == ["title": "a", "artist": "b"], "version \(version), \(rest.count) bytes")
        }
    }

    @Test("of ID3 are found behind frames of any size, which has 7 bits in a byte in version 4 only", arguments: [2, 3, 4])
    func frameSizes(version: Int) throws {
        for count in [1, 127, 128, 129, 255, 256, 4_095, 16_383, 16_384, 70_000] {
            // A longer text is left out.
            let title = String(repeating: "x", count: min(count, 4_095))
            let comment = frame(version == 2 ? "COM" : "COMM", [UInt8](repeating: 0x41, count: count), version: version)
            let rest = frame(version == 2 ? "TP1" : "TPE1", [3] + text("a"), version: version)
            let frames = comment + frame(version == 2 ? "TT2" : "TIT2", [3] + text(title), version: version) + rest
            #expect(try tags(mp3(version: UInt8(version), frames)) == ["title": title, "artist": "a"], "\(count) bytes")
        }
    }

    @Test("of ID3 version 1 are read at the end, where there are none of version 2")
    func oldID3() throws {
        func field(_ content: [UInt8], _ count: Int, _ filler: UInt8 = 0) -> [UInt8] {
            content + [UInt8](repeating: filler, count: count - content.count)
        }
        func tag(comment: [UInt8]) -> [UInt8] {
            text("TAG") + field([0x53, 0xFC, 0xDF], 30) + field(text("A B"), 30, 0x20) + field([], 30) + text("1999") + comment
                + [17]
        }
        let numbered = tag(comment: field(text("c"), 29) + [7])
        let plain = try tags(mp3(version: 3, []) + numbered)
        #expect(plain == ["title": "Süß", "artist": "A B", "year": "1999", "comments": "c", "track number": "7"])
        let long = String(repeating: "x", count: 30)
        #expect(try tags(mp3(version: 3, []) + tag(comment: text(long)))["comments"] == long)
        #expect(try tags(mp3(version: 3, []) + tag(comment: text(long)))["track number"] == nil)
        #expect(try tags(mp3(version: 3, frame("TIT2", [3] + text("new"))) + numbered) == ["title": "new"])
        #expect(try tags(mp3(version: 3, []) + numbered + [0]).isEmpty)
    }

    @Test("of chunks: INFO of WAVE, texts of AIFF, and the chunk of CAF")
    func chunks() throws {
        func written(_ type: SoundFileType, _ chunks: [UInt8]) throws -> [UInt8] {
            let memory = ByteMemory()
            let flags: FormatFlags = type == .aiff ? [.signedInteger, .packed, .bigEndian] : [.signedInteger, .packed]
            let format = StreamDescription(
                sampleRate: 8_000, formatID: FormatID.linearPCM, formatFlags: flags, bytesPerPacket: 2, framesPerPacket: 1,
                bytesPerFrame: 2, channelsPerFrame: 1, bitsPerChannel: 16)
            var writer = try SoundFileWriter(memory, type: type, format: format)
            writer.setTrailingChunks(chunks)
            try writer.synchronize()
            return memory.bytes
        }
        func little(_ value: Int) -> [UInt8] { big(value, 4).reversed() }
        let list =
            text("INFO") + text("INAM") + little(3) + text("abc") + [0] + text("XXXX") + little(1) + [1, 0] + text("ITRK")
            + little(2) + text("7\0")
        #expect(try tags(written(.wave, text("LIST") + little(list.count) + list)) == ["title": "abc", "track number": "7"])
        #expect(try tags(written(.wave, text("LIST") + little(4) + text("adtl"))).isEmpty)
        let aiff =
            text("NAME") + big(2, 4) + text("ab") + text("AUTH") + big(1, 4) + text("c") + [0] + text("ANNO") + big(2, 4)
            + text("d ")
        #expect(try tags(written(.aiff, aiff)) == ["title": "ab", "artist": "c", "comments": "d "])
        let caf = big(2, 4) + text("title\0Süß\0artist\0\0key\0")
        #expect(try tags(written(.caf, text("info") + big(caf.count, 8) + caf)) == ["title": "Süß"])
    }

    @Test("of MPEG-4 are texts and numbers in the list of its metadata")
    func mpeg4() throws {
        func box(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] { big(content.count + 8, 4) + id + content }
        func value(_ type: Int, _ content: [UInt8]) -> [UInt8] { box(text("data"), big(type, 4) + big(0, 4) + content) }
        let list =
            box([0xA9] + text("nam"), value(1, text("Süß"))) + box(text("trkn"), value(0, [0, 0, 0, 3, 0, 9, 0, 0]))
            + box(text("covr"), value(13, [1, 2, 3])) + box([0xA9] + text("ART"), value(21, [1]))
        let metadata = box(text("udta"), box(text("meta"), big(0, 4) + box(text("ilst"), list)))
        let memory = ByteMemory()
        let aac = StreamDescription(sampleRate: 44_100, formatID: 0x6161_6320, framesPerPacket: 1_024, channelsPerFrame: 2)
        var writer = try SoundFileWriter(memory, type: .m4a, format: aac)
        let packet: [UInt8] = [1, 2, 3]
        try packet.withUnsafeBytes { try writer.append($0, sizes: [3]) }
        try writer.synchronize()
        // Boxes in boxes, far deeper than any file has them, end the reading of them and nothing else.
        let depth = 200_000
        var nested: [UInt8] = []
        for level in 0..<depth { nested += big((depth - level) * 8, 4) + text("udta") }
        #expect(try tags(memory.bytes + box(text("moov"), nested)).isEmpty)
        #expect(try SoundFile(ByteMemory(memory.bytes + box(text("moov"), box(text("trak"), nested)))).packets.count == 1)
        for name in ["mdia", "moov"] {
            let other = (0..<depth).flatMap { big((depth - $0) * 8, 4) + text(name) }
            #expect(throws: SoundFileError.self) {
                try SoundFile(ByteMemory(box(text("ftyp"), text("M4A ")) + box(text("moov"), box(text("trak"), other))))
            }
        }
        // A second film with nothing but metadata.
        #expect(try tags(memory.bytes + box(text("moov"), metadata)) == ["title": "Süß", "track number": "3"])
    }
}
