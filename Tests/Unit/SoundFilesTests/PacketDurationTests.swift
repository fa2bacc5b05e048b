// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats
import MediaTestSupport
import Testing

@testable import SoundFiles

private let lossless = StreamDescription(
    sampleRate: 44_100, formatID: 0x616C_6163, formatFlags: FormatFlags(rawValue: 1), framesPerPacket: 4_096, channelsPerFrame: 2)
private let losslessCookie: [UInt8] =
    words(4_096) + [0, 16, 40, 10, 14, 2, 0, 255] + words(0, 0, 44_100)

/// A film of packets of 10 bytes, with this table of durations.
private func film(_ codec: String, _ frames: [(count: UInt32, frames: UInt32)], _ boxes: [UInt8]) -> [UInt8] {
    let rate: UInt32 = 48_000
    let count = frames.reduce(0) { $0 + $1.count }
    let entry = box(codec, words(0, 1, 0, 0, 2 << 16 | 16, 0, rate << 16), boxes)
    let durations = words(0, UInt32(frames.count)) + frames.flatMap { words($0.count, $0.frames) }
    let start = box("ftyp", Array("mp42".utf8), words(0))
    func movie(_ offset: UInt32) -> [UInt8] {
        let tables = box(
            "stbl", box("stsd", words(0, 1), entry), box("stts", durations), box("stsc", words(0, 1, 1, count, 1)),
            box("stsz", words(0, 10, count)), box("stco", words(0, 1, offset)))
        let header = box("mdhd", words(0, 0, 0, rate, 0, 0))
        let handler = box("hdlr", words(0, 0), Array("soun".utf8), words(0, 0, 0, 0))
        return box("moov", box("trak", box("mdia", header, handler, box("minf", tables))))
    }
    let offset = UInt32(start.count + movie(0).count + 8)
    return start + movie(offset) + box("mdat", [UInt8](repeating: 1, count: Int(count) * 10))
}

private func read(_ codec: String, _ frames: [(count: UInt32, frames: UInt32)], _ boxes: [UInt8] = []) throws -> SoundFile {
    try SoundFile(ByteMemory(film(codec, frames, boxes)))
}

@Suite("The durations of packets in MPEG-4")
struct PacketDurationTests {
    /// The content of the first box with this name.
    private func content(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
        let name = Array(name.utf8)
        let index = try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == name })
        return Array(bytes[(index + 4)...])
    }

    private func word(_ bytes: [UInt8], _ index: Int) -> UInt32 { bigEndian(bytes, index * 4) }

    @Test(
        "have the sum that the header of the media states",
        arguments: [(0, 0), (0, 100), (1, 0), (1, 100), (3, 0), (3, 100), (3, 1_023), (3, 1_024), (3, 2_000)])
    func sum(_ packets: Int, _ remainder: UInt32) throws {
        let memory = ByteMemory()
        let aac = StreamDescription(sampleRate: 44_100, formatID: 0x6161_6320, framesPerPacket: 1_024, channelsPerFrame: 2)
        var writer = try SoundFileWriter(memory, type: .m4a, format: aac)
        try [UInt8](repeating: 1, count: packets * 5).withUnsafeBytes {
            try writer.append($0, sizes: [UInt32](repeating: 5, count: packets))
        }
        writer.setFrames(priming: 0, remainder: remainder)
        try writer.synchronize()
        let table = try content("stts", memory.bytes)
        var sum: UInt32 = 0
        for row in 0..<Int(word(table, 1)) { sum += word(table, 2 + row * 2) * word(table, 3 + row * 2) }
        #expect(try word(content("mdhd", memory.bytes), 4) == sum)
        #expect(sum == UInt32(packets) * 1_024 - (packets > 0 && remainder < 1_024 ? remainder : 0))
    }

    @Test(
        "do not change the frames of a packet of Apple Lossless, also where the only packet is short",
        arguments: [1, 4_095, 4_096])
    func shortSound(_ frames: UInt32) throws {
        let memory = ByteMemory()
        var writer = try SoundFileWriter(memory, type: .m4a, format: lossless, magicCookie: losslessCookie)
        try [UInt8](repeating: 1, count: 5).withUnsafeBytes { try writer.append($0, sizes: [5], framesOfLast: frames) }
        try writer.synchronize()
        let file = try SoundFile(memory)
        #expect(file.format.framesPerPacket == 4_096 && file.frameCount == UInt64(frames))
        #expect(file.remainderFrames == 4_096 - frames)
    }

    @Test("are those of the configuration, of the table, or of the codec")
    func sources() throws {
        let configuration = box("alac", words(0, 512), [0, 16, 40, 10, 14, 2, 0, 255], words(0, 0, 48_000))
        #expect(try read("alac", [(3, 512), (1, 7)], configuration).format.framesPerPacket == 512)
        #expect(try read("alac", [(1, 7)], configuration).frameCount == 7)
        #expect(try read("alac", [(1, 7)]).format.framesPerPacket == 4_096, "without a configuration")
        #expect(try read("alac", [(2, 7)]).format.framesPerPacket == 7)
        #expect(try read("ac-3", [(1, 600)]).format.framesPerPacket == 1_536)
        #expect(try read("ac-3", [(1, 2_000)]).format.framesPerPacket == 2_000)
        let information = [16, 0, 16, 0] + [UInt8](repeating: 0, count: 30)
        let flac = box("dfLa", words(0), [0x80, 0, 0, 34], information)
        #expect(try read("fLaC", [(1, 7)], flac).format.framesPerPacket == 4_096)
    }

    @Test("differ in Opus and FLAC", arguments: ["Opus", "fLaC"])
    func differing(_ codec: String) throws {
        let file = try read(codec, [(2, 960), (3, 480), (1, 2_880), (1, 120)])
        #expect(file.format.framesPerPacket == 0 && file.packets.map(\.frames) == [960, 960, 480, 480, 480, 2_880, 120])
        #expect(file.frameCount == 6_360 && file.framesOfPackets == 6_360)
        #expect(try read(codec, [(1, 480), (2, 960)]).packets.map(\.frames) == [480, 960, 960])
        #expect(try read(codec, [(2, 480), (1, 960)]).format.framesPerPacket == 0)
        let constant = try read(codec, [(2, 480), (1, 120)])
        #expect(constant.format.framesPerPacket == 480 && constant.frameCount == 1_080 && constant.packets[0].frames == 0)
        // Packets of other codecs have the same frames.
        #expect(try read("ac-3", [(2, 1_536), (2, 512), (1, 100)]).format.framesPerPacket == 1_536)
    }
}
