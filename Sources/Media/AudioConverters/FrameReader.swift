// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion

/// Reads the packets of the input procedure as frames of linear PCM.
///
/// It keeps the packets of one call until all of them are read, and reads no byte after them.
final class FrameReader {
    let format: PCMFormat
    let decoder: (any PacketDecoder)?
    private var packets = InputPackets.end
    /// How many of the `packets` have been read.
    private var index = 0
    private let decoded: FrameStore?
    /// Frames to drop, and frames until the end of the input. Nil: the input procedure states the end.
    private var skipped = 0
    private var left: Int?

    /// Frames that one step decodes at most, unless a packet has more.
    private static let decodedFrames = 512

    init(_ format: PCMFormat) {
        self.format = format
        decoder = nil
        decoded = nil
    }

    init(_ decoder: any PacketDecoder) {
        format = decoder.output
        self.decoder = decoder
        decoded = FrameStore(decoder.output, capacity: max(decoder.framesPerPacket, FrameReader.decodedFrames))
    }

    /// Drops the packets of the input procedure. Returns the number of packets that were not read.
    @discardableResult
    func forgetPackets() -> Int {
        guard packets.count > 0 else { return 0 }
        let rest = packets.count &- index
        packets = .end
        index = 0
        return rest
    }

    func reset() {
        forgetPackets()
        decoded?.removeAll()
        decoder?.reset()
        trim(skipping: 0, limit: nil)
    }

    /// Returns at most `frames` frames. Asks `supply` for packets when no frame is available. Empty at the end of the input.
    func next(_ frames: Int, _ supply: PacketSupply) throws(ConverterError) -> (buffers: SampleBuffers, frames: Int) {
        while skipped > 0 {
            let next = try untrimmed(skipped, supply)
            guard next.frames > 0 else { return next }
            remove(next.frames)
            skipped &-= next.frames
        }
        let frames = min(frames, left ?? frames)
        guard frames > 0 else { return (SampleBuffers(), 0) }
        return try untrimmed(frames, supply)
    }

    private func untrimmed(
        _ frames: Int, _ supply: PacketSupply
    ) throws(ConverterError) -> (buffers: SampleBuffers, frames: Int) {
        guard let decoder, let decoded else { return try nextLinear(frames, supply) }
        while decoded.count == 0 {
            if index >= packets.count {
                let wanted = (frames &- 1) / decoder.framesPerPacket &+ 1
                guard try ask(wanted, packet: decoder.bytesPerPacket, buffers: 1, supply) else { return (SampleBuffers(), 0) }
            }
            decoded.append(try decode(decoder, into: decoded.room))
        }
        return (SampleBuffers(decoded.frames), min(decoded.count, frames))
    }

    /// Removes frames that `next` has returned.
    func consume(_ frames: Int) {
        left = left.map { max($0 &- frames, 0) }
        remove(frames)
    }

    private func remove(_ frames: Int) {
        if let decoded { decoded.remove(frames) } else { index = min(index &+ frames, packets.count) }
    }

    private func nextLinear(
        _ frames: Int, _ supply: PacketSupply
    ) throws(ConverterError) -> (buffers: SampleBuffers, frames: Int) {
        if index >= packets.count {
            guard try ask(frames, packet: format.bytesPerFrame, buffers: format.bufferCount, supply) else {
                return (SampleBuffers(), 0)
            }
        }
        return (packets.buffers.dropping(index &* format.bytesPerFrame), min(packets.count &- index, frames))
    }

    /// Drops `skipping` frames before the next frame that `next` returns, and ends the input after `limit` consumed frames.
    func trim(skipping: Int, limit: Int?) {
        skipped = max(skipping, 0)
        left = limit
    }

    /// Calls the input procedure. False at the end of the input. `packet` is the bytes of one packet, or 0.
    private func ask(_ count: Int, packet: Int, buffers: Int, _ supply: PacketSupply) throws(ConverterError) -> Bool {
        packets = .end
        index = 0
        var given = try supply(count)
        guard given.count > 0 else { return false }
        let bytes = given.buffers.smallest(of: buffers)
        if packet > 0 {
            // A procedure may leave the number of packets unchanged and state only the bytes.
            given.count = min(given.count, bytes / packet)
            guard given.count > 0 else { throw .invalidInputSize }
        } else {
            guard given.descriptions != nil else { throw .requiresPacketDescriptions }
        }
        packets = given
        return true
    }

    /// Decodes as many of the available packets as fit.
    private func decode(
        _ decoder: any PacketDecoder, into room: UnsafeMutableRawBufferPointer
    ) throws(ConverterError) -> Int {
        let bytes = UnsafeRawBufferPointer(packets.buffers[0])
        guard decoder.bytesPerPacket == 0 else {
            let count = min(packets.count &- index, max(FrameReader.decodedFrames / decoder.framesPerPacket, 1))
            let start = index &* decoder.bytesPerPacket
            index &+= count
            return try decoder.decode(
                UnsafeRawBufferPointer(rebasing: bytes[start..<start &+ count &* decoder.bytesPerPacket]), into: room)
        }
        guard let descriptions = packets.descriptions else { throw .requiresPacketDescriptions }
        let packet = PacketDescription(at: descriptions, index: index)
        index &+= 1
        guard let start = Int(exactly: packet.startOffset), start >= 0, start <= bytes.count,
            Int(packet.byteSize) <= bytes.count - start
        else { throw .invalidInputSize }
        let damaged = decoder.damagedPackets
        let frames = try decoder.decode(
            UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(packet.byteSize)]), into: room)
        // The silence for a damaged packet is as long as the longest packet, unless the description states the frames.
        guard decoder.damagedPackets != damaged, decoder.hasVariableFrames, packet.variableFrames > 0 else { return frames }
        return min(frames, Int(clamping: packet.variableFrames))
    }
}
