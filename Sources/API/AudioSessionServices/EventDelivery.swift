// SPDX-License-Identifier: Apache-2.0
import AudioEngine
import AudioSession
import CCoreFoundation
import CLinux
import CoreFoundationTable
import LinuxSystem

/// Delivers pending events: on the run loop given to Initialize, or, once the program has the event descriptor, when the
/// program dispatches them.
final class EventDelivery: @unchecked Sendable {
    private let lock = Lock()
    private var subscription: EventSubscription?
    private var wanted: (runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?)
    private var source: (source: CoreFoundation.Object, runLoop: CoreFoundation.Object)?
    /// For the program to poll. Never closed.
    private var descriptor: Int32?
    /// The number of reports of stopped units and queues before the last begin of an interruption.
    private var reports: UInt64 = 0

    /// The run loop and mode given to Initialize; NULL means the main run loop and the default mode.
    init(runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?) {
        let cf = CoreFoundation.ofProgram
        wanted = (runLoop.flatMap { cf?.retain($0) }, mode.flatMap { cf?.retain($0) })
    }

    func begin(for subscription: EventSubscription) {
        lock.withLock {
            self.subscription = subscription
            attachToRunLoop()
        }
    }

    /// Called when Initialize is called after another function has created the session.
    func move(to runLoop: CoreFoundation.Object?, _ mode: CoreFoundation.Object?) {
        let cf = CoreFoundation.ofProgram
        lock.withLock {
            detachFromRunLoop()
            wanted = (runLoop.flatMap { cf?.retain($0) }, mode.flatMap { cf?.retain($0) })
            attachToRunLoop()
        }
        if lock.withLock({ subscription })?.hasPendingEvents == true { eventsArePending() }
    }

    /// On any thread. Signals outside of the lock, which the thread that wakes takes at once.
    func eventsArePending() {
        switch lock.withLock({ retainedTarget() }) {
        case .descriptor(let descriptor): _ = linux_eventfd_signal(descriptor)
        case .source(let source, let runLoop):
            guard let cf = CoreFoundation.present else { return }
            cf.signalSource(source)
            cf.wakeRunLoop(runLoop)
            cf.release(source)
            cf.release(runLoop)
        case .nothing: break
        }
    }

    /// The object whose signal wakes the thread that delivers.
    private enum Target {
        case nothing
        case descriptor(Int32)
        case source(CoreFoundation.Object, runLoop: CoreFoundation.Object)
    }

    /// Under the lock. A source is retained, because another thread may detach it before it is signalled.
    private func retainedTarget() -> Target {
        if let descriptor { return .descriptor(descriptor) }
        attachToRunLoop()
        guard let source, let cf = CoreFoundation.present else { return .nothing }
        _ = cf.retain(source.source)
        _ = cf.retain(source.runLoop)
        return .source(source.source, runLoop: source.runLoop)
    }

    /// On the monitor's thread, for the log: the program has not fetched pending events.
    func eventsAreUndelivered() {
        let expected: Diagnostics.DeliveryTarget = lock.withLock {
            if descriptor != nil { return .descriptor }
            guard source != nil else { return .none }
            return wanted.runLoop == nil && wanted.mode == nil ? .mainRunLoop : .runLoop
        }
        Log.debug(Diagnostics.inDelivery(by: expected))
    }

    /// Called in each call of the program: the program may have loaded CoreFoundation while events were pending.
    func noticeRunLoop() {
        guard CoreFoundation.isOfProgram else { return }
        let isNew = lock.withLock {
            guard source == nil, descriptor == nil else { return false }
            attachToRunLoop()
            return source != nil
        }
        if isNew, let subscription = lock.withLock({ subscription }), subscription.hasPendingEvents { eventsArePending() }
    }

    /// From now on the program dispatches the events. -1 when the process has no descriptor left.
    func eventDescriptor() -> Int32 {
        lock.withLock {
            if let descriptor { return descriptor }
            let new = linux_eventfd()
            guard new >= 0 else {
                Log.debug("the event descriptor cannot be created: \(SystemError(result: new).text)")
                return -1
            }
            descriptor = new
            detachFromRunLoop()
            if subscription?.hasPendingEvents == true { _ = linux_eventfd_signal(new) }
            return new
        }
    }

    /// Called by the run loop. The IsRunning listeners of queues on the same run loop are called before the listener of an
    /// interruption: if the queues are told only now, this call waits for the next turn of the run loop.
    private func deliverOnRunLoop() {
        guard !stopUnitsAndQueues() else { return eventsArePending() }
        deliver()
    }

    /// Units and queues do not run any more when the begin of an interruption is reported. True if any was told since the last
    /// begin.
    private func stopUnitsAndQueues() -> Bool {
        guard lock.withLock({ subscription })?.hasPendingBegin == true else { return false }
        let count = ProcessEngine.reportStops()
        return lock.withLock {
            defer { reports = count }
            return count != reports
        }
    }

    /// Called on the thread that calls the listeners.
    func deliver() {
        _ = stopUnitsAndQueues()
        let subscription = lock.withLock {
            if let descriptor { _ = linux_eventfd_clear(descriptor) }
            return self.subscription
        }
        if subscription?.deliverEvents() == true { eventsArePending() }
    }

    // MARK: The run loop's source

    private func attachToRunLoop() {
        guard source == nil, descriptor == nil, let cf = CoreFoundation.ofProgram else { return }
        guard var reserved = ReservedDescriptors.forRunLoop() else {
            Log.debug(
                "no descriptors left for a run-loop source: listeners are not called; close some, or raise RLIMIT_NOFILE"
            )
            return
        }
        reserved.release()
        guard let runLoop = wanted.runLoop ?? cf.mainRunLoop() else { return }
        var context = run_loop_source_context()
        // The source exists as long as the process: it needs no reference.
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.perform = {
            if let delivery = $0 {
                Unmanaged<EventDelivery>.fromOpaque(delivery).takeUnretainedValue().deliverOnRunLoop()
            }
        }
        guard let new = cf.sourceCreate(nil, 0, &context) else {
            Log.debug("CoreFoundation cannot create a run-loop source: listeners are not called")
            return
        }
        cf.addSource(runLoop, new, wanted.mode ?? cf.defaultMode)
        source = (new, runLoop)
    }

    private func detachFromRunLoop() {
        guard let source, let cf = CoreFoundation.present else { return }
        cf.invalidateSource(source.source)
        cf.release(source.source)
        self.source = nil
    }
}
