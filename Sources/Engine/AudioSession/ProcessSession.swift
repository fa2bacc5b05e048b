// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry
import Synchronization

/// A session of this process: its settings, the state that results from the registry and the hardware, and its
/// subscriptions. Any thread may call any function.
public final class ProcessSession: @unchecked Sendable {
    let registry: any SessionRegistry
    let hardware: any AudioHardware
    public let slot: TableSlot

    /// Serializes changes of the session, including their calls of the registry and the hardware. Reading a property
    /// and delivering events never wait for it.
    let changeLock = Lock()
    /// Guarded by `changeLock`.
    let gains: GainKeeper
    /// The bits of the length of the program's slices in seconds, a float; 0: the program has none.
    private let ioSlice = Atomic<UInt32>(0)
    /// The sample rate of the last event; nil until an event for it is requested. Guarded by `changeLock`.
    var announcedSampleRate: Double?
    /// The settings of this session that the registry is known to have. Guarded by `changeLock`.
    var registeredSettings: SessionSettings?
    /// The headset whose profile this session needs, by `Port.profileHash`. Guarded by `changeLock`.
    var headsetInUse: UInt64?
    /// Guarded by `changeLock`.
    var undeliveredEventsWarning = UndeliveredEventsWarning()

    /// Guards the following members. Held for a few instructions.
    let lock = Lock()
    /// Written only with `changeLock` held: its holder reads it without the lock.
    var state = SessionState()
    private var subscriptions: [EventSubscription] = []

    /// The values of published properties, for threads that must not wait. There are none until the hardware is known.
    public let published = PublishedValues()

    /// The state has a snapshot of the hardware. Written with `changeLock` held.
    let isHardwareKnown = Atomic<Bool>(false)

    private(set) var monitor: (any SessionMonitor)?

    /// Everything that can fail is done before the object exists: Embedded Swift (6.3.1) never frees an object whose
    /// initializer fails.
    ///
    /// The monitor serves the session from the moment it receives the session. Without the argument, the session creates a
    /// monitor for itself.
    public convenience init(
        name: String, registry: any SessionRegistry, hardware: any AudioHardware, monitor: (any SessionMonitor)? = nil
    ) throws(ResultCode) {
        let slot = try registry.enter(name: SessionName(name), settings: SessionSettings())
        // The registry has just read the table. A later change is an event for the monitor.
        self.init(in: slot, SessionSettings(), registry.lastView(of: slot), of: registry, hardware, monitor)
    }

    /// Takes over a session of this process that is in the registry already, with its settings and its state.
    public convenience init(
        adopting slot: TableSlot, _ settings: SessionSettings, registry: any SessionRegistry, hardware: any AudioHardware,
        monitor: any SessionMonitor
    ) {
        self.init(in: slot, settings, registry.view(of: slot), of: registry, hardware, monitor)
    }

    private init(
        in slot: TableSlot, _ settings: SessionSettings, _ view: SessionView, of registry: any SessionRegistry,
        _ hardware: any AudioHardware, _ monitor: (any SessionMonitor)?
    ) {
        self.slot = slot
        self.registry = registry
        self.hardware = hardware
        gains = GainKeeper(slot, registry, hardware)
        state.settings = settings
        state.isActive = view.isActive
        state.isSilent = view.isSilent
        registeredSettings = view.settings
        gains.waiting = view.gainsToRestore
        if let snapshot = hardware.knownSnapshot { applyFirst(snapshot) }
        if let monitor {
            self.monitor = monitor
        } else {
            let own = OwnMonitor(of: self)
            self.monitor = own
            own.start()
        }
    }

    /// Leaves the registry and stops the monitor. The session must not be used afterwards.
    public func end() {
        monitor?.stop()
        monitor = nil
        registry.leave(slot)
    }

    // MARK: Subscriptions

    /// `eventsArePending` is called on any thread, under no lock, when events are pending for the new subscription.
    /// `eventsAreUndelivered` is called once, if the log is on and the program does not fetch them.
    public func join(
        receivingEverything: Bool = false, eventsAreUndelivered: (@Sendable () -> Void)? = nil,
        eventsArePending: @escaping @Sendable () -> Void
    ) -> EventSubscription {
        let subscription = EventSubscription(
            receivingEverything: receivingEverything, eventsArePending: eventsArePending,
            eventsAreUndelivered: eventsAreUndelivered)
        // This comes first: the new subscription receives changes only, not the present state.
        if receivingEverything { requestSecondaryAudioHint() }
        lock.withLock { subscriptions.append(subscription) }
        return subscription
    }

    /// The subscription receives no more events.
    public func leave(_ subscription: EventSubscription) {
        lock.withLock { subscriptions = subscriptions.filter { $0 !== subscription } }
    }

    var currentSubscriptions: [EventSubscription] { lock.withLock { subscriptions } }

    /// The program has activated the session: pending begins and ends are obsolete.
    func dropInterruptions() {
        for subscription in currentSubscriptions { subscription.dropInterruptions() }
    }

    // MARK: Reading

    /// The state as far as it is known, without a call of the registry or the hardware, after the first snapshot.
    public var known: SessionState {
        awaitHardware()
        return lock.withLock { state }
    }

    /// The state at this moment.
    public var current: SessionState { current(for: nil) }

    /// The part of the state that one property needs; nil for all of it.
    private func current(for wanted: SessionProperty?) -> SessionState {
        awaitHardware()
        var (now, all) = lock.withLock { (state, subscriptions) }
        if asks(.interruptionType, in: wanted) {
            let thread = currentThread()
            for subscription in all { now.endingInterruption = subscription.endingType(on: thread) ?? now.endingInterruption }
        }
        // Computed at each get: the system sends no event when it changes.
        if asks(.otherAudioIsPlaying, in: wanted) {
            now.otherAudioIsPlaying = registry.othersArePlaying() || hardware.isOtherProcessPlaying(on: now.route.outputs)
        }
        if asks(.currentHardwareSampleRate, in: wanted) || asks(.currentHardwareIOBufferDuration, in: wanted),
            let port = now.leadingPort
        {
            now.format = hardware.format(
                of: port, sampleRate: now.settings.preferredSampleRate,
                bufferDuration: Float(now.settings.preferredBufferDuration))
        }
        let slice = Float(bitPattern: ioSlice.load(ordering: .acquiring))
        now.ioSlice = slice > 0 ? slice : nil
        return now
    }

    /// The length of the slices of I/O units and queues; 0: the period of the device applies.
    public func setIOSlice(_ seconds: Float) {
        ioSlice.store(seconds.bitPattern, ordering: .releasing)
    }

    private func asks(_ property: SessionProperty, in wanted: SessionProperty?) -> Bool { wanted == nil || wanted == property }

    public func value(of property: SessionProperty) throws(ResultCode) -> PropertyValue {
        let row = property.row
        guard row.access.contains(.get) else { throw .unsupportedProperty }
        return try row.get(current(for: property))
    }

    /// Whether another session that does not mix plays now. Waits for the change lock.
    public var primaryAudioPlays: Bool {
        changeLock.withLock {
            applyRegistry()
            return state.primaryAudioPlays
        }
    }

    /// A phone call is active. It has priority over every session.
    public var isCallOngoing: Bool { registry.table().call != nil }
    /// The name of the active call.
    public var caller: String? { registry.table().call?.name.text }

    /// Whether this process may open an input; also true without an input.
    public var mayRecord: Bool { hardware.mayRecord }

    /// From now on subscriptions receive changes of the sample rate with the route or the preference.
    public func announceSampleRate() {
        awaitHardware()
        changeLock.withLock { if announcedSampleRate == nil { announcedSampleRate = currentSampleRate } }
    }

    /// 0 without any device.
    var currentSampleRate: Double { current(for: .currentHardwareSampleRate).format?.sampleRate ?? 0 }
}
