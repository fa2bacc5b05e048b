internal import AudioSession
internal import Foundation
internal import LinuxSystem
internal import SessionModel
internal import Synchronization

/// Brings what happens to the session to the main thread, one event at a time and in order.
final class Announcing: @unchecked Sendable {
    private let lock = Lock()
    private var joined: (session: Session, audience: Audience)?
    /// A turn of the main thread has been asked for.
    private let isAsked = Atomic<Bool>(false)

    func start(for face: AVAudioSession, _ session: Session) {
        lock.withLock {
            guard joined?.session !== session else { return }
            let audience = session.join(hearingEverything: true) { [weak self, weak face] in
                if let self, let face { self.ask(for: face) }
            }
            joined = (session, audience)
        }
    }

    deinit { if let joined { joined.session.leave(joined.audience) } }

    private func ask(for face: AVAudioSession) {
        guard !isAsked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The main queue is served by the main run loop, and where main is asynchronous as well.
        DispatchQueue.main.async { self.tellNext(to: face) }
    }

    /// One at a time, so that what an observer causes does not keep the main thread from its other work.
    private func tellNext(to face: AVAudioSession) {
        isAsked.store(false, ordering: .releasing)
        guard let audience = lock.withLock({ joined?.audience }) else { return }
        guard let event = audience.takeEvent() else { return }
        if audience.hasWaitingEvents { ask(for: face) }
        face.announce(event)
    }
}
