// SPDX-License-Identifier: Apache-2.0
import CLinux

/// A thread that sleeps in the kernel until one of some descriptors becomes readable.
public final class MonitorThread: @unchecked Sendable {
    private let descriptors: [Int32]
    private let handle: (_ index: Int) -> Void
    private let events: FileDescriptor
    private let signal: FileDescriptor
    private let command = PendingCommand()
    private var thread: UnsafeMutableRawPointer?

    /// The index that `call` passes.
    public static let called = -1

    private static let signalToken = UInt64.max

    /// The thread calls `handle` with the index of a descriptor that has become readable. `handle` makes the descriptor
    /// unreadable again. A negative descriptor never becomes readable.
    public init(of descriptors: [Int32], handle: @escaping (_ index: Int) -> Void) {
        self.descriptors = descriptors
        self.handle = handle
        events = FileDescriptor(owning: linux_epoll_create())
        signal = FileDescriptor(owning: linux_eventfd())
    }

    /// False when the system has no descriptor or thread left. `stop` must be called before the last reference is released.
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
        command.set(.stop)
        guard (0..<3).contains(where: { _ in linux_eventfd_signal(signal.number) >= 0 }) else {
            // The thread never wakes. Therefore the object must outlive it.
            _ = Unmanaged.passRetained(self)
            return linux_thread_detach(thread)
        }
        linux_thread_join(thread)
    }

    /// Makes the thread call `handle` with `called`, once per thread, and waits for that up to a limit.
    public func call(waiting nanoseconds: UInt64) {
        guard thread != nil, command.set(.call) else { return }
        _ = linux_eventfd_signal(signal.number)
        command.await(until: linux_monotonic_nanoseconds() &+ nanoseconds)
    }

    /// Watches one more descriptor. A descriptor below 0 never becomes readable.
    public func add(_ descriptor: Int32, as index: Int) { _ = watch(descriptor, as: UInt64(index)) }

    private func watch(_ descriptor: Int32, as token: UInt64) -> Bool {
        descriptor >= 0 && linux_epoll_add(events.number, descriptor, UInt32(LINUX_READABLE), token) >= 0
    }

    private func run() {
        var found = linux_event()
        // A wait that always fails has a descriptor that the program has closed.
        var failures = 0
        while failures < 100 {
            guard linux_epoll_wait(events.number, &found, 1, -1) >= 0 else {
                failures += 1
                continue
            }
            failures = 0
            if found.token != MonitorThread.signalToken {
                handle(Int(clamping: found.token))
            } else if !runCommand() {
                return
            }
        }
    }

    /// False if the command is `stop`.
    private func runCommand() -> Bool {
        _ = linux_eventfd_clear(signal.number)
        switch command.next() {
        case .stop: return false
        case .call:
            handle(MonitorThread.called)
            command.finish()
        case nil: break
        }
        return true
    }
}

/// A command to the thread. Its functions allocate nothing.
private final class PendingCommand: @unchecked Sendable {
    enum Command { case call, stop }

    private let lock = ConditionLock()
    private var pending: Command?
    private var wasCalled = false
    private var isDone = false

    /// False for a second call.
    @discardableResult
    func set(_ new: Command) -> Bool {
        lock.withLock {
            guard new == .stop || !wasCalled else { return false }
            wasCalled = true
            pending = new
            return true
        }
    }

    func next() -> Command? {
        lock.withLock {
            defer { pending = nil }
            return pending
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
