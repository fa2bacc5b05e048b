// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import Dispatch
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Synchronization
import TestSupport
import Testing

private let stereo: [(SoundFileType, StreamDescription, Float)] = [
    (.wave, pcm(16, signed), 0.000_05), (.wave, pcm(24, signed), 0.000_001), (.aiff, pcm(16, big), 0.000_05),
    (.caf, pcm(32, [.float]), 0), (.next, pcm(16, big), 0.000_05), (.aifc, codec(FormatID.appleIMA4, channels: 2), 0.05),
    (.caf, codec(FormatID.appleIMA4, channels: 2), 0.05), (.wave, codec(FormatID.uLaw, channels: 2), 0.03),
]

@Suite("An extended audio file")
struct ExtendedFileTests {
    @Test("reads the frames that were written, in calls of any size", arguments: stereo)
    func roundTrip(_ type: SoundFileType, _ format: StreamDescription, _ tolerance: Float) throws {
        let samples = sound(5_003, rate: 22_050)
        let storage = try file(type, format, samples)
        var random = SeededGenerator(10)
        let read = try reader(storage)
        // Only CAF states that the end of a packet is no sound.
        let padding = format.formatID == FormatID.appleIMA4 && type != .caf ? 64 - 5_003 % 64 : 0
        #expect(read.length == Int64(5_003 + padding))
        let result = try read.readAll { Int.random(in: 1...999, using: &random) }
        #expect(result.count == (5_003 + padding) * 2 && read.position == read.length)
        // IMA4 begins with small steps.
        let start = format.formatID == FormatID.appleIMA4 ? 128 : 0
        #expect(zip(result, samples).dropFirst(start).allSatisfy { abs($0 - $1) <= tolerance })
        let whole = try reader(storage).readAll { 100_000 }
        #expect(whole == result)
    }

    @Test("begins again at any frame", arguments: stereo)
    func seeking(_ type: SoundFileType, _ format: StreamDescription, _ tolerance: Float) throws {
        let storage = try file(type, format, sound(5_003, rate: 22_050))
        let read = try reader(storage)
        let whole = try reader(storage).readAll()
        var random = SeededGenerator(11)
        for _ in 0..<50 {
            let frame = Int.random(in: 0...Int(read.length), using: &random)
            try read.seek(Int64(frame))
            #expect(read.position == Int64(frame))
            let part = try read.read(300)
            let expected = whole[frame * 2..<min(frame * 2 + 600, whole.count)]
            #expect(part.count == expected.count && read.position == Int64(frame + part.count / 2))
            // The packets of IMA4 begin with 9 bits of the predictor.
            let exact = format.formatID != FormatID.appleIMA4
            #expect(zip(part, expected).allSatisfy { abs($0 - $1) <= (exact ? 0 : 0.01) })
        }
        #expect(throws: ExtendedFileError.invalidSeek) { try read.seek(-1) }
        #expect(throws: ExtendedFileError.invalidSeek) { try read.seek(read.length + 1) }
    }

    @Test(
        "has no frames where its file states more frames before the sound than there are",
        arguments: [640, 641, 5_000, Int32.max])
    func longPriming(_ priming: Int32) throws {
        let storage = TestStorage()
        let file = try create(storage, .caf, codec(FormatID.appleIMA4, channels: 2))
        try file.append(noise(68 * 10))
        for (frames, expected) in [(priming, 0), (600, 40)] as [(Int32, Int)] {
            try file.set(code("pnfo"), [UInt8](repeating: 0, count: 8) + [UInt8](nativeBytesOf: frames) + [0, 0, 0, 0])
            let read = try reader(storage)
            #expect(read.length == expected)
            #expect(try read.read(100).count == 2 * expected)
            try read.seek(Int64(expected))
            #expect(try read.read(100).isEmpty)
        }
    }

    @Test("reads packets that differ in size, without the frames before the sound", arguments: [SoundFileType.caf, .m4a])
    func differingPackets(_ type: SoundFileType) throws {
        let storage = TestStorage()
        let samples = sound(64 * 300, rate: 22_050)
        let writing = ExtendedFile(
            try create(storage, type, rawPackets), isForWriting: true,
            encoders: { (_: StreamDescription) throws(ConverterError) in try RawEncoder() })
        try writing.setClientFormat(floats(22_050))
        try writing.write(samples)
        try writing.finish()
        try writing.file.close()
        let read = ExtendedFile(
            try AudioFile.open(storage), isForWriting: false,
            decoders: { (_: AudioFile, _: StreamDescription) throws(ConverterError) in try RawDecoder() })
        try read.setClientFormat(floats(22_050))
        #expect(read.length == 64 * 299)
        let all = try read.readAll()
        #expect(all.count == 64 * 299 * 2 && zip(all, samples[128...]).allSatisfy { abs($0 - $1) < 0.000_05 })
        for frame in [64 * 298 + 63, 1_000, 0] {
            try read.seek(Int64(frame))
            let isSame = try read.read(200) == Array(all[(2 * frame)...].prefix(400))
            #expect(isSame, "\(frame)")
        }
    }

    /// Packets of AC-3 at a constant bit rate. Their number is greater than that of the packets that one step describes.
    @Test("describes packets of one size to a decoder that needs it", arguments: [32_768, 1 << 20] as [UInt32])
    func describedPacketsOfOneSize(bufferSize: UInt32) throws {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + words(0, UInt32(content.count)) + content
        }
        let samples = sound(64 * 600, rate: 22_050).map { Int16(($0 * 32_768).rounded()) }
        let data = samples.flatMap { [UInt8](nativeBytesOf: $0) }
        // 22,050 Hz as a double.
        let description = words(0x40D5_8880, 0, code("ac-3"), 0, 256, 64, 2, 0)
        let bytes =
            Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("data", words(0) + data)
        let read = ExtendedFile(
            try AudioFile.open(TestStorage(bytes)), isForWriting: false,
            decoders: { (_: AudioFile, _: StreamDescription) throws(ConverterError) in try RawDecoder() })
        try read.setClientFormat(pcm(16, signed))
        try [UInt8](nativeBytesOf: bufferSize).withUnsafeBytes { try read.setProperty(code("iobs"), $0) }
        for start in [0, 0, 64 * 300 + 7, 64 * 599] {
            try read.seek(Int64(start))
            #expect(read.position == Int64(start))
            var room = [UInt8](repeating: 0, count: data.count)
            let frames = try room.withUnsafeMutableBytes { try read.read(64 * 600, into: SampleBuffers($0)) }
            let isSame = room[..<(4 * frames)] == data[(4 * start)...]
            #expect(isSame && frames == 64 * 600 - start, "\(frames) frames from \(start)")
        }
    }

    @Test("changes the rate while it reads and writes, with exact lengths")
    func rates() throws {
        let storage = try file(.wave, pcm(16, signed, rate: 48_000), sound(4_410, rate: 44_100), rate: 44_100)
        let read = try reader(storage, floats(44_100))
        #expect(read.length == 4_800)
        let result = try read.readAll()
        #expect(result.count == 4_410 * 2 && read.position == 4_800)
        let original = sound(4_410, rate: 44_100)
        #expect((2_000..<6_000).allSatisfy { abs(result[$0] - original[$0]) < 0.001 })
        try read.seek(2_400)
        #expect(try read.readAll().count == 2_205 * 2)
        try read.seek(480)
        _ = try read.read(441)
        #expect(read.position == 960)
    }

    @Test("keeps its place when the client format changes")
    func changingClient() throws {
        let read = try reader(try file(.wave, pcm(16, signed), sound(1_000, rate: 22_050)))
        _ = try read.read(100)
        try read.setClientFormat(pcm(16, signed))
        var wrong = floats(22_050)
        wrong.bitsPerChannel = 7
        #expect(throws: ExtendedFileError.converter(.formatNotSupported)) { try read.setClientFormat(wrong) }
        #expect(try read.property(code("cfmt")) == pcm(16, signed).bytes)
        #expect(read.position == 100)
        var bytes = [UInt8](repeating: 0, count: 40)
        #expect(try bytes.withUnsafeMutableBytes { try read.read(10, into: SampleBuffers($0)) } == 10)
        let sample = Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        #expect(sample == Int16((sound(101, rate: 22_050)[200] * 32_768).rounded(.toNearestOrEven)))
    }

    @Test("writes asynchronous frames on a separate thread")
    func asynchronous() throws {
        let samples = sound(60_000, rate: 22_050)
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        try extended.setClientFormat(floats(22_050))
        try extended.writeAsync(0, from: nil)
        // The thread uses what properties change.
        #expect(throws: ExtendedFileError.invalidOperationOrder) {
            try [UInt8](nativeBytesOf: UInt32(4_096)).withUnsafeBytes { try extended.setProperty(code("iobs"), $0) }
        }
        for start in stride(from: 0, to: samples.count, by: 1_000) {
            try extended.write(Array(samples[start..<min(start + 1_000, samples.count)]), asynchronously: true)
        }
        #expect(throws: ExtendedFileError.asyncWriteTooLarge) {
            try extended.write([Float](repeating: 0, count: 131_074), asynchronously: true)
        }
        try extended.finish()
        let isSame = storage.memory.bytes == (try file(.wave, pcm(16, signed), samples)).memory.bytes
        #expect(isSame)
    }

    @Test("keeps the order of frames that are written at once and asynchronously")
    func mixedWrites() throws {
        let samples = sound(40_000, rate: 22_050)
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        try extended.setClientFormat(floats(22_050))
        try extended.writeAsync(0, from: nil)
        for (number, start) in stride(from: 0, to: samples.count, by: 1_600).enumerated() {
            try extended.write(
                Array(samples[start..<min(start + 1_600, samples.count)]), asynchronously: number % 3 != 0)
            if number % 3 == 0 { #expect(extended.position == Int64(start + 1_600) / 2) }
        }
        try extended.finish()
        let isSame = storage.memory.bytes == (try file(.wave, pcm(16, signed), samples)).memory.bytes
        #expect(isSame)
    }

    @Test("refuses frames that find no room among those that wait, and writes all of these at its end")
    func fullRing() throws {
        let samples = sound(75_536, rate: 22_050)
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        try extended.setClientFormat(floats(22_050))
        func append(_ frames: Range<Int>) throws {
            try extended.write(Array(samples[2 * frames.lowerBound..<2 * frames.upperBound]), asynchronously: true)
        }
        let dataOffset = extended.file.file.dataOffset
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let mayGoOn = DispatchSemaphore(value: 0)
        var hasGoneOn = false
        storage.onWrite = { end in
            if end == dataOffset + 40_000 { first.signal() }
            guard end == dataOffset + 40_400, !hasGoneOn else { return }
            second.signal()
            hasGoneOn = mayGoOn.wait(timeout: .now() + 60) == .success
        }
        try append(0..<10_000)
        #expect(first.wait(timeout: .now() + 60) == .success)
        try append(10_000..<10_100)
        #expect(second.wait(timeout: .now() + 60) == .success)
        // The thread writes 100 frames. With these the ring is full, beyond its end.
        try append(10_100..<75_536)
        #expect(throws: ExtendedFileError.asyncWriteBufferOverflow) { try append(0..<1) }
        mayGoOn.signal()
        try extended.finish()
        let isSame = storage.memory.bytes == (try file(.wave, pcm(16, signed), samples)).memory.bytes
        #expect(isSame)
    }

    @Test("has its properties and its position read before or after a change by the writing thread, never within it")
    func propertiesOfAsynchronousWriting() throws {
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        try extended.setClientFormat(floats(22_050))
        let dataOffset = extended.file.file.dataOffset
        let (entered, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        storage.onWrite = { end in
            guard end == dataOffset + 400 else { return }
            entered.signal()
            _ = mayLeave.wait(timeout: .now() + 60)
        }
        try extended.write([Float](repeating: 0, count: 200), asynchronously: true)
        #expect(entered.wait(timeout: .now() + 60) == .success)
        nonisolated(unsafe) let file = extended
        let values = Mutex<[Int64]>([])
        let readers = [
            WatchedThread {
                let value = file.position
                values.withLock { $0.append(value) }
            },
            WatchedThread {
                let bytes = (try? file.property(code("#frm"))) ?? []
                let value = bytes.withUnsafeBytes { $0.count == 8 ? $0.loadUnaligned(as: Int64.self) : -1 }
                values.withLock { $0.append(value) }
            },
            WatchedThread { if (try? file.propertyInfo(code("ffmt")).size) == 40 { values.withLock { $0.append(100) } } },
        ]
        for reader in readers { #expect(reader.sleeps()) }
        mayLeave.signal()
        for reader in readers { #expect(reader.join()) }
        #expect(values.withLock { $0 } == [100, 100, 100])
        try extended.finish()
    }

    @Test("gives its position and its properties to the write procedure of the program, on the thread that writes")
    func progressOfAsynchronousWriting() throws {
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        try extended.setClientFormat(floats(22_050))
        try extended.writeAsync(0, from: nil)
        nonisolated(unsafe) let file = extended
        let dataOffset = extended.file.file.dataOffset
        let seen = Mutex<[[Int64]]>([])
        let hasSeen = DispatchSemaphore(value: 0)
        storage.onWrite = { end in
            // Not the header.
            guard end > dataOffset else { return }
            var values = [file.position, file.length, -1]
            if let bytes = try? file.property(code("#frm")), (try? file.propertyInfo(code("ffmt")).size) == 40 {
                values[2] = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
            }
            seen.withLock { $0.append(values) }
            hasSeen.signal()
        }
        for (number, asynchronously) in [true, false, true, false].enumerated() {
            let writer = WatchedThread {
                try? file.write([Float](repeating: 0, count: 200), asynchronously: asynchronously)
            }
            try #require(writer.join() && hasSeen.wait(timeout: .now() + 60) == .success)
            // The frames of the writes before.
            let written = Int64(100 * number)
            #expect(seen.withLock { $0.last } == [written, written, written])
        }
        try extended.finish()
        // A file whose write waits for itself stays, because its end would wait as well. The storage refers to it until here.
        storage.onWrite = { _ in }
        #expect(extended.position == 400 && seen.withLock { $0.count } == 4)
        #expect(try AudioFile.open(storage).packetCount == 400)
    }

    @Test("reports the disk that is full while it writes asynchronously")
    func asynchronousFailure() throws {
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        try extended.setClientFormat(floats(22_050))
        storage.room = 100
        try extended.write(sound(1_000, rate: 22_050), asynchronously: true)
        #expect(throws: ExtendedFileError.file(.system(.noSpace))) { try extended.finish() }
    }

    @Test("returns the error of each failed call")
    func errors() throws {
        let storage = try file(.caf, codec(FormatID.appleIMA4, channels: 2), sound(1_000, rate: 22_050))
        let read = try reader(storage, nil)
        #expect(throws: ExtendedFileError.nonPCMClientFormat) { try read.read(1) }
        #expect(throws: ExtendedFileError.nonPCMClientFormat) { try read.setClientFormat(codec(FormatID.uLaw)) }
        var wrong = floats(22_050)
        wrong.bitsPerChannel = 7
        #expect(throws: ExtendedFileError.converter(.formatNotSupported)) { try read.setClientFormat(wrong) }
        try read.setClientFormat(floats(22_050))
        #expect(throws: ExtendedFileError.invalidOperationOrder) { try read.write([0, 0]) }
        storage.failsReads = true
        #expect(throws: ExtendedFileError.file(.program(-77))) { try read.read(1) }
        storage.failsReads = false
        #expect(try read.readAll().count == 2_000)
        let writing = ExtendedFile(try create(TestStorage(), .wave, pcm(16, signed)), isForWriting: true)
        try writing.setClientFormat(floats(22_050))
        try writing.write([0, 0])
        #expect(throws: ExtendedFileError.invalidOperationOrder) { try writing.setClientFormat(floats(22_050)) }
        #expect(throws: ExtendedFileError.invalidOperationOrder) { try writing.read(1) }
        #expect(throws: ExtendedFileError.invalidSeek) { try writing.seek(0) }
        #expect(writing.length == 1)
    }

    @Test("refuses buffers that are smaller than their frames, and writes nothing of them", arguments: [false, true])
    func smallBuffers(asynchronously: Bool) throws {
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        var client = floats(22_050, channels: 1)
        (client.channelsPerFrame, client.formatFlags) = (2, [.float, .packed, .nonInterleaved])
        try extended.setClientFormat(client)
        func write(_ left: Int, _ right: Int) throws {
            var samples = [Float](repeating: 0.5, count: left + right)
            try samples.withUnsafeMutableBytes { bytes in
                var buffers = SampleBuffers(UnsafeMutableRawBufferPointer(rebasing: bytes[..<(left * 4)]))
                buffers.append(UnsafeMutableRawBufferPointer(rebasing: bytes[(left * 4)...]))
                if asynchronously { try extended.writeAsync(2, from: buffers) } else { try extended.write(2, from: buffers) }
            }
        }
        #expect(throws: ExtendedFileError.parameter) { try write(1, 2) }
        #expect(throws: ExtendedFileError.parameter) { try write(2, 1) }
        if asynchronously { #expect(throws: ExtendedFileError.parameter) { try extended.writeAsync(2, from: nil) } }
        try write(2, 2)
        try extended.finish()
        #expect(try AudioFile.open(storage).bytes(0, 99) == [0, 0x40, 0, 0x40, 0, 0x40, 0, 0x40])
        #expect(throws: ExtendedFileError.invalidOperationOrder) { try extended.write(2, from: SampleBuffers()) }
    }

    @Test("returns the error of its converter, and reads on")
    func converterError() throws {
        let read = try reader(try file(.wave, pcm(16, signed), sound(10, rate: 22_050)))
        #expect(throws: ExtendedFileError.converter(.invalidOutputSize)) { try read.read(1, into: SampleBuffers()) }
        #expect(read.position == 0)
        #expect(try read.read(20).count == 20)
    }

    @Test("has the layout and the packet table of its audio file")
    func propertiesOfFile() throws {
        let storage = TestStorage()
        let audio = try create(storage, .caf, codec(FormatID.appleIMA4))
        let extended = ExtendedFile(audio, isForWriting: true)
        func set(_ id: StaticString, _ value: [UInt8]) throws {
            try value.withUnsafeBytes { try extended.setProperty(code(id), $0) }
        }
        let layout = [UInt8](nativeBytesOf: UInt32(100 << 16 | 1)) + [UInt8](repeating: 0, count: 8)
        #expect(try extended.propertyInfo(code("fclo")) == (0, true))
        try set("fclo", layout)
        #expect(throws: ExtendedFileError.file(.badPropertySize)) { try set("fclo", [1]) }
        try audio.append(noise(34 * 10))
        try set("xpti", [UInt8](repeating: 0, count: 8) + [10, 0, 0, 0, 20, 0, 0, 0])
        for (file, isWritten) in [(extended, true), (ExtendedFile(try AudioFile.open(storage), isForWriting: false), false)] {
            #expect(try file.property(code("fclo")) == layout && file.propertyInfo(code("fclo")) == (layout.count, isWritten))
            #expect(try file.property(code("xpti")) == [UInt8](nativeBytesOf: Int64(610)) + [10, 0, 0, 0, 20, 0, 0, 0])
        }
        let wave = ExtendedFile(try create(TestStorage(), .wave, pcm(16, signed)), isForWriting: true)
        #expect(throws: ExtendedFileError.file(.unsupportedProperty)) { try wave.property(code("xpti")) }
    }

    @Test("can be told that its converter has changed, and has no list of changes")
    func converterSettings() throws {
        let read = try reader(try file(.wave, pcm(16, signed), sound(10, rate: 22_050)))
        func set(_ value: [UInt8]) throws { try value.withUnsafeBytes { try read.setProperty(code("accf"), $0) } }
        #expect(try read.propertyInfo(code("accf")) == (MemoryLayout<UInt>.size, true))
        #expect(throws: ExtendedFileError.invalidProperty) { try read.property(code("accf")) }
        #expect(throws: ExtendedFileError.invalidPropertySize) { try set([0]) }
        #expect(throws: ExtendedFileError.parameter) { try set([UInt8](nativeBytesOf: UInt(1))) }
        try set([UInt8](nativeBytesOf: UInt(0)))
        #expect(try read.read(20).count == 20)
    }

    @Test("has properties")
    func properties() throws {
        let read = try reader(try file(.wave, pcm(16, signed), sound(1_000, rate: 22_050)), nil)
        #expect(try read.property(code("ffmt")) == pcm(16, signed).bytes && read.property(code("cfmt")) == pcm(16, signed).bytes)
        let client = floats(44_100).bytes
        try client.withUnsafeBytes { try read.setProperty(code("cfmt"), $0) }
        #expect(try read.property(code("cfmt")) == client && read.property(code("cmps")) == [8, 0, 0, 0])
        #expect(
            try read.property(code("fmps")) == [4, 0, 0, 0] && read.property(code("#frm")) == [UInt8](nativeBytesOf: Int64(1_000))
        )
        #expect(try read.propertyInfo(code("cfmt")) == (40, true) && read.propertyInfo(code("#frm")) == (8, false))
        _ = try read.read(100)
        try [UInt8](repeating: 0, count: 8).withUnsafeBytes { try read.setProperty(code("accf"), $0) }
        try [UInt8]([0, 16, 0, 0]).withUnsafeBytes { try read.setProperty(code("iobs"), $0) }
        #expect(try read.property(code("iobs")) == [0, 16, 0, 0] && read.position == 50)
        #expect(throws: ExtendedFileError.invalidProperty) { try read.property(code("????")) }
        #expect(throws: ExtendedFileError.invalidProperty) {
            try client.withUnsafeBytes { try read.setProperty(code("ffmt"), $0) }
        }
        #expect(throws: ExtendedFileError.invalidPropertySize) {
            try client[..<4].withUnsafeBytes { try read.setProperty(code("cfmt"), $0) }
        }
        #expect(ExtendedFileError.asyncWriteBufferOverflow.status == -66570 && ExtendedFileError.invalidProperty.status == -66561)
    }
}
