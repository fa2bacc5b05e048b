// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The two FIFOs of a process in the runtime directory. A byte in the wake-up FIFO means that the table has changed. A full
/// FIFO needs no further byte: a process that does not read its FIFO blocks no other process. Only this process holds its
/// liveness FIFO open: the kernel notifies the processes that monitor it when this process ends or executes another program.
final class ProcessEndpoint {
    let id: UInt64
    private let directory: RuntimeDirectory
    /// Both are open for reading and writing: a FIFO that this process itself can write never hangs up.
    private let wakeUp: FileDescriptor
    private let liveness: FileDescriptor
    private let isReachable: Bool

    /// Removes its files if the creation fails.
    static func create(in directory: RuntimeDirectory) throws(SystemError) -> ProcessEndpoint {
        let id = RuntimeDirectory.newNumber()
        do throws(SystemError) {
            let wakeUp = try fifo(directory.wakeUp(of: id))
            return ProcessEndpoint(id, in: directory, wakeUp, try fifo(directory.liveness(of: id)))
        } catch {
            if error != .exists { remove(id, from: directory) }
            throw error
        }
    }

    /// An endpoint without FIFOs, which no other process can wake. An eventfd wakes the thread of this process.
    static func unreachable(_ id: UInt64, in directory: RuntimeDirectory) -> ProcessEndpoint {
        ProcessEndpoint(
            id, in: directory, FileDescriptor(owning: linux_eventfd()), FileDescriptor(owning: -1), isReachable: false)
    }

    private init(
        _ id: UInt64, in directory: RuntimeDirectory, _ wakeUp: consuming FileDescriptor, _ liveness: consuming FileDescriptor,
        isReachable: Bool = true
    ) {
        self.id = id
        self.directory = directory
        self.isReachable = isReachable
        self.wakeUp = wakeUp
        self.liveness = liveness
        // A child of fork() would keep the FIFOs open after the end of this process.
        for descriptor in [self.wakeUp.number, self.liveness.number] where descriptor >= 0 { linux_close_on_fork(descriptor) }
    }

    deinit {
        linux_forget_on_fork(wakeUp.number)
        linux_forget_on_fork(liveness.number)
    }

    private static func fifo(_ path: String) throws(SystemError) -> FileDescriptor {
        while true {
            try SystemError.check(linux_mkfifo(path, 0o600))
            do throws(SystemError) {
                return try FileDescriptor(opening: path, how: LINUX_READ_WRITE | LINUX_NONBLOCK | LINUX_NOFOLLOW)
            } catch {
                // Another process has removed the FIFO as abandoned before it was open.
                guard error == .notFound else { throw error }
            }
        }
    }

    /// Becomes readable when another process wakes this process.
    var descriptor: Int32 { wakeUp.number }

    /// Reads as much as fits into the FIFO. Later bytes wake the process again.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            for _ in 0..<16 {
                guard linux_read(wakeUp.number, buffer.baseAddress, buffer.count) == buffer.count else { return }
            }
        }
    }

    /// Wakes the thread of this process that waits for events. False when the system refuses.
    func wake() -> Bool { (isReachable ? linux_wake(wakeUp.number) : linux_eventfd_signal(wakeUp.number)) >= 0 }

    /// The wake-up FIFO has its name, by which other processes find it. The kernel tells of a removal when the file has no link any
    /// more, and for a moment the name still leads to it: no event follows later.
    var isNamed: Bool {
        var named = linux_file_status()
        var open = linux_file_status()
        return linux_status_of_path(directory.wakeUp(of: id), false, &named) >= 0
            && linux_status_of_descriptor(wakeUp.number, &open) >= 0 && named.inode == open.inode && open.links > 0
    }

    func removeFiles() { ProcessEndpoint.remove(id, from: directory) }

    // MARK: The endpoints of other processes

    enum State {
        case open
        /// No process has the wake-up FIFO open.
        case abandoned
        /// The wake-up FIFO has no name.
        case unnamed
    }

    /// Any failure other than these is no evidence of a death.
    static func state(of id: UInt64, in directory: RuntimeDirectory) -> State {
        let opened = linux_open(directory.wakeUp(of: id), Int32(LINUX_WRITE | LINUX_NONBLOCK | LINUX_NOFOLLOW), 0)
        if opened >= 0 { _ = linux_close(opened) }
        if opened == SystemError.noDeviceOrAddress.result { return .abandoned }
        return opened == SystemError.notFound.result ? .unnamed : .open
    }

    static func remove(_ id: UInt64, from directory: RuntimeDirectory) {
        _ = linux_unlink(directory.wakeUp(of: id))
        _ = linux_unlink(directory.liveness(of: id))
    }
}
