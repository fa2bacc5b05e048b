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
        var rest = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var index = 0
        while index < bytes.count {
            let length: Int
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                length = encoded.count
                let character = Unicode.UTF8.decode(encoded)
                if character.value < firstEscape {
                    unicodeScalars.append(character)
                } else {
                    appendEscapes(of: bytes[index..<index + length])
                }
            case .error(let invalid):
                length = invalid
                appendEscapes(of: bytes[index..<index + length])
            case .emptyInput: return
            }
            index += length
        }
    }

    private mutating func appendEscapes(of bytes: ArraySlice<UInt8>) {
        for byte in bytes { if let escape = Unicode.Scalar(0x10FF00 | UInt32(byte)) { unicodeScalars.append(escape) } }
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
