// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Decodes the blocks of DVI ADPCM in WAVE files to interleaved 16-bit samples. Each block is independent of the others.
final class DVIPacketDecoder: PacketDecoder {
    let output: PCMFormat
    let bytesPerPacket: Int
    let framesPerPacket: Int

    private init(_ output: PCMFormat, bytesPerPacket: Int, framesPerPacket: Int) {
        self.output = output
        self.bytesPerPacket = bytesPerPacket
        self.framesPerPacket = framesPerPacket
    }

    /// Nil for sizes that no block has.
    static func make(_ format: StreamDescription) -> DVIPacketDecoder? {
        let (bytes, frames) = (format.bytesPerPacket, format.framesPerPacket)
        guard DVIPacket.holds(frames: frames, bytes: bytes, channels: format.channelsPerFrame),
            let output = try? PCMFormat(
                sampleRate: format.sampleRate, channels: Int(format.channelsPerFrame), sample: .integer(16))
        else { return nil }
        return DVIPacketDecoder(output, bytesPerPacket: Int(bytes), framesPerPacket: Int(frames))
    }

    func reset() {}

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        let count = min(packets.count / bytesPerPacket, frames.count / output.bytesPerFrame / framesPerPacket)
        let samples = frames.bindMemory(to: Int16.self)
        for packet in 0..<count {
            for channel in 0..<output.channels {
                let target = packet &* framesPerPacket &* output.channels &+ channel
                decode(packets, packet &* bytesPerPacket, channel, samples, target)
            }
        }
        return count &* framesPerPacket
    }

    /// Decodes one channel of the block at `start`.
    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ channel: Int, _ samples: UnsafeMutableBufferPointer<Int16>, _ first: Int
    ) {
        let header = start &+ 4 &* channel
        let group = 4 &* output.channels
        var state = IMA4Channel()
        state.predictor = Int32(Int16(bitPattern: UInt16(bytes[header]) | UInt16(bytes[header &+ 1]) << 8))
        state.stepIndex = min(Int(bytes[header &+ 2]), IMA4.steps.count - 1)
        var target = first
        samples[target] = Int16(truncatingIfNeeded: state.predictor)
        for index in 0..<framesPerPacket &- 1 {
            // The low half of a byte is the earlier sample.
            let byte = bytes[header &+ (index / 8 &+ 1) &* group &+ index % 8 / 2]
            state.advance(index % 2 == 0 ? byte & 0x0F : byte >> 4)
            target &+= output.channels
            samples[target] = Int16(truncatingIfNeeded: state.predictor)
        }
    }
}
