import CLinux

/// A thread that sleeps in the kernel until one of some descriptors becomes readable.
public final class Watcher: @unchecked Sendable {
    private let descriptors: [Int32]
    private let heed: (_ index: Int) -> Void
    private let events: FileDescriptor
    private let stopSignal: FileDescriptor
    private var thread: UnsafeMutableRawPointer?

    private static let stopToken = UInt64.max

    /// `heed` is called on the thread with the place of a descriptor that has become readable, and is to
    /// make it unreadable again. Descriptors below 0 never become readable.
    public init(of descriptors: [Int32], heed: @escaping (_ index: Int) -> Void) {
        self.descriptors = descriptors
        self.heed = heed
        events = FileDescriptor(owning: linux_epoll_create())
        stopSignal = FileDescriptor(owning: linux_eventfd())
    }

    /// False where the system has no descriptor or thread left. It must be stopped before it is let go.
    public func start() -> Bool {
        guard watch(stopSignal.number, as: Watcher.stopToken) else { return false }
        for index in descriptors.indices { _ = watch(descriptors[index], as: UInt64(index)) }
        thread = linux_thread_start(
            { if let watcher = $0 { Unmanaged<Watcher>.fromOpaque(watcher).takeUnretainedValue().run() } },
            Unmanaged.passUnretained(self).toOpaque(), "audiosession")
        return thread != nil
    }

    public func stop() {
        guard let thread else { return }
        _ = linux_eventfd_signal(stopSignal.number)
        linux_thread_join(thread)
        self.thread = nil
    }

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
            guard found.token != Watcher.stopToken else { return }
            failures = 0
            heed(Int(clamping: found.token))
        }
    }
}
