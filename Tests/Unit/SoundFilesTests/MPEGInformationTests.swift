// SPDX-License-Identifier: Apache-2.0
import SoundFiles
import Testing

/// A frame of MPEG 1 layer 3 with 128 kbit/s at 44,100 Hz.
private let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)

/// The frame of LAME before 10 others: 576 frames before the sound, 1,629 after it.
private func information(packets: UInt8?, bytes: Int?) -> [UInt8] {
    var content = Array("Info".utf8) + [0, 0, 0, (packets == nil ? 0 : 1) | (bytes == nil ? 0 : 2)]
    if let packets { content += [0, 0, 0, packets] }
    if let bytes { content += [0, 0, UInt8(bytes >> 8), UInt8(bytes & 0xFF)] }
    content += Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + [0x24, 0x06, 0x5D]
    var head = frame
    head.replaceSubrange(36..<36 + content.count, with: content)
    return head
}

@Suite("The frames that an encoder of MPEG audio adds")
struct MPEGInformationTests {
    private func frames(_ head: [UInt8], cut: Int) throws -> (count: Int, priming: Int, remainder: Int) {
        let bytes = head + Array([[UInt8]](repeating: frame, count: 10).joined())
        let file = try SoundFile(ByteMemory(Array(bytes.dropLast(cut))))
        return (file.packets.count, Int(file.primingFrames), Int(file.remainderFrames))
    }

    @Test("are dropped at the end where the file has its end only")
    func cut() throws {
        let head = information(packets: 10, bytes: 4_587)
        #expect(try frames(head, cut: 0) == (10, 1_105, 1_100))
        #expect(try frames(head, cut: 1) == (9, 1_105, 0))
        #expect(try frames(head, cut: 417) == (9, 1_105, 0))
        #expect(try frames(information(packets: 10, bytes: nil), cut: 417) == (9, 1_105, 0))
        // The bytes of a tag before the header are none of those that it counts.
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 1_024)
        #expect(try frames(tag + head, cut: 0) == (10, 1_105, 1_100))
        #expect(try frames(tag + head, cut: 417) == (9, 1_105, 0))
    }

    @Test("are dropped where the header counts itself, or no packets")
    func otherCounts() throws {
        #expect(try frames(information(packets: 11, bytes: 4_587), cut: 0) == (10, 1_105, 1_100))
        #expect(try frames(information(packets: nil, bytes: nil), cut: 1) == (9, 1_105, 1_100))
    }
}
