// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// A process whose end makes the registry's descriptor readable.
final class PeerMonitor {
    let endpoint: UInt64
    private let liveness: FileDescriptor
    /// The epoll instance of the registry.
    private let events: Int32

    /// Nil when no process has the endpoint open. Not a failable initializer: in Embedded Swift the descriptor would leak.
    static func monitor(_ endpoint: UInt64, in directory: RuntimeDirectory, events: Int32) -> PeerMonitor? {
        let monitor = PeerMonitor(endpoint, in: directory, events: events)
        return monitor.isAdded(in: directory) ? monitor : nil
    }

    private init(_ endpoint: UInt64, in directory: RuntimeDirectory, events: Int32) {
        self.endpoint = endpoint
        self.events = events
        let how = Int32(LINUX_READ | LINUX_NONBLOCK | LINUX_NOFOLLOW)
        liveness = FileDescriptor(owning: linux_open(directory.liveness(of: endpoint), how, 0))
    }

    /// The close does not end the watch while a child of fork() has a copy of the descriptor: the registry would be woken for ever.
    deinit { _ = linux_epoll_remove(events, liveness.number) }

    private func isAdded(in directory: RuntimeDirectory) -> Bool {
        guard liveness.number >= 0 else { return false }
        // The kernel always reports a hang-up. Therefore a process that is alive after this call cannot end unnoticed.
        return linux_epoll_add(events, liveness.number, 0, endpoint) >= 0
            && ProcessEndpoint.state(of: endpoint, in: directory) == .open
    }
}
