// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import AudioQueues
import CodecModules
import MediaFormats
import PCMConversion
import SoundFiles

/// The sound of a file as a file of 16-bit samples in memory. System sounds play linear PCM and the built-in codecs directly;
/// files of other formats are decoded once. Nil for a file that cannot be decoded or is too long.
func decodedSound(_ source: any ByteSource) -> ByteMemory? {
    let memory = ByteMemory()
    do throws(ExtendedFileError) {
        guard let file = try? AudioFile.open(source), file.duration <= SystemSounds.longestDuration,
            let target = try? PCMFormat(
                sampleRate: file.file.format.sampleRate, channels: Int(file.file.format.channelsPerFrame), sample: .integer(16)),
            var writer = try? SoundFileWriter(memory, type: .wave, format: target.streamDescription)
        else { return nil }
        let extended = ExtendedFile(
            file, isForWriting: false,
            decoders: { CodecModules.decoder(for: $0.file.format, cookie: $0.file.magicCookie, client: $1) })
        try extended.setClientFormat(target.streamDescription)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096 * target.bytesPerFrame, alignment: 16)
        defer { room.deallocate() }
        while true {
            let frames = try extended.read(4_096, into: SampleBuffers(room))
            guard frames > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: room[..<(frames * target.bytesPerFrame)])
            guard (try? writer.append(bytes)) != nil else { return nil }
        }
        guard (try? writer.synchronize()) != nil else { return nil }
        return memory
    } catch { return nil }
}

/// True when queues play the format without a codec module.
func isPlayedDirectly(_ source: any ByteSource) -> Bool {
    guard let file = try? SoundFile(source) else { return true }
    return file.format.formatID == FormatID.linearPCM || PacketCodecs.formatIDs.contains(file.format.formatID)
}
