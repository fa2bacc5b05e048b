// SPDX-License-Identifier: Apache-2.0
/// The text with the markup characters of XML escaped.
func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
        switch character {
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "&": escaped += "&amp;"
        case let other where other.value < 0x20: escaped += " "
        default: escaped.unicodeScalars.append(character)
        }
    }
    return escaped
}
