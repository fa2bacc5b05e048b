// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Numbers as text, independent of the program's locale.
public enum Number {
    /// The shortest text that parses to the same number.
    public static func text(_ value: Float) -> String { text { linux_format_float(value, $0, $1) } }
    public static func text(_ value: Double) -> String { text { linux_format_double(value, $0, $1) } }

    private static func text(_ format: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            _ = format(start, buffer.count)
            return String(cString: start)
        }
    }
}
