import CALSA
import CLinux
import LinuxSystem

/// The thread that talks to the cards. It sleeps until one of them, the kernel or a caller has something.
final class CardThread {
    private let exchange: Exchange
    private let cards: SoundCards

    /// Nil without a thread or a descriptor left: then there is no hardware.
    static func start(_ exchange: Exchange) -> UnsafeMutableRawPointer? {
        let context = Unmanaged.passRetained(CardThread(exchange))
        let thread = linux_thread_start(
            { if let thread = $0 { Unmanaged<CardThread>.fromOpaque(thread).takeRetainedValue().run() } }, context.toOpaque(),
            "audiosession-hw")
        guard thread == nil else { return thread }
        Log.line("no thread for the sound cards: none are used")
        context.release()
        exchange.end()
        return nil
    }

    private init(_ exchange: Exchange) {
        self.exchange = exchange
        cards = SoundCards()
    }

    private func run() {
        alsa_silence_this_thread()
        defer { exchange.end() }
        guard cards.begin(), cards.wait(for: exchange.orders.number) else {
            Log.line("no descriptors for the sound cards: none are used")
            return
        }
        exchange.publish(cards.snapshot())
        while true {
            switch cards.next() {
            case .orders: guard carryOut() else { return }
            case .changed: publish()
            case .nothing: break
            case .failed: return
            }
        }
    }

    private func publish() {
        exchange.publish(cards.snapshot())
        // Only for latencies, and it takes longer than all else: nobody needs to wait for that.
        if cards.lookAtStreams() { exchange.publish(cards.snapshot()) }
    }

    /// False when there is nothing more to do at all.
    private func carryOut() -> Bool {
        guard let errands = exchange.takeErrands() else { return false }
        for errand in errands {
            let answer = cards.answer(errand.question)
            // Before the answer: who changed something sees it when the call returns.
            switch errand.question {
            case .perform, .findings: publish()
            case .format, .isOtherProcessPlaying: break
            }
            exchange.answer(errand, answer)
        }
        return true
    }
}
