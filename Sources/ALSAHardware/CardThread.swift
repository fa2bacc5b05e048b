// SPDX-License-Identifier: Apache-2.0
import CALSA
import CLinux
import LinuxSystem

/// The thread that calls the drivers of the cards. It sleeps until a card, the kernel or a caller has an event.
final class CardThread {
    private let queue: HardwareQueue
    private let cards: SoundCards

    /// Nil when the system has no thread or descriptor left: then there is no hardware.
    static func start(_ queue: HardwareQueue) -> UnsafeMutableRawPointer? {
        let context = Unmanaged.passRetained(CardThread(queue))
        let thread = linux_thread_start(
            { if let thread = $0 { Unmanaged<CardThread>.fromOpaque(thread).takeRetainedValue().run() } }, context.toOpaque(),
            "audiosession-hw")
        guard thread == nil else { return thread }
        Log.debug("the thread of the sound cards cannot be started: no card is used")
        context.release()
        queue.end()
        return nil
    }

    private init(_ queue: HardwareQueue) {
        self.queue = queue
        cards = SoundCards()
    }

    private func run() {
        alsa_silence_this_thread()
        defer { queue.end() }
        guard cards.begin(), cards.wait(for: queue.requestEvent.number) else {
            Log.debug("no file descriptors are left for the sound cards: no card is used")
            return
        }
        queue.publish(cards.snapshot())
        while true {
            switch cards.next() {
            case .requests: guard performRequests() else { return }
            case .changed: publish()
            case .nothing: break
            case .failed: return
            }
        }
    }

    /// A change and the latencies that follow it are one snapshot: the session applies, and announces, one change.
    private func publish() {
        _ = cards.updateStreams()
        queue.publish(cards.snapshot())
    }

    /// False when the thread is to end.
    private func performRequests() -> Bool {
        guard let requests = queue.dequeue() else { return false }
        for request in requests {
            let answer = cards.answer(request.query)
            // Published before the answer: the caller sees its change when the call returns.
            switch request.query {
            case .perform, .gain, .findings: publish()
            case .format, .isOtherProcessPlaying: break
            }
            queue.answer(request, answer)
        }
        return true
    }
}
