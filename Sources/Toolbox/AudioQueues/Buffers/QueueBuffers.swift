// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CLinux
import LinuxSystem
import Synchronization

extension Queue {
    /// The memory of a new buffer: the header of the C API, data, and packet descriptions.
    public struct Allocation {
        public var header: UnsafeMutableRawPointer
        public var data: UnsafeMutableRawPointer
        /// 16 bytes each; nil when none are requested.
        public var packetDescriptions: UnsafeMutableRawPointer?
    }

    /// Parameters that apply from the first frame of a buffer, and the time at which the buffer is played.
    public struct EnqueueOptions {
        public var trimAtStart: UInt32 = 0
        public var trimAtEnd: UInt32 = 0
        public var volume: Float?
        public var pan: Float?
        public var volumeRamp: Float?
        /// In frames of the queue since its start. The start times of buffers ascend.
        public var startFrame: Double?

        public init() {}
    }

    /// What a buffer holds when it is enqueued.
    public struct Content {
        public var bytes: UInt32
        /// Packets that differ in size need descriptions.
        public var packets: PacketDescriptions
        public var options: EnqueueOptions

        public init(bytes: UInt32, packets: PacketDescriptions = .none, _ options: EnqueueOptions = EnqueueOptions()) {
            (self.bytes, self.packets, self.options) = (bytes, packets, options)
        }
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
            let index = state.addBuffer()
            let buffer = Buffer(
                memory: memory, data: data.assumingMemoryBound(to: UInt8.self), capacity: Int(clamping: bytes),
                descriptions: packets > 0 ? data + Int(clamping: room) : nil, descriptionCapacity: packets)
            if index < buffers.count { buffers[index] = buffer } else { buffers.append(buffer) }
            indices[UInt(bitPattern: memory)] = index
            return Allocation(
                header: memory, data: data, packetDescriptions: buffer.descriptions)
        }
    }

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

    /// Appends a buffer. A queue that records fills the whole buffer. `read` reads the content from the memory of the buffer: it
    /// is called under the lock, and only for a buffer of this queue. Returns the frame of the queue at which the buffer begins, if
    /// no gap precedes it.
    @discardableResult
    public func enqueue(_ address: UInt, _ read: () throws(QueueStatus) -> Content) throws(QueueStatus) -> Double {
        try lock.withLock { () throws(QueueStatus) in
            guard let index = indices[address], let buffer = buffers[index] else { throw .invalidBuffer }
            let content = try read()
            let (bytes, options) = (content.bytes, content.options)
            try state.checkUsable()
            try state.checkEnqueue(index)
            guard isInput || bytes <= UInt32(clamping: buffer.capacity) else { throw .invalidBuffer }
            guard options.startFrame ?? lastStart >= lastStart else { throw .invalidParameter }
            let frames: UInt64
            if let packets {
                frames = try enqueue(index, buffer, Int(clamping: bytes), content.packets, options, packets)
            } else if let recording {
                try enqueue(index, buffer, recording)
                frames = 0
            } else {
                guard let link = chain.newLink() else { throw .outOfMemory }
                fill(link, index, buffer, bytes, options)
                try state.enqueue(index)
                link.pointee.completes = state.enqueuedCount
                frames = link.pointee.frames - link.pointee.first
                chain.append(link)
            }
            lastStart = options.startFrame ?? lastStart
            let begin = max(Double(enqueuedFrames), options.startFrame ?? 0)
            enqueuedFrames = UInt64(min(begin, 1e15)) + frames
            wakeVoice()
            show()
            return begin
        }
    }

    /// Appends a buffer with `bytes` bytes of sound.
    @discardableResult
    public func enqueue(
        _ address: UInt, bytes: UInt32, packets: PacketDescriptions = .none, _ options: EnqueueOptions = EnqueueOptions()
    ) throws(QueueStatus) -> Double {
        try enqueue(address) { () throws(QueueStatus) in Content(bytes: bytes, packets: packets, options) }
    }

    private func fill(_ link: Link, _ index: Int, _ buffer: Buffer, _ bytes: UInt32, _ options: EnqueueOptions) {
        let frames = (isInput ? buffer.capacity : Int(clamping: bytes)) / format.bytesPerPacket * format.framesPerPacket
        let end = max(frames - Int(clamping: options.trimAtEnd), 0)
        link.pointee.buffer = UInt64(index)
        link.pointee.bytes = buffer.data
        link.pointee.first = UInt64(min(Int(clamping: options.trimAtStart), end))
        link.pointee.frames = UInt64(end)
        options.apply(to: link)
    }

    /// The voice of a queue that ran out of buffers a second ago is suspended. Under the lock.
    private func wakeVoice() {
        guard state.run == .running, !stream.has(voice) else { return }
        do throws(QueueStatus) {
            try stream.activate(voice, self)
        } catch {
            stream.deactivate(voice)
            state.interrupt()
            signalDelivery()
        }
    }
}

extension Queue.EnqueueOptions {
    /// The parameters, which apply from the first frame of the link.
    func apply(to link: Link) {
        if let volume {
            link.pointee.volume = volume
            link.pointee.sets |= UInt32(QUEUE_SETS_VOLUME)
        }
        if let pan {
            link.pointee.pan = pan
            link.pointee.sets |= UInt32(QUEUE_SETS_PAN)
        }
        if let volumeRamp {
            link.pointee.ramp = volumeRamp
            link.pointee.sets |= UInt32(QUEUE_SETS_RAMP)
        }
        if let startFrame {
            link.pointee.start = startFrame
            link.pointee.sets |= UInt32(QUEUE_HAS_START)
        }
    }
}
