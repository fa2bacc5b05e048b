import CLinux
import LinuxSystem

/// Where a process can be reached, and by what it is known to live: two FIFOs in the runtime
/// directory. Others ring the bell; a full bell has rung already, so that nobody who has stopped
/// listening can keep another from being heard. The life is held open by its process alone: those
/// who watch it are told by the kernel when the process dies or becomes another program.
final class Home {
    let id: UInt64
    private let directory: RuntimeDirectory
    /// Each is open for reading and writing: with a writer of its own the bell never hangs up.
    private let bell: FileDescriptor
    private let life: FileDescriptor
    private let isReachable: Bool

    /// Nothing of it is left in the folder where it could not be made.
    static func made(in directory: RuntimeDirectory, as id: UInt64) throws(SystemError) -> Home {
        do throws(SystemError) {
            let bell = try fifo(directory.bell(of: id))
            return Home(id, in: directory, bell, try fifo(directory.life(of: id)))
        } catch {
            if error != .exists { remove(id, from: directory) }
            throw error
        }
    }

    private init(
        _ id: UInt64, in directory: RuntimeDirectory, _ bell: consuming FileDescriptor, _ life: consuming FileDescriptor,
        isReachable: Bool = true
    ) {
        self.isReachable = isReachable
        self.id = id
        self.directory = directory
        self.bell = bell
        self.life = life
        // A child of fork() would otherwise live in our place.
        for descriptor in [self.bell.number, self.life.number] where descriptor >= 0 { linux_close_on_fork(descriptor) }
    }

    deinit {
        linux_forget_on_fork(bell.number)
        linux_forget_on_fork(life.number)
    }

    /// One that no other process reaches. The bell is an eventfd, for the sessions of this process among themselves.
    static func unreachable(_ id: UInt64, in directory: RuntimeDirectory) -> Home {
        Home(id, in: directory, FileDescriptor(owning: linux_eventfd()), FileDescriptor(owning: -1), isReachable: false)
    }

    /// Moves out: nothing is left behind in the folder.
    func leave() { Home.remove(id, from: directory) }

    private static func fifo(_ path: String) throws(SystemError) -> FileDescriptor {
        while true {
            try SystemError.check(linux_mkfifo(path, 0o600))
            do throws(SystemError) {
                return try FileDescriptor(opening: path, how: LINUX_READ_WRITE | LINUX_NONBLOCK | LINUX_NOFOLLOW)
            } catch {
                // Somebody who sweeps the folder has taken it for a dead one's, before it was opened.
                guard error == .notFound else { throw error }
            }
        }
    }

    var descriptor: Int32 { bell.number }

    /// As much as fits into it: what is rung meanwhile is heard the next time.
    func silence() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            for _ in 0..<16 {
                guard linux_read(bell.number, buffer.baseAddress, buffer.count) == buffer.count else { return }
            }
        }
    }

    /// Wakes the thread of this process that waits. False where the system refuses.
    func ring() -> Bool { (isReachable ? linux_ring(bell.number) : linux_eventfd_signal(bell.number)) >= 0 }

    /// Whether others can still reach it by its name.
    var isThere: Bool {
        var named = linux_file_status()
        var held = linux_file_status()
        return linux_status_of_path(directory.bell(of: id), false, &named) >= 0
            && linux_status_of_descriptor(bell.number, &held) >= 0 && named.inode == held.inode
    }

    // MARK: Other homes

    enum State {
        case lived
        /// Nobody has its bell open.
        case deserted
        /// Its bell has no name.
        case nameless
    }

    /// A failure that says nothing about it is no death.
    static func state(of id: UInt64, in directory: RuntimeDirectory) -> State {
        let opened = linux_open(directory.bell(of: id), Int32(LINUX_WRITE | LINUX_NONBLOCK | LINUX_NOFOLLOW), 0)
        if opened >= 0 { _ = linux_close(opened) }
        if opened == -SystemError.noReader.number { return .deserted }
        return opened == -SystemError.notFound.number ? .nameless : .lived
    }

    static func remove(_ id: UInt64, from directory: RuntimeDirectory) {
        _ = linux_unlink(directory.bell(of: id))
        _ = linux_unlink(directory.life(of: id))
    }
}

/// A process whose death is waited for.
final class Neighbour {
    let home: UInt64
    private let life: FileDescriptor

    /// Nil when nobody lives there. Not a failing initializer: in Embedded Swift its descriptor would leak.
    static func watched(_ home: UInt64, in directory: RuntimeDirectory, by events: Int32) -> Neighbour? {
        let neighbour = Neighbour(home, in: directory)
        return neighbour.isWatched(by: events, in: directory) ? neighbour : nil
    }

    private init(_ home: UInt64, in directory: RuntimeDirectory) {
        self.home = home
        life = FileDescriptor(
            owning: linux_open(directory.life(of: home), Int32(LINUX_READ | LINUX_NONBLOCK | LINUX_NOFOLLOW), 0))
    }

    private func isWatched(by events: Int32, in directory: RuntimeDirectory) -> Bool {
        guard life.number >= 0 else { return false }
        // Only the hanging up is of interest, and that is always told. After this it cannot be missed:
        // if the process is alive now, its end is still to come.
        return linux_epoll_add(events, life.number, 0, home) >= 0 && Home.state(of: home, in: directory) == .lived
    }
}
