// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import CLinux
import LinuxSystem
import SessionArbiter
import SessionRegistry

/// Becomes readable when the file of the shared table is written, and when a process of the table exits. While there are
/// units or queues, also once a second, because other processes write their counters to memory.
final class TableObserver {
    private let epoll = FileDescriptor(owning: linux_epoll_create())
    private let inotify = FileDescriptor(owning: linux_inotify_create())
    private let second = FileDescriptor(owning: linux_alarm_create())
    private let table: String
    private var processes: [Process] = []

    private final class Process {
        let pid: Int32
        private let descriptor: FileDescriptor
        private let epoll: Int32

        /// Makes the epoll instance ready when the process exits.
        init(_ pid: Int32, _ epoll: Int32) {
            self.pid = pid
            self.epoll = epoll
            descriptor = FileDescriptor(owning: linux_pidfd_open(pid))
            _ = linux_epoll_add(epoll, descriptor.number, UInt32(LINUX_READABLE), UInt64(UInt32(bitPattern: pid)))
        }

        /// The close does not end the watch while a child of fork() has a copy of the descriptor.
        deinit { _ = linux_epoll_remove(epoll, descriptor.number) }

        var isWatched: Bool { descriptor.number >= 0 }
    }

    init(of directory: RuntimeDirectory) {
        table = directory.table
        _ = linux_inotify_watch_names(inotify.number, directory.path)
        _ = linux_epoll_add(epoll.number, inotify.number, UInt32(LINUX_READABLE), 0)
        _ = linux_epoll_add(epoll.number, second.number, UInt32(LINUX_READABLE), 0)
    }

    var descriptor: Int32 { epoll.number }

    /// The current report. Every later change makes the descriptor readable.
    func report(of state: SystemState) -> Report {
        drain()
        let report = state.report
        watchProcesses(of: report.table)
        if !report.sounds.isEmpty || state.hasStatusPages { _ = linux_alarm_set(second.number, 1) }
        return report
    }

    /// Adds the watch of the table again each time, because another file may have replaced the table.
    private func drain() {
        linux_alarm_clear(second.number)
        _ = linux_inotify_drain(inotify.number, nil)
        _ = linux_inotify_watch_writing(inotify.number, table)
    }

    private func watchProcesses(of table: SessionTable) {
        var pids: [Int32] = []
        for case let entry? in table.entries where !pids.contains(entry.process.pid) { pids.append(entry.process.pid) }
        processes.removeAll { !pids.contains($0.pid) }
        for pid in pids where !processes.contains(where: { $0.pid == pid }) {
            let new = Process(pid, epoll.number)
            if new.isWatched { processes.append(new) }
        }
    }
}
