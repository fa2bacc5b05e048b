// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioConverters
import AudioQueues
import CAudioQueues
public import CAudioToolbox
import LinuxSystem
import MediaFormats

// Functions of AudioQueue.h for queues, buffers, start and stop.

/// Delivers on the run loop of the program. Without one the queue has its own thread.
private func delivery(_ runLoop: UnsafeMutableRawPointer?, _ mode: UnsafeRawPointer?) -> QueueService.MakeDelivery? {
    guard let runLoop else { return nil }
    return { RunLoopDelivery.make($0, UnsafeRawPointer(runLoop), mode) }
}

@c @implementation
public func AudioQueueNewOutput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inCallbackProc: AudioQueueOutputCallback?,
    _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: UnsafeMutableRawPointer?,
    _ inCallbackRunLoopMode: UnsafeRawPointer?, _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
    answer(
        "AudioQueueNewOutput", ToolboxLog.format(inFormat),
        mistake: nullArguments(
            ("inFormat", inFormat == nil), ("inCallbackProc", inCallbackProc == nil), ("outAQ", outAQ == nil))
    ) { () throws(QueueStatus) in
        guard let inFormat, let inCallbackProc, let outAQ else { throw .parameter }
        outAQ.pointee = nil
        let handlers = Queue.Handlers { queue, buffer in
            inCallbackProc(inUserData, OpaquePointer(bitPattern: queue), UnsafeMutablePointer(bitPattern: buffer.address))
        }
        let delivery = delivery(inCallbackRunLoop, inCallbackRunLoopMode)
        let format = StreamDescription(inFormat.pointee)
        let handle = try Queues.running().makeOutput(format, codec: try Queues.decoder(format), handlers, on: delivery)
        outAQ.pointee = OpaquePointer(bitPattern: handle)
    }
}

/// Calls the program with a recorded buffer.
private func recordingHandlers(
    _ call:
        @escaping (
            AudioQueueRef?, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
            UnsafePointer<AudioStreamPacketDescription>?
        ) -> Void
) -> Queue.Handlers {
    Queue.Handlers { queue, returned in
        guard let buffer = UnsafeMutablePointer<AudioQueueBuffer>(bitPattern: returned.address) else { return }
        buffer.pointee.mAudioDataByteSize = UInt32(clamping: returned.bytes)
        let packets = returned.descriptions.map {
            AudioStreamPacketDescription(
                mStartOffset: $0.startOffset, mVariableFramesInPacket: $0.variableFrames, mDataByteSize: $0.byteSize)
        }
        let hasOwn = buffer.pointee.mPacketDescriptions != nil
        buffer.pointee.mPacketDescriptionCount = hasOwn ? UInt32(clamping: packets.count) : 0
        var start = AudioTimeStamp(SoundTime(frame: returned.startFrame, hostTime: returned.startTime, rateScalar: 1))
        packets.withUnsafeBufferPointer {
            call(
                OpaquePointer(bitPattern: queue), buffer, &start, UInt32(clamping: returned.packets),
                $0.isEmpty ? nil : $0.baseAddress)
        }
    }
}

@c @implementation
public func AudioQueueNewInput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inCallbackProc: AudioQueueInputCallback?,
    _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: UnsafeMutableRawPointer?,
    _ inCallbackRunLoopMode: UnsafeRawPointer?, _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
    answer(
        "AudioQueueNewInput", ToolboxLog.format(inFormat),
        mistake: nullArguments(
            ("inFormat", inFormat == nil), ("inCallbackProc", inCallbackProc == nil), ("outAQ", outAQ == nil))
    ) { () throws(QueueStatus) in
        guard let inFormat, let inCallbackProc, let outAQ else { throw .parameter }
        outAQ.pointee = nil
        let handlers = recordingHandlers { queue, buffer, start, count, packets in
            inCallbackProc(inUserData, queue, buffer, start, count, packets)
        }
        let delivery = delivery(inCallbackRunLoop, inCallbackRunLoopMode)
        let handle = try Queues.running().makeInput(
            StreamDescription(inFormat.pointee), codec: Queues.encoder, handlers, on: delivery)
        outAQ.pointee = OpaquePointer(bitPattern: handle)
    }
}

// MARK: Blocks on a dispatch queue

@c @implementation
public func AudioQueueNewOutputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inFlags: UInt32,
    _ inCallbackDispatchQueue: OpaquePointer?, _ inCallbackBlock: AudioQueueOutputCallbackBlock?
) -> OSStatus {
    answer(
        "AudioQueueNewOutputWithDispatchQueue", ToolboxLog.format(inFormat),
        mistake: nullArguments(
            ("inFormat", inFormat == nil), ("inCallbackBlock", inCallbackBlock == nil),
            ("inCallbackDispatchQueue", inCallbackDispatchQueue == nil), ("outAQ", outAQ == nil))
    ) { () throws(QueueStatus) in
        guard let inFormat, let inCallbackBlock, let inCallbackDispatchQueue, let outAQ else { throw .parameter }
        outAQ.pointee = nil
        let format = StreamDescription(inFormat.pointee)
        let codec = try Queues.decoder(format)
        let program = try ProgramBlock.copy(inCallbackBlock)
        let handlers = Queue.Handlers { queue, buffer in
            queue_block_call_output(
                program.block, UnsafeMutableRawPointer(bitPattern: queue), UnsafeMutableRawPointer(bitPattern: buffer.address))
        }
        let target = UnsafeMutableRawPointer(inCallbackDispatchQueue)
        let handle = try Queues.running().makeOutput(
            format, codec: codec, handlers, on: { DispatchDelivery($0, on: target) })
        outAQ.pointee = OpaquePointer(bitPattern: handle)
    }
}

@c @implementation
public func AudioQueueNewInputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inFlags: UInt32,
    _ inCallbackDispatchQueue: OpaquePointer?, _ inCallbackBlock: AudioQueueInputCallbackBlock?
) -> OSStatus {
    answer(
        "AudioQueueNewInputWithDispatchQueue", ToolboxLog.format(inFormat),
        mistake: nullArguments(
            ("inFormat", inFormat == nil), ("inCallbackBlock", inCallbackBlock == nil),
            ("inCallbackDispatchQueue", inCallbackDispatchQueue == nil), ("outAQ", outAQ == nil))
    ) { () throws(QueueStatus) in
        guard let inFormat, let inCallbackBlock, let inCallbackDispatchQueue, let outAQ else { throw .parameter }
        outAQ.pointee = nil
        let program = try ProgramBlock.copy(inCallbackBlock)
        let handlers = recordingHandlers { queue, buffer, start, count, packets in
            queue_block_call_input(
                program.block, queue.map { UnsafeMutableRawPointer($0) }, buffer, start, count, packets)
        }
        let target = UnsafeMutableRawPointer(inCallbackDispatchQueue)
        let handle = try Queues.running().makeInput(
            StreamDescription(inFormat.pointee), codec: Queues.encoder, handlers, on: { DispatchDelivery($0, on: target) })
        outAQ.pointee = OpaquePointer(bitPattern: handle)
    }
}

@c @implementation
public func AudioQueueDispose(_ inAQ: AudioQueueRef?, _ inImmediate: UInt8) -> OSStatus {
    answer("AudioQueueDispose", inImmediate != 0 ? "true" : "false") { () throws(QueueStatus) in
        try Queues.queue(inAQ).dispose(immediately: inImmediate != 0)
    }
}

// MARK: Buffers

@c @implementation
public func AudioQueueAllocateBuffer(
    _ inAQ: AudioQueueRef?, _ inBufferByteSize: UInt32, _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
    answer("AudioQueueAllocateBuffer", "\(inBufferByteSize) bytes") { () throws(QueueStatus) in
        try allocate(inAQ, bytes: inBufferByteSize, packets: 0, outBuffer)
    }
}

@c @implementation
public func AudioQueueAllocateBufferWithPacketDescriptions(
    _ inAQ: AudioQueueRef?, _ inBufferByteSize: UInt32, _ inNumberPacketDescriptions: UInt32,
    _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
    answer(
        "AudioQueueAllocateBufferWithPacketDescriptions", "\(inBufferByteSize) bytes, \(inNumberPacketDescriptions)"
    ) { () throws(QueueStatus) in
        try allocate(inAQ, bytes: inBufferByteSize, packets: inNumberPacketDescriptions, outBuffer)
    }
}

private func allocate(
    _ handle: AudioQueueRef?, bytes: UInt32, packets: UInt32, _ out: UnsafeMutablePointer<AudioQueueBufferRef?>?
) throws(QueueStatus) {
    guard let out else { throw .parameter }
    out.pointee = nil
    let memory = try Queues.queue(handle).allocateBuffer(bytes: bytes, packets: packets)
    let buffer = memory.header.bindMemory(to: AudioQueueBuffer.self, capacity: 1)
    buffer.pointee.mAudioDataBytesCapacity = bytes
    buffer.pointee.mAudioData = memory.data
    buffer.pointee.mPacketDescriptionCapacity = packets
    buffer.pointee.mPacketDescriptions = memory.packetDescriptions?.bindMemory(
        to: AudioStreamPacketDescription.self, capacity: Int(clamping: packets))
    out.pointee = buffer
}

@c @implementation
public func AudioQueueFreeBuffer(_ inAQ: AudioQueueRef?, _ inBuffer: AudioQueueBufferRef?) -> OSStatus {
    answer("AudioQueueFreeBuffer") { () throws(QueueStatus) in
        try Queues.queue(inAQ).freeBuffer(UInt(bitPattern: inBuffer))
    }
}

@c @implementation
public func AudioQueueEnqueueBuffer(
    _ inAQ: AudioQueueRef?, _ inBuffer: AudioQueueBufferRef?, _ inNumPacketDescs: UInt32,
    _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    answer("AudioQueueEnqueueBuffer", isQuiet: true) { () throws(QueueStatus) in
        let packets = ProgramPackets(descriptions: inPacketDescs, count: inNumPacketDescs)
        _ = try enqueue(inAQ, inBuffer, packets) { () throws(QueueStatus) in Queue.EnqueueOptions() }
    }
}

@c @implementation
public func AudioQueueEnqueueBufferWithParameters(
    _ inAQ: AudioQueueRef?, _ inBuffer: AudioQueueBufferRef?, _ inNumPacketDescs: UInt32,
    _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?, _ inTrimFramesAtStart: UInt32, _ inTrimFramesAtEnd: UInt32,
    _ inNumParamValues: UInt32, _ inParamValues: UnsafePointer<AudioQueueParameterEvent>?,
    _ inStartTime: UnsafePointer<AudioTimeStamp>?, _ outActualStartTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    answer("AudioQueueEnqueueBufferWithParameters", isQuiet: true) { () throws(QueueStatus) in
        guard !(try Queues.queue(inAQ).isInput) else { throw .invalidQueueType }
        let packets = ProgramPackets(descriptions: inPacketDescs, count: inNumPacketDescs)
        let begin = try enqueue(inAQ, inBuffer, packets) { () throws(QueueStatus) in
            var options = Queue.EnqueueOptions()
            options.trimAtStart = inTrimFramesAtStart
            options.trimAtEnd = inTrimFramesAtEnd
            guard inNumParamValues == 0 || inParamValues != nil else { throw .parameter }
            for index in 0..<Int(clamping: inNumParamValues) {
                if let event = inParamValues?[index] { try options.add(event) }
            }
            if let inStartTime, inStartTime.pointee.hasFrame, inStartTime.pointee.mSampleTime.isFinite {
                options.startFrame = max(inStartTime.pointee.mSampleTime, 0)
            }
            return options
        }
        guard let outActualStartTime else { return }
        outActualStartTime.pointee = AudioTimeStamp()
        outActualStartTime.pointee.mSampleTime = begin
        outActualStartTime.pointee.mFlags = UInt32(kAudioTimeStampSampleTimeValid)
    }
}

/// The packet descriptions that a program passes beside a buffer.
private struct ProgramPackets {
    var descriptions: UnsafePointer<AudioStreamPacketDescription>?
    var count: UInt32

    /// Logs descriptions that contradict their buffer. The queue does not read descriptions of packets of constant size.
    func logContradictions(_ bytes: UInt32) {
        guard Log.isEnabled, let descriptions else { return }
        let bytes = Int64(bytes)
        for index in 0..<Int(clamping: count) {
            let packet = descriptions[index]
            let room = bytes.subtractingReportingOverflow(packet.mStartOffset)
            guard packet.mStartOffset < 0 || room.overflow || Int64(packet.mDataByteSize) > room.partialValue else { continue }
            return Log.debug(
                "AudioQueueEnqueueBuffer: packet description \(index) has \(packet.mDataByteSize) bytes from"
                    + " \(packet.mStartOffset) on, and mAudioDataByteSize is \(bytes)")
        }
    }
}

/// Enqueues a buffer. Its memory is read only if the queue has this buffer. Returns the frame at which it begins.
private func enqueue(
    _ handle: AudioQueueRef?, _ buffer: AudioQueueBufferRef?, _ packets: ProgramPackets,
    _ options: () throws(QueueStatus) -> Queue.EnqueueOptions
) throws(QueueStatus) -> Double {
    let queue = try Queues.queue(handle)
    guard let buffer else { throw .invalidBuffer }
    return try queue.enqueue(UInt(bitPattern: buffer)) { () throws(QueueStatus) in
        let bytes = buffer.pointee.mAudioDataByteSize
        packets.logContradictions(bytes)
        var content = Queue.Content(
            bytes: bytes, packets: .own(count: buffer.pointee.mPacketDescriptionCount), try options())
        if let descriptions = packets.descriptions { content.packets = .array(descriptions, count: packets.count) }
        return content
    }
}

extension Queue.EnqueueOptions {
    fileprivate mutating func add(_ event: AudioQueueParameterEvent) throws(QueueStatus) {
        guard let parameter = QueueParameter(rawValue: event.mID) else { throw .invalidParameter }
        let value = try parameter.accepted(event.mValue)
        switch parameter {
        case .volume: volume = value
        case .pan: pan = value
        case .volumeRampTime: volumeRamp = value
        case .playRate, .pitch: return
        }
    }
}

// MARK: Start and stop

@c @implementation
public func AudioQueueStart(_ inAQ: AudioQueueRef?, _ inStartTime: UnsafePointer<AudioTimeStamp>?) -> OSStatus {
    let hint = Queues.hint(inAQ) {
        $0.hasEmptyBuffersOnly
            ? "no enqueued buffer has a whole frame: set mAudioDataByteSize"
            : $0.hasBuffers ? nil : "the queue has no buffers: enqueue some before the start"
    }
    return answer("AudioQueueStart", inStartTime == nil ? "NULL" : "a time", hint: hint) { () throws(QueueStatus) in
        try Queues.queue(inAQ).start(at: inStartTime?.pointee.startTime ?? .now)
    }
}

@c @implementation
public func AudioQueuePrime(
    _ inAQ: AudioQueueRef?, _ inNumberOfFramesToPrepare: UInt32, _ outNumberOfFramesPrepared: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AudioQueuePrime") { () throws(QueueStatus) in
        let frames = try Queues.queue(inAQ).prime(inNumberOfFramesToPrepare)
        outNumberOfFramesPrepared?.pointee = frames
    }
}

@c @implementation
public func AudioQueueStop(_ inAQ: AudioQueueRef?, _ inImmediate: UInt8) -> OSStatus {
    let hint = Queues.hint(inAQ) {
        inImmediate != 0 && $0.isCalling ? "in a callback of the queue: all buffers come back inside of this call" : nil
    }
    return answer("AudioQueueStop", inImmediate != 0 ? "true" : "false", hint: hint) { () throws(QueueStatus) in
        try Queues.queue(inAQ).stop(immediately: inImmediate != 0)
    }
}

@c @implementation
public func AudioQueuePause(_ inAQ: AudioQueueRef?) -> OSStatus {
    answer("AudioQueuePause") { () throws(QueueStatus) in try Queues.queue(inAQ).pause() }
}

@c @implementation
public func AudioQueueFlush(_ inAQ: AudioQueueRef?) -> OSStatus {
    answer("AudioQueueFlush") { () throws(QueueStatus) in try Queues.queue(inAQ).flush() }
}

@c @implementation
public func AudioQueueReset(_ inAQ: AudioQueueRef?) -> OSStatus {
    answer("AudioQueueReset") { () throws(QueueStatus) in try Queues.queue(inAQ).reset() }
}
