// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// Wakes other processes. Keeps the last FIFOs open, because a process that was notified of an interruption will soon be
/// notified of its end.
struct PeerNotifier {
    private static let capacity = 8
    private var open: [PeerWakeUp] = []
    /// Processes that the system has refused to wake.
    private var pending: [UInt64] = []

    /// Wakes these processes, and the processes that the system refused to wake at the last call.
    mutating func wake(_ endpoints: [UInt64], in directory: RuntimeDirectory) {
        var all = pending
        for endpoint in endpoints where !all.contains(endpoint) { all.append(endpoint) }
        pending = all.filter { !wake($0, in: directory) }
    }

    /// False when the process may still run, and the system has refused twice.
    private mutating func wake(_ endpoint: UInt64, in directory: RuntimeDirectory) -> Bool {
        if let known = open.firstIndex(where: { $0.endpoint == endpoint }) {
            if open[known].wake() >= 0 { return true }
            open.remove(at: known)
        }
        for _ in 0..<2 {
            let wakeUp = PeerWakeUp(endpoint, in: directory)
            let result = wakeUp.wake()
            if result >= 0 {
                if open.count == PeerNotifier.capacity { open.removeFirst() }
                open.append(wakeUp)
                return true
            }
            let error = SystemError(result: result)
            if error == .noDeviceOrAddress || error == .notFound { return true }
        }
        return false
    }
}

/// The wake-up FIFO of another process, open for writing.
private final class PeerWakeUp {
    let endpoint: UInt64
    private let descriptor: FileDescriptor

    init(_ endpoint: UInt64, in directory: RuntimeDirectory) {
        self.endpoint = endpoint
        let how = Int32(LINUX_WRITE | LINUX_NONBLOCK | LINUX_NOFOLLOW)
        descriptor = FileDescriptor(owning: linux_open(directory.wakeUp(of: endpoint), how, 0))
    }

    /// The result of the write. It is that of `noDeviceOrAddress` or `notFound` when the process has ended.
    func wake() -> Int32 { descriptor.number >= 0 ? linux_wake(descriptor.number) : descriptor.number }
}
