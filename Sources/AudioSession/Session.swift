public import AudioHardware
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry
import Synchronization

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
    /// Something of the machine may have to be put back when the process ends.
    let hasChangedGain = Atomic<Bool>(false)
    /// The sample rate as audiences know it; nil while nobody wants to know. Guarded by `turn`.
    var announcedSampleRate: Double?
    /// The settings of this session in the registry, as far as it is known. Guarded by `turn`.
    var registeredSettings: SessionSettings?
    /// The gain that the program set for an input, by the port's mark. Guarded by `turn`.
    var keptGains: [UInt64: Float] = [:]
    /// The input whose kept gain has been applied since the session is active. Guarded by `turn`.
    var portOfGain: Port?
    /// Guarded by `turn`.
    var reminder = Reminder()

    /// Guards what follows, for a few instructions at a time.
    let lock = Lock()
    /// Written only by the holder of `turn`, who may therefore read it without the lock.
    var state = SessionState()
    private var audiences: [Audience] = []

    /// What a scalar property reads, for threads that must not wait.
    public let published = PublishedValues()

    private(set) var monitor: Monitor?

    /// What can fail comes before the object: in Embedded Swift (6.3.1) one of a class that fails before it
    /// is complete is never freed.
    public convenience init(name: String, registry: any SessionRegistry, hardware: any AudioHardware) throws(ResultCode) {
        let slot = try registry.enter(name: SessionName(name), policy: SessionSettings())
        self.init(in: slot, of: registry, hardware)
    }

    private init(in slot: Slot, of registry: any SessionRegistry, _ hardware: any AudioHardware) {
        self.slot = slot
        self.registry = registry
        self.hardware = hardware
        state.hardware = hardware.snapshot()
        let view = registry.look(slot)
        state.isSilent = view.isSilent
        registeredSettings = view.policy
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

    // MARK: Audiences

    /// `eventsWait` is called on any thread, under no lock, when events have begun to wait for the new
    /// audience; `eventsStay` once, if the log is on and nobody has fetched any for a while.
    public func join(
        hearingEverything: Bool = false, eventsStay: (@Sendable () -> Void)? = nil,
        eventsWait: @escaping @Sendable () -> Void
    ) -> Audience {
        let audience = Audience(hearingEverything: hearingEverything, eventsWait: eventsWait, eventsStay: eventsStay)
        // First: what has been so until now is no news to the newcomer.
        if hearingEverything { hearSecondaryAudioHint() }
        lock.withLock { audiences.append(audience) }
        return audience
    }

    /// The audience hears nothing more.
    public func leave(_ audience: Audience) {
        lock.withLock { audiences = audiences.filter { $0 !== audience } }
    }

    var everyAudience: [Audience] { lock.withLock { audiences } }

    /// The program has activated the session itself and so has overtaken what waited.
    func dropInterruptions() {
        for audience in everyAudience { audience.dropInterruptions() }
    }

    // MARK: Reading

    /// What is known without asking anybody.
    public var known: SessionState { lock.withLock { state } }

    /// Everything at this moment.
    public var current: SessionState { current(for: nil) }

    /// As far as one property needs it.
    private func current(for wanted: Property?) -> SessionState {
        var (now, hearers) = lock.withLock { (state, audiences) }
        if asks(.interruptionType, in: wanted) {
            let thread = currentThread()
            for audience in hearers { now.endingInterruption = audience.endBeingTold(on: thread) ?? now.endingInterruption }
        }
        // What runs elsewhere is asked for, not remembered: nobody tells when it changes.
        if asks(.otherAudioIsPlaying, in: wanted) {
            now.otherAudioIsPlaying = registry.othersArePlaying() || hardware.isOtherProcessPlaying()
        }
        if asks(.currentHardwareSampleRate, in: wanted) || asks(.currentHardwareIOBufferDuration, in: wanted),
            let port = now.leadingPort
        {
            now.format = hardware.format(
                of: port, sampleRate: now.settings.preferredSampleRate,
                bufferDuration: Float(now.settings.preferredBufferDuration))
        }
        return now
    }

    private func asks(_ property: Property, in wanted: Property?) -> Bool { wanted == nil || wanted == property }

    public func value(of property: Property) throws(ResultCode) -> PropertyValue {
        let row = property.row
        guard row.access.contains(.get) else { throw .unsupportedProperty }
        return try row.get(current(for: property))
    }

    /// Whether another session plays that does not mix, as of now. Waits for its turn.
    public var primaryAudioPlays: Bool {
        turn.withLock {
            takeInRegistry()
            return state.primaryAudioPlays
        }
    }

    /// A phone call stands above every session.
    public var isCallOngoing: Bool { registry.table().call != nil }
    /// Whose it is.
    public var caller: String? { registry.table().call?.name.text }

    /// Whether this process may open what it would record from; true also where there is nothing.
    public var mayRecord: Bool { hardware.mayRecord }

    /// From now on audiences hear of the sample rate when it changes with the route or the preference.
    public func announceSampleRate() {
        turn.withLock { if announcedSampleRate == nil { announcedSampleRate = currentSampleRate } }
    }

    /// 0 without any device.
    var currentSampleRate: Double { current(for: .currentHardwareSampleRate).format?.sampleRate ?? 0 }
}
