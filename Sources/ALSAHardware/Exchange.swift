import AudioHardware
import CLinux
import LinuxSystem
import SessionModel

/// Where the callers of the library and the thread that talks to the cards meet. No caller waits longer
/// than `patience`, and while the thread is stuck in a card's driver none waits at all.
final class Exchange: @unchecked Sendable {
    /// Readable when the snapshot has changed.
    let news: FileDescriptor
    /// Readable when errands wait, or the end has come.
    let orders: FileDescriptor

    private let gate = Gate()
    // Guarded by the gate:
    private var snapshot = HardwareSnapshot(isAwaited: true)
    private var errands: [Errand] = []
    /// The cards have been looked at for the first time.
    private var isReady = false
    /// The thread did not answer in time, and has not been heard of since.
    private var isBehind = false
    private var mustStop = false
    private var hasStopped = false

    /// In nanoseconds.
    private let patience: UInt64

    init(patience: UInt64 = 1_000_000_000) {
        self.patience = patience
        news = FileDescriptor(owning: linux_eventfd())
        orders = FileDescriptor(owning: linux_eventfd())
    }

    // MARK: Callers

    func currentSnapshot() -> HardwareSnapshot {
        gate.withLock {
            waitUntil { isReady }
            return snapshot
        }
    }

    /// Nil when the answer would come too late. A change is made nevertheless, as soon as the card can.
    func ask(_ question: Question) -> Answer? {
        let errand = Errand(question)
        return gate.withLock {
            if hasStopped {
                // What is known of the ports goes on being likely; nothing of them can be changed.
                if case .perform = question { return .refused(.noHardware) }
                return snapshot.ports.isEmpty ? .refused(.noHardware) : nil
            }
            if isBehind {
                guard case .perform = question, errands.count < 64 else { return nil }
            }
            errands.append(errand)
            _ = linux_eventfd_signal(orders.number)
            waitUntil { errand.answer != nil }
            return errand.answer
        }
    }

    /// True when something has changed since the last time.
    func takeNews() -> Bool { linux_eventfd_clear(news.number) >= 0 }

    /// Ends the thread; false when it is stuck and must be left alone.
    func stop() -> Bool {
        gate.withLock {
            mustStop = true
            _ = linux_eventfd_signal(orders.number)
            waitUntil { hasStopped }
            return hasStopped
        }
    }

    private func waitUntil(_ condition: () -> Bool) {
        let deadline = linux_monotonic_nanoseconds() &+ patience
        while !condition() {
            guard !isBehind else { return }
            if !gate.wait(until: deadline) {
                isBehind = true
                Log.line("a sound card does not answer: what was known of the hardware before is used")
            }
        }
    }

    // MARK: The thread that talks to the cards

    /// What waits to be done; nil when there is nothing more to do at all.
    func takeErrands() -> [Errand]? {
        _ = linux_eventfd_clear(orders.number)
        return gate.withLock {
            guard !mustStop else { return nil }
            defer { errands = [] }
            return errands
        }
    }

    func answer(_ errand: Errand, _ answer: Answer) {
        gate.withLock {
            errand.answer = answer
            isBehind = false
            gate.say()
        }
    }

    func publish(_ new: HardwareSnapshot) {
        gate.withLock {
            // Who gave up waiting for the first look goes on with an empty one.
            let wasSeen = isReady || isBehind
            isBehind = false
            defer {
                isReady = true
                gate.say()
            }
            guard new != snapshot else { return }
            snapshot = new
            if wasSeen { _ = linux_eventfd_signal(news.number) }
        }
    }

    func end() {
        gate.withLock {
            hasStopped = true
            isReady = true
            snapshot.isAwaited = false
            for errand in errands { errand.answer = .refused(.noHardware) }
            gate.say()
        }
    }
}
