// SPDX-License-Identifier: Apache-2.0
import MediaTestSupport
import SoundFiles
import Testing

/// A frame of MPEG 1 layer 3 with 128 kbit/s at 44,100 Hz.
private let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
private let frames = frame + frame + frame

/// The offsets of the packets in a file.
private func places(_ bytes: [UInt8]) throws -> [Int] {
    let file = try SoundFile(ByteMemory(bytes), hint: SoundFileType.mp3.rawValue)
    return file.packets.map { Int(file.dataOffset + $0.offset) }
}

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// A picture, whose bytes may look like frames.
private let picture = Array([[UInt8]](repeating: [0xFF, 0xFB, 0x90, 0x00], count: 40_000).joined())

@Suite("The frames of MPEG audio")
struct MPEGSearchTests {
    private let first = [0, 417, 834]

    @Test("are searched in 65,536 bytes, before the first frame and after each frame")
    func limit() throws {
        let limit = 65_536
        #expect(try places(zeros(limit - 1) + frames) == first.map { $0 + limit - 1 })
        #expect(throws: SoundFileError.unsupportedType) { try places(zeros(limit) + frames) }
        let second = 3 * 417 + limit - 1
        #expect(try places(frames + zeros(limit - 1) + frames + zeros(200)) == first + first.map { $0 + second })
        #expect(try places(frames + zeros(limit) + frames) == first)
        #expect(try places(frames + zeros(limit - 1) + frame + zeros(limit - 1) + frame).count == 5)
    }

    @Test("are found after tags of any size, but not in tags")
    func tags() throws {
        let size = picture.count
        let sizes = [3, 2, 1, 0].map { UInt8(size >> (7 * $0) & 0x7F) }
        let id3 = Array("ID3".utf8) + [4, 0, 0] + sizes + picture
        let id3WithFooter = Array("ID3".utf8) + [4, 0, 0x10] + sizes + picture + zeros(10)
        func ape(flags: UInt8) -> [UInt8] {
            let little = (0..<4).map { UInt8((size + 32) >> (8 * $0) & 0xFF) }
            return Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + little + [1, 0, 0, 0, 0, 0, 0, flags] + zeros(8)
        }
        let apeTag = ape(flags: 0xA0) + picture + ape(flags: 0x80)
        let id1 = Array("TAG".utf8) + zeros(125)
        for tag in [id3, id3WithFooter, apeTag, apeTag + id1 + id3 + id3] {
            let second = 3 * 417 + tag.count
            #expect(try places(frames + tag + frames) == first + first.map { $0 + second })
        }
        // A footer without a header does not count the bytes before it again. What only looks like a tag is searched.
        let footer = ape(flags: 0x80)
        #expect(try places(frames + footer + frames).count == 6)
        let noTag = Array("ID3".utf8) + [4, 0, 0, 0x80, 0, 0, 1]
        #expect(try places(frames + noTag + frames).count == 6)
        #expect(try places(frames + Array("APETIT".utf8) + zeros(40) + frames).count == 6)
    }

    @Test("are not searched after a larger number of tags")
    func endlessTags() throws {
        let empty = Array("ID3".utf8) + zeros(7)
        let most = Array([[UInt8]](repeating: empty, count: 6_554).joined())
        #expect(try places(frames + most.dropLast(10) + frames).count == 6)
        #expect(try places(frames + most + frames).count == 3)
    }
}
