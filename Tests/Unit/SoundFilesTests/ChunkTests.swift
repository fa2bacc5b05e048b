// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import SoundFiles
import Testing

@Suite("The sizes in the header of another program's file")
struct ChunkTests {
    @Test("are changed where the reader finds them, also if a file has a chunk twice")
    func duplicates() throws {
        let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        let common = Array("COMM".utf8) + [0, 0, 0, 18, 0, 1, 0, 0, 0, 2, 0, 16] + rate
        let sound = Array("SSND".utf8) + [0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
        let bytes = Array("FORM".utf8) + [0, 0, 0, 80] + Array("AIFF".utf8) + common + common + sound
        let memory = ByteMemory(bytes)
        var writer = try SoundFileWriter(changing: SoundFile(memory), memory, memory)
        try [5, 6].withUnsafeBytes { (packet: UnsafeRawBufferPointer) in
            try writer.append(UnsafeRawBufferPointer(rebasing: packet[..<2]))
        }
        try writer.synchronize()
        #expect(try SoundFile(memory).packetCount == 3)
    }

    @Test("of an extensible format without bits are refused")
    func noBits() throws {
        let header =
            Array("WAVEfmt ".utf8) + [40, 0, 0, 0, 0xFE, 0xFF, 1, 0, 0x40, 0x1F, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 22, 0, 16, 0]
        let rest: [UInt8] = [0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 14) + Array("data".utf8) + [0, 0, 0, 0]
        let bytes = Array("RIFF".utf8) + [60, 0, 0, 0] + header + rest
        #expect(throws: SoundFileError.unsupportedFormat) { try SoundFile(ByteMemory(bytes)) }
    }
}
