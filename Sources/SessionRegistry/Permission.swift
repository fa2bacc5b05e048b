import CLinux
import LinuxSystem

/// One at a time may replace the table: whoever has the lock of a file that is there for this only. It
/// is held for some milliseconds. Who has stopped meanwhile loses it: another such file takes the
/// place, and what the stopped one had begun to make is removed, so that it cannot finish when it wakes.
final class Permission {
    private let file: FileDescriptor

    private init(_ file: consuming FileDescriptor) { self.file = file }

    deinit { _ = linux_unlock(file.number) }

    /// Nil when another table is in the old one's place by now: of a crowd that waits for the same holder,
    /// one replaces the table, and the others are not to take the permission from each other for nothing.
    static func obtain(in directory: RuntimeDirectory, leaving old: TableCopy.FileIdentity) throws(TableFailure) -> Permission? {
        do throws(SystemError) {
            for _ in 0..<attempts {
                guard isInPlace(old, in: directory) else { return nil }
                var permission = try waited(in: directory, leaving: old)
                if permission == nil, isInPlace(old, in: directory) { permission = try taken(in: directory) }
                guard let permission else { continue }
                for path in directory.unfinished() { _ = linux_unlink(path) }
                if permission.isValid { return permission }
            }
        } catch {
            throw .system(error)
        }
        throw .busy
    }

    /// To lose it twice takes somebody who is out to disturb.
    private static let attempts = 3

    /// Nobody has taken it away.
    var isValid: Bool {
        var status = linux_file_status()
        return linux_status_of_descriptor(file.number, &status) >= 0 && status.links > 0
    }

    static func isInPlace(_ table: TableCopy.FileIdentity, in directory: RuntimeDirectory) -> Bool {
        var status = linux_file_status()
        return linux_status_of_path(directory.table, false, &status) >= 0 && status.identity == table
    }

    /// Nil when its holder does not move, or the table has been replaced.
    private static func waited(
        in directory: RuntimeDirectory, leaving old: TableCopy.FileIdentity
    ) throws(SystemError) -> Permission? {
        var patience = Patience()
        while true {
            let file = try FileDescriptor(opening: directory.replacing, how: LINUX_READ_WRITE | LINUX_CREATE | LINUX_NOFOLLOW)
            while true {
                let locked = linux_try_lock(file.number)
                if locked >= 0 { break }
                guard SystemError(-locked) == .tryAgain else { throw SystemError(-locked) }
                var status = linux_file_status()
                guard linux_status_of_descriptor(file.number, &status) >= 0, status.links > 0 else { break }
                guard patience.wait(while: 0), isInPlace(old, in: directory) else { return nil }
            }
            let permission = Permission(file)
            if permission.isValid { return permission }
        }
    }

    /// Nil when another one was quicker.
    private static func taken(in directory: RuntimeDirectory) throws(SystemError) -> Permission? {
        let path = directory.unfinished(SharedRegistry.newHome())
        let file = try FileDescriptor(opening: path, how: LINUX_READ_WRITE | LINUX_CREATE | LINUX_EXCLUSIVE | LINUX_NOFOLLOW)
        try SystemError.check(linux_try_lock(file.number))
        let renamed = linux_rename(path, directory.replacing)
        if SystemError(-renamed) == .notFound { return nil }
        try SystemError.check(renamed)
        return Permission(file)
    }
}
