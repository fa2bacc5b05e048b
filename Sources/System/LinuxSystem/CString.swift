// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Texts in the memory of C.
public enum CString {
    /// Writes a text with its final 0, truncated to the size of the buffer.
    public static func write(_ text: String, to buffer: UnsafeMutablePointer<CChar>, size: Int) {
        var end = 0
        for byte in text.utf8 where end < size - 1 {
            buffer[end] = CChar(bitPattern: byte)
            end += 1
        }
        buffer[end] = 0
    }

    /// A text that is valid until the next call on the same thread; nil when memory is exhausted.
    public static func ofThread(_ text: String) -> UnsafePointer<CChar>? {
        guard let buffer = linux_thread_buffer() else { return nil }
        write(text, to: buffer, size: Int(LINUX_THREAD_BUFFER_SIZE))
        return UnsafePointer(buffer)
    }

    /// A copy that the caller deallocates.
    public static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let size = text.utf8.count + 1
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        write(text, to: memory, size: size)
        return memory
    }
}
