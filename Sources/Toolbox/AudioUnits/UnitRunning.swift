// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import EngineClient
import LinuxSystem
import Synchronization

// Output units start and stop slices. The stream decides whether it runs: an interruption stops it.
extension Unit {
    /// An I/O unit that plays has neither a callback nor a connection.
    public var isWithoutSource: Bool {
        guard kind.isIO else { return false }
        return read { state in if case .none = state.inputs[0].source { state.isOutputEnabled } else { false } }
    }

    public var isRunning: Bool {
        let (stream, isStarted) = read { ($0.stream, $0.isStarted) }
        return stream?.isRunning ?? isStarted
    }

    /// Returns 0, an error of units, or the result code of the session that refuses. No effect on a running unit.
    public func start() -> Int32 {
        guard kind.isOutput else { return UnitError.parameter.rawValue }
        let preferred = context.engine?.preferredSlice ?? 0
        let wasRunning = isRunning
        let prepared: (stream: (any EngineStream)?, seconds: Double, rate: Double)? = lock.withLock {
            guard state.isInitialized else { return nil }
            if !wasRunning {
                state.starts &+= 1
                failures.beginRun()
            }
            guard let stream = state.stream else {
                state.isStarted = true
                return (nil, 0, 0)
            }
            if !wasRunning {
                state.sliceSeconds = state.sliceSeconds(preferred: preferred)
            }
            return (stream, state.sliceSeconds, state.sliceRate)
        }
        guard let (stream, seconds, rate) = prepared else { return UnitError.uninitialized.rawValue }
        guard let stream else {
            if !wasRunning { postRunning() }
            return 0
        }
        publishSlice(seconds)
        let status = stream.start(frames: (seconds * rate).rounded(), rate: rate)
        guard status == 0 else {
            // Another thread has ended the stream meanwhile.
            guard read({ $0.stream === stream }) else { return UnitError.uninitialized.rawValue }
            return status < 0 ? UnitError.failedInitialization.rawValue : status
        }
        if !wasRunning { postRunning() }
        return 0
    }

    /// No callback runs after the return. A call in a callback of the unit returns at once.
    public func stop() throws(UnitError) {
        guard kind.isOutput else { throw .parameter }
        let wasRunning = isRunning
        let stream = lock.withLock {
            state.isStarted = false
            return state.stream
        }
        stream?.stop()
        waitForEndingStreams()
        if wasRunning { postRunning() }
        if let counters = stream?.counters { logRun(counters) }
    }

    /// The renders that have failed since the start, and the last result that the program has not read.
    public var failedRenders: (count: UInt32, status: Int32) { (failures.count, failures.lastStatus) }

    /// Called after the run, because the audio thread writes no log.
    private func logRun(_ counters: pull_counters) {
        counters.logLateness("AudioOutputUnitStop")
        guard counters.slice_ns > 0, counters.longest_render_ns > counters.slice_ns else { return }
        Log.debug(
            "AudioOutputUnitStop: a callback took \(counters.longest_render_ns / 1000) microseconds, and a slice has"
                + " \(counters.slice_ns / 1000): the callback does too much")
    }

    // MARK: Reset

    /// Discards the sound in the unit. The scope and the element must exist, and do not change the effect.
    public func reset(_ scope: UInt32, _ element: UInt32) throws(UnitError) {
        guard let scope = Scope(rawValue: scope) else { throw .invalidScope }
        let elements = kind.isIO ? 2 : read { kind.elements(of: scope, inputs: $0.inputs.count) }
        guard element < elements else { throw .invalidElement }
        reset()
    }

    public func reset() {
        wantsReset.store(true, ordering: .releasing)
        player?.reset(isRendering: context.isRendering)
    }
}
