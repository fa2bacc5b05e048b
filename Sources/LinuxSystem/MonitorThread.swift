import CLinux

/// A thread that sleeps in the kernel until one of some descriptors becomes readable.
public final class MonitorThread: @unchecked Sendable {
    private let descriptors: [Int32]
    private let heed: (_ index: Int) -> Void
    private let events: FileDescriptor
    private let signal: FileDescriptor
    private let errand = Errand()
    private var thread: UnsafeMutableRawPointer?

    /// What is heeded because of `call`.
    public static let called = -1

    private static let signalToken = UInt64.max

    /// `processEvents` is called on the thread with the place of a descriptor that has become readable, and is to
    /// make it unreadable again. Descriptors below 0 never become readable.
    public init(of descriptors: [Int32], heed: @escaping (_ index: Int) -> Void) {
        self.descriptors = descriptors
        self.heed = heed
        events = FileDescriptor(owning: linux_epoll_create())
        signal = FileDescriptor(owning: linux_eventfd())
    }

    /// False where the system has no descriptor or thread left. It must be stopped before it is let go.
    public func start() -> Bool {
        guard watch(signal.number, as: MonitorThread.signalToken) else { return false }
        for index in descriptors.indices { _ = watch(descriptors[index], as: UInt64(index)) }
        thread = linux_thread_start(
            { if let watcher = $0 { Unmanaged<MonitorThread>.fromOpaque(watcher).takeUnretainedValue().run() } },
            Unmanaged.passUnretained(self).toOpaque(), "audiosession")
        return thread != nil
    }

    public func stop() {
        guard let thread else { return }
        self.thread = nil
        errand.give(.stop)
        guard (0..<3).contains(where: { _ in linux_eventfd_signal(signal.number) >= 0 }) else {
            // Asleep for good: it must not find us gone.
            _ = Unmanaged.passRetained(self)
            return linux_thread_detach(thread)
        }
        linux_thread_join(thread)
    }

    /// Has the thread heed this once in its life, and waits for that, but no longer than so long.
    public func call(waiting nanoseconds: UInt64) {
        guard thread != nil, errand.give(.call) else { return }
        _ = linux_eventfd_signal(signal.number)
        errand.await(until: linux_monotonic_nanoseconds() &+ nanoseconds)
    }

    /// Watches one more descriptor. A descriptor below 0 never becomes readable.
    public func add(_ descriptor: Int32, as index: Int) { _ = watch(descriptor, as: UInt64(index)) }

    private func watch(_ descriptor: Int32, as token: UInt64) -> Bool {
        descriptor >= 0 && linux_epoll_add(events.number, descriptor, UInt32(LINUX_READABLE), token) >= 0
    }

    private func run() {
        var found = linux_event()
        // What fails again and again is a descriptor that the program has closed.
        var failures = 0
        while failures < 100 {
            guard linux_epoll_wait(events.number, &found, 1, -1) >= 0 else {
                failures += 1
                continue
            }
            failures = 0
            if found.token != MonitorThread.signalToken {
                heed(Int(clamping: found.token))
            } else if !runErrand() {
                return
            }
        }
    }

    /// False when it was the last.
    private func runErrand() -> Bool {
        _ = linux_eventfd_clear(signal.number)
        switch errand.take() {
        case .stop: return false
        case .call:
            heed(MonitorThread.called)
            errand.finish()
        case nil: break
        }
        return true
    }
}

/// What a thread is told to do besides heeding. Nothing here asks for memory.
private final class Errand: @unchecked Sendable {
    enum Order { case call, stop }

    private let lock = ConditionLock()
    private var order: Order?
    private var wasCalled = false
    private var isDone = false

    /// False for a second call.
    @discardableResult
    func give(_ new: Order) -> Bool {
        lock.withLock {
            guard new == .stop || !wasCalled else { return false }
            wasCalled = true
            order = new
            return true
        }
    }

    func take() -> Order? {
        lock.withLock {
            defer { order = nil }
            return order
        }
    }

    func finish() {
        lock.withLock {
            isDone = true
            lock.broadcast()
        }
    }

    func await(until deadline: UInt64) {
        lock.withLock {
            while !isDone, lock.wait(until: deadline) {}
        }
    }
}
