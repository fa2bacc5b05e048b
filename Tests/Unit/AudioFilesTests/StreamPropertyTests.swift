// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

/// Ignores what it is told.
private final class Client: SoundStreamClient {
    func streamHasHeader() {}
    func streamHasPackets(_ bytes: UnsafeRawBufferPointer, count: Int, _ packets: [SoundFile.Packet]) {}
}

@Suite("Properties of streams")
struct StreamPropertyTests {
    private func stream(of bytes: [UInt8]) throws -> SoundStream {
        let stream = SoundStream(hint: 0)
        try bytes.withUnsafeBytes { try stream.parse($0, isDiscontinuous: false, for: Client()) }
        return stream
    }

    private func packet(ofByte byte: Int64, in stream: SoundStream) throws -> [UInt8] {
        let argument = [UInt8](nativeBytesOf: byte) + [UInt8](repeating: 0, count: 16)
        return try argument.withUnsafeBytes { try stream.value(.byteToPacket, $0) }
    }

    @Test("The packet of a byte is exact where all packets have one size, and no byte is too large")
    func constantPackets() throws {
        let storage = TestStorage()
        try create(storage, .wave, codec(FormatID.uLaw)).append(noise(100))
        let stream = try stream(of: storage.memory.bytes)
        for byte: Int64 in [0, 99, 1 << 53 | 1, .max] {
            let value = try packet(ofByte: byte, in: stream)
            #expect(value[8..<16].elementsEqual([UInt8](nativeBytesOf: byte)) && value[16..<24].allSatisfy { $0 == 0 })
        }
        #expect(throws: SoundStreamError.packetOffset) { try packet(ofByte: -1, in: stream) }
    }

    @Test("The packet of a byte is estimated where packets state their size, up to a limit")
    func estimatedPackets() throws {
        // Packets of ADTS with 16 bytes.
        let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x40, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 0, count: 9)
        let stream = try stream(of: frame + frame + frame)
        #expect(try packet(ofByte: 40, in: stream)[8..<20].elementsEqual([2, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]))
        #expect(throws: SoundStreamError.packetOffset) { try packet(ofByte: .max, in: stream) }
    }

    private let none = UnsafeRawBufferPointer(start: nil, count: 0)

    @Test("The cookie, the layout and the packet table are those of the file, and unknown where it has none")
    func contents() throws {
        let storage = TestStorage()
        let layout = try writeCAFWithEverything(to: storage).layout
        let stream = try stream(of: storage.memory.bytes)
        #expect(try stream.value(.channelLayout, none) == layout && stream.value(.magicCookie, none) == [1, 2, 3])
        #expect(
            try stream.value(.packetTableInfo, none) == [UInt8](nativeBytesOf: Int64(610)) + [10, 0, 0, 0, 20, 0, 0, 0])
        #expect(try stream.value(.bitRate, none) == [UInt8](nativeBytesOf: UInt32(93_713)))
        #expect(stream.knownProperties == StreamProperty.allCases.filter { !$0.translates })
        let wave = TestStorage()
        try create(wave, .wave, codec(FormatID.uLaw)).append(noise(100))
        let plain = try self.stream(of: wave.memory.bytes)
        for property: StreamProperty in [.channelLayout, .magicCookie, .packetTableInfo] {
            #expect(throws: SoundStreamError.unknownValue) { try plain.value(property, none) }
            #expect(!plain.knownProperties.contains(property))
        }
        #expect(SoundStream(hint: 0).knownProperties == [.readyToProducePackets])
    }

    /// A CAF file of a packet of AAC, 22,050 Hz.
    private func aac(channels: UInt32, cookie: [UInt8]) -> [UInt8] {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + words(0, UInt32(content.count)) + content }
        // 22,050 Hz as a double.
        return Array("caff".utf8) + [0, 1, 0, 0]
            + chunk("desc", words(0x40D5_8880, 0, CodecFormat.aac, 2, 0, 1_024, channels, 0))
            + (cookie.isEmpty ? [] : chunk("kuki", cookie)) + chunk("pakt", words(0, 1, 0, 1_024, 0, 0) + [5])
            + chunk("data", words(0) + noise(5))
    }

    @Test(
        "The list of formats is that of the file: replication that the cookie states is first",
        arguments: [
            (2, [], ["aac "]), (2, [0x13, 0x90], ["aac "]), (2, [0x13, 0x90, 0x56, 0xE5, 0xA0], ["aach", "aac "]),
            (1, [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], ["aacp", "aach", "aac "]),
        ] as [(UInt32, [UInt8], [StaticString])])
    func formatList(channels: UInt32, cookie: [UInt8], formats: [StaticString]) throws {
        let bytes = aac(channels: channels, cookie: cookie)
        // A stream of the same bytes again has the same list.
        for _ in 0..<2 {
            let list = try stream(of: bytes).value(.formatList, none)
            #expect(try list == AudioFile.open(TestStorage(bytes)).value(code("flst")))
            let found = stride(from: 0, to: list.count, by: 48).map { item in
                list[item..<item + 48].withUnsafeBytes { StreamDescription(at: $0.baseAddress!) }
            }
            #expect(found.map { $0.formatID } == formats.map { code($0) })
            #expect(found.allSatisfy { $0.sampleRate == ($0.formatID == CodecFormat.aac ? 22_050 : 44_100) })
        }
    }

    /// The argument of a translation, with two members of 64 bits and two of 32, and its result.
    private func translation(
        _ property: StreamProperty, _ first: Int64, _ second: Int64, in stream: SoundStream
    ) throws -> [UInt8] {
        let argument = [UInt8](nativeBytesOf: first) + [UInt8](nativeBytesOf: second) + [9, 9, 9, 9, 8, 8, 8, 8]
        return try argument.withUnsafeBytes { try stream.value(property, $0) }
    }

    private func result(_ first: Int64, _ second: Int64, _ rest: [UInt8]) -> [UInt8] {
        [UInt8](nativeBytesOf: first) + [UInt8](nativeBytesOf: second) + rest
    }

    @Test("Places are translated with the frames of a packet, and keep the members that they do not set")
    func translations() throws {
        let storage = TestStorage()
        try create(storage, .caf, codec(FormatID.appleIMA4)).append(noise(34 * 10))
        let stream = try stream(of: storage.memory.bytes)
        func translated(_ property: StreamProperty, _ first: Int64, _ second: Int64) throws -> [UInt8] {
            try translation(property, first, second, in: stream)
        }
        #expect(try translated(.packetToFrame, 7, 3) == result(192, 3, [9, 9, 9, 9, 8, 8, 8, 8]))
        #expect(try translated(.frameToPacket, 200, 7) == result(200, 3, [8, 0, 0, 0, 8, 8, 8, 8]))
        #expect(try translated(.packetToByte, 7, 3) == result(102, 3, [9, 9, 9, 9, 0, 0, 0, 0]))
        #expect(try translated(.byteToPacket, 70, 7) == result(70, 2, [2, 0, 0, 0, 0, 0, 0, 0]))
        #expect(throws: SoundStreamError.packetOffset) { try translated(.packetToFrame, 0, -1) }
        #expect(throws: SoundStreamError.packetOffset) { try translated(.packetToFrame, 0, .max) }
        #expect(throws: SoundStreamError.packetOffset) { try translated(.frameToPacket, -1, 0) }
        #expect(throws: SoundStreamError.packetOffset) { try translated(.packetToByte, 0, -1) }
        #expect(throws: SoundStreamError.packetOffset) { try translated(.packetToByte, 0, 11) }
        #expect(throws: SoundStreamError.propertySize) {
            try [UInt8](repeating: 0, count: 23).withUnsafeBytes { try stream.value(.packetToFrame, $0) }
        }
    }

    @Test("Packets that a table describes have its places, and no frames where these differ")
    func describedPackets() throws {
        let stream = try stream(of: differingPackets)
        #expect(try translation(.packetToByte, 7, 2, in: stream)[..<8].elementsEqual([UInt8](nativeBytesOf: Int64(30))))
        #expect(try packet(ofByte: 29, in: stream)[8..<20].elementsEqual([1, 0, 0, 0, 0, 0, 0, 0, 19, 0, 0, 0]))
        #expect(try packet(ofByte: 30, in: stream)[8..<20].elementsEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
        #expect(throws: SoundStreamError.packetOffset) { try translation(.packetToByte, 0, 3, in: stream) }
        for property: StreamProperty in [.packetToFrame, .frameToPacket] {
            #expect(throws: SoundStreamError.unknownValue) { try translation(property, 0, 0, in: stream) }
        }
        #expect(try stream.value(.dataPacketCount, none) == [UInt8](nativeBytesOf: UInt64(3)))
        #expect(try stream.value(.maximumPacketSize, none) == [UInt8](nativeBytesOf: UInt32(20)))
    }

    @Test("The packets of a fragmented film have a largest size, and no number or place that is known")
    func fragments() throws {
        let fragment = box("moof", box("traf", box("tfhd", words(0, 2)), box("trun", words(1, 2, 60))))
        let stream = try stream(of: fragmentedFilm + fragment + box("mdat", [UInt8](repeating: 0, count: 100)))
        #expect(stream.packetsSeen == 2)
        #expect(try stream.value(.packetSizeUpperBound, none) == [UInt8](nativeBytesOf: UInt32(8_191)))
        #expect(try stream.value(.averageBytesPerPacket, none) == [UInt8](nativeBytesOf: 10.0.bitPattern))
        for property: StreamProperty in [.dataByteCount, .dataPacketCount, .packetTableInfo] {
            #expect(throws: SoundStreamError.unknownValue) { try stream.value(property, none) }
        }
        #expect(throws: SoundStreamError.unknownValue) { try packet(ofByte: 0, in: stream) }
    }
}
