import CLinux
import LinuxSystem
import SessionArbiter
import SessionRegistry
import SessionReports

/// Notices whatever happens in the shared table: that its file is written, and that a process of it
/// dies, whether or not anyone else is there to clear up after it.
final class Observer {
    private let events = FileDescriptor(owning: linux_epoll_create())
    private let files = FileDescriptor(owning: linux_inotify_create())
    private let table: String
    private var watched: [Watched] = []

    private final class Watched {
        let pid: Int32
        let process: FileDescriptor

        init(_ pid: Int32) {
            self.pid = pid
            process = FileDescriptor(owning: linux_pidfd_open(pid))
        }
    }

    init(of directory: RuntimeDirectory) {
        table = directory.table
        _ = linux_inotify_watch_names(files.number, directory.path)
        _ = linux_epoll_add(events.number, files.number, UInt32(LINUX_READABLE), 0)
    }

    var descriptor: Int32 { events.number }

    /// How things are now; what comes after it is noticed.
    func report(of world: World) -> Report {
        heed()
        let report = world.report
        follow(report.table)
        return report
    }

    /// Silences what was noticed.
    private func heed() {
        _ = linux_inotify_drain(files.number, { _, _ in }, nil)
        // Each time: another file may have taken the table's place.
        _ = linux_inotify_watch_writing(files.number, table)
    }

    /// Watches the processes that are in the table now.
    private func follow(_ table: SessionTable) {
        var pids: [Int32] = []
        for case let entry? in table.entries where !pids.contains(entry.process.pid) { pids.append(entry.process.pid) }
        watched.removeAll { !pids.contains($0.pid) }
        for pid in pids where !watched.contains(where: { $0.pid == pid }) {
            let new = Watched(pid)
            guard new.process.number >= 0 else { continue }
            _ = linux_epoll_add(events.number, new.process.number, UInt32(LINUX_READABLE), UInt64(UInt32(bitPattern: pid)))
            watched.append(new)
        }
    }
}
