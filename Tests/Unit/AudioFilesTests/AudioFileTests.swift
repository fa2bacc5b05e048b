// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import TestSupport
import Testing

@Suite("An audio file")
struct AudioFileTests {
    @Test("behaves as an array of bytes, and is valid after every write", arguments: everyType)
    func model(_ type: SoundFileType, _ format: StreamDescription) throws {
        var random = SeededGenerator(4)
        let storage = TestStorage()
        let file = try create(storage, type, format)
        let packet = Int(file.file.format.bytesPerPacket)
        var model: [UInt8] = []
        for step in 0..<200 {
            let start = Int.random(in: 0...model.count / packet, using: &random) * packet
            let bytes = noise(Int.random(in: 0...9, using: &random) * packet, seed: UInt64(step))
            try file.write(bytes, at: Int64(start))
            model.replaceSubrange(start..<min(start + bytes.count, model.count), with: bytes)
            let reread = try AudioFile.open(TestStorage(storage.memory.bytes))
            #expect(reread.file.dataSize == UInt64(model.count) && reread.packetCount == UInt64(model.count / packet))
            let from = Int.random(in: 0...model.count, using: &random)
            let count = Int.random(in: 0...100, using: &random)
            let isSame = try file.bytes(Int64(from), count) == Array(model[from..<min(from + count, model.count)])
            #expect(isSame)
        }
        try file.close()
        #expect(throws: AudioFileError.notOpen) { try file.close() }
        let isSame = try AudioFile.open(storage).bytes(0, model.count + 1) == model
        #expect(isSame)
    }

    @Test("gives packets, their places and their frames", arguments: everyType)
    func packets(_ type: SoundFileType, _ format: StreamDescription) throws {
        let file = try create(TestStorage(), type, format)
        let size = Int(file.file.format.bytesPerPacket)
        let frames = Int64(file.file.format.framesPerPacket)
        let content = noise(20 * size)
        try file.append(content)
        var buffer = [UInt8](repeating: 0, count: 7 * size + size / 2)
        var described: [PacketDescription] = []
        let read = try buffer.withUnsafeMutableBytes {
            try file.readPackets(3, count: 100, $0) {
                described.append($1)
                _ = $0
            }
        }
        #expect(read == (7, 7 * size) && Array(buffer[..<read.bytes]) == Array(content[3 * size..<10 * size]))
        #expect(described.map(\.startOffset) == (0..<7).map { Int64($0 * size) } && described.allSatisfy { $0.byteSize == size })
        #expect(try buffer.withUnsafeMutableBytes { try file.readPackets(18, count: 100, $0) { _, _ in } } == (2, 2 * size))
        #expect(try buffer.withUnsafeMutableBytes { try file.readPackets(20, count: 1, $0) { _, _ in } } == (0, 0))
        #expect(throws: AudioFileError.invalidPacketOffset) {
            try buffer.withUnsafeMutableBytes { try file.readPackets(-1, count: 1, $0) { _, _ in } }
        }
        #expect(file.firstFrame(ofPacket: 4) == 4 * frames && file.firstFrame(ofPacket: 21) == nil)
        #expect(file.packet(ofFrame: 4 * frames + frames - 1) ?? (0, 0) == (4, frames - 1))
        #expect(file.packet(ofFrame: 20 * frames) ?? (0, 0) == (20, 0) && file.packet(ofFrame: 20 * frames + 1) == nil)
        try content[..<size].withUnsafeBytes { try file.writePackets(20, count: 1, $0) }
        #expect(file.packetCount == 21)
        #expect(throws: AudioFileError.invalidPacketOffset) {
            try content.withUnsafeBytes { try file.writePackets(22, count: 1, $0) }
        }
        #expect(throws: AudioFileError.badPropertySize) {
            try content[..<size].withUnsafeBytes { try file.writePackets(0, count: 2, $0) }
        }
    }

    @Test("gives an error instead of packets where it has become shorter", arguments: everyType)
    func shorter(_ type: SoundFileType, _ format: StreamDescription) throws {
        let storage = TestStorage()
        let file = try create(storage, type, format)
        let size = Int(file.file.format.bytesPerPacket)
        try file.append(noise(20 * size))
        try storage.memory.setSize(file.file.dataOffset + UInt64(19 * size))
        var buffer = [UInt8](repeating: 0, count: 20 * size)
        #expect(throws: AudioFileError.invalidFile) {
            try buffer.withUnsafeMutableBytes { try file.readPackets(0, count: 20, $0) }
        }
        #expect(try buffer.withUnsafeMutableBytes { try file.readPackets(0, count: 19, $0) } == (19, 19 * size))
    }

    @Test("gives packets that differ in size, as many as fit, with their sizes and frames")
    func differingPacketContents() throws {
        let storage = TestStorage(differingPackets)
        let file = try AudioFile.open(storage)
        var buffer = [UInt8](repeating: 0, count: 34)
        var described: [PacketDescription] = []
        func read(_ first: Int64, count: Int) throws -> (packets: Int, bytes: Int) {
            described = []
            return try buffer.withUnsafeMutableBytes { try file.readPackets(first, count: count, $0) { described.append($1) } }
        }
        #expect(try read(0, count: 9) == (2, 30) && Array(buffer[..<30]) == noise(30))
        #expect(
            described == [
                PacketDescription(startOffset: 0, variableFrames: 100, byteSize: 10),
                PacketDescription(startOffset: 10, variableFrames: 50, byteSize: 20),
            ])
        #expect(try read(1, count: 9) == (2, 25) && Array(buffer[..<25]) == Array(noise(35)[10...]))
        #expect(try read(0, count: 1) == (1, 10) && read(3, count: 1) == (0, 0))
        buffer = [UInt8](repeating: 0, count: 19)
        #expect(try read(1, count: 1) == (0, 0))
        #expect(try buffer.withUnsafeMutableBytes { try file.readPackets(2, count: 9, $0) } == (1, 5))
        try storage.memory.setSize(storage.size - 1)
        #expect(throws: AudioFileError.invalidFile) { try read(2, count: 1) }
        #expect(throws: AudioFileError.invalidPacketOffset) { try read(-1, count: 1) }
    }

    @Test("gives the packets between headers without the headers")
    func packetsBetweenHeaders() throws {
        let file = try AudioFile.open(TestStorage(adtsPackets))
        var (buffer, offsets) = ([UInt8](repeating: 0xAA, count: 27), [Int64]())
        let read = try buffer.withUnsafeMutableBytes { try file.readPackets(0, count: 3, $0) { offsets.append($1.startOffset) } }
        #expect(read == (3, 27) && offsets == [0, 9, 18])
        #expect(buffer == [UInt8](repeating: 1, count: 9) + [UInt8](repeating: 2, count: 9) + [UInt8](repeating: 3, count: 9))
    }

    @Test("is opened with one read of its storage")
    func reads() throws {
        for (type, format) in everyType {
            let storage = TestStorage()
            try create(storage, type, format).append([])
            storage.reads = 0
            _ = try AudioFile.open(storage)
            #expect(storage.reads == 1, "\(type)")
        }
    }

    @Test("is refused by name when it cannot be opened or created")
    func refusals() throws {
        #expect(throws: AudioFileError.unsupportedFileType) { try AudioFile.open(TestStorage(Array("nothing at all".utf8))) }
        #expect(throws: AudioFileError.invalidFile) { try AudioFile.open(TestStorage()) }
        #expect(throws: AudioFileError.unsupportedFileType) {
            try AudioFile.create(TestStorage(), TestStorage(), type: code("Sd2f"), format: pcm(16, signed))
        }
        #expect(throws: AudioFileError.unsupportedDataFormat) { try create(TestStorage(), .aiff, pcm(16, signed)) }
        let storage = TestStorage()
        try create(storage, .wave, pcm(16, signed)).append([1, 2, 3, 4])
        storage.failsReads = true
        #expect(throws: AudioFileError.program(-77)) { try AudioFile.open(storage) }
        storage.failsReads = false
        let file = try AudioFile.open(storage)
        #expect(throws: AudioFileError.permissions) { try file.append([1]) }
        #expect(throws: AudioFileError.permissions) { try file.set(code("bcnt"), [0, 0, 0, 0, 0, 0, 0, 0]) }
        #expect(throws: AudioFileError.permissions) { try file.setUserData(code("abcd"), 0, []) }
        #expect(throws: AudioFileError.permissions) { try file.optimize() }
        #expect(throws: AudioFileError.position) { try file.bytes(-1, 1) }
        let writeOnly = try AudioFile.open(storage, storage, mayRead: false)
        #expect(throws: AudioFileError.permissions) { try writeOnly.bytes(0, 1) }
        #expect(throws: AudioFileError.position) { try writeOnly.write([1], at: 5) }
    }

    @Test("has the texts that describe its sound")
    func tags() throws {
        let storage = TestStorage()
        let file = try create(storage, .wave, pcm(16, signed))
        #expect(file.tags.isEmpty)
        try file.setUserData(code("LIST"), 0, Array("INFOINAM\u{5}\0\0\0Title\0".utf8))
        #expect(file.tags.map(\.key) == ["title"] && file.tags.map(\.value) == ["Title"])
    }

    @Test("stays valid up to its last packet when the disk is full")
    func fullDisk() throws {
        let storage = TestStorage()
        let file = try create(storage, .wave, pcm(16, signed))
        try file.append([1, 2, 3, 4])
        storage.room = 46
        #expect(throws: AudioFileError.system(.noSpace)) { try file.append([5, 6, 7, 8]) }
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).bytes(0, 100) == [1, 2, 3, 4])
        storage.room = .max
        try file.append([9, 9, 9, 9])
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).bytes(0, 100) == [1, 2, 3, 4, 9, 9, 9, 9])
    }

    @Test("writes its sizes at the end when they are deferred")
    func deferred() throws {
        let storage = TestStorage()
        let file = try create(storage, .wave, pcm(16, signed))
        try file.set(code("dszu"), [1, 0, 0, 0])
        try file.append([1, 2, 3, 4])
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).file.dataSize == 0)
        try file.close()
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).file.dataSize == 4)
    }
}

@Suite("A file that is opened for writing")
struct ChangingTests {
    private let chunk = Array("LIST".utf8) + [5, 0, 0, 0, 1, 2, 3, 4, 5, 0]

    /// A WAV of another program: a longer format, a chunk before the data and one behind it.
    private func foreign(_ data: [UInt8]) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        var body = Array("WAVEfmt ".utf8) + number(18) + [1, 0, 1, 0] + number(8_000) + number(16_000) + [2, 0, 16, 0, 0, 0]
        body += chunk + Array("data".utf8) + number(data.count) + data + chunk
        return Array("RIFF".utf8) + number(body.count) + body
    }

    @Test("grows when other chunks follow its data")
    func growing() throws {
        let storage = TestStorage(foreign([1, 2, 3, 4]))
        let file = try AudioFile.open(storage, storage)
        #expect(try file.number(code("optm")) == 0)
        try file.append([5, 6, 7, 8, 9, 10])
        #expect(storage.memory.bytes == foreign([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
        try file.write([0, 0], at: 0)
        #expect(storage.memory.bytes == foreign([0, 0, 3, 4, 5, 6, 7, 8, 9, 10]))
        try file.optimize()
        #expect(try file.number(code("optm")) == 1)
        let moved = try AudioFile.open(TestStorage(storage.memory.bytes))
        #expect(try moved.bytes(0, 99) == [0, 0, 3, 4, 5, 6, 7, 8, 9, 10] && moved.userData(code("LIST")).count == 2)
        try file.append([11, 12])
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).bytes(8, 99) == [9, 10, 11, 12])
        #expect(UInt64(storage.memory.bytes.count) == moved.file.dataOffset + 12)
    }

    @Test("of each type grows in place", arguments: everyType)
    func everyTypeGrows(_ type: SoundFileType, _ format: StreamDescription) throws {
        let (storage, whole) = (TestStorage(), TestStorage())
        let size = Int(try create(storage, type, format).file.format.bytesPerPacket)
        let content = noise(9 * size)
        let first = try AudioFile.open(storage, storage)
        try first.append(Array(content[..<(4 * size)]))
        try first.close()
        try AudioFile.open(storage, storage).append(Array(content[(4 * size)...]))
        try create(whole, type, format).append(content)
        let isSame = storage.memory.bytes == whole.memory.bytes
        #expect(isSame)
    }

    @Test("is shortened", arguments: everyType)
    func shortening(_ type: SoundFileType, _ format: StreamDescription) throws {
        let storage = TestStorage()
        let file = try create(storage, type, format)
        let size = Int(file.file.format.bytesPerPacket)
        try file.append(noise(9 * size))
        try file.set(code("pcnt"), [3, 0, 0, 0, 0, 0, 0, 0])
        #expect(try file.long(code("bcnt")) == UInt64(3 * size))
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).packetCount == 3)
        #expect(throws: AudioFileError.operationNotSupported) { try file.set(code("pcnt"), [4, 0, 0, 0, 0, 0, 0, 0]) }
        #expect(throws: AudioFileError.badPropertySize) { try file.set(code("pcnt"), [3, 0, 0, 0]) }
    }

    @Test("keeps chunks of the program", arguments: everyType)
    func userData(_ type: SoundFileType, _ format: StreamDescription) throws {
        let storage = TestStorage()
        let file = try create(storage, type, format)
        let size = Int(file.file.format.bytesPerPacket)
        guard type != .next else {
            #expect(throws: AudioFileError.operationNotSupported) { try file.setUserData(code("abcd"), 0, [1]) }
            return
        }
        try file.setUserData(code("abcd"), 0, [1, 2, 3])
        try file.append(noise(size))
        try file.setUserData(code("abcd"), 1, [4])
        try file.setUserData(code("efgh"), 0, [])
        try file.append(noise(size))
        try file.setUserData(code("abcd"), 0, [7, 8, 9, 10])
        func check(_ file: AudioFile) throws {
            #expect(try file.userData(code("abcd")).map(\.size) == [4, 1] && file.userData(code("none")).isEmpty)
            var content = [UInt8](repeating: 0, count: 9)
            #expect(try content.withUnsafeMutableBytes { try file.userData(code("abcd"), 0, into: $0) } == 4)
            #expect(Array(content[..<4]) == [7, 8, 9, 10])
            #expect(try file.bytes(0, 3 * size) == noise(size) + noise(size))
            #expect(try file.value(code("chid")).count == 12)
        }
        try check(file)
        let again = try AudioFile.open(storage, storage)
        try check(again)
        try again.removeUserData(code("efgh"), 0)
        #expect(throws: AudioFileError.invalidChunk) { try again.removeUserData(code("efgh"), 0) }
        #expect(throws: AudioFileError.invalidChunk) { try again.setUserData(code("data"), 0, []) }
        #expect(throws: AudioFileError.invalidChunk) { try again.setUserData(code("efgh"), 1, []) }
        #expect(try again.value(code("chid")).count == 8)
        try again.optimize()
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).userData(code("abcd")).map(\.size) == [4, 1])
        #expect(try again.bytes(0, 3 * size) == noise(size) + noise(size))
        #expect(throws: AudioFileError.operationNotSupported) { try again.removeUserData(code("abcd"), 0) }
        try again.append(noise(size))
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).packetCount == 3)
    }
}

@Suite("The properties of an audio file")
struct AudioFilePropertyTests {
    @Test("describe linear PCM")
    func linear() throws {
        let file = try create(TestStorage(), .wave, pcm(16, signed))
        try file.append(noise(44_100))
        #expect(try file.number(code("ffmt")) == code("WAVE") && file.value(code("dfmt")) == pcm(16, signed).bytes)
        #expect(try file.long(code("bcnt")) == 44_100 && file.long(code("pcnt")) == 11_025 && file.long(code("doff")) == 44)
        #expect(try file.number(code("psze")) == 4 && file.number(code("pkub")) == 4 && file.number(code("brat")) == 705_600)
        #expect(try Double(bitPattern: file.long(code("edur"))) == 0.5)
        #expect(try file.value(code("flst")).count == 48)
        for id in ["mgic", "pnfo", "cmap", "????", "info"] as [StaticString] {
            #expect(throws: AudioFileError.unsupportedProperty) { try file.propertyInfo(code(id)) }
        }
        #expect(try file.propertyInfo(code("bcnt")) == (8, true) && file.propertyInfo(code("frpk")) == (24, false))
        #expect(throws: AudioFileError.operationNotSupported) { try file.set(code("ffmt"), [0, 0, 0, 0]) }
    }

    @Test("translate places of frames, packets and bytes")
    func places() throws {
        let file = try create(TestStorage(), .caf, codec(FormatID.appleIMA4))
        try file.append(noise(34 * 10))
        let frame = [UInt8](nativeBytesOf: Int64(130))
        let zero = [UInt8](repeating: 0, count: 16)
        let toPacket = try file.value(code("frpk"), frame + zero)
        #expect(toPacket == frame + [2, 0, 0, 0, 0, 0, 0, 0] + [2, 0, 0, 0] + [0, 0, 0, 0])
        let toFrame = try file.value(code("pkfr"), zero[..<8] + [UInt8](nativeBytesOf: Int64(2)) + zero[..<8])
        #expect(Array(toFrame[..<8]) == [UInt8](nativeBytesOf: Int64(128)))
        let toByte = try file.value(code("pkby"), zero[..<8] + [UInt8](nativeBytesOf: Int64(2)) + zero[..<8])
        #expect(Array(toByte[..<8]) == [UInt8](nativeBytesOf: Int64(68)))
        let byte = try file.value(code("bypk"), [UInt8](nativeBytesOf: Int64(70)) + zero)
        #expect(Array(byte[8..<16]) == [UInt8](nativeBytesOf: Int64(2)) && byte[16] == 2)
        #expect(throws: AudioFileError.badPropertySize) { try file.value(code("bypk"), zero) }
        #expect(throws: AudioFileError.position) { try file.value(code("frpk"), [UInt8](nativeBytesOf: Int64(-1)) + zero) }
        #expect(throws: AudioFileError.invalidPacketOffset) {
            try file.value(code("pkfr"), zero[..<8] + [UInt8](nativeBytesOf: Int64.max) + zero[..<8])
        }
    }

    @Test("translate places of packets that differ in size and in frames")
    func differingPlaces() throws {
        let file = try AudioFile.open(TestStorage(differingPackets))
        let none = [UInt8](repeating: 0, count: 8)
        func number(_ value: Int64) -> [UInt8] { [UInt8](nativeBytesOf: value) }
        func long(_ value: [UInt8], _ offset: Int) -> Int64 {
            value.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Int64.self) }
        }
        /// A packet and a position in it.
        func place(_ id: StaticString, _ position: Int64) throws -> [Int64] {
            let value = try file.value(code(id), number(position) + none + none)
            return [long(value, 8), value.withUnsafeBytes { Int64($0.loadUnaligned(fromByteOffset: 16, as: UInt32.self)) }]
        }
        for (packet, frame) in [(0, 0), (1, 100), (2, 150), (3, 350)] as [(Int64, Int64)] {
            #expect(try long(file.value(code("pkfr"), none + number(packet) + none), 0) == frame)
        }
        #expect(throws: AudioFileError.invalidPacketOffset) { try file.value(code("pkfr"), none + number(4) + none) }
        #expect(try place("frpk", 0) == [0, 0] && place("frpk", 99) == [0, 99] && place("frpk", 100) == [1, 0])
        #expect(try place("frpk", 349) == [2, 199] && place("frpk", 350) == [3, 0])
        #expect(throws: AudioFileError.position) { try place("frpk", 351) }
        #expect(try place("bypk", 0) == [0, 0] && place("bypk", 9) == [0, 9] && place("bypk", 10) == [1, 0])
        #expect(try place("bypk", 29) == [1, 19] && place("bypk", 30) == [2, 0] && place("bypk", 34) == [2, 4])
        #expect(throws: AudioFileError.position) { try place("bypk", 35) }
        #expect(throws: AudioFileError.position) { try place("bypk", -1) }
        #expect(try long(file.value(code("pkby"), none + number(2) + none), 0) == 30)
        #expect(throws: AudioFileError.invalidPacketOffset) { try file.value(code("pkby"), none + number(3) + none) }
        #expect(try file.number(code("psze")) == 20 && file.number(code("brat")) == 38_400)
    }

    @Test("have no packet for a byte of a header between packets")
    func bytesBetweenPackets() throws {
        let file = try AudioFile.open(TestStorage(adtsPackets))
        let packet = try #require(file.packet(1))
        #expect(packet.size == 9)
        let place = { (byte: UInt64) in
            try file.value(code("bypk"), [UInt8](nativeBytesOf: Int64(byte)) + [UInt8](repeating: 0, count: 16))
        }
        #expect(try place(packet.offset + 8)[8..<20].elementsEqual([1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]))
        #expect(throws: AudioFileError.position) { try place(packet.offset - 1) }
    }

    @Test("are listed, each once, also those that a type does not have")
    func list() throws {
        let file = try create(TestStorage(), .wave, pcm(16, signed))
        let missing = file.propertyIDs.filter { (try? file.propertyInfo($0)) == nil }
        #expect(Set(missing) == [code("mgic"), code("cmap"), code("pnfo")])
        #expect(Set(file.propertyIDs).count == file.propertyIDs.count && file.propertyIDs.contains(code("bypk")))
        #expect(try file.number(code("atct")) == 1)
    }

    @Test("shorten the sound by its bytes, and defer its sizes")
    func bytes() throws {
        let storage = TestStorage()
        let file = try create(storage, .wave, pcm(16, signed))
        try file.append([1, 2, 3, 4, 5, 6, 7, 8])
        try file.set(code("bcnt"), [UInt8](nativeBytesOf: UInt64(4)))
        #expect(try AudioFile.open(TestStorage(storage.memory.bytes)).bytes(0, 99) == [1, 2, 3, 4])
        #expect(throws: AudioFileError.operationNotSupported) { try file.set(code("bcnt"), [UInt8](nativeBytesOf: UInt64(5))) }
        #expect(try file.number(code("dszu")) == 0)
        try file.set(code("dszu"), [2, 0, 0, 0])
        #expect(try file.number(code("dszu")) == 1)
        #expect(throws: AudioFileError.badPropertySize) { try file.set(code("dszu"), [0]) }
    }

    @Test("are empty and writable while a new file can be given a cookie or a layout", arguments: [SoundFileType.caf, .m4a])
    func newFile(_ type: SoundFileType) throws {
        let storage = TestStorage()
        let file = try create(storage, type, rawPackets)
        #expect(try file.propertyInfo(code("mgic")) == (0, true) && file.value(code("mgic")) == [])
        if type == .caf {
            #expect(try file.propertyInfo(code("cmap")) == (0, true))
        } else {
            #expect(throws: AudioFileError.unsupportedProperty) { try file.propertyInfo(code("cmap")) }
        }
        try file.set(code("mgic"), [1, 2, 3])
        #expect(try file.propertyInfo(code("mgic")) == (3, true))
        let without = try create(TestStorage(), type, rawPackets)
        try [UInt8(1)].withUnsafeBytes { try without.appendPackets(0, $0, sizes: [1]) }
        for id in ["mgic", "cmap"] as [StaticString] {
            #expect(throws: AudioFileError.unsupportedProperty) { try without.propertyInfo(code(id)) }
        }
    }

    @Test("keep a new file without compression from a cookie", arguments: everyType)
    func noCookie(_ type: SoundFileType, _ format: StreamDescription) throws {
        let file = try create(TestStorage(), type, format)
        #expect(throws: AudioFileError.unsupportedProperty) { try file.propertyInfo(code("mgic")) }
    }

    @Test("keep what only CAF stores")
    func caf() throws {
        let storage = TestStorage()
        let (file, layout) = try writeCAFWithEverything(to: storage)
        let read = try AudioFile.open(storage)
        #expect(try read.value(code("cmap")) == layout && read.value(code("mgic")) == [1, 2, 3])
        #expect(try read.value(code("pnfo")) == [UInt8](nativeBytesOf: Int64(610)) + [10, 0, 0, 0, 20, 0, 0, 0])
        #expect(throws: AudioFileError.operationNotSupported) { try file.set(code("mgic"), [1]) }
        #expect(throws: AudioFileError.badPropertySize) {
            try create(TestStorage(), .caf, pcm(16, signed)).set(code("cmap"), [1])
        }
    }

    @Test("accept only the present values after the first packet")
    func equalValues() throws {
        let storage = TestStorage()
        let file = try create(storage, .caf, codec(FormatID.appleIMA4))
        let layout = [UInt8](nativeBytesOf: UInt32(100 << 16 | 1)) + [UInt8](repeating: 0, count: 8)
        let (equal, other) = (codec(FormatID.appleIMA4).bytes, codec(FormatID.appleIMA4, rate: 44_100).bytes)
        try file.set(code("cmap"), layout)
        try file.set(code("mgic"), [1, 2, 3])
        try file.append(noise(34 * 10))
        let bytes = storage.memory.bytes
        for (id, value): (StaticString, [UInt8]) in [("mgic", [1, 2, 3]), ("cmap", layout), ("dfmt", equal)] {
            try file.set(code(id), value)
        }
        let otherLayout = [2] + layout.dropFirst()
        for (id, value): (StaticString, [UInt8]) in [("mgic", [1, 2, 4]), ("mgic", []), ("cmap", otherLayout), ("dfmt", other)] {
            #expect(throws: AudioFileError.operationNotSupported) { try file.set(code(id), value) }
        }
        #expect(storage.memory.bytes == bytes)
    }

    @Test("change the format before the first packet")
    func format() throws {
        let storage = TestStorage()
        let file = try create(storage, .wave, pcm(16, signed))
        try file.set(code("dfmt"), pcm(24, signed, channels: 1).bytes)
        try file.append([1, 2, 3])
        #expect(try AudioFile.open(storage).file.format.bytes == pcm(24, signed, channels: 1).bytes)
        #expect(throws: AudioFileError.operationNotSupported) { try file.set(code("dfmt"), pcm(16, signed).bytes) }
        #expect(throws: AudioFileError.unsupportedDataFormat) {
            try create(storage, .wave, pcm(16, signed)).set(code("dfmt"), pcm(16, big).bytes)
        }
    }

    @Test("keep chunks after the data that are too large to move or cannot be read")
    func fixedChunks() throws {
        let storage = TestStorage()
        try create(storage, .wave, pcm(16, signed)).append([1, 2, 3, 4])
        let large = SoundFileType.wave.chunk(code("JUNK"), [UInt8](repeating: 7, count: 1 << 24 + 2))
        try large.withUnsafeBytes { try storage.memory.write($0, at: storage.size) }
        let size = storage.size
        let file = try AudioFile.open(storage, storage)
        #expect(throws: AudioFileError.notOptimized) { try file.setUserData(code("text"), 0, [1]) }
        #expect(throws: AudioFileError.notOptimized) { try file.removeUserData(code("JUNK"), 0) }
        #expect(throws: AudioFileError.notOptimized) { try file.append([1, 2, 3, 4]) }
        // The text advises what helps: a call of AudioFileOptimize does not.
        #expect(throws: AudioFileError.notOptimized) { try file.optimize() }
        #expect(
            "\(AudioFileError.notOptimized.text)".hasSuffix("that do not move prevent the change: copy the sound to a new file")
        )
        try file.close()
        #expect(storage.size == size)
    }

    @Test("Types of files state their formats")
    func types() {
        #expect(FileTypes.formats(.aiff).count == 4 && FileTypes.formats(.aiff).allSatisfy { $0.formatID == FormatID.linearPCM })
        #expect(FileTypes.formats(.caf).contains { $0.formatID == FormatID.appleIMA4 })
        #expect(Set(FileTypes.readable).isSuperset(of: FileTypes.writable))
    }
}
