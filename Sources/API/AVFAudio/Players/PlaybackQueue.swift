// SPDX-License-Identifier: Apache-2.0
internal import AudioEngine
internal import AudioStreams
internal import AudioToolbox
internal import Foundation

/// The audio queue of a player: reads its sound ahead, repeats it, and knows which frame is heard.
///
/// The calls of the program are one at a time, under `control`. The queue calls back on a thread of its own, under `state`; no call of
/// the queue is made under `state`.
final class PlaybackQueue: @unchecked Sendable {
    enum End {
        case finished(successfully: Bool)
        case interrupted
        case failed(any Error)
    }

    let sound: PlayedSound
    private let queue: AudioQueueRef
    private var buffers: [AudioQueueBufferRef] = []
    private let framesPerBuffer: UInt32
    private let control = NSRecursiveLock()
    private let state = NSLock()
    // Guarded by `state`:
    /// Buffers that the queue has returned.
    private var idle: [AudioQueueBufferRef] = []
    private var accepts = false
    private var hasEnded = false
    private var hasFailed = false
    private var loops = 0
    /// The repetitions that are left of this playback, and those that were read since the frame `base`.
    private var loopsLeft = 0
    private var repetitions: Int64 = 0
    /// The frame of the sound at the time 0 of the queue, and the frame to which a stopped player goes.
    private var base: Int64 = 0
    private var position: Int64 = 0
    private var isPrepared = false
    private var run = QueueRun()
    // Guarded by `control`:
    private var wantsRate = false
    private var wantedRate: Float = 1
    /// Called on a thread of the queue or of the caller, not under `state`.
    var ended: (@Sendable (End) -> Void)?

    private static let bufferCount = 4

    init(_ sound: PlayedSound) throws {
        self.sound = sound
        var format = sound.format
        var made: AudioQueueRef?
        let slot = CallbackSlot<PlaybackQueue>()
        let status = AudioQueueNewOutput(
            &format, { reference, _, buffer in CallbackSlot<PlaybackQueue>.object(reference)?.returned(buffer) },
            slot.reference, nil, nil, 0, &made)
        guard status == 0, let made else {
            throw AudioCallError.make(status, "AudioQueueNewOutput", "playing the sound", in: NSOSStatusErrorDomain)
        }
        queue = made
        // A tenth of a second: the queue needs at most two slices ahead. A queue refuses a rate that does not fit.
        framesPerBuffer = UInt32(max(format.mSampleRate / 10, 2_048))
        self.slot = slot
        slot.set(self)
        _ = AudioQueueAddPropertyListener(
            queue, kAudioQueueProperty_IsRunning,
            { reference, _, _ in CallbackSlot<PlaybackQueue>.object(reference)?.endStoppedRun() },
            slot.reference)
        for _ in 0..<PlaybackQueue.bufferCount {
            var buffer: AudioQueueBufferRef?
            let status = AudioQueueAllocateBuffer(queue, framesPerBuffer * format.mBytesPerFrame, &buffer)
            guard status == 0, let buffer else {
                _ = AudioQueueDispose(queue, true)
                throw AudioCallError.make(status, "AudioQueueAllocateBuffer", "playing the sound", in: NSOSStatusErrorDomain)
            }
            buffers.append(buffer)
        }
        idle = buffers
    }

    private let slot: CallbackSlot<PlaybackQueue>

    /// No callback runs after the return, except the one that makes this call.
    func dispose() {
        state.withLock { accepts = false }
        _ = AudioQueueDispose(queue, true)
    }

    // MARK: The calls of the program

    var isPlaying: Bool { state.withLock { run.isOn } }

    /// -1: without an end. Counts anew with each playback.
    var numberOfLoops: Int {
        get { state.withLock { loops } }
        set { state.withLock { (loops, loopsLeft) = (newValue, newValue) } }
    }

    /// The queue has time pitch from its next start on.
    var enablesRate: Bool {
        get { control.withLock { wantsRate } }
        set { control.withLock { wantsRate = newValue } }
    }

    var rate: Float {
        get { control.withLock { wantedRate } }
        set {
            control.withLock {
                wantedRate = newValue
                // A queue without time pitch refuses it.
                set(kAudioQueueParam_PlayRate, newValue)
            }
        }
    }

    /// The queue is stopped.
    private func applyRate() {
        var isEnabled: UInt32 = wantsRate ? 1 : 0
        let status = AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &isEnabled, 4)
        if status != 0 {
            AudioCallError.refuse(
                AudioCallError.make(status, "AudioQueueSetProperty", "AVAudioPlayer.enableRate").localizedDescription)
        }
        if wantsRate { set(kAudioQueueParam_PlayRate, wantedRate) }
    }

    /// Reads the first buffers. A player at the end of its sound begins again. False when there is nothing to play.
    func prepare() -> Bool {
        control.withLock {
            let start = state.withLock { () -> Int64? in
                guard !isPrepared else { return nil }
                if position >= sound.frames { position = 0 }
                (isPrepared, accepts, hasEnded, hasFailed) = (true, true, false, false)
                (base, repetitions, loopsLeft) = (position, 0, loops)
                return position
            }
            guard let start else { return true }
            applyRate()
            do { try sound.seek(start) } catch { return fail(error) }
            for buffer in state.withLock({ removeIdle() }) { returned(buffer) }
            let hasSound = state.withLock { () -> Bool in
                if idle.count == buffers.count { (isPrepared, accepts, position) = (false, false, 0) }
                return isPrepared
            }
            // A file may have fewer frames than it states.
            return hasSound || start > 0 && !state.withLock({ hasFailed }) && prepare()
        }
    }

    private func removeIdle() -> [AudioQueueBufferRef] {
        defer { idle = [] }
        return idle
    }

    private func fail(_ error: any Error) -> Bool {
        state.withLock { (isPrepared, accepts) = (false, false) }
        ended?(.failed(error))
        return false
    }

    /// Plays now, or at a host time in nanoseconds.
    func start(at time: UInt64?) -> Bool {
        control.withLock {
            // The start of a queue that runs would cancel its stop at the end.
            guard !isPlaying else { return true }
            guard prepare() else { return false }
            var stamp = AudioTimeStamp()
            stamp.mHostTime = time ?? 0
            stamp.mFlags = .hostTimeValid
            let formerStops = ProcessEngine.reportedStops
            let status = time == nil ? AudioQueueStart(queue, nil) : AudioQueueStart(queue, &stamp)
            guard status == 0 else { return false }
            let stops = state.withLock { () -> Bool in
                run.begin(after: formerStops)
                return hasEnded
            }
            // The session may have stopped the queue before the run began.
            endStoppedRun()
            if stops, isPlaying { _ = AudioQueueStop(queue, false) }
            return true
        }
    }

    func pause() {
        control.withLock {
            if state.withLock({ run.end() }) { _ = AudioQueuePause(queue) }
        }
    }

    /// The position stays.
    func stop() {
        control.withLock {
            let frame = currentFrame
            halt()
            state.withLock { position = frame }
        }
    }

    /// Returns all buffers.
    private func halt() {
        state.withLock {
            accepts = false
            run.end()
        }
        _ = AudioQueueStop(queue, true)
        state.withLock { isPrepared = false }
    }

    /// Goes to a frame. A player that plays continues there.
    func seek(_ frame: Int64) {
        control.withLock {
            let wasPlaying = isPlaying
            halt()
            state.withLock { position = min(max(frame, 0), sound.frames) }
            if wasPlaying { _ = start(at: nil) }
        }
    }

    /// The frame that is heard.
    var currentFrame: Int64 {
        var time = AudioTimeStamp()
        let isKnown = AudioQueueGetCurrentTime(queue, nil, &time, nil) == 0
        return state.withLock {
            guard isPrepared, isKnown else { return isPrepared ? base : position }
            let frame = base + Int64(max(time.mSampleTime, 0))
            guard frame > sound.frames, sound.frames > 0 else { return frame }
            return frame < sound.frames * (repetitions + 1) ? frame % sound.frames : sound.frames
        }
    }

    func set(_ parameter: AudioQueueParameterID, _ value: Float) { _ = AudioQueueSetParameter(queue, parameter, value) }

    // MARK: Meters

    func setMetering(_ on: Bool) {
        var value: UInt32 = on ? 1 : 0
        _ = AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &value, 4)
    }

    /// The levels of the channels in decibels.
    var levels: [AudioQueueLevelMeterState] {
        var states = [AudioQueueLevelMeterState](
            repeating: AudioQueueLevelMeterState(mAveragePower: -160, mPeakPower: -160),
            count: Int(sound.format.mChannelsPerFrame))
        var size = UInt32(states.count * MemoryLayout<AudioQueueLevelMeterState>.stride)
        _ = AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeterDB, &states, &size)
        return states
    }

    // MARK: The thread of the queue

    /// Fills a buffer with the next frames, or keeps it at the end.
    private func returned(_ buffer: AudioQueueBufferRef) {
        let (fills, isEnding) = state.withLock { () -> (Bool, Bool) in
            guard accepts, !hasEnded else {
                idle.append(buffer)
                return (false, false)
            }
            return (true, false)
        }
        guard fills, !isEnding else { return }
        do {
            let frames = try fill(buffer)
            guard frames > 0 else { return endSound(buffer) }
            buffer.pointee.mAudioDataByteSize = frames * sound.format.mBytesPerFrame
            if AudioQueueEnqueueBuffer(queue, buffer, 0, nil) != 0 { state.withLock { idle.append(buffer) } }
            if frames < framesPerBuffer { endSound(nil) }
        } catch {
            state.withLock {
                idle.append(buffer)
                hasFailed = true
            }
            endSound(nil)
            ended?(.failed(error))
        }
    }

    /// Reads frames, also across repetitions. Fewer than a buffer at the end of the last one.
    private func fill(_ buffer: AudioQueueBufferRef) throws -> UInt32 {
        var count: UInt32 = 0
        var isEmpty = false
        while count < framesPerBuffer {
            let memory = buffer.pointee.mAudioData + Int(count * sound.format.mBytesPerFrame)
            let read = try sound.read(framesPerBuffer - count, into: memory)
            count += read
            guard read == 0 else {
                isEmpty = false
                continue
            }
            let repeats = state.withLock { () -> Bool in
                guard loopsLeft != 0 else { return false }
                if loopsLeft > 0 { loopsLeft -= 1 }
                repetitions += 1
                return true
            }
            // A sound of no frames would repeat without an end.
            guard repeats, !isEmpty else { break }
            isEmpty = true
            try sound.seek(0)
        }
        return count
    }

    /// The queue stops after what is enqueued. One that does not run would return its buffers at once: `start` stops it, after its start.
    private func endSound(_ buffer: AudioQueueBufferRef?) {
        let stops = state.withLock { () -> Bool in
            if let buffer { idle.append(buffer) }
            guard !hasEnded else { return false }
            hasEnded = true
            return run.isOn
        }
        if stops { _ = AudioQueueStop(queue, false) }
    }

    /// The session was interrupted, which pauses its queues.
    func sessionInterrupted() {
        let stops = ProcessEngine.reportedStops
        if state.withLock({ run.isBefore(stops) }) { endStoppedRun(because: .interruption) }
    }

    /// The queue has played sound, and runs.
    private var isHeard: Bool {
        var running: UInt32 = 0
        var size: UInt32 = 4
        return AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size) == 0 && running != 0
    }

    /// Ends the run if the sound has ended, or if the session does not let the queue run. `stop`: nil if it is not known.
    private func endStoppedRun(because stop: SessionStop? = nil) {
        let number = state.withLock { run.number }
        guard !isHeard else { return }
        var time = AudioTimeStamp()
        // The time of a queue that the session has paused is known, and that of a stopped one is not.
        let isStopped = AudioQueueGetCurrentTime(queue, nil, &time, nil) != 0
        let stop = stop ?? ProcessEngine.stop(isInput: false)
        let end = state.withLock { () -> End? in
            if isStopped, hasEnded {
                guard run.end(number) else { return nil }
                (isPrepared, position) = (false, 0)
                return .finished(successfully: !hasFailed)
            }
            // Without a reason this is the stop before the present start.
            guard let stop, run.end(number) else { return nil }
            return stop == .interruption ? .interrupted : nil
        }
        if let end { ended?(end) }
    }
}

/// The reference of the callbacks of a queue, which exists before the object.
final class CallbackSlot<Object: AnyObject>: @unchecked Sendable {
    private let pointer = UnsafeMutablePointer<Unmanaged<Object>?>.allocate(capacity: 1)

    init() { pointer.initialize(to: nil) }
    deinit { pointer.deallocate() }

    var reference: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }
    func set(_ object: Object) { pointer.pointee = Unmanaged.passUnretained(object) }

    /// The owner of the queue lives until its callbacks have ended.
    static func object(_ reference: UnsafeMutableRawPointer?) -> Object? {
        reference?.assumingMemoryBound(to: Unmanaged<Object>?.self).pointee?.takeUnretainedValue()
    }
}
