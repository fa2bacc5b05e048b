// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// Waits until one of several descriptors is readable.
struct Poller: ~Copyable {
    private let epoll = FileDescriptor(owning: linux_epoll_create())

    /// Negative descriptors are ignored.
    init(_ descriptors: Int32...) {
        for descriptor in descriptors where descriptor >= 0 {
            _ = linux_epoll_add(epoll.number, descriptor, UInt32(LINUX_READABLE), UInt64(descriptor))
        }
    }

    /// The readable descriptor; -1 after an error.
    func next() -> Int32 {
        var event = linux_event()
        guard linux_epoll_wait(epoll.number, &event, 1, -1) > 0 else { return -1 }
        return Int32(truncatingIfNeeded: event.token)
    }
}
