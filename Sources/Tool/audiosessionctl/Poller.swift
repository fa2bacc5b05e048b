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
    func next() -> Int32 { next(milliseconds: -1) ?? -1 }

    /// The readable descriptor; -1 after an error, nil when the time has passed. -1 milliseconds wait without limit.
    func next(milliseconds: Int32) -> Int32? {
        var event = linux_event()
        let count = linux_epoll_wait(epoll.number, &event, 1, milliseconds)
        if count == 0 { return nil }
        return count > 0 ? Int32(truncatingIfNeeded: event.token) : -1
    }
}
