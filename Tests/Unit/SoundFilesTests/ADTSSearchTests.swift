// SPDX-License-Identifier: Apache-2.0
import SoundFiles
import Testing

/// A packet of ADTS with 416 bytes at 44,100 Hz.
private let packet: [UInt8] = [0xFF, 0xF1, 0x50, 0x40, 0x34, 0x1F, 0xFC] + [UInt8](repeating: 3, count: 409)
private let packets = packet + packet + packet
private let first = [7, 423, 839]

/// The offsets of the packets in a file, after their headers.
private func places(_ bytes: [UInt8], hint: SoundFileType = .adts) throws -> [Int] {
    let file = try SoundFile(ByteMemory(bytes), hint: hint.rawValue)
    #expect(file.type == .adts && file.dataOffset + file.dataSize <= UInt64(bytes.count))
    return file.packets.map { Int(file.dataOffset + $0.offset) }
}

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

@Suite("The packets of ADTS")
struct ADTSSearchTests {
    @Test("are searched in 65,536 bytes, before the first one with the hint, and behind each")
    func limit() throws {
        let limit = 65_536
        #expect(try places(zeros(100) + packets) == first.map { $0 + 100 })
        #expect(try places(zeros(limit - 1) + packets) == first.map { $0 + limit - 1 })
        #expect(throws: SoundFileError.unsupportedType) { try places(zeros(limit) + packets) }
        #expect(throws: SoundFileError.unsupportedType) { try places(zeros(100) + packets, hint: .mp3) }
        let second = 1_248 + limit - 1
        #expect(try places(packets + zeros(limit - 1) + packets + zeros(200)) == first + first.map { $0 + second })
        #expect(try places(packets + zeros(limit) + packets) == first)
    }

    @Test("count behind other bytes where another one follows, or the file ends")
    func chance() throws {
        #expect(try places(packets + zeros(200) + packet + zeros(200)) == first)
        #expect(try places(packets + zeros(200) + packet) == first + [1_455])
        #expect(try places(packets + zeros(200) + packet + [1, 2, 3]) == first)
        // A packet with another sample rate is skipped.
        var other = packet
        other[2] = 0x4C
        #expect(try places(packets + other + packets) == first + first.map { $0 + 1_664 })
        #expect(throws: SoundFileError.unsupportedType) { try places(packet + zeros(200)) }
        #expect(try places(packet) == [7])
        // The last packet is cut off.
        #expect(try places(Array(packets.dropLast())) == [7, 423])
    }

    @Test("are found behind tags between them")
    func tags() throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 6, 13, 32] + [UInt8](repeating: 0xFF, count: 100_000)
        #expect(try places(packets + tag + packets, hint: .mp3) == first + first.map { $0 + 1_248 + tag.count })
    }
}
