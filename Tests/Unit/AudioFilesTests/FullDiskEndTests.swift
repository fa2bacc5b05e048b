// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import LinuxSystem
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Testing

@Suite("A file on a full disk")
struct FullDiskEndTests {
    private let piece = 50

    /// Writes pieces until the disk is full. Returns the pieces that were written.
    private func fill(_ file: ExtendedFile, _ samples: [Float], channels: Int) throws -> Int {
        for index in 0..<samples.count / (piece * channels) {
            do {
                try file.write(Array(samples[(index * piece * channels)..<((index + 1) * piece * channels)]), channels: channels)
            } catch {
                #expect(error as? ExtendedFileError == .file(.system(.noSpace)))
                return index
            }
        }
        return samples.count / (piece * channels)
    }

    private func extended(_ storage: TestStorage, _ type: SoundFileType, _ format: StreamDescription) throws -> ExtendedFile {
        let file = ExtendedFile(try create(storage, type, format), isForWriting: true)
        try file.setClientFormat(floats(format.sampleRate, channels: Int(format.channelsPerFrame)))
        return file
    }

    @Test("ends with its sound, its padding and its chunks", arguments: everyType.indices, [false, true])
    func end(_ index: Int, _ hasNote: Bool) throws {
        let (type, format) = everyType[index]
        guard !hasNote || type.hasChunks else { return }
        let channels = Int(format.channelsPerFrame)
        let samples = sound(10 * piece, rate: format.sampleRate, channels: channels)
        var partial = 0
        for room in stride(from: UInt64(150), through: 4_000, by: 13) {
            let storage = TestStorage()
            let file = try extended(storage, type, format)
            if hasNote { try file.file.setUserData(FourCC.code("note"), 0, [1, 2, 3]) }
            guard storage.size <= room else { continue }
            storage.room = room
            let pieces = try fill(file, samples, channels: channels)
            let position = file.position
            if format.formatID == FormatID.linearPCM { #expect(position == Int64(pieces * piece)) }
            do { try file.finish() } catch { #expect(error == .file(.system(.noSpace))) }
            try file.file.close()
            let read = try AudioFile.open(TestStorage(storage.memory.bytes), TestStorage(storage.memory.bytes))
            let padding = type.padsChunks ? read.file.dataSize & 1 : 0
            #expect(read.file.dataOffset + read.file.dataSize + padding + read.file.trailingSize == storage.size, "\(room)")
            if hasNote { #expect(try read.userData(FourCC.code("note")).count == 1, "\(room)") }
            if format.formatID == FormatID.linearPCM { #expect(Int64(read.file.frameCount) == position, "\(room)") }
            if pieces < 10 { partial += 1 }
        }
        #expect(partial > 5)
    }

    @Test("takes further frames at its position as soon as the disk has room", arguments: [SoundFileType.wave, .aiff, .caf])
    func recovery(_ type: SoundFileType) throws {
        let format = pcm(16, type == .aiff ? big : signed, channels: 1)
        let samples = sound(10 * piece, rate: format.sampleRate, channels: 1)
        let whole = TestStorage()
        let other = try extended(whole, type, format)
        #expect(try fill(other, samples, channels: 1) == 10)
        try other.finish()
        try other.file.close()
        for room in stride(from: UInt64(120), through: 900, by: 7) {
            let storage = TestStorage()
            let file = try extended(storage, type, format)
            storage.room = room
            _ = try fill(file, samples, channels: 1)
            storage.room = .max
            try file.write(Array(samples[Int(file.position)...]), channels: 1)
            #expect(file.position == Int64(samples.count))
            try file.finish()
            try file.file.close()
            #expect(storage.memory.bytes == whole.memory.bytes, "\(room)")
        }
    }

    /// Frames that a codec or a rate conversion has joined with others cannot be written again: the file keeps them.
    @Test(
        "keeps the frames of the first call that it refuses, which are not in its position, and takes none until it has written them",
        arguments: [
            (SoundFileType.caf, codec(FormatID.appleIMA4, channels: 1)), (.wave, codec(FormatID.uLaw, channels: 1)),
            (.wave, pcm(16, signed, channels: 1)),
        ])
    func keptFrames(_ type: SoundFileType, _ format: StreamDescription) throws {
        // PCM with a rate conversion.
        let isPCM = format.formatID == FormatID.linearPCM
        let rate = isPCM ? format.sampleRate / 2 : format.sampleRate
        let samples = sound(12 * 640, rate: rate, channels: 1)
        func written(room: UInt64?) throws -> [UInt8] {
            let storage = TestStorage()
            let file = ExtendedFile(try create(storage, type, format), isForWriting: true)
            try file.setClientFormat(floats(rate, channels: 1))
            func write(_ piece: Int) throws {
                defer {
                    let stored = Int64(file.file.packetCount) * Int64(file.file.file.format.framesPerPacket)
                    #expect(isPCM || file.position == stored, "piece \(piece)")
                }
                try file.write(Array(samples[(640 * piece)..<(640 * (piece + 1))]), channels: 1)
            }
            for piece in 0..<12 {
                guard let room, piece == 3 || piece == 7 else {
                    try write(piece)
                    continue
                }
                storage.room = storage.size + room
                #expect(throws: ExtendedFileError.file(.system(.noSpace))) { try write(piece) }
                for _ in 1...2 { #expect(throws: ExtendedFileError.file(.system(.noSpace))) { try write(piece + 1) } }
                storage.room = .max
            }
            try file.finish()
            try file.file.close()
            return storage.memory.bytes
        }
        let whole = try written(room: nil)
        for room in [UInt64(0), 1, 17, 34, 35, 100] {
            let isEqual = try written(room: room) == whole
            #expect(isEqual, "\(room)")
        }
    }

    @Test("keeps the bytes that a refused write would have replaced")
    func replacement() throws {
        let storage = TestStorage()
        let file = try create(storage, .wave, pcm(8, []))
        try file.append([UInt8](repeating: 7, count: 101))
        storage.room = storage.size
        #expect(throws: AudioFileError.system(.noSpace)) { try file.write([UInt8](repeating: 8, count: 300), at: 50) }
        try file.close()
        #expect(file.file.dataSize == 101 && storage.size == file.file.dataOffset + 102)
    }
}
