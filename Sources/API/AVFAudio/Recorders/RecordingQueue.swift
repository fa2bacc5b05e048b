// SPDX-License-Identifier: Apache-2.0
internal import AudioEngine
internal import AudioStreams
internal import AudioToolbox
internal import Foundation

/// The audio queue of a recorder, and the file that it writes on the thread of the queue.
///
/// The calls of the program are one at a time, under `control`. The thread of the queue uses `state`; no call of the queue is made
/// under `state`.
final class RecordingQueue: @unchecked Sendable {
    enum End {
        case interrupted
        /// The frames that the program has asked for are in the file.
        case complete
        case failed(any Error)
    }

    private let queue: AudioQueueRef
    /// The frames that the queue delivers, and the file takes.
    let format: AVAudioFormat
    private let slot: CallbackSlot<RecordingQueue>
    private let state = NSLock()
    // Guarded by `state`:
    private var file: AVAudioFile?
    private var run = QueueRun()
    private var written: Int64 = 0
    /// The time of the queue behind the last buffer that is written or dropped.
    private var behind = 0.0
    private var limit: Int64?
    private var hasFailed = false
    /// Called on a thread of the queue or of the caller, not under `state`.
    var ended: (@Sendable (End) -> Void)?

    private static let bufferCount = 4

    init(_ format: AVAudioFormat, writing file: AVAudioFile) throws {
        self.format = format
        self.file = file
        var description = format.streamDescription.pointee
        let slot = CallbackSlot<RecordingQueue>()
        var made: AudioQueueRef?
        let status = AudioQueueNewInput(
            &description,
            { reference, _, buffer, start, packets, _ in
                CallbackSlot<RecordingQueue>.object(reference)?.receive(buffer, at: start.pointee.mSampleTime, packets)
            },
            slot.reference, nil, nil, 0, &made)
        guard status == 0, let made else {
            throw AudioCallError.make(status, "AudioQueueNewInput", "recording \(format)")
        }
        queue = made
        self.slot = slot
        slot.set(self)
        _ = AudioQueueAddPropertyListener(
            queue, kAudioQueueProperty_IsRunning,
            { reference, _, _ in CallbackSlot<RecordingQueue>.object(reference)?.endStoppedRun() }, slot.reference)
        // A tenth of a second in each buffer: the thread of the queue may wait for the file.
        let bytes = UInt32(max(format.sampleRate / 10, 1_024)) * description.mBytesPerFrame
        for _ in 0..<RecordingQueue.bufferCount {
            var buffer: AudioQueueBufferRef?
            let status = AudioQueueAllocateBuffer(queue, bytes, &buffer)
            guard status == 0, let buffer, AudioQueueEnqueueBuffer(queue, buffer, 0, nil) == 0 else {
                _ = AudioQueueDispose(queue, true)
                throw AudioCallError.make(status, "AudioQueueAllocateBuffer", "recording \(format)")
            }
        }
    }

    // MARK: The calls of the program

    var isRecording: Bool { state.withLock { run.isOn } }
    /// The frames that the queue has captured. It delivers them in buffers of a tenth of a second.
    var frames: Int64 {
        let time = time
        return state.withLock { min(max(written, Int64(time)), limit ?? .max) }
    }

    /// 0 before the first start.
    private var time: Double {
        var time = AudioTimeStamp()
        return AudioQueueGetCurrentTime(queue, nil, &time, nil) == 0 ? max(time.mSampleTime, 0) : 0
    }

    /// Records now or from a host time in nanoseconds on, and at most this number of further frames.
    func start(at time: UInt64?, frames: Int64?) -> Bool {
        let now = frames == nil ? 0 : self.time
        // Behind those that are captured and not yet written.
        state.withLock { limit = frames.map { written + Int64(max(now - behind, 0)) + $0 } }
        var stamp = AudioTimeStamp()
        stamp.mHostTime = time ?? 0
        stamp.mFlags = .hostTimeValid
        let stops = ProcessEngine.reportedStops
        let status = time == nil ? AudioQueueStart(queue, nil) : AudioQueueStart(queue, &stamp)
        guard status == 0 else { return false }
        state.withLock { run.begin(after: stops) }
        // The session may have stopped the queue before the run began.
        endStoppedRun()
        return true
    }

    func pause() {
        state.withLock { _ = run.end() }
        _ = AudioQueuePause(queue)
    }

    /// Writes the captured frames, and closes the file. False when the file lacks some.
    func end() -> Bool {
        // The queue returns its buffers before the return, and the last one has the frames that were captured.
        _ = AudioQueueStop(queue, true)
        _ = AudioQueueDispose(queue, true)
        let (file, hasFailed) = state.withLock { () -> (AVAudioFile?, Bool) in
            defer { self.file = nil }
            run.end()
            return (self.file, self.hasFailed)
        }
        return file?.finish() != false && !hasFailed
    }

    func setMetering(_ on: Bool) {
        var value: UInt32 = on ? 1 : 0
        _ = AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &value, 4)
    }

    /// The levels of the channels in decibels.
    var levels: [AudioQueueLevelMeterState] {
        var states = [AudioQueueLevelMeterState](
            repeating: AudioQueueLevelMeterState(mAveragePower: -160, mPeakPower: -160), count: Int(format.channelCount))
        var size = UInt32(states.count * MemoryLayout<AudioQueueLevelMeterState>.stride)
        _ = AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeterDB, &states, &size)
        return states
    }

    // MARK: The thread of the queue

    private func receive(_ buffer: AudioQueueBufferRef, at time: Double, _ packets: UInt32) {
        let (file, count) = state.withLock { () -> (AVAudioFile?, UInt32) in
            guard !hasFailed else { return (nil, 0) }
            let left = limit.map { max($0 - written, 0) } ?? Int64(packets)
            return (self.file, UInt32(min(Int64(packets), left)))
        }
        let isWritten = file.map { count > 0 && write(buffer, count, to: $0) } ?? false
        let isComplete = state.withLock { () -> Bool in
            behind = time + Double(packets)
            guard isWritten else { return false }
            written += Int64(count)
            return limit.map { written >= $0 } ?? false
        }
        if isComplete { ended?(.complete) }
        // A queue that stops returns its buffers, and takes none.
        _ = AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    }

    /// False when the frames are not in the file.
    private func write(_ buffer: AudioQueueBufferRef, _ frames: UInt32, to file: AVAudioFile) -> Bool {
        do {
            guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) else { return false }
            copy.frameLength = frames
            let bytes = Int(frames * format.streamDescription.pointee.mBytesPerFrame)
            copy.mutableAudioBufferList.pointee.mBuffers.mData?.copyMemory(from: buffer.pointee.mAudioData, byteCount: bytes)
            try file.write(from: copy)
            return true
        } catch {
            state.withLock { hasFailed = true }
            ended?(.failed(error))
            return false
        }
    }

    /// The session was interrupted, which pauses its queues.
    func sessionInterrupted() {
        let stops = ProcessEngine.reportedStops
        let (number, isStopped) = state.withLock { (run.number, run.isBefore(stops)) }
        if isStopped, !isCapturing { end(number, because: .interruption) }
    }

    /// The queue has captured sound, and runs.
    private var isCapturing: Bool {
        var running: UInt32 = 0
        var size: UInt32 = 4
        return AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size) == 0 && running != 0
    }

    /// Ends the run if the session does not let the queue run.
    private func endStoppedRun() {
        let number = state.withLock { run.number }
        guard !isCapturing, let stop = ProcessEngine.stop(isInput: true) else { return }
        end(number, because: stop)
    }

    private func end(_ number: UInt64, because stop: SessionStop) {
        let hasEnded = state.withLock { run.end(number) }
        if hasEnded, stop == .interruption { ended?(.interrupted) }
    }
}
