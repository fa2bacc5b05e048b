// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import EngineClient
import LinuxSystem

// From `initialize` to `uninitialize` a unit has a stream of the engine, a plan and a slot on the status page.
extension Unit {
    /// Checks the formats and allocates the memory for rendering. No effect on an initialized unit.
    public func initialize() throws(UnitError) {
        let (isInitialized, directions, number) = lock.withLock {
            state.lastStream &+= 1
            return (state.isInitialized, state.directions, state.lastStream)
        }
        guard !isInitialized else { return }
        let stream = kind.isIO ? try makeStream(directions, number) : nil
        let statusSlot = context.engine?.makeStatusSlot()
        if let statusSlot { stream?.count(in: statusSlot) }
        stream?.setDucksOthers(read { $0.ducksOthers(kind) })
        let hardware = stream?.format
        let seconds = context.engine?.preferredSlice ?? 0
        do throws(UnitError) {
            try change { (state: inout UnitState) throws(UnitError) in
                guard !state.isInitialized else { throw .initialized }
                // Another thread has enabled a direction meanwhile.
                guard !kind.isIO || state.directions == directions else { throw .failedInitialization }
                state.isInitialized = true
                (state.stream, state.streamNumber) = (stream, number)
                state.statusSlot = statusSlot
                state.hardware = hardware
                state.sliceSeconds = state.sliceSeconds(preferred: seconds)
            }
        } catch {
            stream?.destroy()
            // Another thread has initialized the unit meanwhile.
            if error == .initialized { return }
            throw error
        }
        if kind.isIO { publishSlice(read { $0.sliceSeconds }) }
        preparePlayer()
        show()
    }

    private func makeStream(_ directions: StreamDirections, _ number: UInt64) throws(UnitError) -> any EngineStream {
        guard let engine = context.engine, !directions.isEmpty else { throw .failedInitialization }
        switch engine.makeStream(for: StreamConnection(self, number), directions) {
        case .stream(let stream): return stream
        case .refused(let status):
            Log.debug("AudioUnitInitialize: the engine cannot create a stream: result \(status)")
            throw .failedInitialization
        }
    }

    /// Publishes the duration of the unit's slices. If another thread has disposed of the unit meanwhile, the duration is
    /// removed.
    func publishSlice(_ seconds: Double) {
        context.slices.set(ObjectIdentifier(self), .unit, seconds: seconds)
        if read({ $0.isDisposed }) { context.slices.remove(ObjectIdentifier(self)) }
    }

    /// Stops the unit, and frees the memory for rendering. No callback runs after the return. If a callback of the unit makes
    /// this call, it returns at once.
    public func uninitialize() { end(isDisposing: false) }

    private func end(isDisposing: Bool) {
        var unused: [RenderPlan] = []
        let wasRunning = isRunning
        let (stream, statusSlot) = lock.withLock {
            let (stream, statusSlot) = (state.stream, state.statusSlot)
            if isDisposing { state.isDisposed = true }
            // Another thread that stops the unit waits for the callback of this stream as well.
            if let stream { state.endingStreams.append(stream) }
            state.stream = nil
            state.statusSlot = nil
            state.isInitialized = false
            state.isStarted = false
            state.hardware = nil
            unused = plans.publish(nil)
            return (stream, statusSlot)
        }
        unused.removeAll()
        player?.end(isRendering: context.isRendering)
        // The stream writes its counters into the slot.
        withExtendedLifetime(statusSlot) { stream?.destroy() }
        waitForEndingStreams()
        if wasRunning { postRunning() }
    }

    /// Returns when no callback of a former stream runs any more. If a callback of the unit makes this call, it returns at
    /// once.
    func waitForEndingStreams() {
        let ending = read { $0.endingStreams }
        guard !ending.isEmpty, !isRendering else { return }
        for stream in ending { stream.stop() }
        lock.withLock { state.endingStreams.removeAll { stream in ending.contains { $0 === stream } } }
    }

    /// Stops the unit and frees it. False when another thread does so. If a callback of the unit makes this call, it does not
    /// wait for a property listener, because the listener can wait for the callback.
    public func dispose() -> Bool {
        guard context.table.remove(handle) != nil else { return false }
        context.notifier.remove(nil, of: handle, waits: !isRendering)
        end(isDisposing: true)
        context.slices.remove(ObjectIdentifier(self))
        player?.dispose()
        lock.withLock {
            // This breaks reference cycles between connected units, and between the unit and its streams.
            state.removeSources()
            state.endingStreams = []
        }
        return true
    }
}
