// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Testing

/// The memory of a program, which contains other samples as soon as a write has returned.
private final class ClientMemory {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

    deinit { bytes.deallocate() }

    func write(_ samples: ArraySlice<Float>, to file: ExtendedFile) throws {
        let memory = UnsafeMutableRawBufferPointer(rebasing: bytes[..<(samples.count * 4)])
        samples.withUnsafeBytes { memory.copyMemory(from: $0) }
        defer { memory.initializeMemory(as: UInt8.self, repeating: 0x3F) }
        try file.write(samples.count / 2, from: SampleBuffers(memory))
    }
}

/// A type of file, its format, the rate of the client, and the frames of one write.
private let clients: [(SoundFileType, StreamDescription, Double, Int)] = [
    (.wave, pcm(16, signed), 22_050, 300), (.caf, pcm(32, [.float]), 22_050, 10_000),
    (.caf, codec(FormatID.appleIMA4, channels: 2), 22_050, 1_000), (.wave, pcm(16, signed, rate: 48_000), 44_100, 2_000),
    (.caf, rawPackets, 22_050, 1_000),
]

@Suite("A write that the storage refuses")
struct RefusedWriteTests {
    private func extended(_ storage: TestStorage, _ client: (SoundFileType, StreamDescription, Double, Int)) throws
        -> ExtendedFile
    {
        let file = ExtendedFile(
            try create(storage, client.0, client.1), isForWriting: true,
            encoders: { (_: StreamDescription) throws(ConverterError) in try RawEncoder() })
        try file.setClientFormat(floats(client.2))
        return file
    }

    @Test("leaves at most a prefix of its frames in the file, and the frames of all other writes", arguments: clients.indices)
    func refusal(_ index: Int) throws {
        let client = clients[index]
        let samples = sound(4 * client.3, rate: client.2)
        func part(_ number: Int) -> ArraySlice<Float> { samples[(number * client.3 * 2)..<((number + 1) * client.3 * 2)] }
        var (failing, hasFailed) = (0, true)
        while hasFailed {
            failing += 1
            let storage = TestStorage()
            let memory = ClientMemory()
            let file = try extended(storage, client)
            try memory.write(part(0), to: file)
            let before = file.position
            storage.failingCall = storage.calls + failing
            hasFailed = false
            do { try memory.write(part(1), to: file) } catch {
                #expect(error as? ExtendedFileError == .file(.program(-77)))
                hasFailed = true
            }
            storage.failingCall = .max
            func frames(_ position: Int64) -> Int {
                Int((Double(position - before) * client.2 / client.1.sampleRate).rounded(.down))
            }
            // The position does not count the packets that the file has refused, which may begin with frames of the first write. The
            // next write stores them.
            let stored = frames(file.position)
            for number in 2...3 { try memory.write(part(number), to: file) }
            let prefix = frames(file.position) - 2 * client.3
            #expect((-64...prefix).contains(stored) && prefix <= client.3 && (hasFailed || stored == client.3))
            try file.finish()
            try file.file.close()
            let (whole, expected) = (TestStorage(), part(0) + part(1).prefix(prefix * 2) + part(2) + part(3))
            let other = try extended(whole, client)
            try other.write(Array(expected))
            try other.finish()
            try other.file.close()
            let (content, right) = (try content(storage), try self.content(whole))
            #expect(content == right, "call \(failing), \(prefix) frames of the failed write")
        }
        #expect(failing > 1)
    }

    private func content(_ storage: TestStorage) throws -> [UInt8] {
        try AudioFile.open(TestStorage(storage.memory.bytes)).bytes(0, 1_000_000)
    }
}
