// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

@Suite("A file whose writer is killed")
struct KilledWriterTests {
    @Test("states the frames that the encoder adds before the sound", arguments: [SoundFileType.caf, .m4a])
    func priming(_ type: SoundFileType) throws {
        let storage = TestStorage()
        let file = ExtendedFile(
            try create(storage, type, rawPackets), isForWriting: true,
            encoders: { (_: StreamDescription) throws(ConverterError) in try RawEncoder() })
        try file.setClientFormat(floats(22_050))
        for _ in 0..<100 { try file.write(sound(640, rate: 22_050)) }
        let killed = try AudioFile.open(TestStorage(storage.memory.bytes)).file
        #expect(killed.primingFrames == 64 && killed.packetCount > 0 && killed.remainderFrames == 0)
        #expect(killed.frameCount == 64 * (killed.packetCount - 1))
    }
}
