// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

@testable import SoundFiles

private let aac = StreamDescription(
    sampleRate: 44_100, formatID: 0x6161_6320, formatFlags: FormatFlags(rawValue: 2), framesPerPacket: 1_024, channelsPerFrame: 2)

/// A file whose disk is full behind so many bytes.
private final class SmallDisk: ByteSource, ByteSink {
    let memory = ByteMemory()
    let capacity: UInt64

    init(_ capacity: UInt64) { self.capacity = capacity }

    var size: UInt64 { memory.size }
    var allowsGaps: Bool { true }
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        try memory.read(at: offset, into: buffer)
    }

    /// Writes what fits before it fails.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        let room = offset < capacity ? min(Int(capacity - offset), bytes.count) : 0
        try memory.write(UnsafeRawBufferPointer(rebasing: bytes[..<room]), at: offset)
        guard room == bytes.count else { throw .write(code: 28) }
    }

    func setSize(_ size: UInt64) throws(SoundFileError) {
        guard size <= capacity else { throw .write(code: 28) }
        try memory.setSize(size)
    }
}

/// The disk of a program that is killed after so many calls: the others do nothing.
private final class LastWrites: ByteSource, ByteSink {
    let memory = ByteMemory()
    var callsLeft: Int
    let allowsGaps: Bool

    init(_ calls: Int, allowsGaps: Bool = true) {
        callsLeft = calls
        self.allowsGaps = allowsGaps
    }

    var size: UInt64 { memory.size }
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        try memory.read(at: offset, into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        #expect(allowsGaps || offset <= size)
        callsLeft -= 1
        if callsLeft >= 0 { try memory.write(bytes, at: offset) }
    }

    func setSize(_ size: UInt64) throws(SoundFileError) {
        callsLeft -= 1
        if callsLeft >= 0 { try memory.setSize(size) }
    }
}

/// A file of 4 EiB, most of which nobody has written.
private final class SparseFile: ByteSource {
    let memory: ByteMemory
    let size: UInt64 = 1 << 62

    init(_ bytes: [UInt8]) { memory = ByteMemory(bytes) }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        for index in buffer.indices { buffer[index] = 0 }
        _ = try memory.read(at: offset, into: buffer)
        return buffer.count
    }
}

@Suite("Packets that differ in size")
struct VariablePacketTests {
    @Test(
        "A table of more packets than a file may have is refused before it is read",
        arguments: [1, 1 << 10, 1 << 23, 1 << 60 - 24])
    func largeTable(_ count: UInt64) throws {
        var file = ByteWriter()
        let writer = try SoundFileWriter(ByteMemory(), type: .caf, format: aac)
        // The header of a file without packets ends with the data, which has no bytes but a count of edits.
        file.put(Array(writer.file.header.dropLast(16)))
        file.putCode(FourCC.pakt)
        file.put64(1 << 60)
        for number in [count, 0, 0] { file.put64(number) }
        let error: SoundFileError = count > 1 << 22 ? .tooLarge : .invalidFile
        #expect(throws: error) { try SoundFile(SparseFile(file.bytes)) }
    }

    private func packets(_ count: Int) -> [[UInt8]] {
        var random = SeededGenerator(11)
        return (0..<count).map { index in
            let size = index % 50 == 7 ? Int.random(in: 16_000...70_000, using: &random) : Int.random(in: 1...400, using: &random)
            return (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ index) }
        }
    }

    private func append(_ packets: [[UInt8]], _ writer: inout SoundFileWriter) -> SoundFileError? {
        var failure: SoundFileError?
        let bytes = packets.flatMap { $0 }
        bytes.withUnsafeBytes { bytes in
            do throws(SoundFileError) { try writer.append(bytes, sizes: packets.map { UInt32($0.count) }) } catch {
                failure = error
            }
        }
        return failure
    }

    private func content(_ file: SoundFile, _ source: any ByteSource) throws -> [[UInt8]] {
        try file.packets.map { packet in
            var bytes = [UInt8](repeating: 0, count: Int(packet.size))
            let read = try bytes.withUnsafeMutableBytes { try source.read(at: file.dataOffset + packet.offset, into: $0) }
            return Array(bytes[..<read])
        }
    }

    @Test("are read as they were written", arguments: [SoundFileType.caf, .m4a, .mp4], [0, 1, 2, 199])
    func roundTrip(_ type: SoundFileType, _ count: Int) throws {
        let memory = ByteMemory()
        let cookie = try #require(AACConfiguration(objectType: 2, rate: 44_100, channels: 2)).cookie(bitRate: 128_000)
        var writer = try SoundFileWriter(memory, type: type, format: aac, magicCookie: cookie)
        let written = packets(count)
        for start in stride(from: 0, to: count, by: 3) {
            #expect(append(Array(written[start..<min(start + 3, count)]), &writer) == nil)
        }
        if count > 2 { writer.setFrames(priming: 1_024, remainder: 100) }
        try writer.synchronize()
        // A second time changes nothing.
        let bytes = memory.bytes
        try writer.synchronize()
        #expect(memory.bytes == bytes)
        guard count > 0 || type == .caf else { return }
        let file = try SoundFile(memory)
        #expect(file.type == type && file.packets.count == count && file.magicCookie == cookie)
        #expect(file.format == aac)
        #expect(try content(file, memory) == written)
        #expect(file.frameCount == (count > 2 ? UInt64(count) * 1_024 - 1_124 : UInt64(count) * 1_024))
        #expect(file.primingFrames == (count > 2 ? 1_024 : 0) && file.remainderFrames == (count > 2 ? 100 : 0))
    }

    @Test("end with the frames of the last one, where it has fewer", arguments: [SoundFileType.caf, .m4a])
    func shortPacket(_ type: SoundFileType) throws {
        let memory = ByteMemory()
        var writer = try SoundFileWriter(memory, type: type, format: aac)
        func append(_ packets: Int, _ frames: UInt32) throws {
            let bytes = [UInt8](repeating: 1, count: packets * 5)
            try bytes.withUnsafeBytes {
                try writer.append($0, sizes: [UInt32](repeating: 5, count: packets), framesOfLast: frames)
            }
        }
        func read() throws -> [UInt64] {
            if type != .caf { try writer.synchronize() }
            let file = try SoundFile(memory)
            return [file.frameCount, UInt64(file.primingFrames), UInt64(file.remainderFrames)]
        }
        try append(3, 100)
        #expect(try read() == [2_148, 0, 924])
        // The sound goes on: the short packet is not the last one.
        try append(1, 0)
        #expect(try read() == [4_096, 0, 0])
        try append(1, 1_024)
        #expect(try read() == [5_120, 0, 0])
        try append(1, 5_000)
        #expect(try read() == [6_144, 0, 0])
        // A packet with all frames keeps the numbers that the program has set; a shorter one replaces the remainder.
        writer.setFrames(priming: 1_024, remainder: 7)
        try append(1, 0)
        #expect(try read() == [6_137, 1_024, 7])
        try append(1, 24)
        #expect(try read() == [6_168, 1_024, 1_000])
    }

    @Test("stay valid up to the last one that a full disk has room for", arguments: [SoundFileType.caf, .m4a])
    func fullDisk(_ type: SoundFileType) throws {
        let written = packets(120)
        var (partial, shortened, whole) = (0, 0, 0)
        for capacity in stride(from: UInt64(700), to: 300_000, by: 997) {
            let disk = SmallDisk(capacity)
            var writer = try SoundFileWriter(disk, type: type, format: aac)
            var failure: SoundFileError?
            for packet in written where failure == nil { failure = append([packet], &writer) }
            let appended = writer.file.packets.count
            writer.setFrames(priming: 64, remainder: 100)
            let last: SoundFileError?
            do throws(SoundFileError) {
                try writer.synchronize()
                last = nil
            } catch { last = error }
            if failure == nil, last == nil { whole += 1 } else { #expect((failure ?? last) == .write(code: 28)) }
            guard type == .caf || writer.file.packetCount > 0 else { continue }
            let file = try SoundFile(disk)
            #expect(try content(file, disk) == Array(written[..<file.packets.count]))
            // The remainder is that of a packet that is lost.
            guard file.packets.count > 0 else { continue }
            let remainder: UInt32 = file.packets.count == appended ? 100 : 0
            #expect(file.primingFrames == 64 && file.remainderFrames == remainder, "\(file.packets.count) of \(appended) packets")
            if file.packets.count < appended { shortened += 1 }
            if file.packets.count < written.count { partial += 1 }
        }
        #expect(partial > 100 && shortened > 10 && whole > 0)
    }

    @Test("stay valid up to the last one when the program is killed", arguments: [SoundFileType.caf, .m4a])
    func killed(_ type: SoundFileType) throws {
        let written = packets(120)
        let note = type == .caf ? type.chunk(FourCC.code("note"), [1, 2, 3]) : []
        var (isComplete, calls, most) = (false, 3, 0)
        while !isComplete {
            let disk = LastWrites(calls)
            var writer = try SoundFileWriter(disk, type: type, format: aac)
            writer.setTrailingChunks(note)
            try writer.synchronize()
            var appended = 0
            for packet in written where disk.callsLeft > 0 {
                #expect(append([packet], &writer) == nil)
                if disk.callsLeft >= 0 { appended += 1 }
            }
            if disk.callsLeft > 0 { writer.setFrames(priming: 1_024, remainder: 100) }
            try writer.synchronize()
            isComplete = disk.callsLeft >= 0
            calls += type == .caf && calls < 30 ? 1 : 17
            // A table of MPEG-4 describes packets when it is moved. A film without packets has no sound.
            guard type == .caf || appended > 40 else { continue }
            let file = try SoundFile(disk)
            #expect(try content(file, disk) == Array(written[..<file.packets.count]))
            #expect(file.packets.count >= (type == .caf ? appended : 1) && file.packets.count >= most)
            most = file.packets.count
            if type == .caf, appended > 0 { #expect(try file.type.chunks(disk).contains { $0.id == FourCC.code("note") }) }
        }
        #expect(most == written.count)
    }

    @Test("keep a table while the last one is written over it")
    func overlappingTables() throws {
        // The room before the first table has 65,536 bytes behind the first packet.
        let written = [[UInt8](repeating: 1, count: 10), [UInt8](repeating: 2, count: (1 << 16) - 10)]
        for calls in 0..<8 {
            let disk = LastWrites(.max)
            var writer = try SoundFileWriter(disk, type: .caf, format: aac)
            for packet in written { #expect(append([packet], &writer) == nil) }
            disk.callsLeft = calls
            try writer.synchronize()
            let file = try SoundFile(disk)
            #expect(try content(file, disk) == written)
        }
    }

    @Test("cannot be written to a file if the disk has no room for its header", arguments: [SoundFileType.caf, .m4a])
    func noRoom(_ type: SoundFileType) {
        for capacity in [UInt64(0), 20, 60, 90] {
            #expect(throws: SoundFileError.write(code: 28)) {
                try SoundFileWriter(SmallDisk(capacity), type: type, format: aac)
            }
        }
    }

    @Test("leave no gap in storage that has none")
    func withoutGaps() throws {
        let disk = LastWrites(.max, allowsGaps: false)
        var writer = try SoundFileWriter(disk, type: .caf, format: aac)
        let written = packets(60)
        for packet in written { #expect(append([packet], &writer) == nil) }
        try writer.synchronize()
        let file = try SoundFile(disk)
        #expect(try content(file, disk) == written)
    }

    @Test("of AAC with spectral band replication have times at the doubled rate")
    func replication() throws {
        var plain = aac
        plain.sampleRate = 22_050
        var configuration = try #require(AACConfiguration(objectType: 2, rate: 22_050, channels: 2))
        configuration.bytes = [0x2B, 0x92, 0x08, 0x00]
        let memory = ByteMemory()
        var writer = try SoundFileWriter(memory, type: .m4a, format: plain, magicCookie: configuration.cookie(bitRate: 0))
        #expect(append(packets(10), &writer) == nil)
        writer.setFrames(priming: 1_024, remainder: 300)
        try writer.synchronize()
        let file = try SoundFile(memory)
        #expect(file.format.formatID == 0x6161_6368 && file.format.sampleRate == 44_100 && file.format.framesPerPacket == 2_048)
        #expect(file.primingFrames == 2_048 && file.remainderFrames == 600 && file.frameCount == 10 * 2_048 - 2_648)
    }

    @Test("refuse bytes that no packet describes, and types without a table")
    func refusals() throws {
        var writer = try SoundFileWriter(ByteMemory(), type: .caf, format: aac)
        let bytes: [UInt8] = [1, 2, 3]
        for sizes: [UInt32] in [[], [2], [2, 2], [.max, .max]] {
            #expect(throws: SoundFileError.self) { try bytes.withUnsafeBytes { try writer.append($0, sizes: sizes) } }
        }
        #expect(throws: SoundFileError.unsupportedFormat) { try bytes.withUnsafeBytes { try writer.write($0, at: 0) } }
        for type in [SoundFileType.wave, .aiff, .aifc, .next, .mp3, .adts] { #expect(!type.holds(aac)) }
        var opus = aac
        opus.formatID = 0x6F70_7573
        #expect(SoundFileType.caf.holds(opus) && !SoundFileType.m4a.holds(opus))
        var endless = aac
        endless.framesPerPacket = 0
        #expect(!SoundFileType.caf.holds(endless))
    }
}
