// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

/// Each call of the storage fails once, in a program that goes on as if nothing had happened.
@Suite("A file whose storage fails once")
struct FailingStorageTests {
    /// The errors of a program, in the order of its calls.
    private final class Program {
        var errors: [AudioFileError] = []

        func run(_ body: () throws -> Void) {
            do { try body() } catch { errors.append(error as? AudioFileError ?? .unspecified) }
        }
    }

    private func append(_ file: AudioFile, _ packets: [[UInt8]]) throws {
        let bytes = packets.flatMap { $0 }
        guard file.file.hasVariablePackets else { return try file.append(bytes) }
        try bytes.withUnsafeBytes {
            try file.appendPackets(Int64(file.packetCount), $0, sizes: packets.map { UInt32($0.count) })
        }
    }

    /// Writes six packets, with a chunk of the program between them. Returns the errors, and the number of packets whose call succeeded.
    private func write(_ storage: TestStorage, _ type: SoundFileType, _ format: StreamDescription, _ packets: [[UInt8]])
        -> (errors: [AudioFileError], written: Int)
    {
        let program = Program()
        var written = 0
        program.run {
            let file = try create(storage, type, format)
            for packet in packets[..<3] where program.errors.isEmpty {
                program.run {
                    try append(file, [packet])
                    written += 1
                }
            }
            if type != .next, !file.file.hasVariablePackets {
                program.run { try file.setUserData(code("abcd"), 0, [1, 2, 3, 4]) }
            }
            for packet in packets[3...] where program.errors.isEmpty {
                program.run {
                    try append(file, [packet])
                    written += 1
                }
            }
            program.run { try file.close() }
        }
        return (program.errors, written)
    }

    private static let types =
        everyType + [
            (.caf, StreamDescription(sampleRate: 44_100, formatID: code("aac "), framesPerPacket: 1_024, channelsPerFrame: 2))
        ]

    @Test("gives the error of the storage, and keeps the packets before", arguments: types)
    func sweep(_ type: SoundFileType, _ format: StreamDescription) throws {
        let size = Int(try create(TestStorage(), type, format).file.format.bytesPerPacket)
        let packets = (0..<6).map { noise(size > 0 ? size : 50 + 70 * $0, seed: UInt64($0)) }
        let whole = TestStorage()
        #expect(write(whole, type, format, packets) == ([], 6))
        for call in 1...whole.calls {
            let storage = TestStorage()
            storage.failingCall = call
            let (errors, written) = write(storage, type, format, packets)
            // A table that cannot be moved is written at the end.
            #expect(errors.first.map { $0 == .program(-77) } ?? format.isVariable, "call \(call)")
            guard let file = try? AudioFile.open(TestStorage(storage.memory.bytes)) else {
                #expect(written == 0 || errors.count > 1, "call \(call)")
                continue
            }
            let content = try file.bytes(0, 1_000_000)
            let all = packets.flatMap { $0 }
            let isPrefix = content == Array(all.prefix(content.count))
            #expect(isPrefix, "call \(call)")
        }
    }

    /// The sound moves within the file: what it loses is not checked.
    @Test("gives the error while its chunks move", arguments: everyType)
    func optimizing(_ type: SoundFileType, _ format: StreamDescription) throws {
        guard type != .next else { return }
        var call = 0
        var isDone = false
        while !isDone {
            let storage = TestStorage()
            let file = try create(storage, type, format)
            try file.append(noise(100 * Int(file.file.format.bytesPerPacket)))
            try file.setUserData(code("abcd"), 0, [1, 2, 3, 4])
            call += 1
            storage.failingCall = storage.calls + call
            do throws(AudioFileError) {
                try file.optimize()
                isDone = true
            } catch { #expect(error == .program(-77)) }
        }
        #expect(call > 4)
    }

    @Test("is not opened for writing, or keeps the chunks behind its sound as they are")
    func openingWithChunks() throws {
        let made = TestStorage()
        let file = try create(made, .wave, pcm(16, signed))
        try file.append([1, 2, 3, 4])
        try file.setUserData(code("abcd"), 0, noise(10_000))
        let (bytes, whole) = (made.memory.bytes, TestStorage(made.memory.bytes))
        _ = try AudioFile.open(whole, whole)
        var refused = 0
        for call in 1...whole.calls {
            let storage = TestStorage(bytes)
            storage.failingCall = call
            do {
                let file = try AudioFile.open(storage, storage)
                #expect(throws: AudioFileError.notOptimized, "call \(call)") { try file.setUserData(code("efgh"), 0, [1]) }
                #expect(try file.bytes(0, 99) == [1, 2, 3, 4])
                try file.close()
            } catch {
                #expect(error as? AudioFileError == .program(-77), "call \(call)")
                refused += 1
            }
            #expect(storage.memory.bytes == bytes, "call \(call)")
        }
        #expect(refused > 1 && refused < whole.calls)
    }

    @Test("is read again", arguments: everyType)
    func reading(_ type: SoundFileType, _ format: StreamDescription) throws {
        let made = TestStorage()
        let size = Int(try create(made, type, format).file.format.bytesPerPacket)
        #expect(write(made, type, format, (0..<6).map { noise(size, seed: UInt64($0)) }).errors.isEmpty)
        func read(_ storage: TestStorage) throws -> [UInt8] { try AudioFile.open(storage).bytes(0, 1_000_000) }
        let whole = TestStorage(made.memory.bytes)
        let content = try read(whole)
        for call in 1...whole.calls {
            let storage = TestStorage(made.memory.bytes)
            storage.failingCall = call
            #expect(throws: AudioFileError.program(-77)) { try read(storage) }
            #expect(try read(storage) == content)
        }
    }
}

extension StreamDescription {
    fileprivate var isVariable: Bool { formatID == code("aac ") }
}
