// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CAudioQueues
import MediaFormats

/// A buffer with packets, and the position of the decoder in it.
final class PacketBuffer: @unchecked Sendable {
    let index: Int
    /// The number of the buffer among all enqueued buffers, from 1.
    let number: UInt64
    let options: Queue.EnqueueOptions
    /// The frames of the packets, without the frames to trim.
    let frames: UInt64
    private let bytes: UnsafeRawBufferPointer
    /// The bytes of each packet; 0 if they differ, and the descriptions state them.
    private let bytesPerPacket: Int
    /// The descriptions state the frames of the packets.
    private let hasVariableFrames: Bool
    private let descriptions: UnsafeMutableRawPointer
    private let count: Int
    private let framesPerPacket: Int
    private var next = 0
    /// Frames from the beginning of the buffer: the frames that have been decoded, and the end of the sound.
    private var position = 0
    private let end: Int

    /// Copies the descriptions of the packets. Nil if memory is exhausted. No failable initializer: Embedded Swift (6.3.1) never
    /// frees an object whose initializer fails.
    static func make(
        _ index: Int, number: UInt64, _ bytes: UnsafeRawBufferPointer, _ packets: (array: UnsafeRawPointer, count: Int)?,
        of decoder: any PacketDecoder, _ options: Queue.EnqueueOptions
    ) -> PacketBuffer? {
        let count = packets?.count ?? 0
        guard let copy = queue_memory_allocate(max(count * PacketDescription.byteCount, 1)) else { return nil }
        if let packets { copy.copyMemory(from: packets.array, byteCount: count * PacketDescription.byteCount) }
        return PacketBuffer(index, number, bytes, copy, count, decoder, options)
    }

    private init(
        _ index: Int, _ number: UInt64, _ bytes: UnsafeRawBufferPointer, _ descriptions: UnsafeMutableRawPointer,
        _ described: Int,
        _ decoder: any PacketDecoder, _ options: Queue.EnqueueOptions
    ) {
        self.index = index
        self.number = number
        self.options = options
        self.bytes = bytes
        self.descriptions = descriptions
        bytesPerPacket = decoder.bytesPerPacket
        count = bytesPerPacket > 0 ? bytes.count / bytesPerPacket : described
        framesPerPacket = decoder.framesPerPacket
        hasVariableFrames = bytesPerPacket == 0 && decoder.hasVariableFrames
        var all = 0
        if hasVariableFrames {
            for index in 0..<count { all += PacketBuffer.frames(of: index, in: descriptions, atMost: framesPerPacket) }
        } else {
            all = count * framesPerPacket
        }
        end = max(all - Int(clamping: options.trimAtEnd), 0)
        frames = UInt64(max(end - Int(clamping: options.trimAtStart), 0))
    }

    deinit { queue_memory_free(descriptions) }

    /// The number of packets that are not decoded.
    var left: Int { count - next }
    var isUntouched: Bool { next == 0 }

    /// The number of frames to play that are not decoded.
    var waitingFrames: UInt64 { left == 0 ? 0 : UInt64(max(end - max(position, Int(clamping: options.trimAtStart)), 0)) }

    /// Decodes `count` packets, or the remaining ones. Returns the range of the frames to play.
    func decode(
        _ packets: Int, _ decoder: any PacketDecoder, into room: UnsafeMutableRawBufferPointer,
        _ failed: (ConverterError) -> Void
    ) -> Range<Int> {
        let bytesPerFrame = decoder.output.bytesPerFrame
        var made = 0
        for _ in 0..<min(packets, left) {
            let data = bytes[range(of: next)]
            next += 1
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[(made * bytesPerFrame)...])
            let damaged = decoder.damagedPackets
            do throws(ConverterError) {
                let frames = try decoder.decode(UnsafeRawBufferPointer(rebasing: data), into: rest)
                let isDamaged = decoder.damagedPackets != damaged
                // The silence for a damaged packet is as long as the longest packet.
                made += isDamaged ? min(frames, self.frames(of: next - 1)) : frames
                if isDamaged { failed(.unspecified) }
            } catch { failed(error) }
        }
        let begin = min(max(Int(clamping: options.trimAtStart) - position, 0), made)
        let limit = options.trimAtEnd > 0 ? min(max(end - position, 0), made) : made
        position += made
        return begin..<max(begin, limit)
    }

    private func frames(of index: Int) -> Int {
        guard hasVariableFrames else { return framesPerPacket }
        return PacketBuffer.frames(of: index, in: descriptions, atMost: framesPerPacket)
    }

    /// The frames that the description of a packet states, or those of the longest packet.
    private static func frames(of index: Int, in descriptions: UnsafeMutableRawPointer, atMost longest: Int) -> Int {
        let stated = PacketDescription(at: descriptions, index: index).variableFrames
        return stated > 0 ? min(Int(clamping: stated), longest) : longest
    }

    /// The bytes of a packet. The queue has checked that the described packets are in the buffer.
    private func range(of index: Int) -> Range<Int> {
        guard bytesPerPacket == 0 else { return index * bytesPerPacket..<(index + 1) * bytesPerPacket }
        let packet = PacketDescription(at: descriptions, index: index)
        return Int(packet.startOffset)..<Int(packet.startOffset) + Int(packet.byteSize)
    }
}
