// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import LinuxSystem
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

/// Storage that writes the bytes that it has room for, and then fails.
private final class Disk: ByteSource, ByteSink {
    let memory = ByteMemory()
    var capacity = UInt64.max

    var size: UInt64 { memory.size }
    var allowsGaps: Bool { true }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        try memory.read(at: offset, into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        let room = Int(clamping: capacity > offset ? capacity - offset : 0)
        try memory.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)), at: offset)
        guard room >= bytes.count else { throw .write(code: 28) }
    }

    func setSize(_ size: UInt64) throws(SoundFileError) { try memory.setSize(size) }
}

@Suite("A full disk")
struct FullDiskTests {
    private static let types: [(SoundFileType, StreamDescription)] = [
        (.wave, pcm(16, signed)), (.wave, pcm(8, [], channels: 1)), (.aiff, pcm(16, big)), (.caf, pcm(16, signed)),
        (.caf, codec(FormatID.appleIMA4, channels: 2)),
    ]

    @Test(
        "leaves no bytes behind the data, and the position is the end of the data", arguments: types.indices, [0, 1, 100, 5_000])
    func frames(_ index: Int, _ left: UInt64) throws {
        let (type, format) = FullDiskTests.types[index]
        let channels = Int(format.channelsPerFrame)
        let disk = Disk()
        let audio = try AudioFile.create(disk, disk, type: type.rawValue, format: format)
        let extended = ExtendedFile(audio, isForWriting: true)
        try extended.setClientFormat(floats(22_050, channels: channels))
        let samples = sound(3_200, rate: 22_050, channels: channels)
        try extended.write(samples, channels: channels)
        let written = extended.position
        #expect(written == 3_200)
        disk.capacity = disk.size + left
        for _ in 0..<2 {
            let more = sound(16_000, rate: 22_050, channels: channels)
            // The second write tries the packets of the first one again.
            #expect(throws: ExtendedFileError.file(.system(.noSpace))) { try extended.write(more, channels: channels) }
            #expect(extended.position == Int64(clamping: audio.file.framesOfPackets))
            let padding = type.padsChunks ? audio.file.dataSize & 1 : 0
            #expect(disk.size == audio.file.dataOffset + audio.file.dataSize + padding)
        }
        // Only a codec keeps frames, which the end writes.
        do throws(ExtendedFileError) {
            try extended.finish()
            #expect(format.formatID == FormatID.linearPCM)
        } catch { #expect(format.formatID != FormatID.linearPCM && error == .file(.system(.noSpace))) }
        #expect(extended.position == Int64(clamping: audio.file.framesOfPackets))
        try audio.close()
        let file = try AudioFile.open(disk)
        #expect(Int64(clamping: file.file.framesOfPackets) == extended.position)
        #expect(disk.size == file.file.dataOffset + file.file.dataSize + (type.padsChunks ? file.file.dataSize & 1 : 0))
    }

    @Test("keeps the chunks of the program behind the data")
    func chunks() throws {
        let disk = Disk()
        let audio = try AudioFile.create(disk, disk, type: SoundFileType.wave.rawValue, format: pcm(16, signed))
        try audio.append(noise(400))
        try audio.setUserData(code("note"), 0, Array("something".utf8))
        let before = disk.memory.bytes
        disk.capacity = disk.size + 10
        #expect(throws: AudioFileError.system(.noSpace)) { try audio.append(noise(4_000)) }
        #expect(disk.memory.bytes == before)
        disk.capacity = .max
        try audio.append(noise(40))
        try audio.close()
        let file = try AudioFile.open(disk)
        #expect(try file.file.dataSize == 440 && file.userData(code("note")).count == 1)
    }
}
