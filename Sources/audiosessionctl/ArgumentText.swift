// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

// The arguments of the command line are bytes, and file names need not be valid UTF-8. A byte that does not belong to a
// character is represented by one of the last 128 characters of Unicode, which are private. If an argument contains such a
// private character, each byte of that character is represented in the same way.

private let firstEscape: UInt32 = 0x10FF80

extension String {
    /// The text of an argument.
    init(argument: UnsafePointer<CChar>) {
        var bytes: [UInt8] = []
        while argument[bytes.count] != 0 { bytes.append(UInt8(bitPattern: argument[bytes.count])) }
        self = ""
        var index = 0
        while index < bytes.count {
            let length = characterLength(bytes[index...])
            if length > 0 {
                self += String(decoding: bytes[index..<index + length], as: UTF8.self)
            } else if let escape = Unicode.Scalar(0x10FF00 | UInt32(bytes[index])) {
                unicodeScalars.append(escape)
            }
            index += max(length, 1)
        }
    }

    /// The bytes of the argument.
    var argumentBytes: [UInt8] {
        var bytes: [UInt8] = []
        for character in unicodeScalars {
            if character.value >= firstEscape {
                bytes.append(UInt8(truncatingIfNeeded: character.value))
            } else {
                bytes += Array(String(character).utf8)
            }
        }
        return bytes
    }

    /// The text for messages. Bytes that are not valid UTF-8 are replaced.
    var withReplacedBytes: String {
        guard unicodeScalars.contains(where: { $0.value >= firstEscape }) else { return self }
        var text = ""
        for character in unicodeScalars { text.unicodeScalars.append(character.value >= firstEscape ? "\u{FFFD}" : character) }
        return text
    }

    /// The file that the argument names.
    var path: FilePath { FilePath(argumentBytes) }
}

/// The number of bytes of the first character. 0 for bytes that are not valid UTF-8, and for the private characters.
private func characterLength(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let lead = bytes.first else { return 0 }
    let (length, second): (Int, ClosedRange<UInt8>) =
        switch lead {
        case ..<0x80: (1, 0x80...0xBF)
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: (0, 0x80...0xBF)
        }
    guard length > 0, bytes.count >= length else { return 0 }
    let rest = Array(bytes.dropFirst().prefix(max(length, 1) - 1))
    guard rest.isEmpty || second.contains(rest[0]), rest.dropFirst().allSatisfy({ (0x80...0xBF).contains($0) }) else { return 0 }
    return length == 4 && lead == 0xF4 && rest[0] == 0x8F && rest[1] >= 0xBE ? 0 : length
}
