import CLinux
import LinuxSystem

/// Waits for the first of several descriptors.
struct Watch: ~Copyable {
    private let events = FileDescriptor(owning: linux_epoll_create())

    init(_ descriptors: Int32...) {
        for descriptor in descriptors where descriptor >= 0 {
            _ = linux_epoll_add(events.number, descriptor, UInt32(LINUX_READABLE), UInt64(descriptor))
        }
    }

    /// The descriptor that has something; -1 when waiting is not possible.
    func next() -> Int32 {
        var found = linux_event()
        guard linux_epoll_wait(events.number, &found, 1, -1) > 0 else { return -1 }
        return Int32(truncatingIfNeeded: found.token)
    }
}
