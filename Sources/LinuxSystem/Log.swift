import CLinux

/// Where the library says what it cannot say by a result code. Silent unless the program's user sets
/// `AUDIOSESSION_DEBUG`; then one line a message, in one write.
public enum Log {
    private static let isWanted: Bool = {
        guard let value = linux_environment("AUDIOSESSION_DEBUG") else { return false }
        return value[0] != 0 && !(value[0] == 48 && value[1] == 0)
    }()

    #if LOG_CAPTURE
        public static var isEnabled: Bool { isWanted || ear.isOpen }

        public static func debug(_ message: @autoclosure () -> String) {
            guard isEnabled else { return }
            let message = message()
            ear.hear(message)
            if isWanted { write(message) }
        }

        private static let ear = LogCapture()

        /// What is said meanwhile, on any thread: for tests, which hear it in place of the user.
        public static func lines(during body: () throws -> Void) rethrows -> [String] {
            let first = ear.open()
            defer { ear.close() }
            try body()
            return ear.lines(since: first)
        }
    #else
        public static var isEnabled: Bool { isWanted }

        public static func debug(_ message: @autoclosure () -> String) { if isEnabled { write(message()) } }
    #endif

    /// A mistake of whoever started the program, who has no other way to learn of it: said in any case.
    public static func error(_ message: String) {
        #if LOG_CAPTURE
            ear.hear(message)
        #endif
        write(message)
    }

    /// Apart from the above, of which the compiler makes one for each message.
    @inline(never)
    private static func write(_ message: String) {
        var text = "audiosession[\(linux_process_id())]: \(message)\n"
        text.withUTF8 { _ = linux_write(2, $0.baseAddress, $0.count) }
    }
}
