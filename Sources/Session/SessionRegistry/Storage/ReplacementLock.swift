// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The lock of a file that has no other purpose. Its holder may replace the table. A process holds it for some milliseconds.
/// A holder that has stopped loses the lock: another lock file replaces its lock file, and the unfinished files of the stopped
/// process are removed, so that it cannot complete the replacement when it continues.
final class ReplacementLock {
    private let file: FileDescriptor

    private init(_ file: consuming FileDescriptor) { self.file = file }

    deinit { _ = linux_unlock(file.number) }

    /// Nil when another process has replaced the table: of many processes that wait for the same holder, one
    /// replaces the table, and the others do not need the lock.
    static func obtain(in directory: RuntimeDirectory, leaving old: TableSnapshot.FileIdentity) throws(TableFailure)
        -> ReplacementLock?
    {
        do throws(SystemError) {
            for _ in 0..<attempts {
                guard isInPlace(old, in: directory) else { return nil }
                var lock = try acquired(in: directory, leaving: old)
                if lock == nil, isInPlace(old, in: directory) { lock = try replaced(in: directory) }
                guard let lock else { continue }
                for path in directory.unfinished() { _ = linux_unlink(path) }
                if lock.isValid { return lock }
            }
        } catch {
            throw .system(error)
        }
        throw .busy
    }

    /// Only a hostile process can cause the loss of a second lock.
    private static let attempts = 3

    /// No other lock file has replaced this one.
    var isValid: Bool {
        var status = linux_file_status()
        return linux_status_of_descriptor(file.number, &status) >= 0 && status.links > 0
    }

    static func isInPlace(_ table: TableSnapshot.FileIdentity, in directory: RuntimeDirectory) -> Bool {
        var status = linux_file_status()
        return linux_status_of_path(directory.table, false, &status) >= 0 && status.identity == table
    }

    /// Nil when the holder makes no progress, or the table has been replaced.
    private static func acquired(
        in directory: RuntimeDirectory, leaving old: TableSnapshot.FileIdentity
    ) throws(SystemError) -> ReplacementLock? {
        var backoff = LockBackoff()
        while true {
            let file = try FileDescriptor(opening: directory.replacing, how: LINUX_READ_WRITE | LINUX_CREATE | LINUX_NOFOLLOW)
            while try !file.tryLock() {
                var status = linux_file_status()
                guard linux_status_of_descriptor(file.number, &status) >= 0, status.links > 0 else { break }
                guard backoff.wait(while: 0), isInPlace(old, in: directory) else { return nil }
            }
            let lock = ReplacementLock(file)
            if lock.isValid { return lock }
        }
    }

    /// Nil when another process has replaced the lock file first.
    private static func replaced(in directory: RuntimeDirectory) throws(SystemError) -> ReplacementLock? {
        let path = directory.unfinished(RuntimeDirectory.newNumber())
        let file = try FileDescriptor(opening: path, how: LINUX_READ_WRITE | LINUX_CREATE | LINUX_EXCLUSIVE | LINUX_NOFOLLOW)
        try SystemError.check(linux_try_lock(file.number))
        do throws(SystemError) { try SystemError.check(linux_rename(path, directory.replacing)) } catch {
            if error == .notFound { return nil }
            throw error
        }
        return ReplacementLock(file)
    }
}
