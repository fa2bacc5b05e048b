// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CLinux
internal import LinuxSystem
internal import Synchronization

/// A tap of an output bus. The rendering thread copies frames into a ring, and a thread of the tap calls the program with buffers
/// of the size that the program has chosen. A block that is too slow loses frames, which are counted. Offline no frame is lost: the
/// render waits for the block.
final class NodeTap: @unchecked Sendable {
    private let format: AVAudioFormat
    private let size: Int
    private let block: AVAudioNodeTapBlock
    private let ring: FrameMemory
    private let wake = ThreadSignal()
    /// Tells whether the engine renders offline; nil for a node without an engine.
    private let io: EngineIO?
    private let room = ThreadSignal()
    private let ownThread = Atomic<UInt64>(0)
    /// The frames that were written, read and lost.
    private let written = Atomic<Int>(0)
    private let consumed = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)
    private let isEnding = Atomic<Bool>(false)
    private var thread: UnsafeMutableRawPointer?

    /// The times of the renders whose frames are in the ring.
    private struct Stamp {
        var position: Int
        var time: AudioTimeStamp
    }
    private static let stampCapacity = 1024
    private let stamps = UnsafeMutablePointer<Stamp>.allocate(capacity: NodeTap.stampCapacity)
    private let stampsWritten = Atomic<Int>(0)
    private let stampsRead = Atomic<Int>(0)

    /// Nil for a format that is not linear PCM.
    init?(_ format: AVAudioFormat, size: Int, _ io: EngineIO?, _ block: @escaping AVAudioNodeTapBlock) {
        // A second of sound, or four buffers, so that a block may take its time.
        let capacity = max(4 * size, Int(format.sampleRate), 4 * Int(EngineUnit.maximumFrames))
        guard size > 0, let ring = FrameMemory(format, capacity: capacity) else { return nil }
        self.format = format
        self.io = io
        self.size = size
        self.block = block
        self.ring = ring
        stamps.initialize(repeating: Stamp(position: 0, time: AudioTimeStamp()), count: NodeTap.stampCapacity)
    }

    deinit { stamps.deallocate() }

    // MARK: The rendering thread

    func add(_ list: UnsafePointer<AudioBufferList>, _ frames: Int, _ time: UnsafePointer<AudioTimeStamp>) {
        let position = written.load(ordering: .relaxed)
        let stamp = stampsWritten.load(ordering: .relaxed)
        while position &- consumed.load(ordering: .acquiring) &+ frames > ring.capacity {
            guard waitsForRoom else {
                lost.add(frames, ordering: .relaxed)
                return
            }
            room.wait()
        }
        let waiting = position &- consumed.load(ordering: .acquiring)
        ring.write(list, frames, at: position)
        // Without room for a stamp the time follows from the render before: a buffer may consist of more renders than there are stamps.
        if stamp &- stampsRead.load(ordering: .acquiring) < NodeTap.stampCapacity {
            stamps[stamp % NodeTap.stampCapacity] = Stamp(position: position, time: time.pointee)
            stampsWritten.store(stamp &+ 1, ordering: .releasing)
        }
        written.store(position &+ frames, ordering: .releasing)
        if waiting &+ frames >= size { wake.signal() }
    }

    /// Offline, and not in a render that the block makes.
    private var waitsForRoom: Bool {
        io?.isOffline.load(ordering: .relaxed) == true && !isEnding.load(ordering: .acquiring)
            && ownThread.load(ordering: .relaxed) != linux_thread_self()
    }

    // MARK: Life

    /// A render that waits for the block continues, and loses its frames.
    func stopWaiting() {
        isEnding.store(true, ordering: .releasing)
        room.signal()
    }

    /// False when the system has no thread left.
    func start() -> Bool {
        let reference = Unmanaged.passRetained(self)
        thread = linux_thread_start_for_program(
            { if let context = $0 { Unmanaged<NodeTap>.fromOpaque(context).takeRetainedValue().run() } }, reference.toOpaque(),
            "avaudio-tap")
        if thread == nil { reference.release() }
        return thread != nil
    }

    /// The block is not called after the return, unless the block itself makes this call.
    func end() {
        stopWaiting()
        wake.signal()
        if let thread { linux_thread_join(thread) }
        thread = nil
        let lost = lost.load(ordering: .relaxed)
        if lost > 0 { Log.debug("a tap has lost \(lost) frames: its block takes longer than the sound lasts") }
    }

    // MARK: The thread of the tap

    private func run() {
        ownThread.store(linux_thread_self(), ordering: .relaxed)
        while !isEnding.load(ordering: .acquiring) {
            while !isEnding.load(ordering: .acquiring), written.load(ordering: .acquiring) &- position >= size { deliver() }
            if !isEnding.load(ordering: .acquiring) { wake.wait() }
        }
    }

    private var position: Int { consumed.load(ordering: .relaxed) }

    private func deliver() {
        let time = time(of: position)
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(size))
        buffer?.frameLength = AVAudioFrameCount(size)
        if let buffer { ring.read(position, size, into: buffer.mutableAudioBufferList) }
        consumed.store(position &+ size, ordering: .releasing)
        if io?.isOffline.load(ordering: .relaxed) == true { room.signal() }
        if let buffer { block(buffer, time) }
    }

    /// The time of a frame in the ring, from the time of the render that has made it.
    private func time(of frame: Int) -> AVAudioTime {
        var next = stampsRead.load(ordering: .relaxed)
        let end = stampsWritten.load(ordering: .acquiring)
        while next &+ 1 < end, stamps[(next &+ 1) % NodeTap.stampCapacity].position <= frame { next &+= 1 }
        stampsRead.store(next, ordering: .releasing)
        let stamp = stamps[next % NodeTap.stampCapacity]
        var time = stamp.time
        let behind = Double(frame &- stamp.position)
        time.mSampleTime += behind
        if time.mFlags.contains(.hostTimeValid) {
            time.mHostTime &+= UInt64(max(behind, 0) / max(format.sampleRate, 1) * 1e9)
        }
        return AVAudioTime(audioTimeStamp: &time, sampleRate: format.sampleRate)
    }
}
