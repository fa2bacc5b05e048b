// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The table's file, which stays open between transactions. Each transaction compares it with the file of that name. A child
/// of fork() closes the file, because it would hold the lock of its parent after the parent's death.
final class CachedTableFile {
    let descriptor: FileDescriptor
    let path: FilePath
    let identity: TableSnapshot.FileIdentity
    /// The header, the mark and the head of the redo record, as the holder of the lock has read them.
    var front = ChecksummedBuffer(size: TableHeader.frontSize)
    /// The header of the transaction that the holder of the lock commits.
    var next = TableHeader()
    /// The redo record of the holder of the lock. Most transactions change one entry or two.
    var redo = ChecksummedBuffer(size: RedoRecord.size(of: 2))

    /// Not a failable initializer: in Embedded Swift the descriptor would leak.
    static func keep(_ descriptor: consuming FileDescriptor, from path: String) throws(SystemError) -> CachedTableFile {
        var status = linux_file_status()
        try SystemError.check(linux_status_of_descriptor(descriptor.number, &status))
        guard status.is_regular, status.owner == linux_user_id() else { throw .noAccess }
        return CachedTableFile(descriptor, FilePath(path), status.identity)
    }

    private init(_ descriptor: consuming FileDescriptor, _ path: FilePath, _ identity: TableSnapshot.FileIdentity) {
        self.path = path
        self.descriptor = descriptor
        self.identity = identity
        linux_close_on_fork(self.descriptor.number)
    }

    deinit { linux_forget_on_fork(descriptor.number) }
}

extension linux_file_status {
    var identity: TableSnapshot.FileIdentity { TableSnapshot.FileIdentity(device: device, inode: inode) }
}
