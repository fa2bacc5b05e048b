// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CAudioStreams
import LinuxSystem
import Synchronization

extension Queue {
    /// Starts or continues. No effect while the queue runs, except that it cancels a stop that waits for the last buffer. A paused
    /// queue continues such a stop.
    public func start(at time: StartTime = .now) throws(QueueStatus) {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            let former = voice.currentRequest
            if state.run == .stopped {
                voice.rewind(to: voice.cursor, at: time)
                lastHeard = 0
                defaultTimeline.seen = voice.gaps.load(ordering: .relaxed)
            } else if state.run == .paused, voice.isWaiting.load(ordering: .relaxed) || !stream.has(voice) {
                // One that waits for a former time is silent. One that fades out is still rendered, and cannot wait for a time.
                stream.withoutRendering(voice) { voice.scheduled = time }
            }
            if state.startsToStop, recording == nil {
                request(.drain)
            } else if state.run != .running || state.isStopping {
                request(.play)
            }
            do throws(QueueStatus) {
                try stream.activate(voice, self)
            } catch {
                voice.request.store(former.rawValue, ordering: .releasing)
                throw error
            }
            if state.run == .stopped {
                starts &+= 1
                lateCalls = 0
            }
            try state.start()
            show()
        }
    }

    /// Fades out. The queue keeps its buffers and its position.
    public func pause() throws(QueueStatus) {
        try lock.withLock { () throws(QueueStatus) in
            let wasRunning = state.run == .running
            try state.pause()
            if wasRunning { request(.pause) }
            // A suspended voice has nothing to fade out.
            if !stream.has(voice) { stream.deactivate(voice) }
            show()
        }
    }

    /// Immediately: all buffers are returned to the program before this returns. Otherwise: when all are played or recorded, which
    /// the buffers of a queue that does not run are after its next start.
    public func stop(immediately: Bool) throws(QueueStatus) {
        guard !immediately else { return try handBack { stopNow() } }
        try lock.withLock { () throws(QueueStatus) in
            switch try state.stopWhenFinished() {
            case .afterNextStart: return
            case .afterBuffers where stream.has(voice) && recording?.hasBuffers ?? true:
                // The voice of a queue that encodes records until the packets have filled the buffers.
                if recording == nil { request(.drain) }
                return show()
            case .afterBuffers, .now:
                // Nothing is played: enqueued buffers are returned on the queue's thread or run loop.
                stopNow()
                signalDelivery()
            }
        }
    }

    /// Returns all buffers to the program before this returns. A running queue continues to run.
    public func reset() throws(QueueStatus) {
        try handBack {
            stream.withoutRendering(voice) {
                collectAll()
                voice.gaps.wrappingAdd(1, ordering: .relaxed)
                enqueuedFrames = state.run == .stopped ? 0 : UInt64(max(voice.position, 0))
            }
        }
    }

    /// The number of frames that are ready; `limit` 0: all. Enqueuing has decoded packets already, up to a second of sound.
    public func prime(_ limit: UInt32) throws(QueueStatus) -> UInt32 {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            guard !isInput else { throw .invalidQueueType }
            collect()
            let frames = UInt32(clamping: chain.pendingFrames)
            return limit == 0 ? frames : min(frames, limit)
        }
    }

    /// Encodes all recorded frames, also those of an incomplete packet, and returns them to the program. No effect on other
    /// queues: decoders store no frames, and the frames of the rate conversion are always played after the last buffer.
    public func flush() throws(QueueStatus) {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            if let recording { flushRecorded(recording) }
        }
    }

    // MARK: Under the lock

    func stopNow() {
        stream.deactivate(voice)
        finishStop()
    }

    /// The voice has left the stream.
    func finishStop() {
        collectAll()
        state.stop()
        enqueuedFrames = 0
        show()
    }

    /// Makes a change that returns buffers, and calls the program with them on this thread. A callback that runs on another thread
    /// returns before the change: a buffer that it enqueues is returned as well.
    private func handBack(_ change: () -> Void) throws(QueueStatus) {
        let count = try lock.withLock { () throws(QueueStatus) -> Int? in
            try state.checkUsable()
            guard turn.enter(lock, while: { state.isUsable }) else { return nil }
            state.beginHandBack()
            change()
            return state.workCount
        }
        // The queue was disposed of during the wait.
        guard let count else { return }
        call(count)
        lock.withLock {
            state.endHandBack()
            turn.leave(lock)
            signalDelivery()
        }
    }
}
