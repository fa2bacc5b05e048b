import CALSA
import CAudioStreams
import CLinux
import LinuxSystem

/// The thread that moves one stream. It alone touches the device; the program's orders and the session's
/// news reach it through a gate, which it looks at only when it has been woken.
final class Mover: @unchecked Sendable {
    enum Order {
        case open
        case prepare, start
        case pause(Bool)
        case drain, stop, close, end
    }

    private let ring: UnsafeMutablePointer<stream_ring>
    private let flow: any Flow
    private let gate = Gate()
    /// 1 when there is something behind the gate: otherwise the thread need not take its lock.
    private let mail = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    private var thread: UnsafeMutableRawPointer?
    // Guarded by the gate:
    private var order: Order?
    private var answer: StreamError?
    private var situation: Situation
    private var hasNews = true

    init(_ flow: any Flow, _ ring: UnsafeMutablePointer<stream_ring>, _ situation: Situation) {
        self.flow = flow
        self.ring = ring
        self.situation = situation
        mail.initialize(to: 1)
    }

    deinit { mail.deallocate() }

    /// Kept alive by whoever started it, until `end`.
    func begin() throws(StreamError) {
        guard gate.works else { throw .noMemory }
        thread = linux_thread_start(
            { if let mover = $0 { Unmanaged<Mover>.fromOpaque(mover).takeUnretainedValue().run() } },
            Unmanaged.passUnretained(self).toOpaque(), "audiosession-io")
        if thread == nil { throw .noMemory }
    }

    func end() {
        guard let thread else { return }
        do throws(StreamError) { try command(.end) } catch {}
        linux_thread_join(thread)
        self.thread = nil
    }

    // MARK: Other threads

    func command(_ order: Order) throws(StreamError) {
        let failure = gate.withLock {
            self.order = order
            answer = nil
            linux_store(mail, 1)
            stream_ring_wake(ring)
            while self.order != nil { _ = gate.wait(until: UInt64.max) }
            return answer
        }
        if let failure { throw failure }
    }

    func tell(_ news: Situation) {
        gate.withLock {
            guard news != situation else { return }
            situation = news
            hasNews = true
            linux_store(mail, 1)
            stream_ring_wake(ring)
        }
    }

    // MARK: The thread

    private func run() {
        alsa_silence_this_thread()
        var deadline: UInt64 = 0
        while true {
            if deadline > 0 { stream_ring_sleep(ring, deadline) }
            if linux_load(mail) != 0, !listen() { return }
            deadline = flow.move()
        }
    }

    /// False when the end has come.
    private func listen() -> Bool {
        let (order, news) = gate.withLock {
            linux_store(mail, 0)
            defer { hasNews = false }
            return (self.order, hasNews ? situation : nil)
        }
        if let news { flow.settle(news) }
        guard let order else { return true }
        var failure: StreamError?
        do throws(StreamError) { try perform(order) } catch { failure = error }
        gate.withLock {
            self.order = nil
            answer = failure
            gate.say()
        }
        if case .end = order { return false }
        return true
    }

    private func perform(_ order: Order) throws(StreamError) {
        switch order {
        case .open: try flow.open()
        case .prepare: try flow.prepare()
        case .start: try flow.start()
        case .pause(let on): try flow.pause(on)
        case .drain: try flow.drain()
        case .stop: flow.stop()
        case .close, .end: flow.close()
        }
    }
}
