// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import Testing

@testable import SoundFiles

/// Fields of a box whose version 1 has some of them in 64 bits.
private func fields(_ isLong: Bool, long: [UInt32], short: [UInt32] = []) -> [UInt8] {
    words(isLong ? 1 << 24 : 0) + long.flatMap { isLong ? words(0, $0) : words($0) } + short.flatMap { words($0) }
}

/// A film of ten packets of 5 bytes, of which a fragment describes the last two. The track has the number 7.
private func film(isLong: Bool, rows: [UInt8] = words(1, 3, 1, 3, 2, 1), hasDefaults: Bool = true) -> [UInt8] {
    let start = box("ftyp", Array("M4A ".utf8), words(0))
    let data = (0..<50).map { UInt8($0) }
    let media = isLong ? words(1) + Array("mdat".utf8) + words(0, 66) + data : box("mdat", data)
    let offset = UInt32(start.count + media.count - 50)
    let chunks: [UInt32] = [offset, offset + 15, offset + 30]
    let offsets =
        isLong
        ? box("co64", words(0, 3), chunks.flatMap { words(0, $0) }) : box("stco", words(0, 3), chunks.flatMap { words($0) })
    let tables = box(
        "stbl", box("stsd", words(0, 1), movieEntry("mp4a", box("esds", words(0), [0x12, 0x10]))),
        box("stts", words(0, 1, 8, 1_024)), box("stsc", words(0, UInt32(rows.count / 12)), rows), box("stsz", words(0, 5, 8)),
        offsets)
    let header = box("mdhd", fields(isLong, long: [1, 2], short: [44_100]) + words(0, 0, 0))
    let track = box(
        "trak", box("tkhd", fields(isLong, long: [5, 6], short: [7])),
        box(
            "edts",
            box(
                "elst",
                fields(isLong, long: [], short: [2])
                    + (isLong
                        ? words(0, 9, .max, .max, 1 << 16, 0, 400, 0, 1_024, 1 << 16)
                        : words(9, .max, 1 << 16, 400, 1_024, 1 << 16)))),
        box("mdia", header, box("hdlr", words(0, 0), Array("soun".utf8), words(0, 0, 0, 0)), box("minf", tables)))
    let movie = box(
        "moov", box("mvhd", fields(isLong, long: [3, 4], short: [4_410]) + words(0, 0)), track,
        box("mvex", hasDefaults ? box("trex", words(0, 7, 1, 1_024, 5, 0)) : []))
    let fragmentHeader = hasDefaults ? words(1, 7, 0, offset + 40) : words(0x19, 7, 0, offset + 40, 1_024, 5)
    let fragment = box("moof", box("traf", box("tfhd", fragmentHeader), box("trun", words(0, 2))))
    return start + media + movie + fragment
}

@Suite("The fields of an MPEG-4 file")
struct MovieFieldTests {
    @Test("have 32 or 64 bits", arguments: [false, true])
    func versions(_ isLong: Bool) throws {
        let bytes = film(isLong: isLong)
        let file = try SoundFile(ByteMemory(bytes))
        #expect(try packets(bytes) == (0..<10).map { number in (0..<5).map { UInt8(5 * number + $0) } })
        #expect(file.primingFrames == 1_024 && file.frameCount == 4_000 && file.remainderFrames == 10 * 1_024 - 5_024)
        #expect(file.format.sampleRate == 44_100 && file.format.framesPerPacket == 1_024 && file.type == .m4a)
    }

    @Test("of a fragment have values of their own where its track has no default ones")
    func ownValues() throws {
        #expect(try packets(film(isLong: false, hasDefaults: false)) == packets(film(isLong: false)))
    }

    @Test("of a description of version 1 have 16 more bytes in front of its boxes", arguments: [0, 1] as [UInt32])
    func descriptions(version: UInt32) throws {
        // The frames of a packet, the bytes of a packet, of a frame and of a sample.
        let more = version == 1 ? words(1_024, 5, 4, 2) : []
        let lossless = words(4_096) + [0, 16, 40, 10, 14, 2, 0, 255] + words(0, 0, 44_100)
        // 3 bits of loudspeakers and one for the subwoofer, behind 10 other bits: 5 loudspeakers and it.
        let surround = Array(words(7 << 11 | 1 << 10 | 8 << 17 | 15 << 5).dropFirst())
        let rows: [(codec: String, box: [UInt8], cookie: [UInt8], channels: UInt32)] = [
            ("mp4a", box("esds", words(0), [0x12, 0x10]), [0x12, 0x10], 2),
            ("alac", box("alac", words(0), lossless), lossless, 2),
            ("ac-3", box("dac3", surround), [], 6),
        ]
        for row in rows {
            let entry = box(row.codec, words(0, 1, version << 16, 0, 2 << 16 | 16, 0, 44_100 << 16), more, row.box)
            let bytes = movie(packets: 3, entry: entry)
            let file = try SoundFile(ByteMemory(bytes))
            #expect(file.magicCookie == row.cookie && file.format.channelsPerFrame == row.channels, "\(row.codec)")
            #expect(file.format.sampleRate == 44_100, "\(row.codec)")
            #expect(try packets(bytes).count == 3, "\(row.codec)")
        }
    }

    @Test("of a fragment begin behind a size of 32 or 64 bits, in a file and in a stream", arguments: [false, true])
    func fragmentSizes(_ isLong: Bool) throws {
        let content = box("traf", box("tfhd", words(0, 2)), box("trun", words(1, 2, isLong ? 68 : 60)))
        let fragment =
            isLong ? words(1) + Array("moof".utf8) + words(0, UInt32(16 + content.count)) + content : box("moof", content)
        let (sound, expected): ([UInt8], [[UInt8]]) = (box("mdat", Array(0..<20)), [Array(0..<10), Array(10..<20)])
        // The header of a stream ends with the first box of sound.
        for start in [fragmentedFilm, fragmentedFilm + box("mdat")] {
            let bytes = start + fragment + sound
            #expect(try packets(bytes) == expected)
            let program = Listener()
            try program.parse(bytes[...])
            #expect(program.packets == expected && program.stream.hasFragments)
            let place = start == fragmentedFilm ? bytes.count - 20 : fragmentedFilm.count
            #expect(program.stream.file?.dataOffset == UInt64(place))
        }
    }

    @Test("state the packets of each chunk from the chunk of their row on")
    func rows() throws {
        #expect(try SoundFile(ByteMemory(film(isLong: false))).packets.count == 10)
        let one = try SoundFile(ByteMemory(film(isLong: false, rows: words(1, 1, 1))))
        #expect(one.packets.map(\.offset) == [0, 15, 30, 40, 45])
        let several = try SoundFile(ByteMemory(film(isLong: false, rows: words(1, 3, 1, 2, 1, 1, 3, 2, 1))))
        #expect(several.packets.map(\.offset) == [0, 5, 10, 15, 30, 35, 40, 45])
    }

    private func word(_ bytes: [UInt8], _ name: String, _ offset: Int) throws -> UInt32 {
        let start = try #require(bytes.indices.last { bytes[$0...].starts(with: name.utf8) })
        return bytes[(start + offset)..<(start + offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private let aac = StreamDescription(
        sampleRate: 44_100, formatID: CodecFormat.aac, framesPerPacket: 1_024, channelsPerFrame: 1)

    @Test("of a written file state the frames to play, the channels, and that the track is used")
    func written() throws {
        let memory = ByteMemory()
        var writer = try SoundFileWriter(memory, type: .m4a, format: aac, magicCookie: [0x12, 0x08])
        try [UInt8](repeating: 1, count: 50).withUnsafeBytes { try writer.append($0, sizes: [UInt32](repeating: 5, count: 10)) }
        writer.setFrames(priming: 1_000, remainder: 100)
        try writer.synchronize()
        for (name, offset) in [("mvhd", 20), ("tkhd", 24), ("elst", 12)] {
            #expect(try word(memory.bytes, name, offset) == 9_140)
        }
        #expect(try word(memory.bytes, "elst", 16) == 1_000 && word(memory.bytes, "mvhd", 16) == 44_100)
        #expect(try word(memory.bytes, "tkhd", 4) == 3 && word(memory.bytes, "url ", 4) == 1)
        #expect(try word(memory.bytes, "hdlr", 12) == 0x736F_756E && word(memory.bytes, "mp4a", 20) == 1 << 16 | 16)
        // The data has a size of 64 bits, which includes that of its header.
        #expect(try word(memory.bytes, "mdat", 8) == 66)
    }

    @Test("of a written file have 64 bits where its times need them")
    func longTimes() throws {
        let memory = ByteMemory()
        var format = aac
        format.framesPerPacket = 65_536
        var writer = try SoundFileWriter(memory, type: .m4a, format: format, magicCookie: [0x12, 0x08])
        let count = 65_540
        try [UInt8](repeating: 1, count: count).withUnsafeBytes {
            try writer.append($0, sizes: [UInt32](repeating: 1, count: count))
        }
        writer.setFrames(priming: 70_000, remainder: 0)
        try writer.synchronize()
        let file = try SoundFile(memory)
        #expect(file.framesOfPackets == 65_540 << 16 && file.primingFrames == 70_000)
        #expect(file.frameCount == 65_540 << 16 - 70_000 && file.packets.count == count)
    }
}
