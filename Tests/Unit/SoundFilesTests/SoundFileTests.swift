// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import TestSupport
import Testing

/// A triangle in 16 bits, another one in each channel, little-endian.
private func triangle(frames: Int, channels: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for frame in 0..<frames {
        for channel in 0..<channels {
            let position = frame * (channel + 2) % 400
            let sample = Int16((position < 200 ? position : 399 - position) * 150 - 15_000)
            bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
    }
    return bytes
}

private func data(_ file: SoundFile, _ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[Int(file.dataOffset)..<Int(file.dataOffset + file.dataSize)])
}

/// The data of a file as interleaved 16-bit samples, little-endian.
private func decoded(_ file: SoundFile, _ bytes: [UInt8]) throws -> [UInt8] {
    var packets = data(file, bytes)
    let channels = Int(file.format.channelsPerFrame)
    func samples(_ samples: [Int16]) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }
    switch file.format.formatID {
    case FormatID.uLaw: return samples(packets.map { ULaw.decode($0) })
    case FormatID.aLaw: return samples(packets.map { ALaw.decode($0) })
    case FormatID.appleIMA4:
        var decoder = IMA4Decoder(channels: channels)
        var result = [Int16](repeating: 0, count: packets.count / 34 * 64)
        _ = packets.withUnsafeBytes { packets in
            result.withUnsafeMutableBufferPointer { decoder.decode(packets, into: $0) }
        }
        return samples(result)
    default:
        let source = try PCMFormat(file.format)
        let target = try PCMFormat(sampleRate: source.sampleRate, channels: channels, sample: .integer(16, byteOrder: .little))
        let frames = source.frames(bytes: packets.count)
        var result = [UInt8](repeating: 0, count: frames * channels * 2)
        let converter = try PCMConverter(from: source, to: target)
        packets.withUnsafeMutableBytes { packets in
            _ = result.withUnsafeMutableBytes { converter.convert(SampleBuffers(packets), to: SampleBuffers($0), frames: frames) }
        }
        return result
    }
}

private func codec(_ id: UInt32, channels: UInt32 = 2, rate: Double = 22_050) -> StreamDescription {
    let isIMA = id == FormatID.appleIMA4
    return StreamDescription(
        sampleRate: rate, formatID: id, bytesPerPacket: (isIMA ? 34 : 1) * channels, framesPerPacket: isIMA ? 64 : 1,
        bytesPerFrame: isIMA ? 0 : channels, channelsPerFrame: channels, bitsPerChannel: isIMA ? 0 : 8)
}

private let big: FormatFlags = [.signedInteger, .bigEndian]
let everyFormat: [(SoundFileType, StreamDescription)] = [
    (.wave, pcm(8, [])), (.wave, pcm(16, .signedInteger)), (.wave, pcm(24, .signedInteger, channels: 3)),
    (.wave, pcm(32, .signedInteger)), (.wave, pcm(32, .float, channels: 1)), (.wave, pcm(64, .float)),
    (.wave, codec(FormatID.uLaw)), (.wave, codec(FormatID.aLaw, channels: 1)),
    (.aiff, pcm(8, .signedInteger, channels: 1)), (.aiff, pcm(16, big, rate: 44_100)), (.aiff, pcm(24, big)),
    (.aiff, pcm(32, big)),
    (.aifc, pcm(16, big)), (.aifc, pcm(16, .signedInteger)), (.aifc, pcm(32, [.float, .bigEndian])),
    (.aifc, pcm(64, [.float, .bigEndian])), (.aifc, codec(FormatID.uLaw)), (.aifc, codec(FormatID.aLaw)),
    (.aifc, codec(FormatID.appleIMA4)), (.aifc, codec(FormatID.appleIMA4, channels: 1)),
    (.next, pcm(8, .signedInteger)), (.next, pcm(16, big)), (.next, pcm(24, big)), (.next, pcm(32, big)),
    (.next, pcm(32, [.float, .bigEndian])), (.next, pcm(64, [.float, .bigEndian])), (.next, codec(FormatID.uLaw)),
    (.next, codec(FormatID.aLaw)),
    (.caf, pcm(8, .signedInteger)), (.caf, pcm(16, .signedInteger)), (.caf, pcm(16, big)), (.caf, pcm(24, .signedInteger)),
    (.caf, pcm(24, big)), (.caf, pcm(32, .signedInteger)), (.caf, pcm(32, .float)), (.caf, pcm(32, [.float, .bigEndian])),
    (.caf, pcm(64, .float)), (.caf, codec(FormatID.uLaw)), (.caf, codec(FormatID.aLaw)), (.caf, codec(FormatID.appleIMA4)),
]

func write(_ type: SoundFileType, _ format: StreamDescription, _ packets: [UInt8]) throws -> [UInt8] {
    let memory = ByteMemory()
    var writer = try SoundFileWriter(memory, type: type, format: format)
    let half = packets.count / Int(format.bytesPerPacket) / 2 * Int(format.bytesPerPacket)
    try packets[..<half].withUnsafeBytes { try writer.append($0) }
    try packets[half...].withUnsafeBytes { try writer.append($0) }
    try writer.synchronize()
    return memory.bytes
}

func noise(_ packets: Int, _ format: StreamDescription) -> [UInt8] {
    var random = SeededGenerator(1)
    return (0..<packets * Int(format.bytesPerPacket)).map { _ in UInt8.random(in: 0...255, using: &random) }
}

/// 100 packets of IMA4.
private func encodedTriangle(_ format: StreamDescription) -> [UInt8] {
    let channels = Int(format.channelsPerFrame)
    let bytes = triangle(frames: 6_400, channels: channels)
    let samples = stride(from: 0, to: bytes.count, by: 2).map {
        Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    var packets = [UInt8](repeating: 0, count: 3_400 * channels)
    var encoder = IMA4Encoder(channels: channels)
    _ = samples.withUnsafeBufferPointer { samples in packets.withUnsafeMutableBytes { encoder.encode(samples, into: $0) } }
    return packets
}

/// A description with the flags that have a meaning.
private func canonical(_ format: StreamDescription) -> StreamDescription {
    (try? PCMFormat(format).streamDescription) ?? format
}

@Suite("Sound files")
struct SoundFileTests {
    @Test("return the samples that were written, in every format of every type", arguments: everyFormat)
    func roundTrip(_ type: SoundFileType, _ format: StreamDescription) throws {
        let packets = noise(101, format)
        let bytes = try write(type, format, packets)
        let file = try SoundFile(ByteMemory(bytes))
        #expect(file.type == type)
        #expect(canonical(file.format) == canonical(format))
        #expect(data(file, bytes) == packets)
        #expect(file.packetCount == 101)
        #expect(file.frameCount == 101 * UInt64(format.framesPerPacket))
        #expect(bytes.count % 2 == 0 || type == .next || type == .caf)
    }

    @Test("are read by ffmpeg as they were meant", .enabled(if: Program.ffmpeg != nil))
    func readByOthers() throws {
        // ffmpeg rounds otherwise from formats of more than 16 bits.
        let formats = everyFormat.filter { $0.1.bitsPerChannel <= 16 }
        let names: [SoundFileType: String] = [.wave: "a.wav", .aiff: "a.aiff", .aifc: "a.aifc", .next: "a.au", .caf: "a.caf"]
        let files = try formats.map { type, format in
            let packets = format.formatID == FormatID.appleIMA4 ? encodedTriangle(format) : noise(100, format)
            return (name: try #require(names[type]), bytes: try write(type, format, packets))
        }
        let read = try Program.converted(files, "b.raw", to: ["-f", "s16le"])
        #expect(read.count > 20)
        for (index, file) in files.enumerated() {
            let isEqual = try decoded(SoundFile(ByteMemory(file.bytes)), file.bytes) == read[index]
            #expect(isEqual, "\(formats[index])")
        }
    }

    @Test(
        "of sox have the frames that it wrote", .enabled(if: Program.sox != nil),
        arguments: [
            ("a.wav", "signed-integer", 16), ("a.wav", "signed-integer", 24), ("a.wav", "signed-integer", 32),
            ("a.wav", "floating-point", 32), ("a.wav", "floating-point", 64), ("a.aiff", "signed-integer", 16),
            ("a.aiff", "signed-integer", 24), ("a.aiff", "signed-integer", 32), ("a.aifc", "signed-integer", 16),
            ("a.au", "signed-integer", 16), ("a.au", "signed-integer", 24), ("a.au", "signed-integer", 32),
            ("a.au", "floating-point", 32), ("a.au", "floating-point", 64),
        ])
    func writtenBySox(_ name: String, _ encoding: String, _ bits: Int) throws {
        for channels in [1, 2, 4] {
            let input = triangle(frames: 999, channels: channels)
            let raw = ["-t", "raw", "-r", "11025", "-e", "signed-integer", "-b", "16", "-L", "-c", "\(channels)"]
            let bytes = try Program.output(
                Program.sox, input, "in.raw", { ["-D"] + raw + [$0, "-e", encoding, "-b", "\(bits)"] }, name)
            let file = try SoundFile(ByteMemory(bytes))
            #expect(file.frameCount == 999 && file.format.sampleRate == 11_025)
            #expect(Int(file.format.bitsPerChannel) == bits && Int(file.format.channelsPerFrame) == channels)
            #expect(try decoded(file, bytes) == input, "\(name), \(encoding) of \(bits) bits, \(channels) channels")
        }
    }

    @Test(
        "of ffmpeg decode to the samples that it decodes itself", .enabled(if: Program.ffmpeg != nil),
        arguments: [
            ("a.wav", "pcm_u8"), ("a.wav", "pcm_s16le"), ("a.wav", "pcm_alaw"), ("a.wav", "pcm_mulaw"), ("a.aiff", "pcm_s16be"),
            ("a.aif", "pcm_s8"), ("a.aifc", "pcm_alaw"), ("a.aifc", "pcm_mulaw"), ("a.aifc", "adpcm_ima_qt"),
            ("a.au", "pcm_mulaw"), ("a.au", "pcm_alaw"),
            ("a.au", "pcm_s8"), ("a.au", "pcm_s16be"), ("a.caf", "pcm_s16le"), ("a.caf", "pcm_s16be"), ("a.caf", "pcm_mulaw"),
            ("a.caf", "pcm_alaw"), ("a.caf", "adpcm_ima_qt"), ("a.caf", "pcm_s8"),
        ])
    func writtenByFFmpeg(_ name: String, _ codec: String) throws {
        let inputs = [1, 2].map { (name: "in.raw", bytes: triangle(frames: 64 * 30, channels: $0)) }
        let container = name.hasSuffix("c") ? ["-f", "aiff"] : []
        let files = try Program.converted(
            inputs, name, from: { ["-f", "s16le", "-ar", "22050", "-ac", "\($0 + 1)"] }, to: ["-c:a", codec] + container)
        let expected = try Program.converted(files.map { (name, $0) }, "b.raw", to: ["-f", "s16le"])
        for (index, bytes) in files.enumerated() {
            let file = try SoundFile(ByteMemory(bytes))
            #expect(file.format.sampleRate == 22_050 && Int(file.format.channelsPerFrame) == index + 1)
            #expect(try decoded(file, bytes) == expected[index], "\(name), \(codec), \(index + 1) channels")
            #expect(Int(file.frameCount) == 64 * 30)
        }
    }
}

@Suite("The header of a sound file")
struct HeaderTests {
    private func error(_ bytes: [UInt8]) -> SoundFileError? {
        do {
            _ = try SoundFile(ByteMemory(bytes))
            return nil
        } catch { return error }
    }

    @Test("keeps cookie, layout, priming and remainder in CAF")
    func cafProperties() throws {
        let memory = ByteMemory()
        var writer = try SoundFileWriter(
            memory, type: .caf, format: codec(FormatID.appleIMA4), magicCookie: [1, 2, 3], channelLayout: [0, 1, 2, 3])
        writer.setFrames(priming: 10, remainder: 20)
        try [UInt8](repeating: 0, count: 680).withUnsafeBytes { try writer.append($0) }
        try writer.synchronize()
        let file = try SoundFile(memory)
        #expect(file.magicCookie == [1, 2, 3] && file.channelLayout == [0, 1, 2, 3])
        #expect((file.primingFrames, file.remainderFrames) == (10, 20))
        #expect(file.packetCount == 10 && file.frameCount == 610)
        #expect(file == writer.file || file.statedFrames == 610)
    }

    @Test("lists packets of variable sizes, up to the end of a cut file")
    func variablePackets() throws {
        var bytes = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 32]
        bytes += [0x40, 0xE5, 0x88, 0x80, 0, 0, 0, 0] + Array("aac ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0]
        bytes += [0, 0, 0, 2, 0, 0, 0, 0] + Array("pakt".utf8) + [0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 3]
        bytes += [0, 0, 0, 0, 0, 0, 0x0B, 0xB8, 0, 0, 0, 64, 0, 0, 0, 8, 5, 0x81, 0x02, 7]
        bytes += Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
        let whole = try SoundFile(ByteMemory(bytes + [UInt8](repeating: 9, count: 142)))
        #expect(whole.packets.map(\.offset) == [0, 5, 135] && whole.packets.map(\.size) == [5, 130, 7])
        #expect(whole.dataSize == 142 && whole.frameCount == 3_000 && whole.format.sampleRate == 44_100)
        let cut = try SoundFile(ByteMemory(bytes + [UInt8](repeating: 9, count: 141)))
        #expect(cut.packets.count == 2 && cut.frameCount == 2_048 - 72)
        bytes[bytes.count - 14] = 0xFF
        #expect(error(bytes + [1]) == nil || error(bytes + [1]) == .invalidFile)
    }

    @Test("that states more data than the file has, or an open size, has the data of the file")
    func cutFiles() throws {
        for (type, format) in everyFormat {
            let whole = try write(type, format, noise(20, format))
            let header = Int(try SoundFile(ByteMemory(whole)).dataOffset)
            let cut = Array(whole[..<(header + 3 * Int(format.bytesPerPacket) + Int(format.bytesPerPacket) / 2)])
            #expect(try SoundFile(ByteMemory(cut)).packetCount == 3)
            for size in 0..<(type == .caf ? 12 : header) { #expect(error(Array(whole[..<size])) != nil) }
        }
        var open = try write(.wave, pcm(16, .signedInteger), noise(5, pcm(16, .signedInteger)))
        for index in 40..<44 { open[index] = 0xFF }
        #expect(try SoundFile(ByteMemory(open)).packetCount == 5)
        var au = try write(.next, pcm(16, big), noise(5, pcm(16, big)))
        for index in 8..<12 { au[index] = 0xFF }
        #expect(try SoundFile(ByteMemory(au)).packetCount == 5)
    }

    @Test("of another type or format is refused by name")
    func refusals() throws {
        #expect(error(Array("OggS....".utf8)) == .unsupportedType)
        #expect(error([]) == .invalidFile)
        #expect(error(Array("RIFF....AVI ".utf8)) == .unsupportedType)
        #expect(error(Array("FORM....8SVX".utf8)) == .unsupportedType)
        var mp3 = try write(.wave, pcm(16, .signedInteger), [])
        mp3[20] = 0x55
        #expect(error(mp3) == .unsupportedFormat)
        for format in [
            pcm(16, big), pcm(8, .signedInteger), codec(FormatID.appleIMA4), pcm(16, [.signedInteger, .nonInterleaved]),
        ] {
            #expect(throws: SoundFileError.unsupportedFormat) { try SoundFileWriter(ByteMemory(), type: .wave, format: format) }
        }
        #expect(!SoundFileType.aiff.holds(pcm(32, [.float, .bigEndian])) && !SoundFileType.aiff.holds(codec(FormatID.uLaw)))
        #expect(!SoundFileType.next.holds(pcm(16, .signedInteger)) && !SoundFileType.caf.holds(pcm(16, [])))
        #expect(!SoundFileType.caf.holds(pcm(16, .signedInteger, rate: .nan)))
    }

    @Test("skips chunks that it does not know, of odd size too")
    func unknownChunks() throws {
        let format = pcm(16, .signedInteger)
        let packets = noise(5, format)
        let bytes = try write(.wave, format, packets)
        let chunk = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        let longer = Array(bytes[..<12]) + chunk + Array(bytes[12..<36]) + chunk + Array(bytes[36...])
        let file = try SoundFile(ByteMemory(longer))
        #expect(data(file, longer) == packets)
        let endless = Array(bytes[..<12]) + (0..<5_000).flatMap { _ in Array("JUNK".utf8) + [0, 0, 0, 0] } + Array(bytes[12...])
        #expect(error(endless) == .invalidFile)
    }

    @Test("of AIFC with IMA4 counts packets, or packets divided by the channels where the chunk of the sound has just as many")
    func packetsOfIMA4() throws {
        for (channels, stated, expected) in [
            (1, 12, 12), (1, 6, 6), (2, 12, 12), (2, 6, 12), (2, 5, 5), (2, 7, 7), (3, 4, 12), (3, 6, 6),
        ] as [(UInt32, UInt8, UInt64)] {
            let format = codec(FormatID.appleIMA4, channels: channels)
            var bytes = try write(.aifc, format, noise(12, format))
            #expect(bytes[37] == 12)
            bytes[37] = stated
            let file = try SoundFile(ByteMemory(bytes))
            #expect(file.packetCount == expected && file.frameCount == expected * 64, "\(stated) of \(channels) channels")
        }
        // A file that is cut off.
        var cut = try write(.aifc, codec(FormatID.appleIMA4), noise(12, codec(FormatID.appleIMA4)))
        cut[37] = 6
        #expect(try SoundFile(ByteMemory(Array(cut.dropLast(68)))).packetCount == 11)
    }

    @Test("never makes the reader trap, whatever its bytes are")
    func randomChanges() throws {
        var random = SeededGenerator(3)
        var accepted = 0
        for (type, format) in everyFormat {
            let bytes = try write(type, format, noise(4, format))
            for _ in 0..<400 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<min(changed.count, 100), using: &random)
                    changed[index] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(
                        using: &random)!
                }
                guard let file = try? SoundFile(ByteMemory(changed)) else { continue }
                accepted += 1
                #expect(file.dataOffset + file.dataSize <= UInt64(changed.count))
                _ = file.frameCount
            }
        }
        #expect(accepted > 1_000)
    }
}

@Suite("Storage that fails")
struct StorageTests {
    private final class Broken: ByteSource, ByteSink {
        var writesLeft: Int
        init(writes: Int) { writesLeft = writes }

        var size: UInt64 { 1_000 }
        var allowsGaps: Bool { true }
        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
            throw .read(code: 5)
        }
        func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
            guard writesLeft > 0 else { throw .write(code: 28) }
            writesLeft -= 1
        }
        func setSize(_ size: UInt64) throws(SoundFileError) { throw .write(code: 28) }
    }

    @Test("gives its own code")
    func codes() throws {
        #expect(throws: SoundFileError.read(code: 5)) { try SoundFile(Broken(writes: 0)) }
        let format = pcm(16, .signedInteger)
        #expect(throws: SoundFileError.write(code: 28)) { try SoundFileWriter(Broken(writes: 0), type: .wave, format: format) }
        var writer = try SoundFileWriter(Broken(writes: 1), type: .wave, format: format)
        var failure: SoundFileError?
        [UInt8](repeating: 0, count: 8).withUnsafeBytes { bytes in
            do throws(SoundFileError) { try writer.append(bytes) } catch { failure = error }
        }
        #expect(failure == .write(code: 28) && writer.file.dataSize == 0)
    }

    @Test("is not asked for a part of a packet, or more than the type holds")
    func limits() throws {
        let format = pcm(16, .signedInteger)
        var writer = try SoundFileWriter(Broken(writes: .max), type: .wave, format: format)
        func append(_ count: Int) -> SoundFileError? {
            var failure: SoundFileError?
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 4_096), count: count)
            do throws(SoundFileError) { try writer.append(bytes) } catch { failure = error }
            return failure
        }
        #expect(append(3) == .invalidFile)
        #expect(append(0xFFFF_FF00) == nil)
        #expect(append(4) == .tooLarge)
        #expect(writer.file.packetCount == 0xFFFF_FF00 / 4)
    }
}
