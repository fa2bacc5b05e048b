// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Testing

/// Notes the packets that it decodes since its last reset. The byte of a packet is its number, and the value of its frames.
private final class NotingDecoder: PacketDecoder {
    let output: PCMFormat
    let bytesPerPacket = 0
    let framesPerPacket: Int
    let largestPacket = 1
    private(set) var decoded: [Int] = []

    init(_ framesPerPacket: Int) throws(ConverterError) {
        self.framesPerPacket = framesPerPacket
        do { output = try PCMFormat(sampleRate: 48_000, channels: 1, sample: .float32()) } catch { throw .formatNotSupported }
    }

    func decode(_ packet: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        decoded.append(Int(packet[0]))
        frames.bindMemory(to: Float.self)[..<framesPerPacket].update(repeating: Float(packet[0]))
        return framesPerPacket
    }

    func reset() { decoded = [] }
}

/// A CAF file of packets with one byte.
private func file(_ id: UInt32, packets: Int, framesPerPacket: Int) -> TestStorage {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + words(0, UInt32(content.count)) + content }
    // 48,000 Hz as a double.
    let description = words(0x40E7_7000, 0, id, 0, 0, UInt32(framesPerPacket), 1, 0)
    let sizes = [UInt8](repeating: 1, count: packets)
    let table = words(0, UInt32(packets), 0, UInt32(packets * framesPerPacket), 0, 0) + sizes
    return TestStorage(
        Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("pakt", table)
            + chunk("data", words(0) + (0..<packets).map { UInt8($0) }))
}

@Suite("The packets that a decoder needs after a seek")
struct PrerollTests {
    @Test(
        "are so many before that of the frame, and those there are near the beginning, each time",
        arguments: [
            (code(".mp3"), 1_152, 10), (code(".mp3"), 576, 25), (code(".mp2"), 1_152, 1), (code(".mp1"), 384, 1),
            (code("ac-3"), 1_536, 1), (code("aac "), 1_024, 1), (code("aach"), 2_048, 4), (code("aacp"), 2_048, 4),
            (GSMPacket.formatID, 320, 25), (code("alac"), 4_096, 0),
        ] as [(UInt32, Int, Int)])
    func numbers(id: UInt32, framesPerPacket: Int, preroll: Int) throws {
        let packets = 40
        let decoder = try NotingDecoder(framesPerPacket)
        let extended = ExtendedFile(
            try AudioFile.open(file(id, packets: packets, framesPerPacket: framesPerPacket)), isForWriting: false,
            decoders: { (_, _) throws(ConverterError) in decoder })
        try extended.setClientFormat(floats(48_000, channels: 1))
        for order in [Array(0..<packets), Array((0..<packets).reversed())] {
            for packet in order {
                for frame in [0, framesPerPacket - 1] {
                    try extended.seek(Int64(packet * framesPerPacket + frame))
                    #expect(try extended.read(1, channels: 1) == [Float(packet)])
                    #expect(decoder.decoded == Array(max(packet - preroll, 0)...packet), "packet \(packet), frame \(frame)")
                }
            }
        }
    }
}
