// SPDX-License-Identifier: Apache-2.0
// The width of text on a terminal.

/// Replaces every character that a terminal interprets instead of showing it.
func printable(_ text: String) -> String {
    var isHarmless = true
    for character in text.unicodeScalars where !isShown(character) { isHarmless = false }
    guard !isHarmless else { return text }
    var shown = ""
    for character in text.unicodeScalars { shown.unicodeScalars.append(isShown(character) ? character : "\u{FFFD}") }
    return shown
}

func columns(of text: String) -> Int {
    var sum = 0
    for character in text.unicodeScalars { sum += columns(of: character) }
    return sum
}

/// A text that does not fit ends with an ellipsis.
func shortened(_ text: String, to columns: Int) -> String {
    let whole = CLIOutput.columns(of: text)
    guard whole > columns else { return text }
    guard columns > 0 else { return "" }
    var short = ""
    var width = 0
    for character in text.unicodeScalars {
        width += CLIOutput.columns(of: character)
        guard width < columns else { break }
        short.unicodeScalars.append(character)
    }
    return short + "…"
}

func columns(of character: Unicode.Scalar) -> Int {
    let code = character.value
    if code < 0x300 { return 1 }
    if marks.contains(code) { return 0 }
    return wide.contains(code) ? 2 : 1
}

/// False for control characters, bidirectional controls and invisible characters.
private func isShown(_ character: Unicode.Scalar) -> Bool {
    let code = character.value
    // The last 128 characters of Unicode stand for bytes that are not valid UTF-8.
    return !(code < 0x20 || code >= 0x10FF80 || (0x7F...0x9F).contains(code) || invisible.contains(code))
}

/// Ranges of characters in ascending order.
private struct Ranges: Sendable {
    let ranges: [ClosedRange<UInt32>]

    func contains(_ code: UInt32) -> Bool {
        for range in ranges {
            if code < range.lowerBound { return false }
            if code <= range.upperBound { return true }
        }
        return false
    }
}

private let invisible = Ranges(ranges: [
    0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB,
    0xE0000...0xE0FFF,
])

/// Combining characters.
private let marks = Ranges(ranges: [
    0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x900...0x902, 0x93C...0x93C, 0x941...0x948,
    0xE31...0xE31, 0xE34...0xE3A, 0xE47...0xE4E, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x302A...0x302D,
    0x3099...0x309A, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
])

/// Ideographs and emoji.
private let wide = Ranges(ranges: [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
])
