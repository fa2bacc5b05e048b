// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import Testing

@testable import SoundFiles

private func little(_ value: Int) -> [UInt8] { words(UInt32(value)).reversed() }
private func padded(_ text: String) -> [UInt8] { Array(text.utf8) + (text.utf8.count % 2 == 1 ? [0] : []) }

private func tags(_ bytes: [UInt8]) throws -> [String: String] {
    let memory = ByteMemory(bytes)
    return Dictionary(uniqueKeysWithValues: try SoundFile(memory).tags(memory).map { ($0.key, $0.value) })
}

private func written(_ type: SoundFileType, _ chunks: [UInt8]) throws -> [UInt8] {
    let memory = ByteMemory()
    var writer = try SoundFileWriter(
        memory, type: type, format: pcm(16, type == .aiff ? [.signedInteger, .bigEndian] : .signedInteger))
    writer.setTrailingChunks(chunks)
    try writer.synchronize()
    return memory.bytes
}

/// Two packets of MPEG layer 3 behind a tag with these frames.
private func mp3(version: UInt8, _ frames: [UInt8]) -> [UInt8] {
    let size = [21, 14, 7, 0].map { UInt8(frames.count >> $0 & 0x7F) }
    let packet: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    return Array("ID3".utf8) + [version, 0, 0] + size + frames + packet + packet
}

/// The key of each name, in each kind of file. The value is the name.
@Suite("The names of tags")
struct TagNameTests {
    @Test("of WAVE have keys, also all of them in one list")
    func wave() throws {
        let keys = [
            "INAM": "title", "IART": "artist", "IPRD": "album", "ICMT": "comments", "ICOP": "copyright", "ICRD": "year",
            "IGNR": "genre", "ISFT": "encoding application", "ITRK": "track number",
        ]
        func item(_ name: String) -> [UInt8] { Array(name.utf8) + little(5) + padded("\(name)!") }
        for names in keys.keys.map({ [$0] }) + [Array(keys.keys)] {
            let list = Array("INFO".utf8) + names.flatMap { item($0) }
            let expected = Dictionary(uniqueKeysWithValues: names.map { (keys[$0] ?? "", "\($0)!") })
            #expect(try tags(written(.wave, Array("LIST".utf8) + little(list.count) + list)) == expected)
        }
    }

    @Test("of AIFF have keys", arguments: [("NAME", "title"), ("AUTH", "artist"), ("(c) ", "copyright"), ("ANNO", "comments")])
    func aiff(_ name: String, _ key: String) throws {
        #expect(try tags(written(.aiff, Array(name.utf8) + words(3) + padded("abc"))) == [key: "abc"])
    }

    @Test(
        "of ID3 have keys, in versions with four and with three characters",
        arguments: [
            ("TIT2", "TT2", "title"), ("TPE1", "TP1", "artist"), ("TALB", "TAL", "album"), ("TCOM", "TCM", "composer"),
            ("TCON", "TCO", "genre"), ("TRCK", "TRK", "track number"), ("TYER", "TYE", "year"), ("TCOP", "TCR", "copyright"),
            ("TBPM", "TBP", "tempo"), ("TSRC", "TRC", "ISRC"), ("TSSE", "TSS", "encoding application"),
        ])
    func id3(_ name: String, _ oldName: String, _ key: String) throws {
        let value: [UInt8] = [3] + Array("abc".utf8)
        #expect(try tags(mp3(version: 3, Array(name.utf8) + words(4) + [0, 0] + value)) == [key: "abc"])
        #expect(try tags(mp3(version: 2, Array(oldName.utf8) + words(4).dropFirst() + value)) == [key: "abc"])
    }

    @Test("of MPEG-4 have keys, and numbers")
    func mpeg4() throws {
        let names: [(name: [UInt8], key: String)] = [
            ([0xA9] + "nam".utf8, "title"), ([0xA9] + "ART".utf8, "artist"), ([0xA9] + "alb".utf8, "album"),
            ([0xA9] + "wrt".utf8, "composer"), ([0xA9] + "cmt".utf8, "comments"), ([0xA9] + "day".utf8, "year"),
            ([0xA9] + "gen".utf8, "genre"), ([0xA9] + "too".utf8, "encoding application"), (Array("cprt".utf8), "copyright"),
        ]
        func film(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
            let item = words(UInt32(8 + value.count)) + name + value
            return movie(packets: 2, metadata: box("udta", box("meta", words(0), box("ilst", item))))
        }
        for (name, key) in names {
            #expect(try tags(film(name, box("data", words(1, 0), Array("abc".utf8)))) == [key: "abc"])
        }
        let number = Array("trkn".utf8)
        #expect(try tags(film(number, box("data", words(0, 0), [0, 0, 1, 2]))) == ["track number": "258"])
        #expect(try tags(film(number, box("data", words(0, 0), [0, 0, 1]))).isEmpty)
    }

    @Test("are those of the first text with a key, of at most 4,096 bytes")
    func limits() throws {
        func text(_ name: String, _ count: Int) -> [UInt8] {
            Array(name.utf8) + words(UInt32(count)) + [UInt8](repeating: 0x61, count: count)
        }
        #expect(try tags(written(.aiff, text("NAME", 4_096) + text("NAME", 2)))["title"]?.count == 4_096)
        #expect(try tags(written(.aiff, text("NAME", 4_098) + text("AUTH", 2))) == ["artist": "aa"])
        func item(_ name: String, _ count: Int) -> [UInt8] {
            Array(name.utf8) + little(count) + [UInt8](repeating: 0x61, count: count)
        }
        for (first, expected) in [(4_096, 4_096), (4_098, 2)] {
            let list = Array("INFO".utf8) + item("INAM", first) + item("INAM", 2)
            #expect(
                try tags(written(.wave, Array("LIST".utf8) + little(list.count) + list))["title"]?.count == expected)
        }
    }
}
