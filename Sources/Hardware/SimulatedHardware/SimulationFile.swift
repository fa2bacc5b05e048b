// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The file of a simulated machine, which several processes share.
final class SimulationFile: Sendable {
    let path: String
    private let name: String
    /// Watches the folder, because the file may not exist yet, and because a change replaces the file.
    private let watch: FileDescriptor

    private static let limit = 65_536

    /// The reason why the file was not read or not replaced, with its path. For a mistake, also with the line.
    struct Unreadable: Error {
        let text: String
        /// The content of the file is wrong. If false, the system has refused to read or write the file.
        var isMistake = false
    }

    init(_ path: String) {
        let slash = path.utf8.lastIndex(of: 0x2F)
        let folder = slash.map { String(decoding: path.utf8[..<$0], as: UTF8.self) } ?? "."
        self.path = path
        name = slash.map { String(decoding: path.utf8[path.utf8.index(after: $0)...], as: UTF8.self) } ?? path
        let inotify = linux_inotify_create()
        let watched = inotify >= 0 ? linux_inotify_watch_names(inotify, folder.isEmpty ? "/" : folder) : inotify
        if watched < 0 { Log.debug("\(path): changes by other processes are not noticed: \(SystemError(result: watched).text)") }
        watch = FileDescriptor(owning: inotify)
    }

    var descriptor: Int32 { watch.number }

    /// Drains the events of the folder and of the file. True when one of them concerns the file.
    func hasChanged() -> Bool { linux_inotify_drain(descriptor, name) > 0 }

    /// Reads the machine from the file. Without a file, returns the default machine.
    func read() throws(Unreadable) -> SimulatedMachine {
        // The watch is renewed before each read, because the file may have been replaced. The content of other files of the
        // folder is not watched, because it changes often.
        _ = linux_inotify_watch_content(watch.number, path)
        let text: String
        do throws(SystemError) { text = try TextFile.read(path, limit: SimulationFile.limit) } catch {
            if error == .notFound { return SimulatedMachine() }
            throw Unreadable(text: "\(path): \(error.text)", isMistake: error == .tooLarge)
        }
        do throws(SimulatedMachine.Malformed) { return try SimulatedMachine(text: text) } catch {
            throw Unreadable(text: "\(path):\(error.line): \(error.text)", isMistake: true)
        }
    }

    /// Changes the machine that the file describes now, so that no change by another process is lost. A file that
    /// cannot be read is not replaced.
    func change(_ body: (inout SimulatedMachine) -> Void) throws(Unreadable) -> SimulatedMachine {
        let lockFile = try openedLockFile()
        do throws(SystemError) { try lock(lockFile) } catch { throw Unreadable(text: "\(path).lock: \(error.text)") }
        defer { _ = linux_unlock(lockFile.number) }
        var machine = try read()
        body(&machine)
        do throws(SystemError) { try TextFile.replace(path, with: machine.text) } catch {
            throw Unreadable(text: "\(path): \(error.text)")
        }
        return machine
    }

    private func openedLockFile() throws(Unreadable) -> FileDescriptor {
        do throws(SystemError) {
            return try FileDescriptor(opening: path + ".lock", how: LINUX_READ_WRITE | LINUX_CREATE)
        } catch { throw Unreadable(text: "\(path).lock: \(error.text)") }
    }

    /// Waits while other processes make progress, but not for a process that is stopped.
    private func lock(_ file: borrowing FileDescriptor) throws(SystemError) {
        var backoff = LockBackoff()
        while try !file.tryLock() {
            guard backoff.wait(while: inode()) else { throw .busy }
        }
    }

    /// The inode number of the file, which differs after each change.
    private func inode() -> UInt64 {
        var status = linux_file_status()
        return linux_status_of_path(path, false, &status) >= 0 ? status.inode : 0
    }
}
