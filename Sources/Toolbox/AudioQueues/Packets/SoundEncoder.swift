// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import PCMConversion

/// Writes interleaved floats as the packets of a queue's buffers. Only `make` allocates memory.
final class SoundEncoder {
    /// The maximum number of frames that one step encodes.
    private static let step = 64

    private let format: SoundFormat
    private let converter: PCMConverter
    /// Nil for linear PCM.
    private let codec: (any PacketEncoder)?
    /// The frames of an incomplete packet.
    private let staging: UnsafeMutableRawBufferPointer

    /// Nil for a format that cannot be recorded. Not a failable initializer: Embedded Swift (6.3.1) never frees an object whose
    /// initializer fails.
    static func make(_ format: SoundFormat) -> SoundEncoder? {
        let codec = format.linear == nil ? PacketCodecs.encoder(for: format.description) : nil
        guard let target = format.linear ?? codec?.input, format.framesPerPacket <= step,
            let floats = SoundFormat.floats(rate: format.rate, channels: format.channels),
            let converter = try? PCMConverter(from: floats, to: target)
        else { return nil }
        let encoder = SoundEncoder(format, converter, codec, bytesPerFrame: target.bytesPerFrame)
        encoder.encodeSilence()
        return encoder
    }

    /// The first call initializes constants of the encoder, which allocates memory. This must not happen on the audio thread.
    private func encodeSilence() {
        var samples = [Float](repeating: 0, count: SoundEncoder.step * format.channels)
        var bytes = [UInt8](repeating: 0, count: SoundEncoder.step * format.bytesPerPacket)
        samples.withUnsafeMutableBufferPointer { samples in
            bytes.withUnsafeMutableBufferPointer { bytes in
                guard let from = samples.baseAddress, let to = bytes.baseAddress else { return }
                encode(from, SoundEncoder.step, to: to, from: 0)
            }
        }
        reset()
    }

    private init(_ format: SoundFormat, _ converter: PCMConverter, _ codec: (any PacketEncoder)?, bytesPerFrame: Int) {
        self.format = format
        self.converter = converter
        self.codec = codec
        staging = .allocate(byteCount: codec == nil ? 0 : SoundEncoder.step * bytesPerFrame, alignment: 16)
        staging.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { staging.deallocate() }

    /// Discards the state of earlier packets.
    func reset() { codec?.reset() }

    /// Writes frames into a buffer, after the `first` frames that it has. A packet is written with its last frame.
    func encode(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, to bytes: UnsafeMutablePointer<UInt8>, from first: Int) {
        guard let codec else {
            let target = UnsafeMutableRawBufferPointer(
                start: bytes + first &* format.bytesPerPacket, count: frames &* format.bytesPerPacket)
            return convert(samples, frames, to: target)
        }
        let framesPerPacket = format.framesPerPacket
        var done = 0
        while done < frames {
            let begun = (first &+ done) % framesPerPacket
            let count = min(frames &- done, SoundEncoder.step &- begun)
            let room = UnsafeMutableRawBufferPointer(rebasing: staging[(begun &* codec.input.bytesPerFrame)...])
            convert(samples + done &* format.channels, count, to: room)
            let packets = (begun &+ count) / framesPerPacket
            let target = UnsafeMutableRawBufferPointer(
                start: bytes + (first &+ done) / framesPerPacket &* format.bytesPerPacket, count: packets &* format.bytesPerPacket
            )
            let size = packets &* framesPerPacket &* codec.input.bytesPerFrame
            codec.encode(UnsafeRawBufferPointer(rebasing: staging[..<size]), into: target)
            done &+= count
        }
    }

    private func convert(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, to target: UnsafeMutableRawBufferPointer) {
        let source = UnsafeMutableRawBufferPointer(start: samples, count: frames &* format.channels &* 4)
        converter.convert(SampleBuffers(source), to: SampleBuffers(target), frames: frames)
    }
}
