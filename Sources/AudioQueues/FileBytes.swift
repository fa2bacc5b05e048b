// SPDX-License-Identifier: Apache-2.0
import CLinux
import SoundFiles

/// A file that a sound is read from.
public final class FileBytes: ByteSource {
    public let size: UInt64
    private let descriptor: Int32

    private init(_ descriptor: Int32, _ size: UInt64) {
        self.descriptor = descriptor
        self.size = size
    }

    deinit { _ = linux_close(descriptor) }

    /// Nil for what is not a file that can be read.
    public static func open(_ path: UnsafePointer<CChar>) -> FileBytes? {
        // A FIFO without a writer would block.
        let descriptor = linux_open(path, Int32(LINUX_READ | LINUX_NONBLOCK), 0)
        guard descriptor >= 0 else { return nil }
        var status = linux_file_status()
        guard linux_status_of_descriptor(descriptor, &status) == 0, status.is_regular else {
            _ = linux_close(descriptor)
            return nil
        }
        return FileBytes(descriptor, status.size)
    }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let count = linux_pread(descriptor, base + done, buffer.count - done, offset + UInt64(done))
            guard count >= 0 else { throw .read(code: Int32(clamping: count)) }
            guard count > 0 else { break }
            done += count
        }
        return done
    }
}
