// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import LinuxSystem

/// The captured frames of an engine: on each slice of the input, the rendering thread gives them to the tap of the input node, to
/// its sinks, and to a queue from which the output cycle takes them.
final class InputPump: @unchecked Sendable {
    let output: InputOutput
    private let unit: EngineUnit
    private let slice: SliceList
    private let sinks = RealtimeCell<SinkList>()

    /// Nil for a format that is not linear PCM.
    init?(_ unit: EngineUnit, _ format: AVAudioFormat, _ output: InputOutput) {
        guard let slice = SliceList(format, capacity: Int(EngineUnit.maximumFrames)),
            let queue = FrameMemory(format, capacity: 4 * Int(EngineUnit.maximumFrames))
        else { return nil }
        self.unit = unit
        self.slice = slice
        self.output = output
        output.queue = InputQueue(queue)
    }

    static let procedure: AURenderCallback = { reference, flags, time, _, frames, _ in
        Unmanaged<InputPump>.fromOpaque(reference).takeUnretainedValue().accept(flags, time, frames)
    }

    private func accept(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
    ) -> OSStatus {
        guard Int(frames) <= slice.capacity else { return OSStatus(kAudioUnitErr_TooManyFramesToProcess) }
        slice.prepare(Int(frames))
        let status = AudioUnitRender(unit.unit, flags, time, 1, frames, slice.list)
        guard status == 0 else { return status }
        output.pass(time, frames, slice.list)
        output.queue?.append(slice.list, Int(frames))
        if let sinks = sinks.enter() {
            for index in 0..<sinks.sinks.count { sinks.sinks[index].receive(flags, time, frames, slice.list) }
        }
        sinks.leave()
        return 0
    }

    /// The caller holds the lock of the engine. Waits until the former sinks receive nothing more.
    func setSinks(_ list: [Sink]) { sinks.exchangeWaiting(SinkList(list)) }
}

/// The sinks of an engine, which do not change while a thread uses them.
final class SinkList: @unchecked Sendable {
    let sinks: [Sink]

    init(_ sinks: [Sink]) { self.sinks = sinks }
}

/// A sink node, on the rendering thread.
final class Sink: @unchecked Sendable {
    private let block: AVAudioSinkNodeReceiverBlock
    /// Nil for a sink that is connected to the input node itself.
    private let source: NodeOutput?
    private let slice: SliceList?

    /// Nil for a format that is not linear PCM.
    init?(_ block: @escaping AVAudioSinkNodeReceiverBlock, _ source: NodeOutput?, _ format: AVAudioFormat) {
        self.block = block
        self.source = source
        slice = source == nil ? nil : SliceList(format, capacity: Int(EngineUnit.maximumFrames))
        if source != nil, slice == nil { return nil }
    }

    func receive(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ captured: UnsafePointer<AudioBufferList>
    ) {
        guard let source, let slice else {
            _ = block(time, frames, captured)
            return
        }
        slice.prepare(Int(frames))
        if source.render(flags, time, frames, slice.list) == 0 { _ = block(time, frames, slice.list) }
    }
}

/// The output bus of the input node. Nodes that are connected to it take the captured frames from a queue.
final class InputOutput: NodeOutput, @unchecked Sendable {
    /// Set while the engine does not run.
    var queue: InputQueue?
    /// The source of the frames in manual rendering.
    var manual: ManualInput?

    override func produce(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        if let manual { return AudioUnitRender(manual.unit.unit, flags, time, 0, frames, list) }
        guard let queue else { return OSStatus(kAudioUnitErr_NoConnection) }
        queue.read(Int(frames), list)
        return 0
    }

    /// The tap and the time are those of the capture, which `InputPump` passes.
    override var passesFrames: Bool { manual != nil }
}

/// Captured frames that wait for the output cycle of the same thread. When they are not taken, the oldest are lost.
final class InputQueue: @unchecked Sendable {
    private let memory: FrameMemory
    private var written = 0
    private var taken = 0

    init(_ memory: FrameMemory) { self.memory = memory }

    func append(_ list: UnsafePointer<AudioBufferList>, _ frames: Int) {
        guard frames <= memory.capacity else { return }
        memory.write(list, frames, at: written)
        written &+= frames
        // Half of the memory is more than any difference between the slices of both directions.
        if written &- taken > memory.capacity / 2 { taken = written &- frames }
    }

    func read(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>) {
        let count = min(frames, written &- taken)
        if count < frames { BufferCopy.silence(list) }
        memory.read(taken, count, into: list)
        taken &+= count
    }
}

/// A list of buffers with memory, for slices in one format.
final class SliceList: @unchecked Sendable {
    let capacity: Int
    let list: UnsafeMutablePointer<AudioBufferList>
    private let bytesPerFrame: Int
    private let channelsPerBuffer: UInt32
    private let buffers: Int
    private let memory: UnsafeMutableRawPointer

    /// Nil for a format that is not linear PCM.
    init?(_ format: AVAudioFormat, capacity: Int) {
        let description = format.streamDescription.pointee
        guard description.mBytesPerFrame > 0, description.mChannelsPerFrame > 0 else { return nil }
        buffers = format.isInterleaved ? 1 : Int(description.mChannelsPerFrame)
        bytesPerFrame = Int(description.mBytesPerFrame)
        channelsPerBuffer = format.isInterleaved ? description.mChannelsPerFrame : 1
        self.capacity = capacity
        let size = MemoryLayout<AudioBufferList>.size + (buffers - 1) * MemoryLayout<AudioBuffer>.stride
        list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16).bindMemory(to: AudioBufferList.self, capacity: 1)
        memory = .allocate(byteCount: capacity * bytesPerFrame * buffers, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity * bytesPerFrame * buffers)
        list.pointee.mNumberBuffers = UInt32(buffers)
        prepare(capacity)
    }

    deinit {
        memory.deallocate()
        UnsafeMutableRawPointer(list).deallocate()
    }

    /// Makes every buffer point to the memory of the list, with room for `frames` frames.
    func prepare(_ frames: Int) {
        let target = UnsafeMutableAudioBufferListPointer(list)
        for index in 0..<buffers {
            target[index] = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(min(frames, capacity) &* bytesPerFrame),
                mData: memory + index &* capacity &* bytesPerFrame)
        }
    }
}
