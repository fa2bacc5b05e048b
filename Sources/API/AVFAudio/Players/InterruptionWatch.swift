// SPDX-License-Identifier: Apache-2.0
internal import AVAudioSession
internal import Foundation
internal import Synchronization

/// The interruptions of the session, for a player or a recorder. They are known if the program uses `AVAudioSession`.
final class InterruptionWatch: @unchecked Sendable {
    private let lock = NSLock()
    private var observer: (any NSObjectProtocol)?
    private let isInterrupted = Atomic<Bool>(false)

    /// `began` is called at each begin. `ended` is called with the flags of an end after `noteInterruption`. Both run on the main
    /// queue.
    func start(_ began: @escaping @Sendable () -> Void, _ ended: @escaping @Sendable (Int) -> Void) {
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
        ) { [weak self] notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            guard type == AVAudioSession.InterruptionType.ended.rawValue else { return began() }
            guard self?.isInterrupted.exchange(false, ordering: .relaxed) == true else { return }
            let flags = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
            ended(Int(clamping: flags ?? 0))
        }
        lock.withLock { self.observer = observer }
    }

    /// The interruption has paused the player or recorder.
    func markInterrupted() { isInterrupted.store(true, ordering: .relaxed) }

    func end() {
        lock.withLock {
            if let observer { NotificationCenter.default.removeObserver(observer) }
            observer = nil
        }
    }
}
