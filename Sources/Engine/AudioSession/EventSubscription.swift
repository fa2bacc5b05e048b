// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
public import SessionModel

/// The listeners of one API of the session, and the pending events. The listeners are called one after another, on the thread
/// that calls `deliverEvents`. A session has any number of subscriptions, which never wait for each other. Any thread
/// may call any function.
public final class EventSubscription: @unchecked Sendable {
    private let lock = Lock()
    private var queue = EventQueue()
    private var listeners = ListenerTable()
    private var interruptionListener: InterruptionListener?
    /// The calls of the interruption listener that run at this moment: each with its thread, a nested call after the outer
    /// one. A begin has no type.
    private var interruptionCalls: [(thread: UInt64, type: InterruptionType?)] = []
    /// An event was fetched since `expectFetching`.
    private var hasFetched = false

    /// Every event is enqueued, also without a listener for it.
    private let receivesEverything: Bool
    /// Called on any thread, without a lock, when an event was enqueued.
    let eventsArePending: @Sendable () -> Void
    /// Called on the monitor's thread, for the log, when the program has not fetched the events.
    private let eventsAreUndelivered: (@Sendable () -> Void)?

    init(
        receivingEverything: Bool, eventsArePending: @escaping @Sendable () -> Void, eventsAreUndelivered: (@Sendable () -> Void)?
    ) {
        receivesEverything = receivingEverything
        self.eventsArePending = eventsArePending
        self.eventsAreUndelivered = eventsAreUndelivered
    }

    // MARK: Listeners

    public func setInterruptionListener(_ listener: InterruptionListener?) {
        lock.withLock { interruptionListener = listener }
    }

    /// `ProcessSession.addListener` calls this after the cards have been explored, so that the listener receives each later change.
    func addListener(
        _ listener: @escaping PropertyListener, as identity: ListenerIdentity, to property: SessionProperty
    ) throws(ResultCode) {
        guard property.row.access.contains(.listen) else { throw .unsupportedProperty }
        lock.withLock { listeners.add(listener, as: identity, to: property, after: queue.latestNumber) }
    }

    public func removeListeners(from property: SessionProperty) {
        lock.withLock { listeners.remove(from: property) }
    }

    public func removeListener(_ identity: ListenerIdentity, from property: SessionProperty) {
        lock.withLock { listeners.remove(identity, from: property) }
    }

    private func hasListener(for event: SessionEvent) -> Bool {
        if receivesEverything { return true }
        return switch event {
        case .interruption: interruptionListener != nil
        case .routeChange: listeners.hasListener(of: .audioRouteChange)
        case .propertyChange(let property, _): listeners.hasListener(of: property)
        case .secondaryAudioHint: false
        }
    }

    // MARK: Pending events

    /// Enqueues the events that have a listener here. True when one was enqueued.
    func post(_ events: [SessionEvent]) -> Bool {
        guard !events.isEmpty else { return false }
        return lock.withLock {
            let before = queue.latestNumber
            for event in events where hasListener(for: event) { queue.post(event) }
            return queue.latestNumber != before
        }
    }

    func dropInterruptions() { lock.withLock { queue.dropInterruptions() } }

    /// The type of the end whose listener runs on this thread.
    func endingType(on thread: UInt64) -> InterruptionType? {
        lock.withLock { interruptionCalls.last { $0.thread == thread }?.type }
    }

    public var hasPendingEvents: Bool { lock.withLock { !queue.isEmpty } }

    /// The begin of an interruption is pending.
    public var hasPendingBegin: Bool { lock.withLock { queue.hasBegin } }

    func expectFetching() { lock.withLock { hasFetched = false } }

    /// True when events were pending and not fetched.
    func warnUnlessFetched() -> Bool {
        guard let eventsAreUndelivered, lock.withLock({ !hasFetched && !queue.isEmpty }) else { return false }
        eventsAreUndelivered()
        return true
    }

    /// The first pending event, for a subscription without listeners.
    public func nextEvent() -> SessionEvent? {
        lock.withLock {
            hasFetched = true
            return queue.popFirst()?.event
        }
    }

    // MARK: Delivery

    /// Calls the listeners of the pending events, under no lock. An event that a listener causes stays pending, so that
    /// two listeners that cause events for each other do not block the program's run loop. True when events are
    /// pending afterwards.
    public func deliverEvents() -> Bool {
        let last = lock.withLock {
            hasFetched = true
            return queue.latestNumber
        }
        while let waiting = lock.withLock({ queue.popFirst(upTo: last) }) {
            switch waiting.event {
            case .interruption(let interruption): invoke(interruption)
            case .routeChange: invoke(waiting, of: .audioRouteChange)
            case .propertyChange(let property, _): invoke(waiting, of: property)
            case .secondaryAudioHint: continue
            }
        }
        return hasPendingEvents
    }

    private func invoke(_ waiting: EventQueue.Waiting, of property: SessionProperty) {
        let entries = lock.withLock { listeners.entries(of: property, number: waiting.number) }
        for listener in entries where lock.withLock({ listeners.contains(listener) }) {
            listener.call(property, waiting.event)
        }
    }

    private func invoke(_ interruption: Interruption) {
        guard let listener = lock.withLock({ interruptionListener }) else { return }
        // The listener may run the run loop. Another call of `deliverEvents` then runs inside this one.
        let thread = currentThread()
        lock.withLock { interruptionCalls.append((thread, interruption.endType)) }
        listener(interruption)
        lock.withLock {
            if let last = interruptionCalls.lastIndex(where: { $0.thread == thread }) { interruptionCalls.remove(at: last) }
        }
    }
}
