import CLinux
import LinuxSystem

/// Going on without a holder that was stopped inside the lock: the table is copied to a new file that
/// takes the old one's place. The old file is marked first, so that its holder, when it wakes, knows
/// that what it writes may come too late, and asks the new file whether its transaction counted.
enum Replacement {
    /// Returns when another file is in the place of the one that is to be left.
    static func replace(_ directory: RuntimeDirectory, leaving old: TableCopy.FileIdentity) throws(TableFailure) {
        guard let permission = try Permission.obtain(in: directory, leaving: old) else { return }
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(opening: directory.table, how: LINUX_READ_WRITE | LINUX_NOFOLLOW)
        } catch {
            if error == .notFound { return }
            throw .system(error)
        }
        guard try TableFile.identity(of: file) == old else { return }
        Log.line("\(directory.table): its holder does not move; going on without it")
        try TableFile.write(mark(1), at: Header.replacedOffset, of: file.number)
        try copy(file.number, to: directory, with: permission)
    }

    /// For a holder of the lock that finds its file marked: waits until nobody is replacing it. True
    /// when it has stayed in its place, then without the mark.
    static func isCancelled(
        of identity: TableCopy.FileIdentity, _ file: Int32, in directory: RuntimeDirectory
    ) throws(TableFailure) -> Bool {
        guard let permission = try Permission.obtain(in: directory, leaving: identity) else { return false }
        defer { withExtendedLifetime(permission) {} }
        guard Permission.isInPlace(identity, in: directory) else { return false }
        try TableFile.write(mark(0), at: Header.replacedOffset, of: file)
        return true
    }

    private static func mark(_ value: UInt64) -> [UInt8] {
        var block = Block(size: 8)
        block.set(value, at: 0)
        return block.bytes
    }

    /// Its holder may wake meanwhile; it writes its record first, then entries, then the header. Read
    /// the other way round, whatever was torn is made good by the record.
    private static let regions: [Range<UInt64>] = [
        0..<UInt64(Header.size), Header.entriesOffset..<Header.fileSize, Header.redoOffset..<Header.entriesOffset,
    ]

    private static func copy(_ old: Int32, to directory: RuntimeDirectory, with permission: Permission) throws(TableFailure) {
        let path = directory.unfinished(SharedRegistry.newHome())
        defer { withExtendedLifetime(permission) {} }
        do throws(SystemError) {
            let new = try FileDescriptor(opening: path, how: LINUX_READ_WRITE | LINUX_CREATE | LINUX_EXCLUSIVE | LINUX_NOFOLLOW)
            // Who has lost the permission before this is told now; who loses it later loses the file.
            if permission.isValid {
                try SystemError.check(linux_reserve(new.number, Header.fileSize))
                try copy(old, to: new.number)
                let renamed = linux_rename(path, directory.table)
                guard renamed < 0, SystemError(-renamed) != .notFound else { return }
                throw SystemError(-renamed)
            }
            _ = linux_unlink(path)
        } catch {
            _ = linux_unlink(path)
            throw .system(error)
        }
    }

    private static func copy(_ old: Int32, to new: Int32) throws(SystemError) {
        for region in regions {
            do throws(TableFailure) {
                let bytes = try TableFile.read(region.count, at: region.lowerBound, of: old).bytes
                try TableFile.write(bytes, at: region.lowerBound, of: new)
            } catch {
                guard case .system(let reason) = error else { throw .tryAgain }
                throw reason
            }
        }
    }
}
