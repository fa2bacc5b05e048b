// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
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
    /// The parameters of a unit that changes the speed.
    let speed: SpeedControls?
    /// What is scheduled on a player.
    let player: SoundPlayer?
    /// The thread that renders now, or 0. Only this thread uses the paths of the plan and `cycle`. A former stream may still
    /// run its last callback after a new stream has started: only one of the two renders at a time.
    let renderer = Atomic<UInt64>(0)
    let failures = RenderFailures()
    /// `AudioUnitReset` was called: the next render discards the sound in the unit.
    let wantsReset = Atomic<Bool>(false)
    /// Incremented before and after a graph changes the sources of this unit: odd in between.
    let sourceChanges = Atomic<UInt32>(0)
    /// The program renders with a generic output offline: players wait for frames of files. A number of the state, without its lock.
    let rendersOffline = Atomic<Bool>(true)
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
        speed = kind.changesSpeed ? SpeedControls(kind) : nil
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
                unused = plans.publish(try next.plan(kind, context.echo, mixer, speed, after: plans.value))
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
