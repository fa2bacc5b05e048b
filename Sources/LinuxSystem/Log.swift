import CLinux

/// Where the library says what it cannot say by a result code. Silent unless the program's user sets
/// `AUDIOSESSION_DEBUG`; then one line a message, in one write.
public enum Log {
    public static let isEnabled: Bool = {
        guard let value = linux_environment("AUDIOSESSION_DEBUG") else { return false }
        return value[0] != 0 && !(value[0] == 48 && value[1] == 0)
    }()

    public static func line(_ message: @autoclosure () -> String) { if isEnabled { write(message()) } }

    /// A mistake of whoever started the program, who has no other way to learn of it: said in any case.
    public static func complain(_ message: String) { write(message) }

    /// Apart from the above, of which the compiler makes one for each message.
    @inline(never)
    private static func write(_ message: String) {
        var text = "audiosession[\(linux_process_id())]: \(message)\n"
        text.withUTF8 { _ = linux_write(2, $0.baseAddress, $0.count) }
    }
}
