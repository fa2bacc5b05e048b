// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CLinux
internal import LinuxSystem
internal import Synchronization

/// An output bus of a node, as the rendering thread uses it: asks the node for frames, and copies them for its tap.
class NodeOutput: @unchecked Sendable {
    let clock = RenderClock()
    private let begun = Atomic<UInt64>(0)
    private let completed = Atomic<UInt64>(0)
    /// A yield takes about half a microsecond: 10 ms.
    static let mostReadings = 20_000
    /// The renders that have ended.
    final var renders: UInt64 { completed.load(ordering: .relaxed) }
    let tap = RealtimeCell<NodeTap>()
    /// The frames of the last render, for a bus that several inputs pull.
    private let shared = RealtimeCell<SharedFrames>()

    /// The render callback of the input to which the bus is connected. The engine keeps the bus while a thread can render it.
    static let procedure: AURenderCallback = { reference, flags, time, _, frames, list in
        guard let list else { return OSStatus(kAudioUnitErr_NoConnection) }
        return Unmanaged<NodeOutput>.fromOpaque(reference).takeUnretainedValue().render(flags, time, frames, list)
    }

    final func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
        let shared = shared.enter()
        defer {
            self.shared.leave()
            completed.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }
        if let shared, shared.read(time, frames, into: list) { return 0 }
        let status = produce(flags, time, frames, list)
        guard status == 0 else { return status }
        shared?.write(time, frames, list)
        if passesFrames { pass(time, frames, list) }
        return 0
    }

    /// Reads several values that a render changes, again if a render was under way, which takes less than a slice. Where the
    /// rendering thread has no processor for that long, the values may be of two renders.
    final func readBetweenRenders<Value>(_ read: () -> Value) -> Value {
        for _ in 0..<NodeOutput.mostReadings {
            let ended = completed.load(ordering: .sequentiallyConsistent)
            guard begun.load(ordering: .sequentiallyConsistent) == ended else {
                linux_thread_yield()
                continue
            }
            let value = read()
            if begun.load(ordering: .sequentiallyConsistent) == ended { return value }
        }
        return read()
    }

    /// Each render gives its frames to the tap.
    var passesFrames: Bool { true }

    /// Notes the time, and gives the frames to the tap.
    final func pass(
        _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>
    ) {
        clock.publish(time, frames)
        tap.enter()?.add(list, Int(frames), time)
        tap.leave()
    }

    /// Fills the list, whose buffers have room for the frames.
    func produce(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus { OSStatus(kAudioUnitErr_NoConnection) }

    /// With `format`, several inputs pull this bus in the same cycle. The caller holds the lock of the engine.
    final func share(_ format: AVAudioFormat?) {
        let next = format.flatMap { FrameMemory($0, capacity: Int(EngineUnit.maximumFrames)) }.map { SharedFrames($0) }
        let unused = shared.publish(next)
        withExtendedLifetime(unused) {}
    }
}

/// The output of a unit.
class UnitOutput: NodeOutput, @unchecked Sendable {
    let source: EngineUnit
    let bus: UInt32

    init(_ source: EngineUnit, _ bus: UInt32 = 0) {
        self.source = source
        self.bus = bus
    }

    override func produce(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus { AudioUnitRender(source.unit, flags, time, bus, frames, list) }
}

/// The frames of one render of a bus, for the other inputs that pull it in the same cycle.
final class SharedFrames: @unchecked Sendable {
    private let memory: FrameMemory
    private var sampleTime = Double.nan
    private var frames: UInt32 = 0

    init(_ memory: FrameMemory) { self.memory = memory }

    /// False when the frames of this time were not rendered yet.
    func read(
        _ time: UnsafePointer<AudioTimeStamp>, _ count: UInt32, into list: UnsafeMutablePointer<AudioBufferList>
    ) -> Bool {
        guard time.pointee.mSampleTime == sampleTime, count == frames else { return false }
        memory.read(0, Int(count), into: list)
        return true
    }

    func write(_ time: UnsafePointer<AudioTimeStamp>, _ count: UInt32, _ list: UnsafePointer<AudioBufferList>) {
        guard Int(count) <= memory.capacity else { return }
        memory.write(list, Int(count), at: 0)
        (sampleTime, frames) = (time.pointee.mSampleTime, count)
    }
}
