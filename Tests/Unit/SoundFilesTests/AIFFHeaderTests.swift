// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats
import MediaTestSupport
import Testing

@testable import SoundFiles

private let rate44100: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]

private func chunk(_ id: String, _ content: [UInt8], stating size: UInt32? = nil) -> [UInt8] {
    Array(id.utf8) + words(size ?? UInt32(content.count)) + content + (content.count % 2 == 1 ? [0] : [])
}

/// A file of one channel with 8 frames of 16 bits, unless the header states other numbers.
private func file(
    compression: String? = nil, bits: UInt8 = 16, frames: UInt32 = 8, rate: [UInt8] = rate44100, before: [UInt8] = [],
    skipped: UInt32 = 0, data: [UInt8] = [UInt8](1...16), stating size: UInt32? = nil, behind: [UInt8] = []
) -> [UInt8] {
    let kind: [UInt8] = compression.map { Array($0.utf8) + [0, 0] } ?? []
    let common = chunk("COMM", [0, 1] + words(frames) + [0, bits] + rate + kind)
    let content =
        Array((compression == nil ? "AIFF" : "AIFC").utf8) + common + before
        + chunk("SSND", words(skipped, 0) + data, stating: size) + behind
    return Array("FORM".utf8) + words(UInt32(content.count)) + content
}

private func error(_ bytes: [UInt8]) -> SoundFileError? {
    do {
        _ = try SoundFile(ByteMemory(bytes))
        return nil
    } catch { return error }
}

@Suite("The header of AIFF and AIFC")
struct AIFFHeaderTests {
    @Test("names the format by its compression, whatever bits it states")
    func compressions() throws {
        let (integer, float): (FormatFlags, FormatFlags) = ([.signedInteger, .bigEndian], [.float, .bigEndian])
        for (name, bits, flags): (String, UInt32, FormatFlags) in [
            ("raw ", 8, []), ("in24", 24, integer), ("in32", 32, integer), ("fl32", 32, float), ("FL32", 32, float),
            ("fl64", 64, float), ("FL64", 64, float), ("sowt", 16, .signedInteger), ("twos", 16, integer), ("NONE", 16, integer),
        ] {
            let read = try SoundFile(ByteMemory(file(compression: name))).format
            #expect(read == pcm(bits, flags, channels: 1, rate: 44_100), "\(name)")
        }
        for (name, id) in [("ulaw", "ulaw"), ("ULAW", "ulaw"), ("alaw", "alaw"), ("ALAW", "alaw")] {
            let read = try SoundFile(ByteMemory(file(compression: name))).format
            #expect(FourCC.characters(read.formatID) == id && read.bytesPerPacket == 1 && read.framesPerPacket == 1)
        }
        #expect(error(file(compression: "dwvw")) == .unsupportedFormat)
    }

    @Test("has the sound behind the bytes that its chunk skips, and as much of it as the header states")
    func places() throws {
        let start = UInt64(file().count - 16)
        func place(_ bytes: [UInt8]) throws -> [UInt64] {
            let file = try SoundFile(ByteMemory(bytes))
            return [file.dataOffset, file.dataSize]
        }
        #expect(try place(file()) == [start, 16] && place(file(skipped: 4)) == [start + 4, 12])
        // A header that counts no frame has been written before the sound.
        for (frames, size) in [(0, 16), (1, 2), (7, 14), (8, 16), (9, 16)] as [(UInt32, UInt64)] {
            #expect(try place(file(frames: frames)) == [start, size])
        }
        #expect(
            try place(file(frames: 6, skipped: 4)) == [start + 4, 12] && place(file(frames: 5, skipped: 4)) == [start + 4, 10])
        let behind = chunk("ANNO", [UInt8](repeating: 0x20, count: 40))
        #expect(try place(file(skipped: 16, behind: behind)) == [start + 16, 0])
        #expect(error(file(skipped: 17, behind: behind)) == .invalidFile)
        for size: UInt32 in 0...7 { #expect(error(file(stating: size)) == .invalidFile) }
        #expect(try place(file(frames: 0, stating: 8)) == [start, 0])
    }

    @Test("has a chunk of an odd size with a pad byte, and a rate of a number that is not negative")
    func chunks() throws {
        let odd = try SoundFile(ByteMemory(file(before: chunk("NAME", [0x41, 0x42, 0x43]))))
        #expect(odd.dataSize == 16 && odd.format.sampleRate == 44_100)
        #expect(error(file(rate: [0xC0] + rate44100.dropFirst())) == .invalidFile)
        #expect(error(file(rate: [0x7F, 0xFF, 0x80] + [UInt8](repeating: 0, count: 7))) == .invalidFile)
    }
}

@Suite("The header of AU")
struct AUHeaderTests {
    private func au(_ offset: UInt32, _ bytes: Int) -> [UInt8] {
        Array(".snd".utf8) + words(offset, .max, 1, 8_000, 1) + [UInt8](repeating: 0xFF, count: bytes)
    }

    @Test("has at least 24 bytes, and ends in the file")
    func offsets() throws {
        for (offset, bytes, packets) in [(24, 0, 0), (24, 5, 5), (25, 5, 4), (29, 5, 0)] as [(UInt32, Int, UInt64)] {
            let file = try SoundFile(ByteMemory(au(offset, bytes)))
            #expect(file.dataOffset == UInt64(offset) && file.packetCount == packets)
        }
        for offset: UInt32 in [0, 23, 30] { #expect(error(au(offset, 5)) == .invalidFile) }
    }
}
