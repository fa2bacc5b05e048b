// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

/// The bits of a lossless source, which the cookie and the format flags state.
@Suite("A file of Apple Lossless")
struct SourceDepthTests {
    private func cookie(_ bits: UInt8) -> [UInt8] {
        [0, 0, 0x10, 0, 0, bits, 40, 10, 14, 2, 0, 255] + [UInt8](repeating: 0, count: 8) + [0, 0, 0xAC, 0x44]
    }

    private func written(_ type: SoundFileType, flags: UInt32, cookie: [UInt8]) throws -> TestStorage {
        let storage = TestStorage()
        let format = StreamDescription(
            sampleRate: 44_100, formatID: CodecFormat.appleLossless, formatFlags: FormatFlags(rawValue: flags),
            framesPerPacket: 4_096, channelsPerFrame: 2)
        let file = try create(storage, type, format)
        if !cookie.isEmpty { try file.set(code("mgic"), cookie) }
        try noise(10).withUnsafeBytes { try file.appendPackets(0, $0, sizes: [10]) }
        try file.close()
        return storage
    }

    @Test("reads back the bits of its cookie", arguments: [SoundFileType.caf, .m4a], [(16, 1), (20, 2), (24, 3), (32, 4)])
    func flags(_ type: SoundFileType, _ depth: (bits: UInt8, flags: UInt32)) throws {
        for stated: UInt32 in [0, 1, depth.flags] {
            let storage = try written(type, flags: stated, cookie: cookie(depth.bits))
            #expect(try AudioFile.open(storage).file.format.formatFlags.rawValue == depth.flags)
            if type == .caf { #expect(storage.memory.bytes[32..<36] == [0, 0, 0, UInt8(depth.flags)]) }
        }
    }

    @Test("states the bits in its description also where there is no cookie")
    func withoutCookie() throws {
        #expect(try written(.caf, flags: 0, cookie: []).memory.bytes[32..<36] == [0, 0, 0, 1])
        #expect(try written(.caf, flags: 3, cookie: []).memory.bytes[32..<36] == [0, 0, 0, 3])
    }
}
