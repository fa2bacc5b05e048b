public import AudioHardware
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry

/// A session of this process: what the program asked of it, what the registry and the hardware
/// make of that, and what its listeners are to be told. Any thread may call any of this.
public final class Session: @unchecked Sendable {
    let registry: any SessionRegistry
    let hardware: any AudioHardware
    let slot: Slot

    /// Held by whoever changes the session, also while the registry and the hardware are asked.
    /// Reading properties and delivering events never waits for it.
    let turn = Lock()
    /// Input gains that wait for a session that has the input. Guarded by `turn`.
    var gainsToReturn = FoundGains()

    /// Guards what follows, for a few instructions at a time.
    let lock = Lock()
    /// Written only by the holder of `turn`, who may therefore read it without the lock.
    var state = SessionState()
    var queue = EventQueue()
    var listeners = ListenerTable()
    var interruptionListener: InterruptionListener?
    /// Where and as what an end of an interruption is being told at this moment.
    var endBeingTold: (thread: UInt64, type: InterruptionType)?

    /// What a scalar property reads, for threads that must not wait.
    public let published = PublishedValues()

    /// Called on any thread, without a lock, when events have begun to wait.
    let eventsWait: @Sendable () -> Void
    private var monitor: Monitor?

    public init(
        name: String, registry: any SessionRegistry, hardware: any AudioHardware, eventsWait: @escaping @Sendable () -> Void
    ) throws(ResultCode) {
        self.registry = registry
        self.hardware = hardware
        self.eventsWait = eventsWait
        slot = try registry.enter(name: SessionName(name), policy: SessionPolicy(SessionSettings()))
        state.hardware = hardware.snapshot()
        let view = registry.look(slot)
        state.isSilent = view.isSilent
        published.store(state)
        // Those whose last user died while nobody was there to notice.
        gainsToReturn = view.gainsToReturn
        returnGains()
        let monitor = Monitor(of: self)
        self.monitor = monitor
        monitor.start()
    }

    /// Leaves the registry and stops listening to the world. The session is of no use afterwards.
    public func end() {
        monitor?.stop()
        monitor = nil
        registry.leave(slot)
    }

    // MARK: Reading

    /// Everything at this moment.
    public var current: SessionState { current(for: nil) }

    /// As far as one property needs it.
    private func current(for wanted: Property?) -> SessionState {
        let thread = currentThread()
        var now = lock.withLock {
            var copy = state
            if let endBeingTold, endBeingTold.thread == thread { copy.endingInterruption = endBeingTold.type }
            return copy
        }
        // What runs elsewhere is asked for, not remembered: nobody tells when it changes.
        if asks(.otherAudioIsPlaying, in: wanted) {
            now.otherAudioIsPlaying = registry.othersArePlaying() || hardware.isOtherProcessPlaying()
        }
        if asks(.currentHardwareSampleRate, in: wanted) || asks(.currentHardwareIOBufferDuration, in: wanted),
            let port = now.leadingPort
        {
            now.format = hardware.format(
                of: port, sampleRate: now.settings.preferredSampleRate, bufferDuration: now.settings.preferredBufferDuration)
        }
        return now
    }

    private func asks(_ property: Property, in wanted: Property?) -> Bool { wanted == nil || wanted == property }

    public func value(of property: Property) throws(ResultCode) -> PropertyValue {
        let row = property.row
        guard row.access.contains(.get) else { throw .unsupportedProperty }
        return try row.get(current(for: property))
    }
}
