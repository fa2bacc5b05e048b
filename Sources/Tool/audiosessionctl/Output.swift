// SPDX-License-Identifier: Apache-2.0
import CLinux

enum ExitCode {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    static let usage: Int32 = 2
}

/// Standard output and standard error.
enum Output {
    /// False when the write fails, for example because the reader has closed the pipe.
    @discardableResult
    static func print(_ text: String) -> Bool { write(text, to: 1) }

    static func error(_ text: String) { write("audiosessionctl: \(text)\n", to: 2) }

    static let isColoured = linux_is_terminal(1) && linux_environment("NO_COLOR") == nil

    static func dimmed(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.withReplacedBytes.utf8)
        var written = 0
        while written < bytes.count {
            let put = bytes.withUnsafeBytes { linux_write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written) }
            guard put > 0 else { return false }
            written += put
        }
        return true
    }
}
