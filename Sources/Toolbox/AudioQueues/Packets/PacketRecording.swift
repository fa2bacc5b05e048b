// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CAudioQueues
import MediaFormats

/// The encoder of a queue that records with a codec, the recorded frames, and the buffers that receive packets. Guarded by the
/// lock of the queue.
///
/// Encoders allocate memory. Therefore the audio thread writes frames into blocks of one packet each, and the thread that calls
/// the program encodes them.
final class PacketRecording {
    /// A frame of the queue, and the time at which it was captured.
    struct FrameTime: Sendable {
        var frame: UInt64 = 0
        var time: UInt64 = 0
    }

    /// A buffer of the program, and the packets that it has so far.
    struct Target: @unchecked Sendable {
        let index: Int
        let data: UnsafeMutableRawBufferPointer
        /// The maximum number of packets.
        let packetLimit: Int
        var bytes = 0
        var packets: [PacketDescription] = []
        /// The time at which the first packet was captured.
        var begin = FrameTime()
    }

    private struct Block: Sendable {
        var index: Int
        var frames: Int
        var begin: FrameTime
    }

    private enum Step: Sendable {
        case frames(Block)
        /// The sound ends: the encoder returns its last packets and starts again.
        case end
    }

    let encoder: any VariablePacketEncoder
    private let memory: UnsafeMutableRawPointer
    private let blockBytes: Int
    private var unused: [Int]
    private var steps = FIFO<Step>()
    private var isEnding = false
    private var targets = FIFO<Target>()
    private var current: Target?
    /// A packet that is to be written into the next buffer.
    private let packet: UnsafeMutableRawBufferPointer
    private var packetBytes = 0
    /// The number of frames of `packet` if it has fewer than other packets, else 0.
    private var packetFrames: UInt32 = 0
    private var sound: EncodedSound
    /// The begins of the blocks whose packets have not been written.
    private var frameTimes = FIFO<FrameTime>()
    private var lastFrameTime = FrameTime()
    /// Blocks have been taken since the last end.
    private var isOpen = false

    /// Has blocks for a second of sound. Nil when memory is exhausted. Not a failable initializer: Embedded Swift (6.3.1) never
    /// frees an object whose initializer fails.
    static func make(_ encoder: any VariablePacketEncoder) -> PacketRecording? {
        let blockBytes = encoder.framesPerPacket * encoder.input.bytesPerFrame
        let count = Int(encoder.input.sampleRate) / encoder.framesPerPacket + 4
        guard let memory = queue_memory_allocate(count * blockBytes) else { return nil }
        return PacketRecording(encoder, memory, blockBytes, count)
    }

    private init(_ encoder: any VariablePacketEncoder, _ memory: UnsafeMutableRawPointer, _ blockBytes: Int, _ count: Int) {
        self.encoder = encoder
        sound = EncodedSound(encoder)
        self.memory = memory
        self.blockBytes = blockBytes
        unused = Array(0..<count)
        packet = .allocate(byteCount: encoder.largestPacket, alignment: 16)
    }

    deinit {
        queue_memory_free(memory)
        packet.deallocate()
    }

    var hasBuffers: Bool { current != nil || !targets.isEmpty }
    var canEncode: Bool { hasBuffers && (packetBytes > 0 || isEnding || !steps.isEmpty) }
    var hasUnusedBlocks: Bool { !unused.isEmpty }

    func append(_ target: Target) { targets.append(target) }

    // MARK: Blocks

    /// Gives an unused block to a link as its memory.
    func assignBlock(to link: Link) {
        guard let index = unused.popLast() else { return }
        link.pointee.buffer = UInt64(index)
        link.pointee.bytes = (memory + index * blockBytes).assumingMemoryBound(to: UInt8.self)
        link.pointee.frames = UInt64(encoder.framesPerPacket)
    }

    /// Takes the block of a link that the audio thread has finished.
    func append(_ link: Link) {
        let begin = FrameTime(frame: link.pointee.recorded_frame, time: link.pointee.recorded_time)
        let block = Block(index: Int(link.pointee.buffer), frames: Int(link.pointee.recorded), begin: begin)
        guard block.frames > 0 else { return unused.append(block.index) }
        isOpen = true
        steps.append(.frames(block))
    }

    /// The blocks up to now are the last ones of their sound.
    func end() {
        if isOpen { steps.append(.end) }
        isOpen = false
    }

    /// Discards all frames, packets and buffers.
    func removeAll() {
        while let step = steps.popFirst() { if case .frames(let block) = step { unused.append(block.index) } }
        targets.removeAll()
        current = nil
        packetBytes = 0
        isOpen = false
        beginAgain()
    }

    private func beginAgain() {
        isEnding = false
        frameTimes.removeAll()
        encoder.reset()
        sound = EncodedSound(encoder)
    }

    // MARK: Packets

    /// Encodes until there are no more frames or buffers. Passes each buffer that is full or has the last packets to `finished`.
    func encode(_ finished: (Target) -> Void, _ failed: (ConverterError) -> Void) {
        while hasBuffers {
            if packetBytes > 0 {
                write(finished, failed)
            } else if isEnding {
                _ = makePacket(of: UnsafeRawBufferPointer(start: nil, count: 0), failed)
                guard packetBytes == 0 else { continue }
                beginAgain()
                if let target = current { finished(target) }
                current = nil
            } else {
                switch steps.popFirst() {
                case nil: return
                case .end?: isEnding = true
                case .frames(let block)?: encode(block, failed)
                }
            }
        }
    }

    private func encode(_ block: Block, _ failed: (ConverterError) -> Void) {
        let bytes = block.frames * encoder.input.bytesPerFrame
        let frames = UnsafeRawBufferPointer(start: memory + block.index * blockBytes, count: bytes)
        if makePacket(of: frames, failed) { frameTimes.append(block.begin) }
        unused.append(block.index)
    }

    /// False when the encoder fails.
    private func makePacket(of frames: UnsafeRawBufferPointer, _ failed: (ConverterError) -> Void) -> Bool {
        do throws(ConverterError) {
            packetBytes = try encoder.encode(frames, into: packet)
            sound.addFrames(frames.count / encoder.input.bytesPerFrame)
            if packetBytes > 0 { packetFrames = sound.addPacket() }
            return true
        } catch {
            failed(error)
            return false
        }
    }

    /// Writes the pending packet into a buffer, or finishes a buffer that has no room for it. A packet that is larger than a
    /// whole buffer is lost.
    private func write(_ finished: (Target) -> Void, _ failed: (ConverterError) -> Void) {
        guard var target = current ?? targets.popFirst() else { return }
        current = nil
        let room = target.packets.count < target.packetLimit ? target.data.count - target.bytes : 0
        if packetBytes > room, !target.packets.isEmpty { return finished(target) }
        let begin = nextFrameTime()
        if packetBytes > room {
            failed(.invalidOutputSize)
        } else {
            if target.packets.isEmpty { target.begin = begin }
            let destination = UnsafeMutableRawBufferPointer(rebasing: target.data[target.bytes..<target.bytes + packetBytes])
            destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: packet[..<packetBytes]))
            target.packets.append(
                PacketDescription(
                    startOffset: Int64(target.bytes), variableFrames: packetFrames, byteSize: UInt32(clamping: packetBytes)))
            target.bytes += packetBytes
        }
        packetBytes = 0
        current = target
    }

    /// The begin of the block that belongs to the next packet. The encoder can return packets after the last block.
    private func nextFrameTime() -> FrameTime {
        if let next = frameTimes.popFirst() {
            lastFrameTime = next
        } else {
            lastFrameTime.frame &+= UInt64(encoder.framesPerPacket)
            lastFrameTime.time &+= UInt64(Double(encoder.framesPerPacket) * 1e9 / encoder.input.sampleRate)
        }
        return lastFrameTime
    }
}

extension Queue {
    /// Gives the audio thread the blocks that are free. Under the lock.
    func assignBlocks() {
        guard let recording else { return }
        while recording.hasUnusedBlocks, let link = chain.newLink() {
            recording.assignBlock(to: link)
            chain.append(link)
        }
    }

    /// Appends a buffer for packets. Under the lock.
    func enqueue(_ index: Int, _ buffer: Buffer, _ recording: PacketRecording) throws(QueueStatus) {
        try state.enqueue(index)
        buffers[index]?.recordedBytes = 0
        buffers[index]?.packets = []
        let data = UnsafeMutableRawBufferPointer(start: buffer.data, count: buffer.capacity)
        let limit = buffer.descriptions == nil ? Int.max : Int(clamping: buffer.descriptionCapacity)
        recording.append(PacketRecording.Target(index: index, data: data, packetLimit: limit))
        signalDelivery()
    }

    /// Encodes the recorded frames. Under the lock.
    func encodeRecorded() {
        guard let recording else { return }
        encode(recording)
        assignBlocks()
        if state.isStopping, !recording.hasBuffers { stopNow() }
    }

    /// Encodes all recorded frames and the last packets, and discards packets without a buffer. The audio thread no longer uses
    /// the voice. Under the lock.
    func encodeLast() {
        guard let recording else { return }
        recording.end()
        encode(recording)
        recording.removeAll()
        assignBlocks()
    }

    private func encode(_ recording: PacketRecording) {
        recording.encode(
            { target in
                buffers[target.index]?.recordedBytes = target.bytes
                buffers[target.index]?.packets = target.packets
                buffers[target.index]?.recordedFrame = target.begin.frame
                buffers[target.index]?.recordedTime = target.begin.time
                state.finish(through: state.finishedCount + 1)
            }, reportConverterError)
        show()
    }

    /// Calls the program with the packets of all recorded frames, on its thread or run loop. Under the lock.
    func flushRecorded(_ recording: PacketRecording) {
        stream.withoutRendering(voice) {
            collectRecorded()
            recording.end()
            assignBlocks()
        }
        signalDelivery()
    }
}
