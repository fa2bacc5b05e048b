// SPDX-License-Identifier: Apache-2.0
internal import AudioEngine
internal import AudioSession
internal import Foundation
internal import LinuxSystem
internal import SessionModel
internal import Synchronization

/// Delivers the events of the session on the main thread, one at a time and in order.
final class MainThreadDelivery: @unchecked Sendable {
    private let lock = Lock()
    private var joined: (session: ProcessSession, subscription: EventSubscription)?
    /// A call on the main queue is pending.
    private let isScheduled = Atomic<Bool>(false)

    func start(for owner: AVAudioSession, _ session: ProcessSession) {
        lock.withLock {
            guard joined?.session !== session else { return }
            let subscription = session.join(receivingEverything: true) { [weak self, weak owner] in
                if let self, let owner { self.schedule(for: owner) }
            }
            joined = (session, subscription)
        }
    }

    deinit { if let joined { joined.session.leave(joined.subscription) } }

    private func schedule(for owner: AVAudioSession) {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The main run loop serves the main queue, and so does an asynchronous main.
        DispatchQueue.main.async { self.deliverNext(to: owner) }
    }

    /// One event at a time, so that events that an observer causes do not block the main thread.
    private func deliverNext(to owner: AVAudioSession) {
        isScheduled.store(false, ordering: .releasing)
        guard let subscription = lock.withLock({ joined?.subscription }) else { return }
        guard let event = subscription.nextEvent() else { return }
        if subscription.hasPendingEvents { schedule(for: owner) }
        // An observer sees that the units and queues do not run any more.
        if case .interruption(.begin) = event { _ = ProcessEngine.reportStops() }
        owner.deliver(event)
    }
}
