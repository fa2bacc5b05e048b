// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Messages in addition to the result codes. With `AUDIOSESSION_DEBUG` set, each is one line of standard error, in one write.
public enum Log {
    private static let isWanted: Bool = {
        guard let value = linux_environment("AUDIOSESSION_DEBUG") else { return false }
        return value[0] != 0 && !(value[0] == 48 && value[1] == 0)
    }()

    #if LOG_CAPTURE
        public static var isEnabled: Bool { isWanted || capture.isOpen }

        public static func debug(_ message: @autoclosure () -> String) {
            guard isEnabled else { return }
            let message = message()
            capture.add(message)
            if isWanted { write(message) }
        }

        private static let capture = LogCapture()

        /// The messages during `body`, for tests.
        public static func lines(of threads: LogThreads = .calling, during body: () throws -> Void) rethrows -> [String] {
            let first = capture.open()
            defer { capture.close() }
            try body()
            return capture.lines(since: first, of: threads)
        }
    #else
        public static var isEnabled: Bool { isWanted }

        public static func debug(_ message: @autoclosure () -> String) { if isEnabled { write(message()) } }
    #endif

    /// Writes a call of the program: the function with its arguments, the result, and the likely mistake.
    public static func call(_ call: String, _ result: String, _ mistake: String?) {
        debug("\(call) = \(result)\(mistake.map { ": \($0)" } ?? "")")
    }

    /// Writes a mistake in the configuration, also without `AUDIOSESSION_DEBUG`.
    public static func error(_ message: String) {
        #if LOG_CAPTURE
            capture.add(message)
        #endif
        write(message)
    }

    /// A separate function, because the compiler copies the caller for each message.
    @inline(never)
    private static func write(_ message: String) {
        var text = "audiosession[\(linux_process_id())]: \(message)\n"
        text.withUTF8 { _ = linux_write(2, $0.baseAddress, $0.count) }
    }
}
