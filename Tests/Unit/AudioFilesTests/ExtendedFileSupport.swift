// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import TestSupport

#if canImport(Glibc)
    import Glibc
#endif

func floats(_ rate: Double, channels: Int = 2) -> StreamDescription {
    StreamDescription(
        sampleRate: rate, formatID: FormatID.linearPCM, formatFlags: [.float, .packed], bytesPerPacket: 4 * UInt32(channels),
        framesPerPacket: 1, bytesPerFrame: 4 * UInt32(channels), channelsPerFrame: UInt32(channels), bitsPerChannel: 32)
}

/// Sines of two frequencies, interleaved.
func sound(_ frames: Int, rate: Double, channels: Int = 2) -> [Float] {
    (0..<frames * channels).map { index in
        let frequency = index % channels == 0 ? 440.0 : 660.0
        return Float(0.5 * sin(2 * Double.pi * frequency * Double(index / channels) / rate))
    }
}

extension ExtendedFile {
    func write(_ samples: [Float], channels: Int = 2, asynchronously: Bool = false) throws {
        var samples = samples
        try samples.withUnsafeMutableBytes { bytes in
            let frames = bytes.count / 4 / channels
            if asynchronously {
                try writeAsync(frames, from: SampleBuffers(bytes))
            } else {
                try write(frames, from: SampleBuffers(bytes))
            }
        }
    }

    func read(_ frames: Int, channels: Int = 2) throws -> [Float] {
        var samples = [Float](repeating: 9, count: frames * channels)
        let count = try samples.withUnsafeMutableBytes { try read(frames, into: SampleBuffers($0)) }
        return Array(samples[..<(count * channels)])
    }

    func readAll(_ step: () -> Int = { 1_000 }) throws -> [Float] {
        var samples: [Float] = []
        while true {
            let next = try read(step())
            if next.isEmpty { return samples }
            samples += next
        }
    }
}

/// A file of a sound, closed.
func file(_ type: SoundFileType, _ format: StreamDescription, _ samples: [Float], rate: Double = 22_050) throws
    -> TestStorage
{
    let storage = TestStorage()
    let extended = ExtendedFile(try create(storage, type, format), isForWriting: true)
    try extended.setClientFormat(floats(rate))
    var start = 0
    var random = SeededGenerator(9)
    while start < samples.count {
        let end = min(start + Int.random(in: 1...700, using: &random) * 2, samples.count)
        try extended.write(Array(samples[start..<end]))
        start = end
    }
    try extended.finish()
    return storage
}

func reader(_ storage: TestStorage, _ client: StreamDescription? = floats(22_050)) throws -> ExtendedFile {
    let extended = ExtendedFile(try AudioFile.open(storage), isForWriting: false)
    if let client { try extended.setClientFormat(client) }
    return extended
}

/// Packets of 64 frames as they are. A decoder would make 64 frames before the sound.
let rawPackets = StreamDescription(sampleRate: 22_050, formatID: CodecFormat.aac, framesPerPacket: 64, channelsPerFrame: 2)

final class RawEncoder: VariablePacketEncoder {
    let input: PCMFormat
    let framesPerPacket: Int
    var largestPacket: Int { 4 * framesPerPacket }
    let primingFrames = 64
    let magicCookie: [UInt8] = [1, 2, 3, 4]
    let bitRate: UInt32 = 0

    init(framesPerPacket: Int = 64) throws(ConverterError) {
        self.framesPerPacket = framesPerPacket
        do { input = try PCMFormat(sampleRate: 22_050, channels: 2, sample: .integer(16)) } catch { throw .formatNotSupported }
    }

    func setBitRate(_ rate: UInt32) throws(ConverterError) { throw .propertyNotSupported }

    func encode(_ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        packet.copyMemory(from: frames)
        return frames.count
    }

    func reset() {}
}

/// Gives the packets of `RawEncoder` as frames.
final class RawDecoder: PacketDecoder {
    let output: PCMFormat
    let bytesPerPacket = 0
    let framesPerPacket: Int
    var largestPacket: Int { 4 * framesPerPacket }

    init(framesPerPacket: Int = 64) throws(ConverterError) {
        self.framesPerPacket = framesPerPacket
        output = try RawEncoder().input
    }

    func decode(_ packet: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        frames.copyMemory(from: packet)
        return packet.count / 4
    }

    func reset() {}
}
