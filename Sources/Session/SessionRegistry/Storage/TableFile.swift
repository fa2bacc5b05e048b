// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import SessionArbiter

/// The reason why the shared table cannot be used.
enum TableFailure: Error, Equatable {
    /// The system refused: a full disk, a read-only directory, no descriptor left.
    case system(SystemError)
    /// Another version of this library uses the file.
    case foreign
    /// Another process held the lock, and the file could not be replaced.
    case busy

    /// Throws the failure of a negative result.
    @discardableResult
    static func check(_ result: Int) throws(TableFailure) -> Int {
        do throws(SystemError) { return try SystemError.check(result) } catch { throw .system(error) }
    }
}

/// The table's file, locked for one transaction.
struct TableFile: ~Copyable {
    private let file: CachedTableFile
    let identity: TableSnapshot.FileIdentity
    /// The file was truncated.
    let wasShort: Bool
    private let directory: RuntimeDirectory
    /// The header, the mark and the head of the redo record, read when the lock was taken.
    var front: ChecksummedBuffer { file.front }

    /// Waits for the lock. If its holder makes no progress, replaces the file.
    static func open(_ cached: inout CachedTableFile?, in directory: RuntimeDirectory) throws(TableFailure) -> TableFile {
        while true {
            let file: CachedTableFile
            if let last = cached { file = last } else { file = try opened(directory) }
            cached = nil
            guard try isLocked(file.descriptor, in: directory) else { continue }
            TransactionHook.point(.locked)
            // Another process may have replaced or removed the file.
            guard let status = try status(of: file.path), status.identity == file.identity else {
                _ = linux_unlock(file.descriptor.number)
                continue
            }
            let table = try TableFile(file, status, in: directory)
            if TableHeader.isMarked(table.front) { guard try table.isUnmarked() else { continue } }
            cached = file
            return table
        }
    }

    private init(_ file: CachedTableFile, _ status: linux_file_status, in directory: RuntimeDirectory) throws(TableFailure) {
        let number = file.descriptor.number
        let isShort = status.size < TableHeader.fileSize
        // All space is reserved at the creation, so that no session is refused when the disk becomes full.
        if isShort {
            try TableFailure.check(Int(linux_reserve(number, TableHeader.fileSize)))
        }
        var result = 0
        file.front.fill(0..<TableHeader.frontSize) {
            result = linux_pread(number, $0, TableHeader.frontSize, 0)
            return result
        }
        try TableFailure.check(result)
        wasShort = isShort
        identity = file.identity
        self.directory = directory
        self.file = file
    }

    deinit { _ = linux_unlock(file.descriptor.number) }

    private static func opened(_ directory: RuntimeDirectory) throws(TableFailure) -> CachedTableFile {
        do throws(SystemError) {
            let how = LINUX_READ_WRITE | LINUX_CREATE | LINUX_NOFOLLOW | LINUX_NO_ACCESS_TIME
            return try CachedTableFile.keep(FileDescriptor(opening: directory.table, how: how), from: directory.table)
        } catch {
            throw .system(error)
        }
    }

    /// False when the file has been replaced since it was opened.
    private static func isLocked(_ file: borrowing FileDescriptor, in directory: RuntimeDirectory) throws(TableFailure) -> Bool {
        if linux_try_lock(file.number) >= 0 { return true }
        var backoff = LockBackoff()
        while true {
            do throws(SystemError) { if try file.tryLock() { return true } } catch { throw .system(error) }
            if try status(of: file).links == 0 { return false }
            guard backoff.wait(while: generation(of: file)) else {
                try Replacement.replace(directory, leaving: try identity(of: file))
                return false
            }
        }
    }

    /// Read without the lock, only to see that the holders make progress.
    private static func generation(of file: borrowing FileDescriptor) -> UInt64 {
        word(at: TableHeader.generationOffset, of: file) ?? 0
    }

    private static func word(at offset: UInt64, of file: borrowing FileDescriptor) -> UInt64? {
        var word: UInt64 = 0
        return linux_pread(file.number, &word, 8, offset) == 8 ? word : nil
    }

    static func status(of file: borrowing FileDescriptor) throws(TableFailure) -> linux_file_status {
        var status = linux_file_status()
        try TableFailure.check(Int(linux_status_of_descriptor(file.number, &status)))
        return status
    }

    /// Nil when no file has that name.
    private static func status(of path: FilePath) throws(TableFailure) -> linux_file_status? {
        var status = linux_file_status()
        let result = path.withCString { linux_status_of_path($0, false, &status) } ?? SystemError.noMemory.result
        do throws(TableFailure) { try TableFailure.check(Int(result)) } catch {
            if error == .system(.notFound) { return nil }
            throw error
        }
        return status
    }

    static func identity(of file: borrowing FileDescriptor) throws(TableFailure) -> TableSnapshot.FileIdentity {
        try status(of: file).identity
    }

    // MARK: Replacement

    /// Whether the data that was written to this file is what other processes will read. A file is marked before it is replaced.
    /// If the mark cannot be read, the file counts as unmarked: the transaction is committed, and replacements are rare.
    func isInPlace() throws(TableFailure) -> Bool {
        if (TableFile.word(at: TableHeader.replacedOffset, of: file.descriptor) ?? 0) == 0 { return true }
        return try isUnmarked()
    }

    /// Waits until no process is replacing this file. True when the file still has its name.
    private func isUnmarked() throws(TableFailure) -> Bool {
        try Replacement.isCancelled(of: identity, file.descriptor.number, in: directory)
    }

    // MARK: Reading and writing

    func read(_ count: Int, at offset: UInt64) throws(TableFailure) -> ChecksummedBuffer {
        try TableFile.read(count, at: offset, of: file.descriptor.number)
    }

    func write(_ bytes: [UInt8], at offset: UInt64) throws(TableFailure) {
        try TableFile.write(bytes, at: offset, of: file.descriptor.number)
    }

    /// Fills the header of the next generation and the redo record.
    func record(_ body: (inout TableHeader, inout ChecksummedBuffer) -> Void) { body(&file.next, &file.redo) }
    var next: TableHeader { file.next }

    /// Writes a part of the redo record.
    func write(_ part: Range<Int>, at offset: UInt64) throws(TableFailure) {
        try TableFile.write(file.redo.bytes, part, at: offset, of: file.descriptor.number)
    }

    /// Reads zeros beyond the end of the file.
    static func read(_ count: Int, at offset: UInt64, of file: Int32) throws(TableFailure) -> ChecksummedBuffer {
        var done = 0
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            while done < count {
                result = linux_pread(file, buffer.baseAddress?.advanced(by: done), count - done, offset + UInt64(done))
                guard result > 0 else { break }
                done += result
            }
            for index in done..<count { buffer[index] = 0 }
            initializedCount = count
        }
        try TableFailure.check(result)
        return ChecksummedBuffer(bytes: bytes)
    }

    static func write(_ bytes: [UInt8], at offset: UInt64, of file: Int32) throws(TableFailure) {
        try write(bytes, bytes.indices, at: offset, of: file)
    }

    private static func write(_ bytes: [UInt8], _ part: Range<Int>, at offset: UInt64, of file: Int32) throws(TableFailure) {
        var done = 0
        while done < part.count {
            let put = try TableFailure.check(
                bytes.withUnsafeBytes {
                    linux_pwrite(
                        file, $0.baseAddress?.advanced(by: part.lowerBound + done), part.count - done, offset + UInt64(done))
                })
            guard put > 0 else { throw .system(.noSpace) }
            done += put
        }
    }
}
