// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import SoundFiles
import TestSupport
import Testing

private func times(_ bytes: [UInt8]) throws -> [UInt64] {
    let file = try SoundFile(ByteMemory(bytes))
    return [UInt64(file.primingFrames), file.frameCount, UInt64(file.remainderFrames)]
}

private func text(_ priming: String, _ remainder: String, _ valid: String) -> [UInt8] {
    iTunesMetadata("iTunSMPB", " 00000000 \(priming) \(remainder) \(valid) 00000000 00000000 00000000")
}

@Suite("The frames of sound of an MPEG-4 file")
struct MovieTimesTests {
    @Test("are those of the text of iTunes, without an edit list")
    func gaplessText() throws {
        let itunes = text("00000840", "000001CA", "00000000000015F6")
        #expect(try times(movie(packets: 8, metadata: itunes)) == [2_112, 5_622, 458])
        // With an edit list, the text is ignored. A list of silence alone has no sound.
        #expect(try times(movie(packets: 8, edits: [edit(7_000, 1_024)], metadata: itunes)) == [1_024, 7_000, 168])
        #expect(try times(movie(packets: 8, edits: [edit(10, 0xFFFF_FFFF)], metadata: itunes)) == [2_112, 5_622, 458])
        // The remainder is what the packets have: the text of a longer sound does not fit.
        #expect(try times(movie(packets: 8, metadata: text("840", "0", "100"))) == [2_112, 256, 8_192 - 2_112 - 256])
        #expect(try times(movie(packets: 8, metadata: text("840", "1CA", "17C1"))) == [0, 8_192, 0])
        #expect(try times(movie(packets: 8, metadata: text("840", "1CA", "17C0"))) == [2_112, 6_080, 0])
        // Frames without spectral band replication.
        #expect(try times(movie(packets: 8, metadata: text("400", "100", "B00"))) == [2_048, 5_632, 512])
    }

    @Test("ignore texts without the numbers")
    func otherTexts() throws {
        for metadata in [
            iTunesMetadata("iTunNORM", " 00000000 00000840 000001CA 00000000000015F6"), iTunesMetadata("iTunSMPB", ""),
            iTunesMetadata("iTunSMPB", " 0 840 1CA"), iTunesMetadata("iTunSMPB", " 0 840 1CA 15G6"),
            iTunesMetadata("iTunSMPB", " 0 100000000 1CA 15F6"), iTunesMetadata("iTunSMPB", " 0 840 1CA 0"),
            iTunesMetadata("iTunSMPB", " 0 840 1CA 115F6115F6115F615"), text("FFFFFFFF", "FFFFFFFF", "FFFFFFFFFFFFFFFF"),
        ] {
            #expect(try times(movie(packets: 8, metadata: metadata)) == [0, 8_192, 0])
        }
    }

    @Test("are those of all edits")
    func edits() throws {
        // Silence, then two parts of the sound, one behind the other.
        #expect(
            try times(movie(packets: 8, edits: [edit(5, 0xFFFF_FFFF), edit(1_000, 1_024), edit(2_000, 2_024)]))
                == [1_024, 3_000, 4_168])
        // The parts in another order, and with a gap: no part is lost.
        #expect(try times(movie(packets: 8, edits: [edit(2_000, 2_024), edit(1_000, 1_024)])) == [1_024, 3_000, 4_168])
        #expect(try times(movie(packets: 8, edits: [edit(1_000, 100), edit(1_000, 5_000)])) == [100, 5_900, 2_192])
        // More than 16 edits.
        let many = (0..<40).map { edit(100, 100 * UInt32($0)) }
        #expect(try times(movie(packets: 8, edits: many)) == [0, 4_000, 4_192])
        // A sound that stands still is no part of it, and a duration of 0 stands for the rest.
        #expect(try times(movie(packets: 8, edits: [edit(50, 0, rate: 0), edit(1_000, 1_024)])) == [1_024, 1_000, 6_168])
        #expect(try times(movie(packets: 8, edits: [edit(1_000, 24), edit(0, 1_024)])) == [24, 8_168, 0])
        // The units of the movie are coarse.
        #expect(try times(movie(packets: 8, edits: [edit(10, 0), edit(10, 441)], movieScale: 1_000)) == [0, 882, 7_310])
    }

    @Test("of hostile edits and texts are in the packets")
    func hostile() throws {
        var random = SeededGenerator(21)
        for _ in 0..<3_000 {
            func number() -> UInt32 { [0, 1, 1_024, 8_192, 0x7FFF_FFFF, .max, random.next32()].randomElement(using: &random)! }
            let edits = (0..<Int.random(in: 0...3, using: &random)).map { _ in edit(number(), number(), rate: number()) }
            let metadata = text(
                String(number(), radix: 16), String(number(), radix: 16),
                String(UInt64(number()) << 32 | UInt64(number()), radix: 16))
            let bytes = movie(
                packets: 8, edits: Bool.random(using: &random) ? edits : nil, metadata: metadata, movieScale: number())
            guard let file = try? SoundFile(ByteMemory(bytes)) else { continue }
            #expect(file.framesOfPackets == 8_192 && file.frameCount <= 8_192)
        }
        // A list that states more edits than its box has.
        let cut = box("edts", box("elst", words(0, 0xFFFF_FFFF), edit(1, 1)))
        #expect((try? SoundFile(ByteMemory(box("ftyp", words(0, 0)) + box("moov", box("trak", cut))))) == nil)
    }

    @Test("are those of the only packet, whose others would have the frames of the configuration")
    func onePacket() throws {
        let short = try SoundFile(ByteMemory(movie(packets: 1, durations: words(1, 500))))
        #expect(short.format.framesPerPacket == 1_024 && short.frameCount == 500 && short.remainderFrames == 524)
        let lossless = words(4_096) + [0, 16, 40, 10, 14, 2, 0, 255] + words(0, 0, 44_100)
        let entry = movieEntry("alac", box("alac", words(0), lossless))
        for (rows, frames) in [
            (words(1, 100), 100), (words(1, 4_096), 4_096), (words(2, 4_096), 8_192), (words(1, 4_096, 1, 9), 4_105),
        ] {
            let packets = rows.count > 8 || frames == 8_192 ? 2 : 1
            let file = try SoundFile(ByteMemory(movie(packets: packets, durations: rows, entry: entry)))
            #expect(file.format.framesPerPacket == 4_096 && file.frameCount == UInt64(frames))
        }
    }

    @Test("have a media duration that is the sum of the table of durations", arguments: [0, 1, 2, 30])
    func mediaDuration(_ count: Int) throws {
        for remainder: UInt32 in [0, 1, 1_023, 1_024, 3_000] {
            let memory = ByteMemory()
            let format = StreamDescription(
                sampleRate: 44_100, formatID: CodecFormat.aac, framesPerPacket: 1_024, channelsPerFrame: 2)
            var writer = try SoundFileWriter(memory, type: .m4a, format: format, magicCookie: [0x12, 0x10])
            let bytes = [UInt8](repeating: 1, count: 5 * count)
            try bytes.withUnsafeBytes { try writer.append($0, sizes: [UInt32](repeating: 5, count: count)) }
            writer.setFrames(priming: count > 1 ? 1_024 : 0, remainder: remainder)
            try writer.synchronize()
            func word(_ name: String, _ offset: Int) throws -> UInt32 {
                let start = try #require(memory.bytes.indices.last { memory.bytes[$0...].starts(with: name.utf8) })
                return memory.bytes[(start + offset)..<(start + offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
            }
            var sum: UInt32 = 0
            for row in 0..<Int(try word("stts", 8)) { sum += try word("stts", 12 + 8 * row) * word("stts", 16 + 8 * row) }
            #expect(try word("mdhd", 20) == sum, "\(remainder) frames after the sound")
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func next32() -> UInt32 { UInt32(truncatingIfNeeded: next()) }
}
