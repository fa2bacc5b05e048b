// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CAudioQueues
import MediaFormats

/// The decoder of a queue that plays a codec, and its packets. Guarded by the lock of the queue.
///
/// Decoders allocate memory. Therefore the dispatcher and the threads that enqueue buffers decode, and never the audio thread.
final class PacketPlayback {
    /// Frames of one link, unless a single packet has more.
    private static let linkFrames = 4_096

    let decoder: any PacketDecoder
    /// The number of frames that are decoded ahead of the audio thread.
    let framesAhead: UInt64
    private var current: PacketBuffer?
    private var waiting = FIFO<PacketBuffer>()
    /// The number of frames in all buffers that are not decoded.
    private(set) var waitingFrames: UInt64 = 0

    /// Decodes a second ahead. Without this limit, a program that enqueues a whole file would use unlimited memory.
    init(_ decoder: any PacketDecoder) {
        self.decoder = decoder
        framesAhead = UInt64(decoder.output.sampleRate)
    }

    var isWaiting: Bool { current != nil || !waiting.isEmpty }

    func append(_ buffer: PacketBuffer) {
        waitingFrames &+= buffer.frames
        waiting.append(buffer)
    }

    /// Discards all packets, also decoded ones.
    func removeAll() {
        current = nil
        waiting.removeAll()
        waitingFrames = 0
        decoder.reset()
    }

    /// Decodes the next packets, of one buffer, into a link. False when memory is exhausted; nothing has changed then.
    func decode(into link: Link, _ failed: (ConverterError) -> Void) -> Bool {
        if current == nil { current = waiting.popFirst() }
        guard let buffer = current else { return false }
        let framesPerPacket = max(decoder.framesPerPacket, 1)
        let count = min(max(PacketPlayback.linkFrames / framesPerPacket, 1), buffer.left)
        let size = count * framesPerPacket * decoder.output.bytesPerFrame
        guard let memory = queue_memory_allocate(max(size, 1)) else { return false }
        if buffer.isUntouched { buffer.options.apply(to: link) }
        let before = buffer.waitingFrames
        let room = UnsafeMutableRawBufferPointer(start: memory, count: size)
        var sound = 0..<0
        // A link has frames, unless it is the last link of its buffer.
        repeat { sound = buffer.decode(count, decoder, into: room, failed) } while sound.isEmpty && buffer.left > 0
        waitingFrames &-= before &- buffer.waitingFrames
        link.pointee.buffer = UInt64(buffer.index)
        link.pointee.decoded = memory
        link.pointee.bytes = memory.assumingMemoryBound(to: UInt8.self)
        link.pointee.first = UInt64(sound.lowerBound)
        link.pointee.frames = UInt64(sound.upperBound)
        link.pointee.completes = buffer.left == 0 ? buffer.number : buffer.number - 1
        if buffer.left == 0 { current = nil }
        return true
    }
}

extension Queue {
    /// The location of the packet descriptions of an enqueued buffer.
    public enum PacketDescriptions {
        case none
        /// An array of the program, valid during the call.
        case array(UnsafeRawPointer, count: UInt32)
        /// The first `count` descriptions in the memory of the buffer.
        case own(count: UInt32)
    }

    /// Decodes until enough sound waits for the audio thread. Under the lock.
    func decodeAhead() {
        guard let packets else { return }
        while chain.pendingFrames < packets.framesAhead, packets.isWaiting, let link = chain.newLink() {
            guard packets.decode(into: link, reportConverterError) else { return queue_memory_free(link) }
            chain.append(link)
        }
        show()
    }

    /// Packets wait for the decoder or, decoded, for the audio thread. Under the lock.
    var hasPacketsToPlay: Bool {
        guard let packets else { return false }
        return packets.isWaiting || chain.pendingFrames > 0
    }

    func reportConverterError(_ error: ConverterError) {
        settings.converterError = error.status
        guard settings.reportedError != error.status else { return }
        settings.reportedError = error.status
        state.change(QueueState.converterErrorProperty)
    }

    /// Appends a buffer of packets. Returns its frames. Under the lock.
    func enqueue(
        _ index: Int, _ buffer: Buffer, _ bytes: Int, _ descriptions: PacketDescriptions, _ options: EnqueueOptions,
        _ packets: PacketPlayback
    ) throws(QueueStatus) -> UInt64 {
        let data = UnsafeRawBufferPointer(start: buffer.data, count: bytes)
        // Packets of one size need no descriptions, and those of the program state nothing else.
        let list = packets.decoder.bytesPerPacket > 0 ? nil : try packetList(descriptions, buffer, data)
        let enqueued = PacketBuffer.make(index, number: state.enqueuedCount + 1, data, list, of: packets.decoder, options)
        guard let enqueued else { throw .outOfMemory }
        try state.enqueue(index)
        packets.append(enqueued)
        decodeAhead()
        return enqueued.frames
    }

    /// The descriptions of the packets of a buffer, which all lie in its data. Nil for a buffer without data.
    private func packetList(
        _ descriptions: PacketDescriptions, _ buffer: Buffer, _ data: UnsafeRawBufferPointer
    ) throws(QueueStatus) -> (array: UnsafeRawPointer, count: Int)? {
        guard !data.isEmpty else { return nil }
        let list: (array: UnsafeRawPointer, count: Int)
        switch descriptions {
        case .none: throw .parameter
        case .array(let array, let count): list = (array, Int(clamping: count))
        case .own(let count):
            guard let own = buffer.descriptions, count <= buffer.descriptionCapacity else { throw .parameter }
            list = (UnsafeRawPointer(own), Int(clamping: count))
        }
        // More packets than bytes: most of them would be empty.
        guard list.count > 0, list.count <= data.count else { throw .parameter }
        for index in 0..<list.count {
            let packet = PacketDescription(at: list.array, index: index)
            guard let start = Int(exactly: packet.startOffset), start >= 0, start <= data.count,
                Int(clamping: packet.byteSize) <= data.count - start
            else { throw .parameter }
        }
        return list
    }
}
