// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

@testable import SoundFiles

private let film = fragmentedFilm

/// The film, a fragment with these boxes `traf`, and data of zeros behind it.
private func fragmented(_ tracks: [UInt8]..., data: Int = 1_000) -> [UInt8] {
    film + box("moof", tracks.flatMap { $0 }) + box("mdat", [UInt8](repeating: 0, count: data))
}

private func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) } }
private func track(_ boxes: [UInt8]...) -> [UInt8] { box("traf", boxes.flatMap { $0 }) }
private func header(_ flags: UInt32, _ track: UInt32, _ fields: [UInt8] = []) -> [UInt8] {
    box("tfhd", words(flags, track), fields)
}
private func run(_ flags: UInt32, _ count: UInt32, _ fields: [UInt8] = []) -> [UInt8] { box("trun", words(flags, count), fields) }

private func sizes(_ bytes: [UInt8]) throws -> [UInt32] { try SoundFile(ByteMemory(bytes)).packets.map(\.size) }

/// The places of the packets, from the start of the fragment on.
private func places(_ bytes: [UInt8]) throws -> [Int] {
    let file = try SoundFile(ByteMemory(bytes))
    return file.packets.map { Int(file.dataOffset + $0.offset) - film.count }
}

@Suite("Fragments of an MPEG-4 file")
struct FragmentTests {
    @Test("give packets the values of the track, of the fragment or their own")
    func defaults() throws {
        #expect(try sizes(fragmented(track(header(0, 2), run(0, 3)))) == [10, 10, 10])
        #expect(try sizes(fragmented(track(header(0x10, 2, words(7)), run(0, 3)))) == [7, 7, 7])
        #expect(try sizes(fragmented(track(header(0x10, 2, words(7)), run(0x200, 3, words(1, 2, 3))))) == [1, 2, 3])
        let every = words(512, 20, 0, 0, 512, 30, 0, 0)
        let fields = run(0xF05, 2, words(100, 9) + every)
        let file = try SoundFile(ByteMemory(fragmented(track(header(0x1A, 2, words(1, 600, 8)), fields, run(0, 1)))))
        #expect(file.packets.map(\.size) == [20, 30, 8])
        #expect(file.format.framesPerPacket == 512 && file.format.formatID == 0x6163_2D33)
    }

    @Test("state the frames of the last packet")
    func frames() throws {
        let file = try SoundFile(ByteMemory(fragmented(track(header(0, 2), run(0, 3), run(0x100, 1, words(12))))))
        #expect(file.packets.count == 4 && file.frameCount == 3 * 512 + 12 && file.remainderFrames == 500)
    }

    @Test("have their data at the offset that the file, the fragment or the previous data states")
    func places() throws {
        let other = track(header(0, 1), run(0x200, 2, words(100, 50)))
        #expect(try SoundFilesTests.places(fragmented(other, track(header(0, 2), run(0, 2)))) == [150, 160])
        #expect(try SoundFilesTests.places(fragmented(other, track(header(0x2_0000, 2), run(1, 1, words(30))))) == [30])
        // The track before has 4 packets of 5 bytes, its values.
        #expect(try SoundFilesTests.places(fragmented(track(header(0, 1), run(0, 4)), track(header(0, 2), run(0, 1)))) == [20])
        // A place counts from that of the track, not from the packets before.
        let runs = [run(1, 1, words(200)), run(0, 1), run(1, 1, words(300))].flatMap { $0 }
        #expect(try SoundFilesTests.places(fragmented(track(header(0, 2), runs))) == [200, 210, 300])
        let base = words(0, UInt32(film.count))
        #expect(try SoundFilesTests.places(fragmented(other, track(header(1, 2, base), run(1, 1, words(0xFFFF_FFFC))))) == [-4])
    }

    @Test("follow one another, and the file ends with the last whole packet")
    func several() throws {
        let fragment =
            box("moof", track(header(0x2_0000, 2), run(1, 2, words(60)))) + box("mdat", [UInt8](repeating: 7, count: 20))
        let whole = film + box("sidx") + fragment + box("free") + fragment + fragment
        #expect(try sizes(whole).count == 6)
        for count in [1, 9, 11, 19] {
            #expect(try sizes(Array(whole.dropLast(count))).count == (count < 10 ? 5 : 4))
        }
        for count in 0..<whole.count { _ = try? SoundFile(ByteMemory(Array(whole[..<count]))) }
        // More boxes than other files may have.
        let many = film + [[UInt8]](repeating: box("free"), count: 5_000).joined() + fragment
        #expect(try sizes(many) == [10, 10])
    }

    @Test("with numbers that no file holds end, or are refused")
    func hostile() throws {
        let most = UInt32.max
        // No byte of the file belongs to these packets, or only to the first ones.
        #expect(try sizes(fragmented(track(header(0x10, 2, words(0)), run(0, most)))) == [])
        #expect(try sizes(fragmented(track(header(0x10, 2, words(1)), run(0, most)))).count < 1_100)
        #expect(try sizes(fragmented(track(header(0x10, 1, words(most)), run(0, most)), track(header(0, 2), run(0, 1)))) == [])
        #expect(try sizes(fragmented(track(header(1, 2, words(most, most)), run(0, 1)))) == [])
        #expect(try sizes(fragmented(track(run(0x200, 1, words(5))))) == [])
        for flags: UInt32 in [0x100, 0x200, 0xF00] {
            #expect(throws: SoundFileError.invalidFile) { try sizes(fragmented(track(header(0, 2), run(flags, 2, words(1))))) }
        }
    }

    @Test("need bounded memory and time")
    func bounds() throws {
        let moof = track(header(0, 2), run(0, 50), run(0, 50), run(1, 1, words(0)))
        func read(_ packets: Int, _ boxes: Int) throws -> Int {
            var fragments = MovieFragments(largestPacketCount: packets, largestBoxCount: boxes)
            var reader = ByteReader(ByteMemory(box("trex", words(0, 2, 1, 512, 1, 0)) + moof))
            reader.skip(8)
            try fragments.readDefaults(&reader)
            reader.offset = 32
            fragments.track = 2
            try fragments.readFragment(&reader, from: 0, to: reader.size)
            return fragments.packets.count
        }
        #expect(try read(101, 5) == 101)
        #expect(throws: SoundFileError.tooLarge) { try read(100, 5) }
        #expect(throws: SoundFileError.tooLarge) { try read(101, 4) }
        func readTracks(_ count: Int) throws {
            let defaults = [[UInt8]](repeating: box("trex", words(0, 1, 1, 1, 5, 0)), count: count).joined()
            _ = try SoundFile(ByteMemory(box("ftyp", words(0, 0)) + box("moov", box("mvex", Array(defaults)))))
        }
        #expect(throws: SoundFileError.unsupportedFormat) { try readTracks(256) }
        #expect(throws: SoundFileError.tooLarge) { try readTracks(257) }
    }

    @Test("never make the reader trap, whatever their bytes are")
    func randomChanges() throws {
        var random = SeededGenerator(21)
        let runs = [run(0xF05, 2, words(30, 9, 512, 20, 0, 0, 512, 30, 0, 0)), run(0x301, 1, words(70, 512, 4))].flatMap { $0 }
        let bytes = fragmented(
            track(header(0x1B, 2, words(0, UInt32(film.count), 1, 600, 8)), runs), track(header(0x2_0000, 1), runs), data: 200)
        let start = film.count - 60
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0..<3 {
                let index = Int.random(in: start..<bytes.count - 200, using: &random)
                changed[index] = [0, 1, 2, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(
                    using: &random)!
            }
            guard let file = try? SoundFile(ByteMemory(changed)) else { continue }
            #expect(file.packets.allSatisfy { $0.offset + UInt64($0.size) <= file.dataSize })
            #expect(file.dataOffset + file.dataSize <= UInt64(changed.count))
        }
    }

    @Test("of a stream have the packets of the whole file in pieces of any size, wherever their data lies")
    func stream() throws {
        var random = SeededGenerator(22)
        let other = track(header(0, 1), run(0x200, 2, words(100, 50)))
        func first(_ place: UInt32) -> [UInt8] {
            let runs = run(0x201, 3, words(place, 10, 0, 7)) + run(1, 1, words(place + 100))
            return box("moof", other, track(header(0x2_0000, 2), runs))
        }
        // The box of the data states its size in 64 bits.
        let data = words(1, FourCC.code("mdat"), 0, 600) + noise(584)
        let second = box("moof", track(header(0, 2), run(1, 2, words(200)))) + box("free") + box("mdat", noise(400))
        // Both fragments come before the data of either.
        let third = box("moof", track(header(0x2_0000, 2), run(1, 2, words(300))))
        let whole = film + first(200) + data + second + box("styp") + third + first(400) + data + box("mfra", noise(30))
        let expected = try SoundFilesTests.packets(whole)
        #expect(expected.map(\.count) == [10, 0, 7, 10, 10, 10, 10, 10, 10, 0, 7, 10])
        for longest in [1, 30, 300, 5_000] {
            let program = Listener()
            try program.parse(whole, inPiecesUpTo: longest, &random)
            #expect(program.packets == expected && program.headers == 1)
        }
    }

    @Test("of a stream that cannot be given in their order, or that are too many, give an error")
    func refusedStreams() throws {
        func parse(_ bytes: [UInt8]) throws(SoundStreamError) { try Listener().parse(bytes[...]) }
        let inFilm = fragmented(track(header(0x2_0000, 2), run(1, 1, words(UInt32(bitPattern: -8)))))
        let later = box("moof", track(header(0x2_0000, 2), run(1, 1, words(UInt32(bitPattern: -8)))))
        // The header comes with the packets of the first fragment.
        try parse(inFilm)
        #expect(throws: SoundStreamError.notOptimized) { try parse(inFilm + later) }
        let data = box("mdat", noise(600))
        let packets = track(header(0x10, 2, words(1)), run(0, 1 << 17))
        #expect(throws: SoundStreamError.invalidFile) { try parse(film + box("moof", packets, packets, packets) + data) }
        let many = box("moof", packets)
        #expect(throws: SoundStreamError.invalidFile) { try parse(film + data + many + many + many + data) }
        let large = track(header(0x10, 2, words(1 << 20 + 1)), run(0, 1))
        #expect(throws: SoundStreamError.invalidFile) { try parse(film + data + box("moof", large)) }
        let endless = words(1 << 25, FourCC.code("moof"), 0, 0)
        #expect(throws: SoundStreamError.invalidFile) { try parse(film + data + endless) }
        // A packet that reaches into the next box.
        let crossing = track(header(0x2_0000, 2), run(0x201, 1, words(30, 500)))
        #expect(throws: SoundStreamError.invalidFile) { try parse(fragmented(crossing, data: 200) + many + data) }
    }

    private static let options: [[String]] = [
        ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"],
        ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-ac", "2"],
        ["-c:a", "aac", "-movflags", "delay_moov"],
        ["-c:a", "aac", "-movflags", "frag_every_frame"],
        ["-c:a", "alac", "-movflags", "empty_moov+omit_tfhd_offset"],
        [
            "-f", "lavfi", "-i", "testsrc=duration=1:size=64x64", "-c:v", "mpeg4", "-c:a", "aac", "-movflags",
            "empty_moov+omit_tfhd_offset",
        ],
        ["-f", "lavfi", "-i", "testsrc=duration=1:size=64x64", "-c:v", "mpeg4", "-c:a", "aac", "-movflags", "separate_moof"],
    ]

    @Test(
        "that ffmpeg writes have the packets that ffprobe finds, and the frames of the sound",
        .enabled(if: Program.ffmpeg != nil && Program.ffprobe != nil), arguments: options)
    func packets(_ options: [String]) throws {
        let bytes = try made("a.mp4", seconds: "1", options + ["-frag_duration", "200000"])
        let file = try SoundFile(ByteMemory(bytes))
        #expect(file.packets.count > 10)
        #expect(try file.packets.map(\.size) == probed(bytes, "a.mp4"))
        let priming: UInt64 = options.contains("aac") ? 1_024 : 0
        #expect(file.frameCount + UInt64(file.primingFrames) == 44_100 + priming)
    }
}
