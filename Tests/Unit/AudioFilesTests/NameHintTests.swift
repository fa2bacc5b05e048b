// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import LinuxSystem
import MediaFormats
import MediaTestSupport
import SoundFiles
import TestSupport
import Testing

/// Frames of MPEG layer 3 with 417 bytes: 128,000 bits per second at 44,100 Hz.
private let mpegFrames: [UInt8] = (0..<4).flatMap { _ in [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0x55, count: 413) }

@Suite("The extension of a file's name")
struct NameHintTests {
    @Test("states the type of a new file, in small letters and in capitals")
    func newFile() {
        for names in FileTypeNames.all {
            for text in names.extensions {
                // Files of AIFF and AIFC have the same names.
                let first = FileTypeNames.all.first { $0.extensions.contains { "\($0)" == "\(text)" } }
                for suffix in ["\(text)", "\(text)".uppercased(), "\(text)".capitalized] {
                    #expect(FileTypes.type(forExtension: suffix) == first?.type.rawValue, "\(suffix)")
                }
            }
        }
        for suffix in ["", "wa", "wavx", ".wav", "txt"] { #expect(FileTypes.type(forExtension: suffix) == nil) }
    }

    @Test("stands for a type whose files have no header")
    func extensions() {
        let rows: [(String, SoundFileType?)] = [
            ("a.mp3", .mp3), ("/music/a.b.MP3", .mp3), ("a.aac", .adts), ("a.adts", .adts), ("a.AaC", .adts), ("a.mp2", .mp2),
            ("a.mp1", .mp1), ("a.wav", nil), ("a.m4a", nil), ("a.caf", nil), ("mp3", nil), ("a.mp3/b", nil), ("a.mp3 ", nil),
            ("a.", nil), ("", nil), (".mp3", .mp3), ("a.mp", nil), ("a.mp33", nil),
        ]
        for (name, type) in rows {
            #expect(FileTypes.hint(for: FilePath(name)) == (type?.rawValue ?? 0), "\(name)")
        }
        // Extensions of all layers: the frames state their layer.
        #expect(SoundFileType(rawValue: FileTypes.hint(for: FilePath("a.mpeg")))?.consistsOfPackets == true)
    }

    @Test("lets files be opened that begin in the middle of a packet, with junk or with zeros")
    func middle() throws {
        var random = SeededGenerator(31)
        let junk = (0..<900).map { _ in UInt8.random(in: 0...0xFE, using: &random) }
        let starts: [[UInt8]] = [
            [UInt8](repeating: 0, count: 3_000), junk, Array(mpegFrames.dropFirst(100).prefix(317)),
            // The first bytes look like a packet of the other kind, and like one of their own.
            [0xFF, 0xF1, 0x50, 0x80, 1, 2, 3, 4, 5], [0xFF, 0xFB, 0x90, 0x64, 1, 2, 3],
        ]
        for start in starts {
            for (name, packets, type) in [
                ("a.mp3", mpegFrames, SoundFileType.mp3), ("a.mp2", mpegFrames, .mp3), ("a.aac", adtsPackets, .adts),
            ] {
                let file = try AudioFile.open(
                    TestStorage(start + packets), hint: FileTypes.hint(for: FilePath(name)))
                #expect(file.file.type == type && file.packetCount == (type == .mp3 ? 4 : 3), "\(name)")
            }
        }
        for name in ["a.mp3", "a.aac"] {
            for other in [Array("This is no sound, and no packet.".utf8), [UInt8](repeating: 0, count: 70_000) + mpegFrames] {
                #expect(throws: AudioFileError.unsupportedFileType) {
                    try AudioFile.open(TestStorage(other), hint: FileTypes.hint(for: FilePath(name)))
                }
            }
        }
        // The contents decide, if they state a type.
        let wave = try file(.wave, pcm(16, signed), sound(10, rate: 22_050))
        #expect(try AudioFile.open(wave, hint: FileTypes.hint(for: FilePath("a.mp3"))).file.type == .wave)
        #expect(throws: AudioFileError.unsupportedFileType) {
            try AudioFile.open(TestStorage([UInt8](repeating: 0, count: 3_000) + mpegFrames))
        }
    }
}
