// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion

/// One side of a converter: linear PCM, or packets and the linear PCM that a codec makes of them.
struct ConverterSide {
    let description: StreamDescription
    let format: PCMFormat
    /// 0 when packets differ in size.
    let bytesPerPacket: Int
    let largestPacket: Int
    let framesPerPacket: Int
    let bufferCount: Int

    init(_ format: PCMFormat) {
        description = format.streamDescription
        self.format = format
        bytesPerPacket = format.bytesPerFrame
        largestPacket = format.bytesPerFrame
        framesPerPacket = 1
        bufferCount = format.bufferCount
    }

    init(
        _ description: StreamDescription, _ format: PCMFormat, bytesPerPacket: Int, largestPacket: Int, framesPerPacket: Int
    ) {
        self.description = description
        self.format = format
        self.bytesPerPacket = bytesPerPacket
        self.largestPacket = max(largestPacket, 1)
        self.framesPerPacket = framesPerPacket
        bufferCount = 1
    }
}

extension StreamDescription {
    /// Linear PCM of this description; `formatNotSupported` for other formats and contradictions.
    func linear(defaultRate: Double) throws(ConverterError) -> PCMFormat {
        do throws(PCMFormatError) {
            return try PCMFormat(self, defaultRate: defaultRate > 0 ? defaultRate : nil)
        } catch { throw .formatNotSupported }
    }

    /// The description of packets that a built-in decoder reads. DVI ADPCM states the sizes of its packets itself.
    var completedForDecoder: StreamDescription? {
        formatID == DVIPacket.formatID ? self : completedForSimpleCodec()
    }

    /// The description with the sizes of its packets, which programs leave out for codecs. Nil when the codec has no constant
    /// sizes, or the stated sizes are wrong.
    func completedForSimpleCodec() -> StreamDescription? {
        guard sampleRate.isFinite, sampleRate > 0, 1...8 ~= channelsPerFrame,
            let packet = StreamDescription.simplePacket(of: formatID, channels: channelsPerFrame),
            bytesPerPacket == 0 || bytesPerPacket == packet.bytes, framesPerPacket == 0 || framesPerPacket == packet.frames
        else { return nil }
        var complete = self
        complete.bytesPerPacket = packet.bytes
        complete.framesPerPacket = packet.frames
        complete.bytesPerFrame = packet.frames == 1 ? packet.bytes : 0
        complete.bitsPerChannel = packet.frames == 1 ? 8 : 0
        return complete
    }
}
