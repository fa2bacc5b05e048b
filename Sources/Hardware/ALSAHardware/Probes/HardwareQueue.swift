// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import LinuxSystem
import SessionModel

/// The queue between the callers of the library and the thread of the cards. No caller waits longer than the
/// limit. While the thread is blocked in a driver, callers do not wait at all.
final class HardwareQueue: @unchecked Sendable {
    /// Readable when the snapshot has changed.
    let changeEvent: FileDescriptor
    /// Readable when requests are queued, or the thread is to end.
    let requestEvent: FileDescriptor

    private let lock = ConditionLock()
    // Guarded by the lock:
    private var snapshot = HardwareSnapshot(isPending: true)
    private var requests: [PendingRequest] = []
    /// The thread has published its first snapshot.
    private var isReady = false
    /// The thread did not answer within the limit and has sent nothing since.
    private var isLate = false
    private var mustStop = false
    private var hasStopped = false

    /// In nanoseconds.
    private let answerLimit: UInt64
    private static let mostRequests = 64

    init(answerLimit: UInt64) {
        self.answerLimit = answerLimit
        changeEvent = FileDescriptor(owning: linux_eventfd())
        requestEvent = FileDescriptor(owning: linux_eventfd())
    }

    // MARK: Callers

    func currentSnapshot() -> HardwareSnapshot {
        lock.withLock {
            waitUntil { isReady }
            return snapshot
        }
    }

    /// Nil while callers still wait for the first snapshot.
    var knownSnapshot: HardwareSnapshot? { lock.withLock { isReady || isLate ? snapshot : nil } }

    /// Nil when the answer does not come within the limit. A change stays queued and is made later.
    func ask(_ query: HardwareQuery) -> HardwareAnswer? {
        let request = PendingRequest(query)
        return lock.withLock {
            if hasStopped {
                // The thread has ended. No port can be changed; the caller assumes the likely format of a known port.
                if case .perform = query { return .refused(.noHardware) }
                return snapshot.ports.isEmpty ? .refused(.noHardware) : nil
            }
            if isLate {
                guard case .perform = query, requests.count < HardwareQueue.mostRequests else { return nil }
            }
            requests.append(request)
            _ = linux_eventfd_signal(requestEvent.number)
            waitUntil { request.answer != nil }
            return request.answer
        }
    }

    /// True when the snapshot has changed since the last call.
    func clearChange() -> Bool { linux_eventfd_clear(changeEvent.number) >= 0 }

    /// Ends the thread. False when the thread is blocked and must be detached.
    func stop() -> Bool {
        lock.withLock {
            mustStop = true
            _ = linux_eventfd_signal(requestEvent.number)
            waitUntil { hasStopped }
            return hasStopped
        }
    }

    private func waitUntil(_ condition: () -> Bool) {
        let deadline = linux_monotonic_nanoseconds() &+ answerLimit
        while !condition() {
            guard !isLate else { return }
            if !lock.wait(until: deadline) {
                isLate = true
                Log.debug("a sound card does not answer: the last known state of the hardware is used")
            }
        }
    }

    // MARK: The thread of the cards

    /// The queued requests; nil when the thread is to end.
    func dequeue() -> [PendingRequest]? {
        _ = linux_eventfd_clear(requestEvent.number)
        return lock.withLock {
            guard !mustStop else { return nil }
            defer { requests = [] }
            return requests
        }
    }

    func answer(_ request: PendingRequest, _ answer: HardwareAnswer) {
        lock.withLock {
            request.answer = answer
            isLate = false
            lock.broadcast()
        }
    }

    func publish(_ new: HardwareSnapshot) {
        lock.withLock {
            // The first snapshot is a change as well: a caller may have continued without it.
            let isNew = !isReady || new != snapshot
            isReady = true
            isLate = false
            snapshot = new
            lock.broadcast()
            if isNew { _ = linux_eventfd_signal(changeEvent.number) }
        }
    }

    /// The thread has ended.
    func end() {
        lock.withLock {
            hasStopped = true
            isReady = true
            snapshot.isPending = false
            for request in requests { request.answer = .refused(.noHardware) }
            lock.broadcast()
        }
    }
}
