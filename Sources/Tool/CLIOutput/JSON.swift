// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// A JSON value for output.
public enum JSON: Equatable, Sendable {
    case object([(key: String, value: JSON)])
    case array([JSON])
    case string(String)
    case integer(Int)
    case number(Float)
    case double(Double)
    case bool(Bool)

    public var text: String {
        switch self {
        case .object(let members): "{" + JSON.list(members) { JSON.quoted($0.key) + ":" + $0.value.text } + "}"
        case .array(let elements): "[" + JSON.list(elements) { $0.text } + "]"
        case .string(let text): JSON.quoted(text)
        case .integer(let number): "\(number)"
        case .number(let number): JSON.written(Number.text(number.isFinite ? number : 0))
        case .double(let number): JSON.written(Number.text(number.isFinite ? number : 0))
        case .bool(let on): on ? "true" : "false"
        }
    }

    private static func list<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
        var line = ""
        for element in elements { line += (line.isEmpty ? "" : ",") + text(element) }
        return line
    }

    /// The text of a number with a decimal point, also for an integer.
    private static func written(_ text: String) -> String {
        text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) } ? text + ".0" : text
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case let other where other.value < 0x20: quoted += "\\u00" + hexadecimal(other.value)
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return value < 16 ? "0" + digits : digits
    }

    public static func == (left: JSON, right: JSON) -> Bool { left.text == right.text }
}
