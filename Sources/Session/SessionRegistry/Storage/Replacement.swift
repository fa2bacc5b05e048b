// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// Replaces a table whose lock is held by a stopped process: a new file with the same content gets the name of the old file. The
/// old file is marked first. A holder that continues finds the mark, and reads in the new file whether its transaction is
/// contained.
enum Replacement {
    /// Returns when a new file has the name of the old one.
    static func replace(_ directory: RuntimeDirectory, leaving old: TableSnapshot.FileIdentity) throws(TableFailure) {
        guard let lock = try ReplacementLock.obtain(in: directory, leaving: old) else { return }
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(opening: directory.table, how: LINUX_READ_WRITE | LINUX_NOFOLLOW)
        } catch {
            if error == .notFound { return }
            throw .system(error)
        }
        guard try TableFile.identity(of: file) == old else { return }
        Log.debug("\(directory.table): the holder of its lock makes no progress; the table is copied to a new file")
        try TableFile.write(mark(1), at: TableHeader.replacedOffset, of: file.number)
        try copy(file.number, to: directory, with: lock)
    }

    /// Called by a holder of the lock whose file is marked. Waits until no process is replacing the file. True when the file
    /// still has its name. The mark is then removed.
    static func isCancelled(
        of identity: TableSnapshot.FileIdentity, _ file: Int32, in directory: RuntimeDirectory
    ) throws(TableFailure) -> Bool {
        guard let lock = try ReplacementLock.obtain(in: directory, leaving: identity) else { return false }
        defer { withExtendedLifetime(lock) {} }
        guard ReplacementLock.isInPlace(identity, in: directory) else { return false }
        try TableFile.write(mark(0), at: TableHeader.replacedOffset, of: file)
        return true
    }

    private static func mark(_ value: UInt64) -> [UInt8] {
        var buffer = ChecksummedBuffer(size: 8)
        buffer.set(value, at: 0)
        return buffer.bytes
    }

    /// The holder may continue during the copy. It writes its record first, then entries, then the header. They are read in the
    /// opposite order: the record repairs a torn entry or header.
    private static let regions: [Range<UInt64>] = [
        0..<UInt64(TableHeader.size), TableHeader.entriesOffset..<TableHeader.fileSize,
        TableHeader.redoOffset..<TableHeader.entriesOffset,
    ]

    private static func copy(_ old: Int32, to directory: RuntimeDirectory, with lock: ReplacementLock) throws(TableFailure) {
        let path = directory.unfinished(RuntimeDirectory.newNumber())
        defer { withExtendedLifetime(lock) {} }
        do throws(SystemError) {
            let new = try FileDescriptor(opening: path, how: LINUX_READ_WRITE | LINUX_CREATE | LINUX_EXCLUSIVE | LINUX_NOFOLLOW)
            // Without a valid lock the replacement is given up. If the lock is lost after this point, the process that takes it
            // removes the new file.
            if lock.isValid {
                try SystemError.check(linux_reserve(new.number, TableHeader.fileSize))
                try copy(old, to: new.number)
                do throws(SystemError) { try SystemError.check(linux_rename(path, directory.table)) } catch {
                    if error != .notFound { throw error }
                }
                return
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
