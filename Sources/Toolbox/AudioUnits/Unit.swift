// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox
import CLinux
import EngineClient
import LinuxSystem
import Synchronization

/// An audio unit.
///
/// Program threads change the state under a lock, and publish a plan for the audio thread. The audio thread takes no lock. No
/// lock is held during a call of a callback or of the engine.
public final class Unit: @unchecked Sendable {
    public let kind: UnitKind
    /// The most units of a process.
    static let capacity = 1024
    /// The pointer of units that are not in the table yet. The table never creates this pointer.
    nonisolated(unsafe) private static let none = OpaquePointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    /// The pointer that identifies the unit in the program. The table creates it.
    public private(set) var handle = Unit.none
    let context: UnitContext
    /// The number of its graph; 0 without one.
    let graph: UInt32
    let lock = Lock()
    var state: UnitState
    let plans = RealtimeCell<RenderPlan>()
    /// The volume of an I/O unit.
    let gain: OutputVolume?
    /// The parameters and meters of a mixer.
    let mixer: MixerControls?
    /// What is scheduled on a player.
    let player: SoundPlayer?
    /// The thread that renders now, or 0. Only this thread uses the paths of the plan and `cycle`. A former stream may still
    /// run its last callback after a new stream has started: only one of the two renders at a time.
    let renderer = Atomic<UInt64>(0)
    /// The error of the last render that failed, until it is read.
    let lastError = Atomic<Int32>(0)
    /// The renders that have failed since the start.
    private let failures = Atomic<UInt32>(0)
    /// `AudioUnitReset` was called: the next render discards the sound in the unit.
    let wantsReset = Atomic<Bool>(false)
    /// Incremented before and after a graph changes the sources of this unit: odd in between.
    let sourceChanges = Atomic<UInt32>(0)
    /// The next cycle is the first one on these devices.
    let isReconfigured = Atomic<Bool>(false)
    /// The next cycle begins with the sample time 0.
    let startsAgain = Atomic<Bool>(false)
    /// Only the thread in `renderer` uses it.
    var cycle = CycleState()

    private init(_ kind: UnitKind, _ context: UnitContext, _ graph: UInt32, _ state: UnitState) {
        self.kind = kind
        self.context = context
        self.graph = graph
        self.state = state
        mixer = kind == .mixer ? MixerControls(inputs: state.inputs.count) : nil
        gain = kind.isIO ? OutputVolume() : nil
        player = kind.isPlayer ? SoundPlayer(context.players, context.files) : nil
    }

    /// Creates a unit. `dispose` frees it.
    public static func make(_ kind: UnitKind, in context: UnitContext, graph: UInt32 = 0) throws(UnitError) -> Unit {
        guard let state = UnitState(kind) else { throw .memoryFull }
        let unit = Unit(kind, context, graph, state)
        guard let handle = context.table.insert(unit) else { throw .tooManyInstances }
        unit.handle = handle
        if kind.isIO {
            context.slices.set(
                ObjectIdentifier(unit), .unit, seconds: state.sliceSeconds(preferred: context.engine?.preferredSlice ?? 0))
        }
        return unit
    }

    // MARK: State

    /// Changes the state. If the unit is initialized, publishes a plan for the new state. After an error the state is unchanged.
    func change(_ body: (inout UnitState) throws(UnitError) -> Void) throws(UnitError) {
        var unused: [RenderPlan] = []
        try lock.withLock { () throws(UnitError) in
            // Another thread has disposed of the unit meanwhile.
            guard !state.isDisposed else { throw .parameter }
            var next = state
            try body(&next)
            if next.isInitialized {
                unused = plans.publish(try next.plan(kind, context.echo, mixer, after: plans.value))
            }
            state = next
        }
        // The plans are freed here, after the lock is released.
        unused.removeAll()
        show()
    }

    func read<Result>(_ body: (UnitState) -> Result) -> Result { lock.withLock { body(state) } }

    func post(_ property: UnitProperty, _ scopeElement: ScopeElement = ScopeElement(.global)) {
        context.notifier.post(property, scopeElement, of: handle)
    }

    func postRunning() {
        show()
        post(.isRunning)
    }

    // MARK: Life

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
    private func publishSlice(_ seconds: Double) {
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
    private func waitForEndingStreams() {
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

    // MARK: Running

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
                failures.store(0, ordering: .relaxed)
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
        stream.map(logSlowCallbacks)
    }

    func noteFailure(_ status: Int32) {
        lastError.store(status, ordering: .relaxed)
        failures.wrappingAdd(1, ordering: .relaxed)
    }

    /// The renders that have failed since the start, and the last result that the program has not read.
    public var failedRenders: (count: UInt32, status: Int32) {
        (failures.load(ordering: .relaxed), lastError.load(ordering: .relaxed))
    }

    /// Called after the run, because the audio thread writes no log.
    private func logSlowCallbacks(_ stream: any EngineStream) {
        guard Log.isEnabled else { return }
        let counters = stream.counters
        guard counters.slice_ns > 0, counters.longest_render_ns > counters.slice_ns else { return }
        Log.debug(
            "AudioOutputUnitStop: a callback took \(counters.longest_render_ns / 1000) microseconds, and a slice has"
                + " \(counters.slice_ns / 1000): the callback does too much")
    }

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

    // MARK: Render notifications

    public func addRenderNotify(_ callback: RenderCallback) throws(UnitError) {
        try change { (state: inout UnitState) throws(UnitError) in state.notifies.append(callback) }
    }

    /// Removes one equal callback. A callback that is not registered is no error.
    public func removeRenderNotify(_ callback: RenderCallback) throws(UnitError) {
        try change { (state: inout UnitState) throws(UnitError) in
            if let index = state.notifies.firstIndex(of: callback) { state.notifies.remove(at: index) }
        }
    }
}

extension UnitState {
    var directions: StreamDirections {
        (isOutputEnabled ? StreamDirections.output : []).union(isInputEnabled ? .input : [])
    }
}
