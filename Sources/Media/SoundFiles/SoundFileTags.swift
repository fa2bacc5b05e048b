// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// A text that describes the sound of a file, with a key of `kAFInfoDictionary_…`.
public struct SoundFileTag: Equatable, Sendable {
    public let key: String
    public let value: String
}

extension SoundFile {
    /// Longer texts are left out.
    private static let largestText: UInt64 = 4_096
    private static let largestTag: UInt64 = 1 << 24

    /// The texts of a file: of the chunk `info`, of the list INFO, of text chunks of AIFF, of ID3, or of MPEG-4. Each key appears
    /// once. A part that cannot be read is skipped.
    public func tags(_ source: any ByteSource) -> [SoundFileTag] {
        var found = Tags()
        do throws(SoundFileError) {
            switch type {
            case .caf: try readInformation(source, &found)
            case .wave: try readLists(source, &found)
            case .aiff, .aifc: try readTextChunks(source, &found)
            case .mp1, .mp2, .mp3, .adts:
                try readID3(source, &found)
                if found.all.isEmpty { for tag in try readOldID3(source) { found.add(tag.key, tag.value) } }
            case .m4a, .mp4: try readM4ATags(source, &found)
            case .next: break
            }
        } catch {}
        return found.all
    }

    /// CAF: a number of texts, which are keys and values alternately.
    private func readInformation(_ source: any ByteSource, _ found: inout Tags) throws(SoundFileError) {
        for chunk in try type.chunks(source) where chunk.id == FourCC.code("info") && chunk.size >= 4 {
            let bytes = try content(source, chunk.offset + 4, min(chunk.size - 4, SoundFile.largestTag))
            let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
            for index in stride(from: 0, to: min(texts.count - 1, 256), by: 2) {
                found.add(String(decoding: texts[index], as: UTF8.self), texts[index + 1])
            }
        }
    }

    /// WAVE: chunks in a list of the type INFO.
    private func readLists(_ source: any ByteSource, _ found: inout Tags) throws(SoundFileError) {
        for chunk in try type.chunks(source) where chunk.id == FourCC.code("LIST") && chunk.size >= 4 {
            var reader = ByteReader(source)
            reader.isBigEndian = false
            reader.offset = chunk.offset
            guard try reader.fourCC() == FourCC.code("INFO") else { continue }
            let end = chunk.offset + chunk.size
            while reader.offset + 8 <= end {
                let id = try reader.fourCC()
                let size = UInt64(try reader.uint32())
                let start = reader.offset
                guard size <= end - start else { break }
                if let key = waveKey(id), size <= SoundFile.largestText { found.add(key, try reader.bytes(Int(size))[...]) }
                reader.offset = start + size + size % 2
            }
        }
    }

    private func waveKey(_ id: UInt32) -> String? {
        switch id {
        case FourCC.code("INAM"): "title"
        case FourCC.code("IART"): "artist"
        case FourCC.code("IPRD"): "album"
        case FourCC.code("ICMT"): "comments"
        case FourCC.code("ICOP"): "copyright"
        case FourCC.code("ICRD"): "year"
        case FourCC.code("IGNR"): "genre"
        case FourCC.code("ISFT"): "encoding application"
        case FourCC.code("ITRK"): "track number"
        default: nil
        }
    }

    private func readTextChunks(_ source: any ByteSource, _ found: inout Tags) throws(SoundFileError) {
        for chunk in try type.chunks(source) where chunk.size <= SoundFile.largestText {
            let key: String
            switch chunk.id {
            case FourCC.code("NAME"): key = "title"
            case FourCC.code("AUTH"): key = "artist"
            case FourCC.code("(c) "): key = "copyright"
            case FourCC.code("ANNO"): key = "comments"
            default: continue
            }
            found.add(key, try content(source, chunk.offset, chunk.size)[...])
        }
    }

    private func content(_ source: any ByteSource, _ offset: UInt64, _ size: UInt64) throws(SoundFileError) -> [UInt8] {
        var reader = ByteReader(source)
        reader.offset = offset
        return try reader.bytes(Int(size))
    }

    // MARK: ID3

    /// Text frames of version 2. Compressed or encrypted frames are left out.
    private func readID3(_ source: any ByteSource, _ found: inout Tags) throws(SoundFileError) {
        var reader = ByteReader(source)
        guard reader.remaining >= 10 else { return }
        let header = try reader.bytes(10)
        guard header[..<3].elementsEqual([0x49, 0x44, 0x33]), 2...4 ~= header[3], header[5] & 0x80 == 0 else { return }
        let size = header[6..<10].reduce(UInt64(0)) { $0 << 7 | UInt64($1 & 0x7F) }
        let end = min(10 + size, reader.size)
        // An extended header states its own size.
        if header[5] & 0x40 != 0 {
            let word = try reader.uint32()
            reader.skip(header[3] == 4 ? UInt64(word) - min(4, UInt64(word)) : UInt64(word))
        }
        let isOld = header[3] == 2
        while reader.offset + (isOld ? 6 : 10) <= end {
            let id = isOld ? try reader.uint16() << 8 | UInt32(try reader.bytes(1)[0]) : try reader.uint32()
            guard id != 0 else { return }
            var bytes = isOld ? try reader.uint16() << 8 | UInt32(try reader.bytes(1)[0]) : try reader.uint32()
            if header[3] == 4 { bytes = bytes & 0x7F | bytes >> 1 & 0x3F80 | bytes >> 2 & 0x1F_C000 | bytes >> 3 & 0xFE0_0000 }
            let flags = isOld ? 0 : try reader.uint16()
            let start = reader.offset
            guard UInt64(bytes) <= end - min(start, end) else { return }
            if let key = id3Key(id), flags & 0xFF == 0, 1...SoundFile.largestText ~= UInt64(bytes) {
                found.add(key, id3Text(try reader.bytes(Int(bytes))))
            }
            reader.offset = start + UInt64(bytes)
        }
    }

    private func id3Key(_ id: UInt32) -> String? {
        switch id {
        case FourCC.code("TIT2"), FourCC.code("TT2 ") >> 8: "title"
        case FourCC.code("TPE1"), FourCC.code("TP1 ") >> 8: "artist"
        case FourCC.code("TALB"), FourCC.code("TAL ") >> 8: "album"
        case FourCC.code("TCOM"), FourCC.code("TCM ") >> 8: "composer"
        case FourCC.code("TCOP"), FourCC.code("TCR ") >> 8: "copyright"
        case FourCC.code("TYER"), FourCC.code("TDRC"), FourCC.code("TYE ") >> 8: "year"
        case FourCC.code("TRCK"), FourCC.code("TRK ") >> 8: "track number"
        case FourCC.code("TCON"), FourCC.code("TCO ") >> 8: "genre"
        case FourCC.code("TBPM"), FourCC.code("TBP ") >> 8: "tempo"
        case FourCC.code("TSRC"), FourCC.code("TRC ") >> 8: "ISRC"
        case FourCC.code("TSSE"), FourCC.code("TSS ") >> 8: "encoding application"
        default: nil
        }
    }

    /// A text after a byte that states its encoding: Latin-1, UTF-16 with a byte-order mark, UTF-16 or UTF-8.
    private func id3Text(_ bytes: [UInt8]) -> String {
        let text = bytes.dropFirst()
        switch bytes.first {
        case 0: return String(decoding: text.prefix { $0 != 0 }.map { UInt16($0) }, as: UTF16.self)
        case 1, 2:
            let isLittleEndian = bytes.first == 1 && text.prefix(2).elementsEqual([0xFF, 0xFE])
            var units: [UInt16] = []
            for index in stride(from: text.startIndex + (bytes.first == 1 ? 2 : 0), to: text.endIndex - 1, by: 2) {
                let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
                let unit = isLittleEndian ? second << 8 | first : first << 8 | second
                guard unit != 0 else { break }
                units.append(unit)
            }
            return String(decoding: units, as: UTF16.self)
        case 3: return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        default: return ""
        }
    }

    // MARK: MPEG-4

    /// The texts of the list in the metadata of the movie.
    private func readM4ATags(_ source: any ByteSource, _ found: inout Tags) throws(SoundFileError) {
        var reader = ByteReader(source)
        try readM4ATags(&reader, reader.size, 0, &found)
    }

    private func readM4ATags(
        _ reader: inout ByteReader, _ end: UInt64, _ key: UInt32, _ found: inout Tags
    ) throws(SoundFileError) {
        try forEachBox(&reader, end: end) { (reader, id, end) throws(SoundFileError) in
            switch id {
            case FourCC.code("moov"), FourCC.code("udta"), FourCC.code("ilst"): try readM4ATags(&reader, end, id, &found)
            case FourCC.code("meta"):
                reader.skip(4)
                try readM4ATags(&reader, end, id, &found)
            case FourCC.code("data") where m4aKey(key) != nil:
                // A value begins with its type and its language. Type 1 is UTF-8. Other types are numbers and pictures.
                let type = try reader.uint32()
                _ = try reader.uint32()
                let size = end - min(reader.offset, end)
                guard let name = m4aKey(key), size <= SoundFile.largestText else { return }
                let bytes = try reader.bytes(Int(size))
                if type == 1 { found.add(name, bytes[...]) }
                if type == 0, bytes.count >= 4 { found.add(name, "\(UInt16(bytes[2]) << 8 | UInt16(bytes[3]))") }
            default: if key == FourCC.code("ilst"), m4aKey(id) != nil { try readM4ATags(&reader, end, id, &found) }
            }
        }
    }

    private func m4aKey(_ id: UInt32) -> String? {
        switch id {
        // The first character of most names is the copyright sign of Latin-1.
        case 0xA96E_616D: "title"  // '©nam'
        case 0xA941_5254: "artist"  // '©ART'
        case 0xA961_6C62: "album"  // '©alb'
        case 0xA977_7274: "composer"  // '©wrt'
        case 0xA963_6D74: "comments"  // '©cmt'
        case 0xA964_6179: "year"  // '©day'
        case 0xA967_656E: "genre"  // '©gen'
        case 0xA974_6F6F: "encoding application"  // '©too'
        case FourCC.code("trkn"): "track number"
        case FourCC.code("cprt"): "copyright"
        default: nil
        }
    }
}

/// The tags found so far, with the first value of each key.
private struct Tags {
    private(set) var all: [SoundFileTag] = []

    mutating func add(_ key: String, _ text: ArraySlice<UInt8>) {
        add(key, String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
    }

    mutating func add(_ key: String, _ value: String) {
        guard !key.isEmpty, !value.isEmpty, all.count < 64, !all.contains(where: { $0.key == key }) else { return }
        all.append(SoundFileTag(key: key, value: value))
    }
}
