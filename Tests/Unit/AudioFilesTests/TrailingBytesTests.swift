// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
private func bigEndian(_ value: Int) -> [UInt8] { little(value).reversed() }
private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

private let sound = noise(200)
private let junk = text("bytes behind the sound")

/// A WAVE file of another program.
private func wave(size: Int? = nil, _ behind: [UInt8] = []) -> [UInt8] {
    let head = text("WAVEfmt ") + little(16) + [1, 0, 1, 0] + little(8_000) + little(16_000) + [2, 0, 16, 0] + text("data")
    return text("RIFF") + little(size == 0 ? 0 : 236) + head + little(size ?? 200) + sound + behind
}

/// An AIFF file that states so many of its 100 frames, and so many bytes of its chunk.
private func aiff(frames: Int, chunk: Int = 208, _ behind: [UInt8] = []) -> [UInt8] {
    let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let common = text("COMM") + bigEndian(18) + [0, 1] + bigEndian(frames) + [0, 16] + rate
    let body = text("AIFF") + common + text("SSND") + bigEndian(chunk) + bigEndian(0) + bigEndian(0) + sound + behind
    return text("FORM") + bigEndian(body.count) + body
}

/// An AU file that states so many bytes of sound.
private func au(size: Int, _ behind: [UInt8] = []) -> [UInt8] {
    text(".snd") + [24, size, 3, 8_000, 1].flatMap { bigEndian($0) } + sound + behind
}

@Suite("Bytes behind the sound of another program's file")
struct TrailingBytesTests {
    static let files: [(String, [UInt8], [UInt8])] = [
        ("behind WAVE", wave(junk), sound), ("WAVE of size 0", wave(size: 0), []),
        ("a cut chunk", wave(text("LIST\u{9}\0\0\0a")), sound),
        ("zeros", wave([UInt8](repeating: 0, count: 16)), sound), ("behind AU", au(size: 200, junk), sound),
        ("AU of size 0", au(size: 0), []), ("SSND of size 8", aiff(frames: 100, chunk: 8), []),
        ("behind a chunk", wave(SoundFileType.wave.chunk(code("LIST"), [1, 2]) + junk), sound),
    ]

    @Test("that are no chunks are not moved before it: the file stays as it is", arguments: files)
    func refused(_ name: String, _ bytes: [UInt8], _ expected: [UInt8]) throws {
        let storage = TestStorage(bytes)
        let file = try AudioFile.open(storage, storage)
        #expect(throws: AudioFileError.notOptimized) { try file.optimize() }
        #expect(try file.bytes(0, 1_000) == expected)
        try file.close()
        #expect(storage.memory.bytes == bytes)
        if file.file.type.hasChunks {
            #expect(throws: AudioFileError.notOptimized) { try file.setUserData(code("abcd"), 0, [1]) }
        }
    }

    @Test("that are no chunks stay behind a sound that grows, and are not counted as chunks", arguments: files)
    func growing(_ name: String, _ bytes: [UInt8], _ expected: [UInt8]) throws {
        let storage = TestStorage(bytes)
        let more = noise(20, seed: 2)
        try AudioFile.open(storage, storage).append(more)
        let read = try AudioFile.open(TestStorage(storage.memory.bytes))
        #expect(try read.bytes(0, 1_000) == expected + more)
        #expect(storage.memory.bytes.count == bytes.count + more.count)
        guard name == "behind WAVE" else { return }
        #expect(Array(storage.memory.bytes[4..<8]) == little(storage.memory.bytes.count - 8 - junk.count))
    }

    @Test("are filler in a chunk that is longer than its frames, and go when the file changes")
    func filler() throws {
        let name = SoundFileType.aiff.chunk(code("NAME"), text("abc"))
        for behind in [[], name] {
            let bytes = aiff(frames: 40, behind)
            let storage = TestStorage(bytes)
            let file = try AudioFile.open(storage, storage)
            if behind.isEmpty {
                try file.optimize()
                try file.close()
                #expect(storage.memory.bytes == bytes)
            } else {
                try file.optimize()
                let moved = try AudioFile.open(TestStorage(storage.memory.bytes))
                #expect(try moved.bytes(0, 1_000) == Array(sound[..<80]) && moved.number(code("optm")) == 1)
                #expect(try moved.userData(code("NAME")).map(\.size) == [3])
            }
            let growing = TestStorage(bytes)
            try AudioFile.open(growing, growing).append([1, 2, 3, 4])
            let read = try AudioFile.open(TestStorage(growing.memory.bytes))
            #expect(try read.bytes(0, 1_000) == sound[..<80] + [1, 2, 3, 4])
            #expect(try read.userData(code("NAME")).count == (behind.isEmpty ? 0 : 1))
            #expect(growing.memory.bytes.count == bytes.count - 200 + 84)
        }
    }

    @Test("are a chunk whose pad byte is missing, which gets one")
    func withoutPad() throws {
        let storage = TestStorage(wave(text("LIST") + little(3) + [1, 2, 3]))
        try AudioFile.open(storage, storage).optimize()
        let moved = try AudioFile.open(TestStorage(storage.memory.bytes))
        #expect(try moved.bytes(0, 1_000) == sound && moved.userData(code("LIST")).map(\.size) == [3])
    }

    @Test("are chunks that do not move: bytes of the sound change all the same, and no size")
    func fixed() throws {
        let common = Array(aiff(frames: 40)[12..<38])
        let sounds = text("SSND") + bigEndian(208) + bigEndian(0) + bigEndian(0) + sound
        let bytes = text("FORM") + bigEndian(4 + sounds.count + common.count) + text("AIFF") + sounds + common
        let storage = TestStorage(bytes)
        let file = try AudioFile.open(storage, storage)
        #expect(throws: AudioFileError.notOptimized) { try file.optimize() }
        #expect(throws: AudioFileError.notOptimized) { try file.append([1, 2]) }
        try file.write([9, 9], at: 0)
        try file.close()
        #expect(storage.memory.bytes.count == bytes.count)
        #expect(try AudioFile.open(storage).bytes(0, 1_000) == [9, 9] + sound[2..<80])
    }
}
