// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CLinux
import LinuxSystem
import Synchronization

extension Queue {
    /// The memory of a new buffer: room for a header of the program's side, data, and packet descriptions.
    public struct Allocation {
        public var header: UnsafeMutableRawPointer
        public var data: UnsafeMutableRawPointer
        /// 16 bytes each; nil where none are asked for.
        public var packetDescriptions: UnsafeMutableRawPointer?
    }

    /// Parameters that apply from the first frame of a buffer on, and when it shall be played.
    public struct EnqueueOptions {
        public var trimAtStart: UInt32 = 0
        public var trimAtEnd: UInt32 = 0
        public var volume: Float?
        public var pan: Float?
        public var volumeRamp: Float?
        /// In frames of the queue since its start.
        public var startFrame: Double?

        public init() {}
    }

    private static let headerSize = 64

    /// Allocates a buffer. Its memory is zero.
    public func allocateBuffer(bytes: UInt32, packets: UInt32 = 0) throws(QueueStatus) -> Allocation {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            guard bytes > 0 else { throw .parameter }
            let room = (UInt64(bytes) + 15) & ~15
            guard let size = Int(exactly: UInt64(Queue.headerSize) + room + UInt64(packets) * 16),
                let memory = queue_memory_allocate(size)
            else { throw .outOfMemory }
            let data = memory + Queue.headerSize
            let index: Int
            do throws(QueueStatus) {
                index = try state.addBuffer()
            } catch {
                queue_memory_free(memory)
                throw error
            }
            let buffer = Buffer(
                memory: memory, data: data.assumingMemoryBound(to: UInt8.self), capacity: Int(clamping: bytes))
            if index < buffers.count { buffers[index] = buffer } else { buffers.append(buffer) }
            indices[UInt(bitPattern: memory)] = index
            return Allocation(
                header: memory, data: data, packetDescriptions: packets > 0 ? data + Int(clamping: room) : nil)
        }
    }

    /// Whether a buffer is one of this queue.
    public func has(_ address: UInt) -> Bool { lock.withLock { indices[address] != nil } }

    public func freeBuffer(_ address: UInt) throws(QueueStatus) {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            collect()
            guard let index = indices[address], let buffer = buffers[index] else { throw .invalidBuffer }
            try state.removeBuffer(index)
            indices[address] = nil
            buffers[index] = nil
            queue_memory_free(buffer.memory)
        }
    }

    /// Appends a buffer with so many bytes of sound; a queue that records fills all of it. Returns the frame of the
    /// queue at which it begins, where no sound is missing before it.
    @discardableResult
    public func enqueue(
        _ address: UInt, bytes: UInt32, _ options: EnqueueOptions = EnqueueOptions()
    ) throws(QueueStatus) -> Double {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            guard let index = indices[address], let buffer = buffers[index] else { throw .invalidBuffer }
            try state.checkEnqueue(index)
            guard isInput || bytes <= UInt32(clamping: buffer.capacity) else { throw .invalidBuffer }
            guard let link = chain.newLink() else { throw .outOfMemory }
            fill(link, index, buffer, bytes, options)
            try state.enqueue(index)
            let begin = max(Double(enqueuedFrames), options.startFrame ?? 0)
            enqueuedFrames = UInt64(min(begin, 1e15)) + (link.pointee.frames - link.pointee.first)
            chain.append(link)
            wakeVoice()
            show()
            return begin
        }
    }

    private func fill(_ link: Link, _ index: Int, _ buffer: Buffer, _ bytes: UInt32, _ options: EnqueueOptions) {
        let frames = (isInput ? buffer.capacity : Int(clamping: bytes)) / format.bytesPerPacket * format.framesPerPacket
        let end = max(frames - Int(clamping: options.trimAtEnd), 0)
        link.pointee.buffer = UInt64(index)
        link.pointee.bytes = buffer.data
        link.pointee.first = UInt64(min(Int(clamping: options.trimAtStart), end))
        link.pointee.frames = UInt64(end)
        if let volume = options.volume {
            link.pointee.volume = volume
            link.pointee.sets |= UInt32(QUEUE_SETS_VOLUME)
        }
        if let pan = options.pan {
            link.pointee.pan = pan
            link.pointee.sets |= UInt32(QUEUE_SETS_PAN)
        }
        if let ramp = options.volumeRamp {
            link.pointee.ramp = ramp
            link.pointee.sets |= UInt32(QUEUE_SETS_RAMP)
        }
        if let start = options.startFrame {
            link.pointee.start = start
            link.pointee.sets |= UInt32(QUEUE_HAS_START)
        }
    }

    /// A queue that ran out of buffers a second ago has left the stream. Under the lock.
    private func wakeVoice() {
        guard state.run == .running, !stream.has(voice) else { return }
        voice.isIdle.store(false, ordering: .relaxed)
        do throws(QueueStatus) {
            try stream.activate(voice, self)
        } catch {
            state.interrupt()
            signalDelivery()
        }
    }
}
