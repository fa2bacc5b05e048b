// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CLinux
import LinuxSystem

/// The property listeners of all units, and the thread that calls them. No lock is held during a call.
public final class Notifier: @unchecked Sendable {
    public struct Listener: Equatable, @unchecked Sendable {
        public let property: UInt32
        public let procedure: AudioUnitPropertyListenerProc
        public let data: UnsafeMutableRawPointer?

        public init(_ property: UInt32, _ procedure: @escaping AudioUnitPropertyListenerProc, _ data: UnsafeMutableRawPointer?) {
            self.property = property
            self.procedure = procedure
            self.data = data
        }

        public static func == (left: Listener, right: Listener) -> Bool {
            left.property == right.property && left.data == right.data
                && functionAddress(left.procedure) == functionAddress(right.procedure)
        }
    }

    private struct Registration {
        let unit: UInt
        let listener: Listener
        let number: UInt64
    }

    private struct Event {
        let registration: Registration
        let scopeElement: ScopeElement
    }

    private let lock = ConditionLock()
    private var registrations: [Registration] = []
    private var events: [Event] = []
    private var nextNumber: UInt64 = 0
    private var thread: UnsafeMutableRawPointer?
    /// The number of the registration that is being called, and the thread that calls the listeners.
    private var current: UInt64?
    private var ownThread: UInt64 = 0

    public init() {}

    /// False when the system has no thread left, or no memory for the lock of the pending events.
    func add(_ listener: Listener, of unit: OpaquePointer) -> Bool {
        guard lock.isValid else { return false }
        return lock.withLock {
            if thread == nil {
                thread = linux_thread_start(
                    { if let notifier = $0 { Unmanaged<Notifier>.fromOpaque(notifier).takeUnretainedValue().run() } },
                    Unmanaged.passRetained(self).toOpaque(), "audiounit-notes")
                guard thread != nil else {
                    Unmanaged.passUnretained(self).release()
                    return false
                }
            }
            nextNumber &+= 1
            registrations.append(Registration(unit: UInt(bitPattern: unit), listener: listener, number: nextNumber))
            return true
        }
    }

    /// Removes the listener, or all listeners of the unit. None of them is called after the return, except for a call that the
    /// caller is in. If `waits` is false, a running call may end after the return.
    func remove(_ listener: Listener?, of unit: OpaquePointer, waits: Bool = true) {
        let unit = UInt(bitPattern: unit)
        lock.withLock {
            let gone = registrations.filter { $0.unit == unit && (listener == nil || $0.listener == listener) }
                .map { $0.number }
            registrations.removeAll { gone.contains($0.number) }
            events.removeAll { gone.contains($0.registration.number) }
            guard waits, ownThread != linux_thread_self() else { return }
            while let current, gone.contains(current) { _ = lock.wait(until: UInt64.max) }
        }
    }

    /// Requests calls of the listeners of a property.
    func post(_ property: UnitProperty, _ scopeElement: ScopeElement, of unit: OpaquePointer) {
        let unit = UInt(bitPattern: unit)
        lock.withLock {
            var isNew = false
            for registration in registrations
            where registration.unit == unit && registration.listener.property == property.rawValue {
                events.append(Event(registration: registration, scopeElement: scopeElement))
                isNew = true
            }
            if isNew { lock.broadcast() }
        }
    }

    private func run() {
        lock.withLock { ownThread = linux_thread_self() }
        while let event = next() {
            event.registration.listener.procedure(
                event.registration.listener.data, OpaquePointer(bitPattern: event.registration.unit),
                event.registration.listener.property, event.scopeElement.scope.rawValue, event.scopeElement.element)
            lock.withLock {
                current = nil
                lock.broadcast()
            }
        }
    }

    private func next() -> Event? {
        lock.withLock {
            while events.isEmpty { _ = lock.wait(until: UInt64.max) }
            let event = events.removeFirst()
            current = event.registration.number
            return event
        }
    }
}
