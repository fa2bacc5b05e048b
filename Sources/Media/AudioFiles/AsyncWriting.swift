// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CLinux
import LinuxSystem
import PCMConversion

/// The frames that a program writes without waiting, and the thread that writes them to the file.
///
/// The program's thread copies frames into rings, one for each buffer of the client's format. It takes no lock and allocates
/// nothing.
final class AsyncWriting: @unchecked Sendable {
    /// The length of the ring in frames.
    static let capacity = 65_536

    private var rings: [UnsafeMutableRawBufferPointer] = []
    private var bytesPerFrame = 1
    /// Counters that wrap around: the frames that were written to the ring, and the frames that were read from it. `state`
    /// changes with each write, and at the end.
    private let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 4)
    private var thread: UnsafeMutableRawPointer?
    private var write: ((SampleBuffers, Int) throws(ExtendedFileError) -> Void)?
    private var failure: ExtendedFileError?

    private var put: UnsafeMutablePointer<UInt32> { words }
    private var taken: UnsafeMutablePointer<UInt32> { words + 1 }
    private var signal: UnsafeMutablePointer<UInt32> { words + 2 }
    private var isEnding: UnsafeMutablePointer<UInt32> { words + 3 }

    init() { words.initialize(repeating: 0, count: 4) }

    deinit {
        for ring in rings { ring.deallocate() }
        words.deallocate()
    }

    var isRunning: Bool { thread != nil }

    /// Allocates the ring and starts the thread, which calls `write`.
    func start(
        buffers: Int, bytesPerFrame: Int, _ write: @escaping (SampleBuffers, Int) throws(ExtendedFileError) -> Void
    ) throws(ExtendedFileError) {
        guard thread == nil else { return }
        self.bytesPerFrame = bytesPerFrame
        self.write = write
        for _ in 0..<buffers {
            rings.append(.allocate(byteCount: AsyncWriting.capacity * bytesPerFrame, alignment: 16))
        }
        thread = linux_thread_start(
            { context in if let context { Unmanaged<AsyncWriting>.fromOpaque(context).takeUnretainedValue().run() } },
            Unmanaged.passUnretained(self).toOpaque(), "audiofile-write")
        guard thread != nil else {
            for ring in rings { ring.deallocate() }
            rings = []
            self.write = nil
            throw .file(.outOfMemory)
        }
    }

    /// Copies frames into the ring.
    func append(_ frames: Int, _ buffers: SampleBuffers) throws(ExtendedFileError) {
        guard frames <= AsyncWriting.capacity else { throw .asyncWriteTooLarge }
        let end = linux_load(put)
        let used = Int(end &- linux_load(taken))
        guard frames <= AsyncWriting.capacity - used else { throw .asyncWriteBufferOverflow }
        guard rings.indices.allSatisfy({ buffers[$0].count / bytesPerFrame >= frames }) else { throw .parameter }
        let start = Int(end) % AsyncWriting.capacity
        let first = min(frames, AsyncWriting.capacity - start)
        for index in rings.indices {
            guard let source = buffers[index].baseAddress, let ring = rings[index].baseAddress else { continue }
            (ring + start * bytesPerFrame).copyMemory(from: source, byteCount: first * bytesPerFrame)
            ring.copyMemory(from: source + first * bytesPerFrame, byteCount: (frames - first) * bytesPerFrame)
        }
        linux_store(put, end &+ UInt32(frames))
        wake()
    }

    private func wake() {
        linux_store(signal, linux_load(signal) &+ 1)
        linux_wake_waiting(signal)
    }

    /// Writes the frames in the ring to the file and ends the thread. Returns the first error of a write.
    func stop() -> ExtendedFileError? {
        guard let thread else { return nil }
        linux_store(isEnding, 1)
        wake()
        linux_thread_join(thread)
        self.thread = nil
        write = nil
        return failure
    }

    /// Waits until the thread has written all frames in the ring.
    func waitUntilWritten() {
        var seen = linux_load(taken)
        while seen != linux_load(put) {
            linux_wait_while(taken, seen)
            seen = linux_load(taken)
        }
    }

    private func run() {
        while true {
            let seen = linux_load(signal)
            let isLast = linux_load(isEnding) != 0
            let begin = linux_load(taken)
            let frames = Int(linux_load(put) &- begin)
            if frames > 0 {
                let start = Int(begin) % AsyncWriting.capacity
                let count = min(frames, AsyncWriting.capacity - start)
                writeFrames(start, count)
                linux_store(taken, begin &+ UInt32(count))
                linux_wake_waiting(taken)
            } else if isLast {
                return
            } else {
                linux_wait_while(signal, seen)
            }
        }
    }

    private func writeFrames(_ start: Int, _ count: Int) {
        var buffers = SampleBuffers()
        for ring in rings {
            buffers.append(
                UnsafeMutableRawBufferPointer(rebasing: ring[start * bytesPerFrame..<(start + count) * bytesPerFrame]))
        }
        do throws(ExtendedFileError) { try write?(buffers, count) } catch { failure = failure ?? error }
    }
}

extension ExtendedFile {
    /// Copies frames into the ring of the writing thread. The first call prepares it, and may wait.
    public func writeAsync(_ frames: Int, from buffers: SampleBuffers?) throws(ExtendedFileError) {
        guard isForWriting else { throw .invalidOperationOrder }
        if !queue.isRunning {
            let side = try prepared().inputBuffers
            let unretained = Unmanaged.passUnretained(self)
            // The thread ends before the file is closed.
            try queue.start(buffers: side.count, bytesPerFrame: side.bytesPerPacket) {
                (buffers: SampleBuffers, frames: Int) throws(ExtendedFileError) in
                let file = unretained.takeUnretainedValue()
                try file.lock.write { () throws(ExtendedFileError) in try file.writeNow(frames, from: buffers) }
            }
        }
        guard frames > 0 else { return }
        guard let buffers else { throw .parameter }
        try queue.append(frames, buffers)
    }
}
