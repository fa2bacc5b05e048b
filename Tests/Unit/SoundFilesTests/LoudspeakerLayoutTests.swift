// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

private func little(_ value: UInt32, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
}

/// A WAVE file of 16-bit samples with WAVE_FORMAT_EXTENSIBLE.
private func wave(mask: UInt32, channels: UInt32) -> [UInt8] {
    let block = 2 * channels
    let guid: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let format =
        little(0xFFFE, 2) + little(channels, 2) + little(48_000, 4) + little(48_000 * block, 4) + little(block, 2) + little(16, 2)
        + little(22, 2) + little(16, 2) + little(mask, 4) + guid
    return Array("RIFF".utf8) + little(60 + block, 4) + Array("WAVEfmt ".utf8) + little(40, 4) + format + Array("data".utf8)
        + little(block, 4) + [UInt8](repeating: 0, count: Int(block))
}

@Suite("The channel layout of a file")
struct LoudspeakerLayoutTests {
    @Test("is that of the mask of a WAVE file")
    func masks() throws {
        let rows: [(mask: UInt32, channels: UInt32, layout: [UInt8])] = [
            (0x4, 1, words(100 << 16 | 1, 0, 0)), (0x3, 2, words(101 << 16 | 2, 0, 0)), (0x7, 3, words(113 << 16 | 3, 0, 0)),
            (0x33, 4, words(108 << 16 | 4, 0, 0)), (0x107, 4, words(115 << 16 | 4, 0, 0)), (0x37, 5, words(117 << 16 | 5, 0, 0)),
            (0x3F, 6, words(121 << 16 | 6, 0, 0)), (0x13F, 7, words(125 << 16 | 7, 0, 0)), (0xFF, 8, words(126 << 16 | 8, 0, 0)),
            // Loudspeakers at the sides have no tag.
            (0x63F, 8, words(1 << 16, 0x63F, 0)), (0x1, 1, words(1 << 16, 1, 0)), (0x20003, 3, words(1 << 16, 0x20003, 0)),
            // More bits than channels: the last ones have no channel. Fewer: a channel has no loudspeaker.
            (0x3F, 2, words(101 << 16 | 2, 0, 0)), (0x3, 4, []), (0, 2, []), (0x8000_0000, 1, []), (0xFFFC_0003, 3, []),
        ]
        for row in rows {
            let file = try SoundFile(ByteMemory(wave(mask: row.mask, channels: row.channels)))
            #expect(file.channelLayout == row.layout, "mask \(row.mask)")
        }
    }

    @Test("is that of the configuration of AAC, in MPEG-4 and in ADTS")
    func configurations() throws {
        let tags: [UInt32?] = [
            nil, 100 << 16 | 1, 101 << 16 | 2, 113 << 16 | 3, 115 << 16 | 4, 117 << 16 | 5, 121 << 16 | 6, 126 << 16 | 8,
        ]
        for (configuration, tag) in tags.enumerated() where configuration > 0 {
            let low = UInt8(configuration)
            let entry = movieEntry("mp4a", box("esds", words(0), [0x12, low << 3]))
            let expected = tag.map { words($0, 0, 0) } ?? []
            let film = try SoundFile(ByteMemory(movie(packets: 2, entry: entry)))
            #expect(film.channelLayout == expected && film.format.channelsPerFrame == (low == 7 ? 8 : UInt32(low)))
            let packet: [UInt8] = [0xFF, 0xF1, 0x50 | low >> 2, low << 6, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 1, count: 9)
            let stream = try SoundFile(ByteMemory(packet + packet))
            #expect(stream.channelLayout == expected)
            // The cookie is that of MPEG-4, with the same configuration.
            #expect(AACConfiguration(cookie: stream.magicCookie)?.bytes == [0x12, low << 3])
        }
        // The packets describe their channels themselves.
        let packet: [UInt8] = [0xFF, 0xF1, 0x50, 0, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 1, count: 9)
        let stream = try SoundFile(ByteMemory(packet + packet))
        #expect(stream.channelLayout.isEmpty && stream.magicCookie.isEmpty)
    }
}
