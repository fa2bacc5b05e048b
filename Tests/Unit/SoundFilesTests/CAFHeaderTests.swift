// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

private func chunk(_ id: String, _ content: [UInt8]) -> [UInt8] {
    Array(id.utf8) + words(0, UInt32(content.count)) + content
}

/// A file of linear PCM of 2 channels with 16 bits, unless the description has other members.
private func caf(
    version: UInt8 = 1, rate: Double = 44_100, id: UInt32 = FormatID.linearPCM, bytes: UInt32 = 4, frames: UInt32 = 1,
    channels: UInt32 = 2, table: [UInt8]? = nil, data: Int = 40
) -> [UInt8] {
    let rate = words(UInt32(rate.bitPattern >> 32), UInt32(truncatingIfNeeded: rate.bitPattern))
    return Array("caff".utf8) + [0, version, 0, 0] + chunk("desc", rate + words(id, 0, bytes, frames, channels, 16))
        + (table.map { chunk("pakt", $0) } ?? []) + chunk("data", [UInt8](repeating: 1, count: 4 + data))
}

/// The counts of a table of packets, and their numbers.
private func table(_ packets: UInt32, _ numbers: [UInt8]) -> [UInt8] { words(0, packets, 0, 10_000, 0, 0) + numbers }

private func error(_ bytes: [UInt8]) -> SoundFileError? {
    do {
        _ = try SoundFile(ByteMemory(bytes))
        return nil
    } catch { return error }
}

@Suite("The header of CAF")
struct CAFHeaderTests {
    @Test("has the version 1, a rate of a number that is not negative, and whole samples")
    func members() throws {
        #expect(error(caf()) == nil && error(caf(rate: 0)) == nil && error(caf(data: 0)) == nil)
        for version: UInt8 in [0, 2] { #expect(error(caf(version: version)) == .unsupportedType) }
        for rate in [-1, .nan, .infinity, -.infinity] as [Double] { #expect(error(caf(rate: rate)) == .invalidFile) }
        for bytes in [caf(frames: 0), caf(frames: 2), caf(bytes: 5), caf(channels: 3), caf(channels: 0)] {
            #expect(error(bytes) == .invalidFile)
        }
        // The chunk of the sound begins with four bytes that are no sound.
        let header = caf(data: 0).dropLast(16)
        for size in 0...3 { #expect(error(header + chunk("data", [UInt8](repeating: 0, count: size))) == .invalidFile) }
    }

    @Test("has packets of the sizes and frames that differ, and no sound without a table")
    func packets() throws {
        func read(_ bytes: UInt32, _ frames: UInt32, _ packets: UInt32, _ numbers: [UInt8], data: Int = 40) throws -> [SoundFile
            .Packet]
        {
            let file = try SoundFile(
                ByteMemory(caf(id: CodecFormat.opus, bytes: bytes, frames: frames, table: table(packets, numbers), data: data)))
            #expect(file.dataSize == file.packets.reduce(0) { $0 + UInt64($1.size) })
            return file.packets
        }
        func packet(_ offset: UInt64, _ size: UInt32, _ frames: UInt32) -> SoundFile.Packet {
            SoundFile.Packet(offset: offset, size: size, frames: frames)
        }
        #expect(try read(0, 960, 2, [10, 20]) == [packet(0, 10, 0), packet(10, 20, 0)])
        #expect(try read(15, 0, 2, [100, 0x81, 0x48]) == [packet(0, 15, 100), packet(15, 15, 200)])
        #expect(try read(0, 0, 2, [10, 100, 20, 0x81, 0x48]) == [packet(0, 10, 100), packet(10, 20, 200)])
        // Numbers of five bytes.
        let long: [UInt8] = [0x80, 0x80, 0x80, 0x80, 10, 0x80, 0x80, 0x80, 0x80, 100]
        #expect(try read(0, 0, 1, long) == [packet(0, 10, 100)])
        #expect(try read(0, 960, 2, [10, 0x8F, 0xFF, 0xFF, 0xFF, 0x7F]) == [packet(0, 10, 0)])
        for numbers: [UInt8] in [[10, 0x90, 0x80, 0x80, 0x80, 0], [10, 0x81], [10]] {
            #expect(throws: SoundFileError.invalidFile) { try read(0, 960, 2, numbers) }
        }
        // The last packet ends with the data, or is cut off.
        #expect(try read(0, 960, 2, [10, 20], data: 30).count == 2 && read(0, 960, 2, [10, 20], data: 29).count == 1)
        for (bytes, frames) in [(0, 960), (15, 0)] as [(UInt32, UInt32)] {
            #expect(error(caf(id: CodecFormat.opus, bytes: bytes, frames: frames)) == .invalidFile)
            #expect(error(caf(id: CodecFormat.opus, bytes: bytes, frames: frames, data: 0)) == nil)
        }
    }
}
