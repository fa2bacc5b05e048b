// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

@testable import SoundFiles

/// A program that parses a stream.
final class Listener: SoundStreamClient {
    let stream: SoundStream
    private(set) var headers = 0
    private(set) var packets: [[UInt8]] = []
    /// Closes the stream in the callback of this packet; 0 is that of the header.
    var closesBehind = Int.max

    init(hint: UInt32 = 0) { stream = SoundStream(hint: hint) }

    func streamHasHeader() {
        #expect(packets.isEmpty && stream.file != nil)
        headers += 1
        if closesBehind == 0 { stream.close() }
    }

    func streamHasPackets(_ bytes: UnsafeRawBufferPointer, count: Int, _ list: [SoundFile.Packet]) {
        #expect(headers == 1 && count > 0 && (list.isEmpty ? bytes.count % count == 0 : list.count == count))
        if list.isEmpty {
            let size = bytes.count / count
            for index in 0..<count { packets.append(Array(bytes[index * size..<(index + 1) * size])) }
        } else {
            for packet in list { packets.append(Array(bytes[Int(packet.offset)..<Int(packet.offset) + Int(packet.size)])) }
        }
        if packets.count >= closesBehind { stream.close() }
    }

    func parse(_ bytes: ArraySlice<UInt8>, isDiscontinuous: Bool = false) throws(SoundStreamError) {
        // Memory of its own: a read behind the piece is found by the address sanitizer.
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { piece.deallocate() }
        piece.copyBytes(from: bytes)
        try stream.parse(UnsafeRawBufferPointer(piece), isDiscontinuous: isDiscontinuous, for: self)
    }

    func parse(_ bytes: [UInt8], inPiecesUpTo longest: Int, _ random: inout SeededGenerator) throws {
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + Int.random(in: 1...longest, using: &random), bytes.count)
            try parse(bytes[offset..<end])
            offset = end
        }
    }
}

private let uLaw = StreamDescription(
    sampleRate: 8_000, formatID: FormatID.uLaw, bytesPerPacket: 1, framesPerPacket: 1, bytesPerFrame: 1, channelsPerFrame: 1,
    bitsPerChannel: 8)

/// The packets of a whole file.
func packets(_ bytes: [UInt8]) throws -> [[UInt8]] {
    let file = try SoundFile(ByteMemory(bytes))
    let start = Int(file.dataOffset)
    guard file.packets.isEmpty else {
        return file.packets.map { Array(bytes[start + Int($0.offset)..<start + Int($0.offset) + Int($0.size)]) }
    }
    let size = Int(file.format.bytesPerPacket)
    return (0..<Int(file.packetCount)).map { Array(bytes[start + $0 * size..<start + ($0 + 1) * size]) }
}

private func failure(_ bytes: [UInt8]) -> SoundStreamError? {
    do throws(SoundStreamError) {
        try Listener().parse(bytes[...])
        return nil
    } catch {
        return error
    }
}

@Suite("Streams of sound files")
struct StreamTests {
    @Test("give the packets of the whole file in pieces of any size", arguments: everyFormat)
    func pieces(_ type: SoundFileType, _ format: StreamDescription) throws {
        let bytes = try write(type, format, noise(101, format))
        let expected = try packets(bytes)
        var random = SeededGenerator(3)
        for longest in [1, 40, 3_000] {
            let program = Listener(hint: type.rawValue)
            try program.parse(bytes, inPiecesUpTo: longest, &random)
            #expect(program.headers == 1 && program.packets == expected)
            #expect(program.stream.file?.format == (try SoundFile(ByteMemory(bytes)).format))
            #expect(program.stream.packetsSeen == 101 && program.stream.averagePacketSize == Double(format.bytesPerPacket))
        }
    }

    @Test("never trap, whatever their bytes are, and then fail with one error")
    func randomChanges() throws {
        var random = SeededGenerator(8)
        for (type, format) in everyFormat {
            let bytes = try write(type, format, noise(3, format))
            for _ in 0..<50 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let program = Listener()
                do throws(SoundStreamError) {
                    try program.parse(changed[...])
                } catch {
                    for more in [[0], []] as [[UInt8]] { #expect(throws: error) { try program.parse(more[...]) } }
                }
            }
        }
    }

    @Test("have a pad byte after a chunk of an odd size")
    func oddChunk() throws {
        for (type, size) in [(SoundFileType.wave, [3, 0, 0, 0]), (.aiff, [0, 0, 0, 3])] as [(SoundFileType, [UInt8])] {
            let format = pcm(16, type == .aiff ? [.signedInteger, .bigEndian] : .signedInteger)
            var bytes = try write(type, format, noise(10, format))
            let expected = try packets(bytes)
            bytes.insert(contentsOf: Array("junk".utf8) + size + [1, 2, 3, 0], at: 12)
            let program = Listener()
            try program.parse(bytes[...])
            #expect(program.packets == expected)
        }
    }

    @Test("have no packet after the stated end of the data")
    func behindTheData() throws {
        let bytes = try write(.wave, uLaw, noise(10, uLaw))
        let program = Listener()
        try program.parse((bytes + [UInt8](repeating: 7, count: 1_000))[...])
        #expect(program.packets == (try packets(bytes)))
    }

    @Test("have all packets where the size of the data is open, or stated in 64 bits")
    func openSizes() throws {
        var random = SeededGenerator(9)
        var caf = try write(.caf, uLaw, noise(100, uLaw))
        let dataOffset = Int(try SoundFile(ByteMemory(caf)).dataOffset)
        caf.replaceSubrange(dataOffset - 12..<dataOffset - 4, with: [UInt8](repeating: 0xFF, count: 8))
        var wave = try write(.wave, uLaw, noise(100, uLaw))
        let end = Int(try SoundFile(ByteMemory(wave)).dataOffset)
        wave.replaceSubrange(end - 4..<end, with: [0xFF, 0xFF, 0xFF, 0xFF])
        wave.replaceSubrange(0..<8, with: Array("RF64".utf8) + [0xFF, 0xFF, 0xFF, 0xFF])
        let sizes: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0] + [100, 0, 0, 0, 0, 0, 0, 0] + [100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        wave.insert(contentsOf: Array("ds64".utf8) + [28, 0, 0, 0] + sizes, at: 12)
        var short = wave
        short.replaceSubrange(16..<48, with: [8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        for bytes in [caf, wave, short] {
            let listener = Listener()
            try listener.parse(bytes, inPiecesUpTo: 9, &random)
            let expected = try packets(bytes)
            #expect(expected.count == 100 && listener.packets == expected)
        }
    }

    @Test("whose header states 64 bits of size do not trap, however large it is")
    func largestSizes() throws {
        var wave = try write(.wave, uLaw, noise(100, uLaw))
        let expected = try packets(wave)
        let end = Int(try SoundFile(ByteMemory(wave)).dataOffset)
        wave.replaceSubrange(end - 4..<end, with: [0xFF, 0xFF, 0xFF, 0xFF])
        wave.replaceSubrange(0..<8, with: Array("RF64".utf8) + [0xFF, 0xFF, 0xFF, 0xFF])
        for size in [.max, .max - 8, .max - 100, 1 << 63, 1 << 62, 101] as [UInt64] {
            let stated = bigEndianBytes(size).reversed()
            let other = [UInt8](repeating: 0xFF, count: 8)
            var bytes = wave
            bytes.insert(contentsOf: Array("ds64".utf8) + [28, 0, 0, 0] + other + stated + other + [0, 0, 0, 0], at: 12)
            let program = Listener()
            try program.parse(bytes[...])
            #expect(program.packets == expected)
            #expect(try packets(bytes) == expected)
            bytes.replaceSubrange(0..<4, with: Array("BW64".utf8))
            let renamed = Listener()
            try renamed.parse(bytes[...])
            #expect(try renamed.packets == expected && packets(bytes) == expected)
        }
    }

    @Test("end in the callback that closes them")
    func closed() throws {
        let program = Listener()
        program.closesBehind = 1
        try program.parse(write(.wave, uLaw, noise(100_000, uLaw))[...])
        #expect(program.packets.count < 100_000)
        let silent = Listener()
        silent.closesBehind = 0
        try silent.parse(write(.wave, uLaw, noise(100, uLaw))[...])
        #expect(silent.headers == 1 && silent.packets.isEmpty)
    }

    @Test("state the offset of a packet, and continue with the bytes at this offset")
    func seek() throws {
        let bytes = try write(.caf, uLaw, noise(1_000, uLaw))
        let expected = try packets(bytes)
        let program = Listener()
        #expect(throws: SoundStreamError.unknownValue) { try program.stream.seek(toPacket: 0) }
        try program.parse(bytes[..<200])
        let given = program.packets.count
        let place = try program.stream.seek(toPacket: 900)
        #expect(place.offset == 900 * UInt64(uLaw.bytesPerPacket) && !place.isEstimated)
        let start = Int(try #require(program.stream.file).dataOffset + place.offset)
        try program.parse(bytes[start...])
        #expect(Array(program.packets[given...]) == Array(expected[900...]))
        #expect(throws: SoundStreamError.packetOffset) { try program.stream.seek(toPacket: 1_001) }
        #expect(throws: SoundStreamError.packetOffset) { try program.stream.seek(toPacket: -1) }
    }

    @Test("refuse a discontinuity without a known offset, and continue after a seek")
    func discontinuity() throws {
        let bytes = try write(.caf, uLaw, noise(1_000, uLaw))
        let program = Listener()
        try program.parse(bytes[..<200])
        #expect(throws: SoundStreamError.discontinuity) { try program.parse(bytes[300..<400], isDiscontinuous: true) }
        let place = try program.stream.seek(toPacket: 999)
        let start = Int(try #require(program.stream.file).dataOffset + place.offset)
        try program.parse(bytes[start...], isDiscontinuous: true)
        #expect(program.packets.last == (try packets(bytes)).last)
    }

    @Test("continue behind a seek within the gap before the data")
    func seekInAGap() throws {
        let format = pcm(16, [.signedInteger, .bigEndian])
        var bytes = try write(.aiff, format, noise(1_000, format))
        // The data begin 5,000 bytes behind the header of their chunk.
        let chunk = try #require((0..<bytes.count).first { bytes[$0...].starts(with: Array("SSND".utf8)) })
        let size = bigEndian(bytes, chunk + 4) + 5_000
        for (index, value) in [size, 5_000].enumerated() {
            for byte in 0..<4 { bytes[chunk + 4 + 4 * index + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
        }
        bytes.insert(contentsOf: [UInt8](repeating: 9, count: 5_000), at: chunk + 16)
        let expected = try packets(bytes)
        let program = Listener()
        try program.parse(bytes[..<(chunk + 100)])
        let file = try #require(program.stream.file)
        #expect(expected.count == 1_000 && program.packets.isEmpty && file.dataOffset == UInt64(chunk + 5_016))
        for packet in [7, 500, 0] {
            let given = program.packets.count
            let start = try Int(file.dataOffset + program.stream.seek(toPacket: Int64(packet)).offset)
            try program.parse(bytes[start...])
            let isWhole = program.packets[given...] == expected[packet...]
            #expect(isWhole, "packet \(packet)")
        }
    }

    @Test("that are no sound, or whose header is too long or too late, give an error")
    func nothing() {
        #expect(failure([UInt8](repeating: 1, count: 100_000)) == .unsupportedType)
        // A chunk that ends behind the longest header.
        #expect(failure(Array("RIFF....WAVEjunk".utf8) + [0, 0, 0, 0x10] + [UInt8](repeating: 0, count: 64)) == .invalidFile)
        #expect(
            failure(Array("caff....junk".utf8) + [0, 0, 0, 0, 0x10, 0, 0, 0] + [UInt8](repeating: 0, count: 64)) == .invalidFile)
        // The data come before what describes them.
        #expect(failure(Array("FORM....AIFFSSND".utf8) + [0, 0, 0, 8] + [UInt8](repeating: 0, count: 64)) == .notOptimized)
        let box: [UInt8] = [0, 0, 0, 16] + Array("ftypM4A ....".utf8)
        #expect(failure(box + [0, 0, 1, 0] + Array("mdat".utf8) + [UInt8](repeating: 0, count: 64)) == .notOptimized)
        #expect(failure(box + [0, 0, 0, 1] + Array("mdat".utf8) + [UInt8](repeating: 0, count: 64)) == .notOptimized)
        #expect(failure(box + [0, 0, 0, 4] + Array("free".utf8) + [UInt8](repeating: 0, count: 64)) == .invalidFile)
        #expect(failure(Array("RIFF....WAVEdata".utf8) + [8, 0, 0, 0] + [UInt8](repeating: 0, count: 64)) == .invalidFile)
    }

    @Test("of one packet give it when a discontinuity without bytes ends them")
    func onePacket() throws {
        // A packet of ADTS with 16 bytes.
        let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x40, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 3, count: 9)
        let program = Listener()
        try program.parse(frame[...])
        #expect(program.headers == 0)
        for _ in 0..<2 {
            try program.parse([], isDiscontinuous: true)
            #expect(program.headers == 1 && program.packets == [Array(frame[7...])])
        }
        try program.parse(frame[...])
        try program.parse([], isDiscontinuous: true)
        #expect(program.headers == 1 && program.packets.count == 2)
        for bytes in [frame.dropLast(), frame + [0]] {
            let other = Listener()
            try other.parse(bytes[...])
            try other.parse([], isDiscontinuous: true)
            #expect(other.headers == 0)
        }
        let closed = Listener()
        closed.closesBehind = 0
        try closed.parse(frame[...])
        try closed.parse([], isDiscontinuous: true)
        #expect(closed.headers == 1 && closed.packets.isEmpty)
    }

    // MARK: Packets that differ in size

    private static let files: [(name: String, options: [String])] = [
        ("a.mp3", ["-c:a", "libmp3lame", "-b:a", "64k"]),
        ("a.mp3", ["-c:a", "libmp3lame", "-ar", "22050", "-write_xing", "0", "-id3v2_version", "0"]),
        ("a.mp2", ["-c:a", "mp2", "-ac", "2"]),
        ("a.aac", ["-c:a", "aac"]),
        ("a.mp4", ["-c:a", "aac", "-movflags", "faststart"]),
        ("f.mp4", ["-c:a", "aac", "-movflags", "empty_moov+default_base_moof", "-frag_duration", "100000"]),
        ("f.mp4", ["-c:a", "alac", "-movflags", "empty_moov+separate_moof", "-frag_duration", "200000"]),
        (
            "f.mp4",
            [
                "-f", "lavfi", "-i", "testsrc=duration=1:size=64x64", "-c:v", "mpeg4", "-c:a", "aac", "-movflags",
                "empty_moov+omit_tfhd_offset", "-frag_duration", "100000",
            ]
        ),
    ]

    @Test(
        "of packets that differ in size give those of the whole file", .enabled(if: Program.ffmpeg != nil),
        arguments: 0..<files.count)
    func variablePackets(_ index: Int) throws {
        let bytes = try made(StreamTests.files[index].name, StreamTests.files[index].options)
        let expected = try packets(bytes)
        var random = SeededGenerator(4)
        for longest in [1, 100, 10_000] {
            let program = Listener()
            try program.parse(bytes, inPiecesUpTo: longest, &random)
            #expect(program.headers == 1 && program.packets == expected)
            let mean = Double(program.stream.bytesSeen) / Double(expected.count)
            #expect(program.stream.averagePacketSize == mean)
            let name = StreamTests.files[index].name
            #expect(program.stream.hasFrameHeaders == !name.hasSuffix("mp4") && program.stream.hasFragments == (name == "f.mp4"))
            guard name != "f.mp4" else {
                #expect(throws: SoundStreamError.unknownValue) { try program.stream.seek(toPacket: 0) }
                #expect(throws: SoundStreamError.discontinuity) { try program.parse([0], isDiscontinuous: true) }
                continue
            }
            let place = try program.stream.seek(toPacket: 2)
            #expect(place.isEstimated == program.stream.hasFrameHeaders && place.offset > 0)
            #expect(throws: SoundStreamError.packetOffset) { try program.stream.seek(toPacket: .max) }
            guard !place.isEstimated, let file = program.stream.file else { continue }
            try program.parse(bytes[Int(file.dataOffset + place.offset)...])
            #expect(program.packets == expected + expected[2...])
        }
    }

    @Test("of MPEG audio have a tag before them that is longer than what is searched", .enabled(if: Program.ffmpeg != nil))
    func longTag() throws {
        let bytes = try made(StreamTests.files[1].name, StreamTests.files[1].options)
        // 100,000 bytes, as seven bits of each.
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 6, 13, 32] + [UInt8](repeating: 0, count: 100_000)
        for count in [tag.count + bytes.count, 1_000] {
            let program = Listener()
            var rest = (tag + bytes)[...]
            while !rest.isEmpty {
                try program.parse(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(program.packets == (try packets(bytes)))
        }
    }

    @Test(
        "of MPEG audio and ADTS find their packets again behind garbage and in the middle of a packet",
        .enabled(if: Program.ffmpeg != nil), arguments: [1, 2, 3])
    func garbage(_ index: Int) throws {
        let bytes = try made(StreamTests.files[index].name, StreamTests.files[index].options)
        let file = try SoundFile(ByteMemory(bytes))
        let expected = try packets(bytes)
        var random = SeededGenerator(6)
        // The header of ADTS lies before its packet.
        let prefix = file.type == .adts ? 7 : 0
        let starts = file.packets.map { Int(file.dataOffset + $0.offset) - prefix }
        // It has a header that no packet follows.
        var garbage = [UInt8](repeating: 0x55, count: 500)
        garbage.replaceSubrange(100..<107, with: bytes[starts[3]..<starts[3] + 7])
        let between = Array(bytes[..<starts[3]]) + garbage + bytes[starts[3]...]
        for longest in [1, 2_000] {
            let program = Listener()
            try program.parse(between, inPiecesUpTo: longest, &random)
            #expect(program.packets == expected)
        }
        let joined = Listener()
        try joined.parse(bytes[(starts[2] + 20)...])
        #expect(joined.packets == Array(expected[3...]))
        // A hole without the end of a packet.
        let torn = Listener()
        try torn.parse(bytes[..<(starts[5] + 30)])
        let header = bytes[starts[7]..<starts[7] + 7] + [UInt8](repeating: 0x55, count: 100)
        try torn.parse(header + bytes[starts[7]...], isDiscontinuous: true)
        #expect(torn.packets == Array(expected[..<5]) + Array(expected[7...]))
    }
}
