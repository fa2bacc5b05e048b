// SPDX-License-Identifier: Apache-2.0
/// A stream of linear PCM: the samples, the channels and the rate.
///
/// Interleaved samples lie in one buffer. Samples that are not interleaved lie in one buffer per channel.
public struct PCMFormat: Equatable, Hashable, Sendable {
    public static let channelCounts = 1...8

    public let sampleRate: Double
    public let channels: Int
    public let sample: SampleFormat
    public let isInterleaved: Bool

    public init(sampleRate: Double, channels: Int, sample: SampleFormat, isInterleaved: Bool = true) throws(PCMFormatError) {
        guard sampleRate.isFinite, sampleRate > 0 else { throw .sampleRate }
        guard PCMFormat.channelCounts.contains(channels) else { throw .channelCount }
        self.sampleRate = sampleRate
        self.channels = channels
        self.sample = sample
        self.isInterleaved = isInterleaved
    }

    /// Reads a description. A sample rate of 0 stands for `defaultRate`; without one it is an error. Sizes of 0 follow from the
    /// channels and the bits.
    public init(_ description: StreamDescription, defaultRate: Double? = nil) throws(PCMFormatError) {
        var description = description
        let flags = description.formatFlags
        guard description.formatID == FormatID.linearPCM else { throw .notLinearPCM }
        guard flags.isSubset(of: .known) else { throw .unknownFlags }
        guard let channels = Int(exactly: description.channelsPerFrame), PCMFormat.channelCounts.contains(channels) else {
            throw .channelCount
        }
        description.completeLinearSizes()
        guard description.framesPerPacket == 1 else { throw .framesPerPacket }
        guard description.bytesPerPacket == description.bytesPerFrame else { throw .packetSize }
        let isInterleaved = !flags.contains(.nonInterleaved)
        let samplesPerFrame = isInterleaved ? channels : 1
        // A frame of more bytes matches no format. The limit keeps the arithmetic exact on 32-bit machines.
        let bytesPerFrame = Int(min(description.bytesPerFrame, 1 << 16))
        guard bytesPerFrame > 0, bytesPerFrame % samplesPerFrame == 0 else { throw .frameSize }
        let sample = try SampleFormat(
            flags: flags, bits: Int(min(description.bitsPerChannel, 1 << 16)), bytes: bytesPerFrame / samplesPerFrame)
        let rate = description.sampleRate == 0 ? defaultRate ?? 0 : description.sampleRate
        try self.init(sampleRate: rate, channels: channels, sample: sample, isInterleaved: isInterleaved)
    }

    /// The description with all fields set. `kAudioFormatFlagIsPacked` is set whenever it is true.
    public var streamDescription: StreamDescription {
        let size = UInt32(truncatingIfNeeded: bytesPerFrame)
        return StreamDescription(
            sampleRate: sampleRate, formatID: FormatID.linearPCM,
            formatFlags: isInterleaved ? sample.flags : sample.flags.union(.nonInterleaved), bytesPerPacket: size,
            framesPerPacket: 1, bytesPerFrame: size, channelsPerFrame: UInt32(truncatingIfNeeded: channels),
            bitsPerChannel: UInt32(truncatingIfNeeded: sample.bits))
    }

    public var bufferCount: Int { isInterleaved ? 1 : channels }
    public var channelsPerBuffer: Int { isInterleaved ? channels : 1 }
    /// The bytes of one frame in one buffer.
    public var bytesPerFrame: Int { sample.bytes * channelsPerBuffer }

    /// The bytes of `frames` frames in one buffer. Nil when `frames` is negative or the product overflows.
    public func bytes(frames: Int) -> Int? {
        let (bytes, overflow) = frames.multipliedReportingOverflow(by: bytesPerFrame)
        return frames < 0 || overflow ? nil : bytes
    }

    /// The whole frames in `bytes` bytes of one buffer.
    public func frames(bytes: Int) -> Int { max(bytes, 0) / bytesPerFrame }
}
