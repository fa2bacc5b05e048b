// SPDX-License-Identifier: Apache-2.0
import CALSA
import CLinux
import LinuxSystem

/// The thread that calls the drivers of the cards. It sleeps until a card, the kernel or a caller has an event.
final class CardThread {
    private let queue: HardwareQueue
    /// Created on the thread, so that the caller of the library does not wait for the descriptors that this opens.
    private lazy var cards = SoundCards()

    /// 1 while the thread has published no snapshot. A child of fork() has no such thread.
    private static var exploring: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(LINUX_WORD_OF_EXPLORATION) }

    /// Waits at most a second for the first snapshot before the process ends: the destructors of libraries then free memory
    /// that the thread reads. Takes no lock: a signal handler that calls exit() may have interrupted the holder of the lock.
    static func awaitExploration() {
        if !linux_await_exploration() { Log.debug("a sound card does not answer: the process ends without it") }
    }

    private static func endExploration() {
        linux_store(exploring, 0)
        linux_wake_waiting(exploring)
    }

    /// Nil when the system has no thread or descriptor left: then there is no hardware.
    static func start(_ queue: HardwareQueue) -> UnsafeMutableRawPointer? {
        linux_store(exploring, 1)
        let context = Unmanaged.passRetained(CardThread(queue))
        let thread = linux_thread_start(
            { if let thread = $0 { Unmanaged<CardThread>.fromOpaque(thread).takeRetainedValue().run() } }, context.toOpaque(),
            "audiosession-hw")
        guard thread == nil else { return thread }
        Log.debug("the thread of the sound cards cannot be started: no card is used")
        context.release()
        endExploration()
        queue.end()
        return nil
    }

    private init(_ queue: HardwareQueue) { self.queue = queue }

    private func run() {
        alsa_silence_this_thread()
        linux_begin_exploration()
        // Lets the program continue first, because the kernel may have given the processor of the program to this new thread.
        let isInBackground = linux_thread_begin_background()
        defer {
            CardThread.endExploration()
            queue.end()
        }
        guard cards.begin(), cards.wait(for: queue.requestEvent.number) else {
            Log.debug("no file descriptors are left for the sound cards: no card is used")
            return
        }
        let first = cards.snapshot()
        if isInBackground { linux_thread_end_background() }
        queue.publish(first)
        CardThread.endExploration()
        while true {
            switch cards.next() {
            case .requests: guard performRequests() else { return }
            case .changed: publish()
            case .nothing: break
            case .failed: return
            }
        }
    }

    /// Publishes a change and the latencies that follow it as one snapshot: the session applies and announces one change.
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
            case .perform, .gain, .inspect: publish()
            case .format, .isOtherProcessPlaying: break
            }
            queue.answer(request, answer)
        }
        return true
    }
}
