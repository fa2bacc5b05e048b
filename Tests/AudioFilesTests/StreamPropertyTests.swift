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

    @Test("The packets of a fragmented film have a largest size, and no number or place that is known")
    func fragments() throws {
        let fragment = box("moof", box("traf", box("tfhd", words(0, 2)), box("trun", words(1, 2, 60))))
        let stream = try stream(of: fragmentedFilm + fragment + box("mdat", [UInt8](repeating: 0, count: 100)))
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(stream.packetsSeen == 2)
        #expect(try stream.value(.packetSizeUpperBound, none) == [UInt8](nativeBytesOf: UInt32(8_191)))
        #expect(try stream.value(.averageBytesPerPacket, none) == [UInt8](nativeBytesOf: 10.0.bitPattern))
        for property: StreamProperty in [.dataByteCount, .dataPacketCount, .packetTableInfo] {
            #expect(throws: SoundStreamError.unknownValue) { try stream.value(property, none) }
        }
        #expect(throws: SoundStreamError.unknownValue) { try packet(ofByte: 0, in: stream) }
    }
}
