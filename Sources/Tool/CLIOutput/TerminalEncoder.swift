// SPDX-License-Identifier: Apache-2.0
/// Encodes lines as text and control sequences of a terminal.
public struct TerminalEncoder: Equatable, Sendable {
    public let isColoured: Bool
    /// False: ASCII only.
    public let isUnicode: Bool

    public init(isColoured: Bool, isUnicode: Bool) {
        self.isColoured = isColoured
        self.isUnicode = isUnicode
    }

    /// Redraws the whole screen from its first row. The new content overwrites the old one without an erase, so that the screen
    /// does not flicker.
    public func frame(_ lines: [ScreenLine], in size: MonitorView.Size) -> String {
        var text = ""
        for (row, line) in lines.enumerated() {
            text += "\u{1B}[\(row + 1);1H\(painted(line))"
            // After the last column the cursor stays on that column, and an erase would remove its character. The same applies to
            // the last row.
            if line.width < size.columns { text += "\u{1B}[K" }
        }
        return lines.count < size.rows ? text + "\u{1B}[\(lines.count + 1);1H\u{1B}[J" : text
    }

    func painted(_ line: ScreenLine) -> String {
        var text = ""
        var isAligned = true
        for piece in line.pieces {
            // Terminals differ in the width of some characters. Therefore the column is set.
            if !isAligned { text += "\u{1B}[\(piece.column + 1)G" }
            let code = isColoured ? piece.style.code : ""
            text += code.isEmpty ? shown(piece.text) : "\u{1B}[\(code)m\(shown(piece.text))\u{1B}[0m"
            isAligned = piece.text.utf8.allSatisfy { $0 < 0x80 }
        }
        return text
    }

    private func shown(_ text: String) -> String {
        guard !isUnicode else { return text }
        var plain = ""
        for character in text.unicodeScalars {
            plain += character.isASCII ? String(Character(character)) : ascii(character)
        }
        return plain
    }

    /// An ASCII text with the width of the character that it replaces.
    private func ascii(_ character: Unicode.Scalar) -> String {
        for (own, plain) in TerminalEncoder.stand where own == character { return plain }
        return String(repeating: "?", count: columns(of: character))
    }

    private static let stand: [(Unicode.Scalar, String)] = [
        ("━", "="), ("╾", "-"), ("─", "."), ("●", "*"), ("◐", "~"), ("⊘", "x"), ("○", "o"), ("‖", "!"), ("▶", ">"), ("…", "."),
        ("·", "-"),
    ]
}

extension ScreenLine.Style {
    /// The SGR parameters of the style. They use only the sixteen colours that the user's terminal defines.
    var code: String {
        switch self {
        case .plain: ""
        case .dim, .silenced: "2"
        case .heading: "1"
        case .notice: "1;33"
        case .alert: "1;31"
        case .level: "34"
        case .active: "32"
        case .ducked: "36"
        case .interrupted: "33"
        }
    }
}
