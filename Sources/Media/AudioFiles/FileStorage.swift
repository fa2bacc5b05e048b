// SPDX-License-Identifier: Apache-2.0
import CLinux
public import LinuxSystem
public import SoundFiles

/// The bytes of a file of the system.
public final class FileStorage: ByteSource, ByteSink {
    private let descriptor: FileDescriptor
    /// The size after the last change by this object. It is used when the system does not answer.
    private var knownSize: UInt64 = 0
    /// The path of a file that this object has created.
    private let createdPath: FilePath?

    private init(_ descriptor: consuming FileDescriptor, createdPath: FilePath? = nil) {
        self.descriptor = descriptor
        self.createdPath = createdPath
    }

    public static func open(_ path: FilePath, writing: Bool) throws(SystemError) -> FileStorage {
        // Without LINUX_NONBLOCK, opening a FIFO would wait for a writer.
        let how = (writing ? LINUX_READ_WRITE : LINUX_READ) | LINUX_NONBLOCK
        return try regular(FileStorage(try FileDescriptor(opening: path, how: Int(how))))
    }

    /// Creates a file. An existing file is an error, unless `erasing`.
    public static func create(_ path: FilePath, erasing: Bool) throws(SystemError) -> FileStorage {
        let how = Int(LINUX_READ_WRITE | LINUX_CREATE | LINUX_NONBLOCK)
        let new: FileStorage
        do throws(SystemError) {
            let descriptor = try FileDescriptor(opening: path, how: how | Int(LINUX_EXCLUSIVE), mode: 0o666)
            new = FileStorage(descriptor, createdPath: path)
        } catch {
            guard erasing, error == .exists else { throw error }
            let storage = try regular(FileStorage(try FileDescriptor(opening: path, how: how, mode: 0o666)))
            try SystemError.check(linux_truncate(storage.descriptor.number, 0))
            storage.knownSize = 0
            return storage
        }
        do throws(SystemError) { return try regular(new) } catch {
            new.removeIfCreated()
            throw error
        }
    }

    public static func open(_ path: String, writing: Bool) throws(SystemError) -> FileStorage {
        try open(FilePath(path), writing: writing)
    }

    public static func create(_ path: String, erasing: Bool) throws(SystemError) -> FileStorage {
        try create(FilePath(path), erasing: erasing)
    }

    /// Removes a file that this object has created. A different file that has the path now is not removed.
    func removeIfCreated() {
        guard let createdPath else { return }
        var (open, named) = (linux_file_status(), linux_file_status())
        guard linux_status_of_descriptor(descriptor.number, &open) >= 0,
            createdPath.withCString({ linux_status_of_path($0, false, &named) }) ?? -1 >= 0, open.device == named.device,
            open.inode == named.inode
        else { return }
        _ = createdPath.withCString { linux_unlink($0) }
    }

    private static func regular(_ storage: FileStorage) throws(SystemError) -> FileStorage {
        var status = linux_file_status()
        try SystemError.check(linux_status_of_descriptor(storage.descriptor.number, &status))
        // EISDIR for a folder. EINVAL for a device, a pipe or a socket, which has no size.
        guard status.is_regular else { throw status.is_directory ? .isDirectory : .invalid }
        storage.knownSize = status.size
        return storage
    }

    public var allowsGaps: Bool { true }

    public var size: UInt64 {
        var status = linux_file_status()
        return linux_status_of_descriptor(descriptor.number, &status) == 0 ? status.size : knownSize
    }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let count = linux_pread(descriptor.number, base + done, buffer.count - done, offset &+ UInt64(done))
            guard count >= 0 else { throw .read(code: Int32(clamping: -count)) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let count = linux_pwrite(descriptor.number, base + done, bytes.count - done, offset &+ UInt64(done))
            // The disk is full.
            guard count != 0 else { throw .write(code: SystemError.noSpace.number) }
            guard count > 0 else { throw .write(code: Int32(clamping: -count)) }
            done += count
            knownSize = max(knownSize, offset &+ UInt64(done))
        }
    }

    public func setSize(_ size: UInt64) throws(SoundFileError) {
        let result = linux_truncate(descriptor.number, size)
        guard result == 0 else { throw .write(code: -result) }
        knownSize = size
    }
}
