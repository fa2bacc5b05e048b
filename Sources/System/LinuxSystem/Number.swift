// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Numbers as text, independent of the program's locale.
public enum Number {
    /// The shortest text that parses to the same number.
    public static func text(_ value: Float) -> String { text { linux_format_float(value, $0, $1) } }
    public static func text(_ value: Double) -> String { text { linux_format_double(value, $0, $1) } }

    /// The four characters of a code in quotes, or the number if one of them is not printable.
    public static func code(_ number: UInt32, isHexadecimal: Bool = false) -> String {
        var text = "'"
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            let byte = UInt8(truncatingIfNeeded: number >> shift)
            guard byte >= 0x20, byte < 0x7F else { return isHexadecimal ? hexadecimal(number) : "\(number)" }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text + "'"
    }

    private static func hexadecimal(_ number: UInt32) -> String {
        var text = "0x"
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> shift & 0xF)
            text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 0x30 + digit : 0x41 - 10 + digit))
        }
        return text
    }

    private static func text(_ format: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            _ = format(start, buffer.count)
            return String(cString: start)
        }
    }
}
