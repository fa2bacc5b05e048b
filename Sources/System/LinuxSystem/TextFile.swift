// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Small files that are read and replaced as a whole.
public enum TextFile {
    /// The content. A file of more than `limit` bytes is an error. A FIFO without a writer has no content: its reader does not wait.
    public static func read(_ path: String, limit: Int) throws(SystemError) -> String {
        let file = try FileDescriptor(opening: path, how: LINUX_READ | LINUX_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var length = 0
        while length < bytes.count {
            let got = try SystemError.check(
                bytes.withUnsafeMutableBytes { linux_read(file.number, $0.baseAddress?.advanced(by: length), $0.count - length) })
            guard got > 0 else { break }
            length += got
        }
        guard length <= limit else { throw .tooLarge }
        return String(decoding: bytes[0..<length], as: UTF8.self)
    }

    /// Replaces a file atomically: a reader finds the old content or the new content. Only one process at a time may replace the
    /// file. A new file that a killed process has left is reused.
    public static func replace(_ path: String, with text: String) throws(SystemError) {
        let new = "\(path).new"
        do throws(SystemError) {
            let how = LINUX_WRITE | LINUX_CREATE | LINUX_TRUNCATE | LINUX_NOFOLLOW
            try write(text, to: try FileDescriptor(opening: new, how: how))
            try SystemError.check(linux_rename(new, path))
        } catch {
            _ = linux_unlink(new)
            throw error
        }
    }

    public static func write(_ text: String, to file: borrowing FileDescriptor) throws(SystemError) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let put = try SystemError.check(
                bytes.withUnsafeBytes { linux_write(file.number, $0.baseAddress?.advanced(by: written), $0.count - written) })
            guard put > 0 else { throw .noSpace }
            written += put
        }
    }
}
