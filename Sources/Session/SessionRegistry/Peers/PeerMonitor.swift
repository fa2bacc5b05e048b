// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// A process whose end makes the registry's descriptor readable.
final class PeerMonitor {
    let endpoint: UInt64
    private let liveness: FileDescriptor

    /// Nil when no process has the endpoint open. Not a failable initializer: in Embedded Swift the descriptor would leak.
    static func monitor(_ endpoint: UInt64, in directory: RuntimeDirectory, events: Int32) -> PeerMonitor? {
        let monitor = PeerMonitor(endpoint, in: directory)
        return monitor.isAdded(to: events, in: directory) ? monitor : nil
    }

    private init(_ endpoint: UInt64, in directory: RuntimeDirectory) {
        self.endpoint = endpoint
        let how = Int32(LINUX_READ | LINUX_NONBLOCK | LINUX_NOFOLLOW)
        liveness = FileDescriptor(owning: linux_open(directory.liveness(of: endpoint), how, 0))
    }

    private func isAdded(to events: Int32, in directory: RuntimeDirectory) -> Bool {
        guard liveness.number >= 0 else { return false }
        // The kernel always reports a hang-up. Therefore a process that is alive after this call cannot end unnoticed.
        return linux_epoll_add(events, liveness.number, 0, endpoint) >= 0
            && ProcessEndpoint.state(of: endpoint, in: directory) == .open
    }
}
