// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import SoundFiles
import TestSupport
import Testing

/// Seconds of a sine in a file that ffmpeg makes.
func made(_ name: String, seconds: String = "0.5", _ options: [String]) throws -> [UInt8] {
    try Program.output(
        Program.ffmpeg, [], "nothing",
        { _ in ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=\(seconds)"] + options + ["-y"] }, name)
}

/// The sizes of the packets of sound that ffprobe finds.
func probed(_ bytes: [UInt8], _ name: String) throws -> [UInt32] {
    let text = try Program.output(
        Program.ffprobe, bytes, name,
        { ["-select_streams", "a", "-show_entries", "packet=size", "-of", "csv=p=0", $0, "-o"] }, "sizes")
    return String(decoding: text, as: UTF8.self).split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { UInt32($0) }
}

@Suite("Files of packets", .enabled(if: Program.ffmpeg != nil && Program.ffprobe != nil))
struct PacketFileTests {
    private static let files: [(name: String, options: [String], type: SoundFileType, format: UInt32, frames: UInt32)] = [
        ("a.mp3", ["-c:a", "libmp3lame", "-b:a", "64k"], .mp3, 0x2E6D_7033, 1_152),
        ("a.mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-ac", "2"], .mp3, 0x2E6D_7033, 1_152),
        ("a.mp3", ["-c:a", "libmp3lame", "-ar", "22050", "-write_xing", "0", "-id3v2_version", "0"], .mp3, 0x2E6D_7033, 576),
        ("a.mp2", ["-c:a", "mp2", "-ac", "2"], .mp2, 0x2E6D_7032, 1_152),
        ("a.aac", ["-c:a", "aac"], .adts, 0x6161_6320, 1_024),
        ("a.m4a", ["-c:a", "aac", "-ac", "2"], .m4a, 0x6161_6320, 1_024),
        ("a.m4a", ["-c:a", "alac"], .m4a, 0x616C_6163, 4_096),
        ("a.mp4", ["-c:a", "aac", "-movflags", "faststart"], .mp4, 0x6161_6320, 1_024),
        ("a.mp4", ["-c:a", "flac", "-strict", "-2", "-ac", "2"], .mp4, 0x666C_6163, 4_608),
        ("a.mp4", ["-c:a", "ac3"], .mp4, 0x6163_2D33, 1_536),
    ]

    @Test("have the packets that ffprobe finds", arguments: 0..<files.count)
    func packets(_ index: Int) throws {
        let sample = PacketFileTests.files[index]
        let bytes = try made(sample.name, sample.options)
        let file = try SoundFile(ByteMemory(bytes))
        #expect(file.type == sample.type && file.format.formatID == sample.format)
        #expect(file.format.framesPerPacket == sample.frames && file.format.bytesPerPacket == 0)
        #expect(file.format.sampleRate == (sample.frames == 576 ? 22_050 : 44_100))
        #expect(file.format.channelsPerFrame == (sample.options.contains("-ac") ? 2 : 1))
        // ffprobe counts the headers of ADTS.
        let header: UInt32 = sample.type == .adts ? 7 : 0
        #expect(file.packets.map { $0.size + header } == (try probed(bytes, sample.name)))
        let hasCookie = [.m4a, .mp4, .adts].contains(sample.type) && sample.format != 0x6163_2D33
        #expect(file.packets.count > 4 && file.magicCookie.isEmpty == !hasCookie)
        for packet in file.packets { #expect(packet.offset + UInt64(packet.size) <= file.dataSize) }
        #expect(file.dataOffset + file.dataSize <= UInt64(bytes.count))
    }

    @Test("state the frames that are sound, where they state them")
    func frames() throws {
        #expect(try SoundFile(ByteMemory(made("a.m4a", ["-c:a", "aac"]))).frameCount == 22_050)
        #expect(try SoundFile(ByteMemory(made("a.m4a", ["-c:a", "aac"]))).primingFrames == 1_024)
        let mp3 = try SoundFile(ByteMemory(made("a.mp3", ["-c:a", "libmp3lame"])))
        #expect(mp3.frameCount == 22_050 && mp3.primingFrames == 576 + 529)
    }

    @Test("have the whole packets before the end of a cut file")
    func cut() throws {
        for sample in PacketFileTests.files where sample.type != .m4a || sample.options.contains("faststart") {
            let bytes = try made(sample.name, sample.options)
            let whole = try SoundFile(ByteMemory(bytes))
            let last = whole.packets[whole.packets.count - 1]
            let cut = Array(bytes[..<Int(whole.dataOffset + last.offset + UInt64(last.size) - 1)])
            let file = try? SoundFile(ByteMemory(cut))
            #expect(file.map { $0.packets.count == whole.packets.count - 1 } ?? (sample.type == .mp4))
        }
    }

    @Test("never make the reader trap where the boxes that describe the sound have other bytes, or end early")
    func randomDescriptions() throws {
        var random = SeededGenerator(12)
        for sample in PacketFileTests.files where sample.options.contains("faststart") || sample.name == "a.mp4" {
            let bytes = try made(sample.name, seconds: "0.1", sample.options + ["-movflags", "faststart"])
            let start = Int(try SoundFile(ByteMemory(bytes)).dataOffset)
            for end in 0..<min(start, 1_500) {
                let cut = try? SoundFile(ByteMemory(Array(bytes[..<end])))
                #expect(cut == nil || cut?.packets.isEmpty == true)
            }
            for _ in 0..<2_000 {
                var changed = bytes
                for _ in 0..<2 {
                    changed[Int.random(in: 0..<start, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                guard let file = try? SoundFile(ByteMemory(changed)) else { continue }
                #expect(file.packets.allSatisfy { $0.offset + UInt64($0.size) <= file.dataSize })
            }
        }
    }

    @Test("never make the reader trap, whatever their bytes are")
    func randomChanges() throws {
        var random = SeededGenerator(5)
        for sample in PacketFileTests.files {
            let bytes = try made(sample.name, seconds: "0.1", sample.options)
            for _ in 0..<200 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(
                        using: &random)!
                }
                guard let file = try? SoundFile(ByteMemory(changed)) else { continue }
                #expect(file.dataOffset + file.dataSize <= UInt64(changed.count) && file.frameCount < .max)
                #expect(file.packets.allSatisfy { $0.offset + UInt64($0.size) <= file.dataSize })
            }
        }
    }

    @Test("are not found in other data")
    func otherData() {
        func error(_ bytes: [UInt8], hint: UInt32 = 0) -> SoundFileError? {
            do {
                _ = try SoundFile(ByteMemory(bytes), hint: hint)
                return nil
            } catch { return error }
        }
        let sync = [UInt8]([0xFF, 0xFB, 0x90, 0x00]) + [UInt8](repeating: 0, count: 1_000)
        #expect(error(sync) == .unsupportedType && error([0xFF, 0xF1] + sync) == .unsupportedType)
        #expect(error([UInt8](repeating: 7, count: 200_000), hint: SoundFileType.mp3.rawValue) == .unsupportedType)
        #expect(error(Array("ID3".utf8) + [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F, 1, 2, 3, 4]) == .invalidFile)
        #expect(error([0, 0, 0, 8] + Array("ftyp".utf8)) == .invalidFile)
    }
}

@Suite("Tags", .enabled(if: Program.ffmpeg != nil))
struct TagTests {
    private let options = [
        "-metadata", "title=Süß", "-metadata", "artist=A. B.", "-metadata", "album=C", "-metadata", "track=3", "-metadata",
        "date=1999",
    ]

    @Test("of files that ffmpeg writes", arguments: ["a.mp3", "a.m4a", "a.wav", "a.aiff", "a.caf"])
    func written(_ name: String) throws {
        let bytes = try made(name, options)
        let memory = ByteMemory(bytes)
        let tags = try SoundFile(memory).tags(memory)
        func value(_ key: String) -> String? { tags.first { $0.key == key }?.value }
        #expect(value("title") == "Süß", "\(tags)")
        if name != "a.aiff" { #expect(value("artist") == "A. B." && value("album") == "C", "\(tags)") }
        if name == "a.mp3" || name == "a.m4a" { #expect(value("track number") == "3" && value("year") == "1999", "\(tags)") }
    }

    @Test("of files with random changes are texts or none")
    func changed() throws {
        var random = SeededGenerator(12)
        for name in ["a.mp3", "a.m4a", "a.wav"] {
            let bytes = try made(name, options)
            for _ in 0..<300 {
                var changed = bytes
                for _ in 0..<8 {
                    changed[Int.random(in: 0..<min(changed.count, 600), using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                let memory = ByteMemory(changed)
                guard let file = try? SoundFile(memory) else { continue }
                #expect(file.tags(memory).count <= 64)
            }
        }
    }
}
