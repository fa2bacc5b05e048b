// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import CLinux
import CoreFoundationTable
import LinuxSystem

/// A listener of `AUListenerCreate` or `AUEventListenerCreate`. A run loop of the program calls it.
final class UnitEventListener: @unchecked Sendable {
    enum Procedure: @unchecked Sendable {
        case parameter(AUParameterListenerProc)
        case event(AUEventListenerProc)
    }

    /// The subject of a listener: an event of a unit, a parameter or a property.
    struct Subject: Equatable, @unchecked Sendable {
        var type: UInt32
        var unit: OpaquePointer?
        var id: UInt32
        var scope: UInt32
        var element: UInt32

        static let anyParameter: UInt32 = 0xFFFF_FFFF

        /// True also if this subject is all parameters of a unit, and `other` is one of them.
        func matches(_ other: Subject) -> Bool {
            guard type == other.type, unit == other.unit else { return false }
            return (id == Subject.anyParameter && type == 0)
                || (id == other.id && scope == other.scope && element == other.element)
        }
    }

    private struct Registration {
        let object: UnsafeMutableRawPointer?
        let subject: Subject
    }

    private struct Pending {
        let object: UnsafeMutableRawPointer?
        let subject: Subject
        var value: Float
        var time: UInt64
    }

    static let table = HandleTable<UnitEventListener>(.unitListener)
    private static let lock = Lock()
    nonisolated(unsafe) private static var all: [UnitEventListener] = []

    private let procedure: Procedure
    private let data: UnsafeMutableRawPointer?
    private let lock = ConditionLock()
    private var registrations: [Registration] = []
    private var pending: [Pending] = []
    private var source: RunLoopSource?
    private var isDisposed = false
    /// The thread that delivers now, and the number of nested deliveries on it: a listener may run the run loop, which delivers
    /// further events during the call.
    private var deliverer: UInt64 = 0
    private var deliveries = 0

    private init(_ procedure: Procedure, _ data: UnsafeMutableRawPointer?) {
        self.procedure = procedure
        self.data = data
    }

    /// NULL stands for the run loop of the calling thread. Nil in a process without CoreFoundation, or when memory is exhausted.
    static func make(
        _ procedure: Procedure, _ data: UnsafeMutableRawPointer?, _ runLoop: UnsafeMutableRawPointer?, _ mode: UnsafeRawPointer?
    ) -> OpaquePointer? {
        let listener = UnitEventListener(procedure, data)
        guard listener.lock.isValid, let runLoop = UnsafeRawPointer(runLoop) ?? CoreFoundation.inProcess?.currentRunLoop(),
            let source = RunLoopSource.make(runLoop, mode, inCommonModes: false, { listener.deliver() })
        else { return nil }
        guard let handle = table.insert(listener) else {
            source.invalidate()
            return nil
        }
        listener.source = source
        lock.withLock { all.append(listener) }
        return handle
    }

    /// Ends the listener. It is not called after the return, except for a call that the caller is in.
    func dispose() {
        UnitEventListener.lock.withLock { UnitEventListener.all.removeAll { $0 === self } }
        let (source, subjects) = lock.withLock {
            isDisposed = true
            pending = []
            while deliveries > 0, deliverer != linux_thread_self() { _ = lock.wait(until: UInt64.max) }
            let left = (self.source, registrations.map { $0.subject })
            (self.source, registrations) = (nil, [])
            return left
        }
        source?.invalidate()
        for subject in subjects { unwatch(subject) }
    }

    // MARK: Registrations

    func add(_ object: UnsafeMutableRawPointer?, _ subject: Subject) throws(UnitError) {
        guard let unit = ProcessUnits.context.table.object(subject.unit) else { throw .parameter }
        let isFirst = lock.withLock {
            let isFirst = !registrations.contains { $0.subject == subject }
            registrations.append(Registration(object: object, subject: subject))
            return isFirst
        }
        guard isFirst, subject.type == UnitEventListener.propertyChange else { return }
        do throws(UnitError) {
            try unit.addListener(subject.id, UnitEventListener.propertyListener, Unmanaged.passUnretained(self).toOpaque())
        } catch {
            lock.withLock { registrations.removeAll { $0.subject == subject } }
            throw error
        }
        // Another thread may have disposed this listener since the check above: the unit must not call it later.
        if lock.withLock({ isDisposed }) { unwatch(subject) }
    }

    func remove(_ object: UnsafeMutableRawPointer?, _ subject: Subject) {
        let isLast = lock.withLock {
            registrations.removeAll { $0.object == object && $0.subject == subject }
            pending.removeAll { $0.object == object && subject.matches($0.subject) }
            return !registrations.contains { $0.subject == subject }
        }
        if isLast { unwatch(subject) }
    }

    private static let propertyChange: UInt32 = 3

    private static let propertyListener: AudioUnitPropertyListenerProc = { data, unit, id, scope, element in
        guard let data else { return }
        Unmanaged<UnitEventListener>.fromOpaque(data).takeUnretainedValue().post(
            Subject(type: propertyChange, unit: unit, id: id, scope: scope, element: element), from: nil, value: 0)
    }

    /// Removes the listener from the unit. Returns when the unit's thread no longer calls it or references it.
    private func unwatch(_ subject: Subject) {
        guard subject.type == UnitEventListener.propertyChange, let unit = ProcessUnits.context.table.object(subject.unit) else {
            return
        }
        unit.removeListener(subject.id, UnitEventListener.propertyListener, Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: Events

    /// Notifies all listeners but the sender's object.
    static func notify(
        _ subject: Subject, sender: UnitEventListener?, _ object: UnsafeMutableRawPointer?, value: Float
    ) {
        for listener in lock.withLock({ all }) {
            listener.post(subject, from: listener === sender ? object : nil, value: value)
        }
    }

    /// Enqueues an event. An event that is already enqueued is delivered once, with the newest value.
    private func post(_ subject: Subject, from sender: UnsafeMutableRawPointer?, value: Float) {
        let time = linux_monotonic_nanoseconds()
        let source = lock.withLock {
            for registration in registrations
            where registration.subject.matches(subject) && (sender == nil || registration.object != sender) {
                let waiting = pending.firstIndex { $0.object == registration.object && $0.subject == subject }
                if let waiting {
                    (pending[waiting].value, pending[waiting].time) = (value, time)
                } else {
                    pending.append(Pending(object: registration.object, subject: subject, value: value, time: time))
                }
            }
            return pending.isEmpty ? nil : self.source
        }
        source?.signal()
    }

    private func deliver() {
        lock.withLock {
            deliverer = linux_thread_self()
            deliveries += 1
        }
        while let event = next() { call(event) }
        lock.withLock {
            deliveries -= 1
            lock.broadcast()
        }
    }

    private func next() -> Pending? {
        lock.withLock { isDisposed || pending.isEmpty ? nil : pending.removeFirst() }
    }

    private func call(_ event: Pending) {
        let subject = event.subject
        switch procedure {
        case .parameter(let procedure):
            var parameter = AudioUnitParameter(
                mAudioUnit: subject.unit, mParameterID: subject.id, mScope: subject.scope, mElement: subject.element)
            procedure(data, event.object, &parameter, event.value)
        case .event(let procedure):
            var described = AudioUnitEvent()
            described.mEventType = subject.type
            // A parameter and a property have the same members at the same offsets.
            described.mArgument.mParameter = AudioUnitParameter(
                mAudioUnit: subject.unit, mParameterID: subject.id, mScope: subject.scope, mElement: subject.element)
            procedure(data, event.object, &described, event.time, event.value)
        }
    }
}

extension UnitEventListener.Subject {
    init(_ parameter: AudioUnitParameter) {
        self.init(
            type: 0, unit: parameter.mAudioUnit, id: parameter.mParameterID, scope: parameter.mScope,
            element: parameter.mElement)
    }

    /// Nil for a type of event that does not exist.
    init?(_ event: AudioUnitEvent) {
        guard event.mEventType <= 3 else { return nil }
        self.init(event.mArgument.mParameter)
        type = event.mEventType
    }

    /// The value of the parameter; 0 for another event, and for a parameter that does not exist.
    var value: Float {
        guard type == 0, let unit = ProcessUnits.context.table.object(self.unit) else { return 0 }
        do throws(UnitError) { return try unit.parameter(id, scope, element) } catch { return 0 }
    }
}
