import CLinux

/// Numbers as text, whatever the program's locale.
public enum Number {
    /// The shortest text that reads back as the same number.
    public static func text(_ value: Float) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            _ = linux_format_float(value, start, buffer.count)
            return String(cString: start)
        }
    }
}
