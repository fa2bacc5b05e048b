import LinuxSystem
public import SessionModel

// How listeners are told, on the thread that asks for it and under no lock.
extension Session {
    public func setInterruptionListener(_ listener: InterruptionListener?) {
        lock.withLock { interruptionListener = listener }
    }

    public func addListener(
        _ listener: @escaping PropertyListener, as identity: ListenerIdentity, to property: Property
    ) throws(ResultCode) {
        guard property.row.access.contains(.listen) else { throw .unsupportedProperty }
        lock.withLock { listeners.add(listener, as: identity, to: property, after: queue.latestNumber) }
    }

    public func removeListeners(from property: Property) {
        lock.withLock { listeners.remove(from: property) }
    }

    public func removeListener(_ identity: ListenerIdentity, from property: Property) {
        lock.withLock { listeners.remove(identity, from: property) }
    }

    public var hasWaitingEvents: Bool { lock.withLock { !queue.isEmpty } }

    /// Tells what waits. What a listener causes waits for the next time, so that two listeners that
    /// answer each other leave the program's run loop its turn. True when something still waits.
    public func deliverEvents() -> Bool {
        let last = lock.withLock { queue.latestNumber }
        while let waiting = lock.withLock({ queue.take(upTo: last) }) {
            switch waiting.event {
            case .interruption(let interruption): tell(interruption)
            case .routeChange: tell(waiting, of: .audioRouteChange)
            case .propertyChange(let property, _): tell(waiting, of: property)
            }
        }
        return hasWaitingEvents
    }

    private func tell(_ waiting: EventQueue.Waiting, of property: Property) {
        let audience = lock.withLock { listeners.audience(of: property, number: waiting.number) }
        for listener in audience where lock.withLock({ listeners.contains(listener) }) {
            listener.call(property, waiting.event)
        }
    }

    private func tell(_ interruption: Interruption) {
        guard let listener = lock.withLock({ interruptionListener }) else { return }
        guard case .end(let type) = interruption else {
            listener(interruption)
            return
        }
        // The listener may run the run loop, and so be told of another end inside this one.
        let thread = currentThread()
        let outer = lock.withLock {
            let outer = endBeingTold
            endBeingTold = (thread, type)
            return outer
        }
        listener(interruption)
        lock.withLock { endBeingTold = outer }
    }
}
