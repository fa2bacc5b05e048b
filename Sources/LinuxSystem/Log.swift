import CLinux

/// Where the library says what it cannot say by a result code. Silent unless the program's user sets
/// `AUDIOSESSION_DEBUG`; then one line a message, in one write.
public enum Log {
    public static let isEnabled: Bool = {
        guard let value = linux_environment("AUDIOSESSION_DEBUG") else { return false }
        return value[0] != 0 && !(value[0] == 48 && value[1] == 0)
    }()

    @inline(never)
    public static func line(_ message: @autoclosure () -> String) {
        guard isEnabled else { return }
        let text = "audiosession[\(linux_process_id())]: \(message())\n"
        var copy = text
        copy.withUTF8 { _ = linux_write(2, $0.baseAddress, $0.count) }
    }
}
