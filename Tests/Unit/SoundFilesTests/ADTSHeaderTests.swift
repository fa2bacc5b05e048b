// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import SoundFiles
import Testing

/// A packet of ADTS of 2 channels at 44,100 Hz. A checksum of two bytes follows the header of a protected packet.
private func packet(_ size: Int = 16, profile: UInt8 = 1, isProtected: Bool = false) -> [UInt8] {
    let size13 = UInt16(size)
    return [
        0xFF, isProtected ? 0xF0 : 0xF1, profile << 6 | 4 << 2, 2 << 6 | UInt8(size13 >> 11), UInt8(size13 >> 3 & 0xFF),
        UInt8(size13 & 7) << 5 | 0x1F, 0xFC,
    ] + [UInt8](repeating: 1, count: size - 7)
}

@Suite("The header of a packet of ADTS")
struct ADTSHeaderTests {
    @Test("states the object type, which the cookie has too", arguments: 0...3 as ClosedRange<UInt8>)
    func objectType(_ profile: UInt8) throws {
        let bytes = packet(profile: profile) + packet(profile: profile)
        let program = Listener()
        try program.parse((bytes + bytes)[...])
        for file in [try SoundFile(ByteMemory(bytes)), try #require(program.stream.file)] {
            #expect(file.format.formatFlags.rawValue == UInt32(profile) + 1)
            #expect(AACConfiguration(cookie: file.magicCookie)?.objectType == UInt32(profile) + 1)
        }
    }

    @Test("has 7 or 9 bytes, and a size of 13 bits that includes them", arguments: [false, true])
    func sizes(_ isProtected: Bool) throws {
        let header = isProtected ? 9 : 7
        for size in [header + 1, 255, 256, 2_047, 2_048, 8_191] {
            let bytes = packet(size, isProtected: isProtected) + packet(size, isProtected: isProtected)
            let file = try SoundFile(ByteMemory(bytes))
            #expect(file.packets.map(\.size) == [UInt32(size - header), UInt32(size - header)])
            #expect(file.packets.map(\.offset) == [UInt64(header), UInt64(size + header)])
            let program = Listener()
            try program.parse((bytes + packet(size, isProtected: isProtected))[...])
            #expect(program.packets.prefix(2) == ArraySlice(try packets(bytes)))
        }
        // A packet of a header alone is none.
        let empty = packet(header, isProtected: isProtected) + packet(header, isProtected: isProtected)
        #expect(throws: SoundFileError.unsupportedType) { try SoundFile(ByteMemory(empty), hint: SoundFileType.adts.rawValue) }
    }

    @Test("has the layer 0, and the rate of the packet before it")
    func otherHeaders() throws {
        let whole = packet(200) + packet(200)
        var (layer, rate) = (packet(), packet())
        layer[1] |= 2
        rate[2] = 1 << 6 | 3 << 2
        for other in [layer, rate] {
            #expect(try SoundFile(ByteMemory(whole + other + whole)).packets.map(\.offset) == [7, 207, 423, 623])
            // The first packet is one that another of the stream follows.
            #expect(try SoundFile(ByteMemory(packet() + other + whole)).dataOffset == 32)
        }
    }
}
