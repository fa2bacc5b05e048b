// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

private func content(_ file: AudioFile, _ id: StaticString, _ index: Int) throws -> [UInt8] {
    var content = [UInt8](repeating: 0xEE, count: 64)
    let count = try content.withUnsafeMutableBytes { try file.userData(code(id), index, into: $0) }
    return Array(content[..<count])
}

@Suite("The chunks of a program")
struct ProgramChunkTests {
    @Test(
        "are counted from the first one of the file, and only those behind the sound change",
        arguments: [SoundFileType.wave, .aiff, .caf])
    func places(_ type: SoundFileType) throws {
        let storage = TestStorage()
        let file = try create(storage, type, pcm(16, type == .aiff ? big : signed))
        try file.append(noise(8))
        try file.setUserData(code("note"), 0, [1, 1])
        try file.setUserData(code("note"), 1, [2, 2])
        try file.optimize()
        try file.setUserData(code("note"), 2, [3, 3])
        try file.setUserData(code("note"), 3, [4, 4])
        try file.setUserData(code("note"), 2, [5, 5, 5, 5])
        for index in 0...1 {
            #expect(throws: AudioFileError.operationNotSupported) { try file.setUserData(code("note"), index, [9]) }
            #expect(throws: AudioFileError.operationNotSupported) { try file.removeUserData(code("note"), index) }
        }
        for index in [-1, 5] {
            #expect(throws: AudioFileError.invalidChunk) { try file.setUserData(code("note"), index, [9]) }
        }
        for index in [-1, 4] {
            #expect(throws: AudioFileError.invalidChunk) { try file.removeUserData(code("note"), index) }
            #expect(throws: AudioFileError.invalidChunk) { try content(file, "note", index) }
        }
        func contents(_ file: AudioFile) throws -> [[UInt8]] {
            try file.userData(code("note")).indices.map { try content(file, "note", $0) }
        }
        #expect(try contents(file) == [[1, 1], [2, 2], [5, 5, 5, 5], [4, 4]])
        try file.removeUserData(code("note"), 2)
        try file.close()
        #expect(try contents(AudioFile.open(storage)) == [[1, 1], [2, 2], [4, 4]])
    }

    @Test("follow a pad byte, and are whole behind sound of an odd size", arguments: [SoundFileType.wave, .aifc, .caf])
    func oddSound(_ type: SoundFileType) throws {
        let storage = TestStorage()
        let file = try create(storage, type, codec(FormatID.uLaw))
        for count in 1...4 {
            try file.append([UInt8(count)])
            try file.setUserData(code("note"), 0, [1, 2, 3, UInt8(count)])
            let read = try AudioFile.open(TestStorage(storage.memory.bytes))
            #expect(try content(read, "note", 0) == [1, 2, 3, UInt8(count)] && read.packetCount == UInt64(count))
            #expect(type == .caf || storage.size % 2 == 0)
        }
    }

    @Test("stay when the header is written again, and have at most 16 MiB")
    func newHeader() throws {
        let storage = TestStorage()
        let file = try create(storage, .wave, pcm(16, signed))
        try file.setUserData(code("note"), 0, [1, 2])
        try file.set(code("dfmt"), pcm(24, signed, channels: 1).bytes)
        #expect(try content(AudioFile.open(TestStorage(storage.memory.bytes)), "note", 0) == [1, 2])
        try file.append([1, 2, 3])
        try file.close()
        let read = try AudioFile.open(storage)
        #expect(try content(read, "note", 0) == [1, 2] && read.packetCount == 1 && read.file.format.bitsPerChannel == 24)
        let empty = try create(TestStorage(), .wave, pcm(16, signed))
        try empty.setUserData(code("note"), 0, [UInt8](repeating: 0, count: 1 << 24))
        #expect(throws: AudioFileError.invalidChunk) {
            try empty.setUserData(code("note"), 1, [UInt8](repeating: 0, count: 1 << 24 + 1))
        }
    }

    @Test("are found where sizes are deferred, and so are the texts")
    func deferredSizes() throws {
        let file = try create(TestStorage(), .aiff, pcm(16, big))
        try file.setUserData(code("NAME"), 0, Array("song".utf8))
        try file.set(code("dszu"), [1, 0, 0, 0])
        try file.append(noise(400))
        #expect(file.tags.map(\.value) == ["song"])
        try file.append(noise(400))
        #expect(try file.userData(code("NAME")).count == 1)
    }
}

@Suite("The rules of an audio file")
struct AudioFileRuleTests {
    @Test("A new file has no byte of the one before it")
    func erased() throws {
        let storage = TestStorage(noise(1_000))
        let file = try create(storage, .wave, pcm(16, signed))
        #expect(storage.size == UInt64(file.file.dataOffset))
        try file.close()
        #expect(storage.size == 44)
    }

    @Test("Packets of a table are appended in their order, and are not written as packets of one size")
    func describedPackets() throws {
        let storage = TestStorage()
        let file = try create(storage, .caf, rawPackets)
        func append(_ first: Int64, _ sizes: [UInt32]) throws {
            try [UInt8](repeating: 1, count: Int(sizes.reduce(0, +))).withUnsafeBytes {
                try file.appendPackets(first, $0, sizes: sizes)
            }
        }
        try append(0, [10, 20])
        for first in [-1, 0, 1, 3] as [Int64] {
            #expect(throws: AudioFileError.invalidPacketOffset) { try append(first, [5]) }
        }
        #expect(try file.number(code("psze")) == 20 && file.packetCount == 2)
        try append(2, [5])
        #expect(try file.number(code("psze")) == 20 && file.number(code("pkub")) == 20 && file.packetCount == 3)
        try append(3, [30])
        #expect(try file.number(code("psze")) == 30)
        #expect(throws: AudioFileError.parameter) { try [1, 2].withUnsafeBytes { try file.writePackets(4, count: 1, $0) } }
        try file.close()
        let read = try AudioFile.open(storage)
        #expect(try read.number(code("psze")) == 30)
        #expect(throws: AudioFileError.operationNotSupported) {
            try [1, 2].withUnsafeBytes { try read.writePackets(4, count: 1, $0) }
        }
        #expect(throws: AudioFileError.permissions) { try [1, 2].withUnsafeBytes { try read.appendPackets(4, $0, sizes: [2]) } }
        let plain = try create(TestStorage(), .caf, pcm(16, signed))
        #expect(throws: AudioFileError.operationNotSupported) {
            try [1, 2].withUnsafeBytes { try plain.appendPackets(0, $0, sizes: [2]) }
        }
    }

    @Test("The duration is that of the sound without the frames that a player drops")
    func duration() throws {
        let storage = TestStorage()
        let file = try writeCAFWithEverything(to: storage).file
        #expect(try Double(bitPattern: file.long(code("edur"))) == 610 / 22_050)
        #expect(try Double(bitPattern: AudioFile.open(storage).long(code("edur"))) == 610 / 22_050)
        try file.close()
        // A packet that is appended has frames, though the header counts those before it.
        let again = try AudioFile.open(storage, storage)
        try again.append(noise(34))
        #expect(try Double(bitPattern: again.long(code("edur"))) == 674 / 22_050)
        try again.close()
        #expect(try Double(bitPattern: AudioFile.open(storage).long(code("edur"))) == 674 / 22_050)
    }

    @Test("A property has its exact size, and the types that store it")
    func sizes() throws {
        let file = try create(TestStorage(), .caf, codec(FormatID.appleIMA4))
        for (id, sizes) in [
            ("dfmt", [0, 36, 39, 41]), ("bcnt", [4, 9]), ("pcnt", [4, 9]), ("pnfo", [0, 15, 17, 24]), ("cmap", [0, 8, 13]),
        ] as [(StaticString, [Int])] {
            for size in sizes {
                #expect(throws: AudioFileError.badPropertySize) { try file.set(code(id), [UInt8](repeating: 0, count: size)) }
            }
        }
        for (priming, remainder) in [(-1, 0), (0, -1)] as [(Int32, Int32)] {
            let table = [UInt8](repeating: 0, count: 8) + [UInt8](nativeBytesOf: priming) + [UInt8](nativeBytesOf: remainder)
            #expect(throws: AudioFileError.parameter) { try file.set(code("pnfo"), table) }
        }
        let layout = [UInt8](nativeBytesOf: UInt32(100 << 16 | 1)) + [UInt8](repeating: 0, count: 8)
        for other in [
            try create(TestStorage(), .aifc, codec(FormatID.appleIMA4)), try create(TestStorage(), .wave, pcm(16, signed)),
        ] {
            for (id, value) in [("cmap", layout), ("mgic", [1]), ("pnfo", [UInt8](repeating: 0, count: 16))]
                as [(StaticString, [UInt8])]
            {
                #expect(throws: AudioFileError.unsupportedProperty) { try other.set(code(id), value) }
            }
        }
    }

    @Test("A property of a file that is only read cannot be set")
    func readOnly() throws {
        let storage = TestStorage()
        let written = try create(storage, .caf, pcm(16, signed))
        try written.append(noise(40))
        try written.close()
        let (reader, writer) = (try AudioFile.open(storage), try AudioFile.open(storage, storage))
        for id in ["dfmt", "bcnt", "pcnt", "dszu"] as [StaticString] {
            #expect(try !reader.propertyInfo(code(id)).isWritable && writer.propertyInfo(code(id)).isWritable)
            #expect(throws: AudioFileError.permissions) { try reader.set(code(id), [0]) }
        }
        for id in ["ffmt", "psze", "pkfr"] as [StaticString] {
            #expect(try !writer.propertyInfo(code(id)).isWritable)
            #expect(throws: AudioFileError.operationNotSupported) { try writer.set(code(id), [0]) }
        }
    }

    @Test("A translation keeps the members that it does not set")
    func translations() throws {
        let file = try create(TestStorage(), .caf, codec(FormatID.appleIMA4))
        try file.append(noise(340))
        func translated(_ id: StaticString, _ first: Int64, _ second: Int64) throws -> [UInt8] {
            try file.value(code(id), [UInt8](nativeBytesOf: first) + [UInt8](nativeBytesOf: second) + [9, 9, 9, 9, 8, 8, 8, 8])
        }
        func result(_ first: Int64, _ second: Int64, _ rest: [UInt8]) -> [UInt8] {
            [UInt8](nativeBytesOf: first) + [UInt8](nativeBytesOf: second) + rest
        }
        #expect(try translated("pkfr", 7, 3) == result(192, 3, [9, 9, 9, 9, 8, 8, 8, 8]))
        #expect(try translated("frpk", 200, 7) == result(200, 3, [8, 0, 0, 0, 8, 8, 8, 8]))
        // The last member of the two others states that the place is exact.
        #expect(try translated("pkby", 7, 3) == result(102, 3, [9, 9, 9, 9, 0, 0, 0, 0]))
        #expect(try translated("bypk", 70, 7) == result(70, 2, [2, 0, 0, 0, 0, 0, 0, 0]))
        for id in ["pkfr", "frpk", "pkby", "bypk"] as [StaticString] {
            #expect(try file.propertyInfo(code(id)).size == 24)
            for size in [0, 16, 23] {
                #expect(throws: AudioFileError.badPropertySize) { try file.value(code(id), [UInt8](repeating: 0, count: size)) }
            }
        }
    }

    /// The table states the frames of each packet: 10, 20 and 30.
    @Test("Packets of one size whose frames differ are read, and do not change", arguments: [false, true])
    func describedFrames(hasPackets: Bool) throws {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + words(0, UInt32(content.count)) + content
        }
        // 8,000 Hz as a double.
        var bytes = Array("caff".utf8) + [0, 1, 0, 0]
        bytes += chunk("desc", words(0x40BF_4000, 0, FormatID.uLaw, 0, 1, 0, 1, 8))
        if hasPackets { bytes += chunk("pakt", words(0, 3, 0, 60, 0, 0) + [10, 20, 30]) }
        bytes += chunk("data", words(0) + (hasPackets ? [1, 2, 3] : []))
        let storage = TestStorage(bytes)
        for _ in 0..<2 {
            let file = try AudioFile.open(storage, storage)
            #expect(!file.isWritable && file.packetCount == (hasPackets ? 3 : 0))
            #expect(throws: AudioFileError.operationNotSupported) {
                try [9].withUnsafeBytes { try file.writePackets(Int64(file.packetCount), count: 1, $0) }
            }
            #expect(throws: AudioFileError.operationNotSupported) { try file.append([9]) }
            #expect(throws: AudioFileError.permissions) { try file.set(code("bcnt"), [UInt8](repeating: 0, count: 8)) }
            func frame(_ packet: Int64) throws -> UInt64 {
                try file.value(
                    code("pkfr"), [UInt8](repeating: 0, count: 8) + [UInt8](nativeBytesOf: packet) + [0, 0, 0, 0, 0, 0, 0, 0]
                )
                .withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            }
            #expect(try frame(0) == 0)
            if hasPackets { #expect(try [frame(1), frame(2), frame(3)] == [10, 30, 60]) }
            #expect(throws: AudioFileError.invalidPacketOffset) { try frame(hasPackets ? 4 : 1) }
            try file.close()
            #expect(storage.memory.bytes == bytes)
        }
    }

    @Test("The format of an empty file of another program stays where other bytes follow its header")
    func fixedChunks() throws {
        let storage = TestStorage()
        try create(storage, .wave, pcm(16, signed)).close()
        let junk: [UInt8] = [1, 2, 3, 4, 5]
        try junk.withUnsafeBytes { try storage.memory.write($0, at: storage.size) }
        let file = try AudioFile.open(storage, storage)
        #expect(throws: AudioFileError.notOptimized) { try file.set(code("dfmt"), pcm(24, signed).bytes) }
        #expect(throws: AudioFileError.notOptimized) { try file.setUserData(code("note"), 0, [1]) }
        try file.set(code("dfmt"), pcm(16, signed).bytes)
        #expect(storage.memory.bytes.suffix(5) == junk[...])
    }
}
