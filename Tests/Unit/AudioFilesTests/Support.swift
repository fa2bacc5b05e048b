// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import TestSupport

func codec(_ id: UInt32, channels: UInt32 = 1, rate: Double = 22_050) -> StreamDescription {
    StreamDescription(sampleRate: rate, formatID: id, channelsPerFrame: channels)
}

let signed: FormatFlags = .signedInteger
let big: FormatFlags = [.signedInteger, .bigEndian]
let everyType: [(SoundFileType, StreamDescription)] = [
    (.wave, pcm(16, signed)), (.wave, pcm(24, signed, channels: 1)), (.wave, codec(FormatID.uLaw)), (.aiff, pcm(16, big)),
    (.aifc, pcm(32, [.float, .bigEndian])), (.aifc, codec(FormatID.appleIMA4, channels: 2)), (.next, pcm(8, signed, channels: 1)),
    (.caf, pcm(16, signed)), (.caf, codec(FormatID.appleIMA4)),
]

/// Storage in memory that can fail, and counts its reads.
final class TestStorage: ByteSource, ByteSink {
    let memory: ByteMemory
    var reads = 0
    var failsReads = false
    /// Bytes until the disk is full.
    var room = UInt64.max
    /// The call with this number fails.
    var failingCall = Int.max
    private(set) var calls = 0
    /// Is called after each write, with the place of its end.
    var onWrite: (UInt64) -> Void = { _ in }

    init(_ bytes: [UInt8] = []) { memory = ByteMemory(bytes) }

    var size: UInt64 { memory.size }
    var allowsGaps: Bool { true }
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        reads += 1
        if failsReads { throw .read(code: -77) }
        guard !isFailingCall() else { throw .read(code: -77) }
        return try memory.read(at: offset, into: buffer)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        guard offset + UInt64(bytes.count) <= room else {
            // A disk takes the bytes that it has room for.
            if offset < room { try memory.write(UnsafeRawBufferPointer(rebasing: bytes[..<Int(room - offset)]), at: offset) }
            throw .write(code: 28)
        }
        guard !isFailingCall() else { throw .write(code: -77) }
        try memory.write(bytes, at: offset)
        onWrite(offset + UInt64(bytes.count))
    }
    func setSize(_ size: UInt64) throws(SoundFileError) {
        guard !isFailingCall() else { throw .write(code: -77) }
        try memory.setSize(size)
    }

    private func isFailingCall() -> Bool {
        calls += 1
        return calls == failingCall
    }
}

extension AudioFile {
    func bytes(_ offset: Int64, _ count: Int) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0xAA, count: count)
        let read = try buffer.withUnsafeMutableBytes { try self.read(at: offset, $0) }
        return Array(buffer[..<read])
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws { try bytes.withUnsafeBytes { try self.write($0, at: offset) } }
    func append(_ bytes: [UInt8]) throws { try write(bytes, at: Int64(file.dataSize)) }

    func value(_ id: UInt32, _ argument: [UInt8] = []) throws -> [UInt8] { try argument.withUnsafeBytes { try property(id, $0) } }
    func number(_ id: UInt32) throws -> UInt32 { try value(id).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } }
    func long(_ id: UInt32) throws -> UInt64 { try value(id).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }
    func set(_ id: UInt32, _ value: [UInt8]) throws { try value.withUnsafeBytes { try setProperty(id, $0) } }
}

func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
}

func create(_ storage: TestStorage, _ type: SoundFileType, _ format: StreamDescription) throws -> AudioFile {
    try AudioFile.create(storage, storage, type: type.rawValue, format: format)
}

/// A CAF file of three packets that differ in size and in frames: 10 bytes of 100 frames, 20 of 50, and 5 of 200.
let differingPackets: [UInt8] = {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + words(0, UInt32(content.count)) + content
    }
    // 48,000 Hz as a double.
    let description = words(0x40E7_7000, 0, CodecFormat.opus, 0, 0, 0, 1, 0)
    let table = words(0, 3, 0, 350, 0, 0) + [10, 100, 20, 50, 5, 0x81, 0x48]
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("pakt", table)
        + chunk("data", words(0) + noise(35))
}()

/// Three packets of ADTS with 16 bytes, 7 of them a header.
let adtsPackets: [UInt8] = (1...3).flatMap { number in
    [0xFF, 0xF1, 0x50, 0x40, 0x02, 0x1F, 0xFC] + [UInt8](repeating: number, count: 9)
}

/// Writes a CAF with a channel layout, a cookie, ten packets, and the frames at both ends that are not sound.
func writeCAFWithEverything(to storage: TestStorage) throws -> (file: AudioFile, layout: [UInt8]) {
    let file = try create(storage, .caf, codec(FormatID.appleIMA4))
    let layout = [UInt8](nativeBytesOf: UInt32(100 << 16 | 1)) + [UInt8](repeating: 0, count: 8)
    try file.set(code("cmap"), layout)
    try file.set(code("mgic"), [1, 2, 3])
    try file.append(noise(34 * 10))
    try file.set(code("pnfo"), [UInt8](repeating: 0, count: 8) + [10, 0, 0, 0, 20, 0, 0, 0])
    return (file, layout)
}
