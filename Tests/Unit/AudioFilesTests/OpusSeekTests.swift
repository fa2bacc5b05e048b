// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Testing

/// Counts the frames of the packets that it decodes: the first byte of a packet is the number of its frames in units of 2.5 ms, and
/// their value. A packet that begins with 255 is damaged.
private final class CountingDecoder: PacketDecoder {
    let output: PCMFormat
    let bytesPerPacket = 0
    let framesPerPacket = 5_760
    let largestPacket = 1
    private(set) var decoded = 0
    let hasVariableFrames = true
    private(set) var damagedPackets = 0

    init() throws(ConverterError) {
        do { output = try PCMFormat(sampleRate: 48_000, channels: 1, sample: .float32()) } catch { throw .formatNotSupported }
    }

    func decode(_ packet: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        let isDamaged = packet[0] == 255
        if isDamaged { damagedPackets += 1 }
        let count = isDamaged ? framesPerPacket : Int(packet[0]) * 120
        frames.bindMemory(to: Float.self)[..<count].update(repeating: isDamaged ? 0 : Float(packet[0]) / 32)
        decoded += count
        return count
    }

    func reset() { decoded = 0 }
}

/// A CAF file of Opus, whose packets have these durations in units of 2.5 ms. Some of them are damaged.
private func opus(_ units: [UInt8], damaged: Set<Int> = []) -> TestStorage {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + words(0, UInt32(content.count)) + content }
    let frames = units.reduce(0) { $0 + UInt32($1) * 120 }
    let numbers = units.flatMap { unit -> [UInt8] in
        let count = Int(unit) * 120
        return [1] + (count >= 128 ? [0x80 | UInt8(count >> 7)] : []) + [UInt8(count & 0x7F)]
    }
    let table = words(0, UInt32(units.count), 0, frames, 0, 0) + numbers
    return TestStorage(
        Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", words(0x40E7_7000, 0, CodecFormat.opus, 0, 0, 0, 1, 0))
            + chunk("pakt", table)
            + chunk("data", words(0) + units.enumerated().map { damaged.contains($0.offset) ? 255 : $0.element }))
}

@Suite("A seek in Opus")
struct OpusSeekTests {
    @Test(
        "decodes at least a second before the frame, and no more packets than needed",
        arguments: [
            [UInt8](repeating: 1, count: 500), [UInt8](repeating: 8, count: 120), [UInt8](repeating: 24, count: 50),
            (0..<120).map { [1, 2, 4, 8, 16, 24][$0 % 6] },
        ])
    func preroll(_ units: [UInt8]) throws {
        let decoder = try CountingDecoder()
        let file = ExtendedFile(
            try AudioFile.open(opus(units)), isForWriting: false, decoders: { (_, _) throws(ConverterError) in decoder })
        try file.setClientFormat(floats(48_000, channels: 1))
        var start = 0
        for unit in units {
            for frame in [start, start + Int(unit) * 120 - 1] {
                try file.seek(Int64(frame))
                #expect(try file.read(1, channels: 1).count == 1 && file.position == Int64(frame) + 1)
                let before = decoder.decoded - Int(unit) * 120
                #expect(before == start || before >= 48_000 && before < 48_000 + 2_880, "frame \(frame): \(before) frames before")
            }
            start += Int(unit) * 120
        }
    }

    @Test(
        "and a reading from the beginning find the frames after damaged packets at their times",
        arguments: [[0], [1], [4], [0, 1], [2, 3, 4], [11], [10, 11], Set(0..<12)] as [Set<Int>])
    func damagedPackets(_ damaged: Set<Int>) throws {
        let units: [UInt8] = [24, 1, 8, 2, 16, 4, 48, 1, 1, 8, 24, 2]
        let expected = units.enumerated().flatMap { index, unit in
            [Float](repeating: damaged.contains(index) ? 0 : Float(unit) / 32, count: Int(unit) * 120)
        }
        let decoder = try CountingDecoder()
        let file = ExtendedFile(
            try AudioFile.open(opus(units, damaged: damaged)), isForWriting: false,
            decoders: { (_, _) throws(ConverterError) in decoder })
        try file.setClientFormat(floats(48_000, channels: 1))
        for life in 0..<2 {
            #expect(try file.read(expected.count + 1, channels: 1) == expected, "life \(life)")
            #expect(try file.read(1, channels: 1).isEmpty)
            var start = 0
            for unit in units {
                try file.seek(Int64(start))
                #expect(try file.read(1, channels: 1) == [expected[start]], "frame \(start)")
                start += Int(unit) * 120
            }
            try file.seek(0)
        }
        #expect(decoder.damagedPackets >= 2 * damaged.count)
    }
}
