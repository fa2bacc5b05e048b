// SPDX-License-Identifier: Apache-2.0

/// Four-character codes: numbers of 32 bits that name formats, properties, chunks of files and results.
public enum FourCC {
    /// The code of four ASCII characters. The optimizer replaces the call by the number, also in the initial values of tables: it
    /// evaluates reads of a literal, but no loops over its bytes.
    @inlinable
    @inline(__always)
    public static func code(_ text: StaticString) -> UInt32 {
        precondition(text.utf8CodeUnitCount == 4)
        let bytes = text.utf8Start
        return UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
    }

    /// The code of four ASCII characters as a result of the C API.
    @inlinable
    @inline(__always)
    public static func status(_ text: StaticString) -> Int32 { Int32(bitPattern: code(text)) }

    /// The code of a text that a user or a file states. Nil unless the text has four bytes.
    public static func code(of text: String) -> UInt32? {
        guard text.utf8.count == 4 else { return nil }
        return text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The four characters in quotes, or the number if one of them is not printable.
    public static func text(_ code: UInt32, isHexadecimal: Bool = false) -> String {
        for index: UInt32 in 0..<4 where !isPrintable(byte(code, index)) { return isHexadecimal ? hexadecimal(code) : "\(code)" }
        return "'" + characters(code) + "'"
    }

    /// The four characters. A question mark stands for each that is not printable.
    public static func characters(_ code: UInt32) -> String {
        var text = ""
        for index: UInt32 in 0..<4 {
            let byte = byte(code, index)
            text.unicodeScalars.append(isPrintable(byte) ? Unicode.Scalar(byte) : "?")
        }
        return text
    }

    private static func byte(_ code: UInt32, _ index: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: code >> (24 - 8 * index)) }

    private static func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    private static func hexadecimal(_ code: UInt32) -> String {
        var text = "0x"
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: code >> shift & 0xF)
            text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 0x30 + digit : 0x41 - 10 + digit))
        }
        return text
    }
}
