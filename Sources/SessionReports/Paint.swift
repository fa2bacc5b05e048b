/// How lines become what a terminal understands.
public struct Paint: Equatable, Sendable {
    public let isColoured: Bool
    /// Else ASCII.
    public let isUnicode: Bool

    public init(isColoured: Bool, isUnicode: Bool) {
        self.isColoured = isColoured
        self.isUnicode = isUnicode
    }

    /// The whole screen anew, from its first row; what stood there before is gone, without a moment of
    /// emptiness between.
    public func frame(_ lines: [ScreenLine], in size: LiveView.Size) -> String {
        var text = ""
        for (row, line) in lines.enumerated() {
            text += "\u{1B}[\(row + 1);1H\(painted(line))"
            // Behind the last column the cursor stands on it, and would erase what is there; so with the last row.
            if line.width < size.columns { text += "\u{1B}[K" }
        }
        return lines.count < size.rows ? text + "\u{1B}[\(lines.count + 1);1H\u{1B}[J" : text
    }

    private func painted(_ line: ScreenLine) -> String {
        var text = ""
        var isAligned = true
        for piece in line.pieces {
            // Terminals do not agree on how wide some characters are.
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

    /// As wide as the character that it stands for.
    private func ascii(_ character: Unicode.Scalar) -> String {
        for (own, plain) in Paint.stand where own == character { return plain }
        return String(repeating: "?", count: columns(of: character))
    }

    private static let stand: [(Unicode.Scalar, String)] = [
        ("━", "="), ("╾", "-"), ("─", "."), ("●", "*"), ("◐", "~"), ("⊘", "x"), ("○", "o"), ("‖", "!"), ("▶", ">"), ("…", "."),
        ("·", "-"),
    ]
}

extension ScreenLine.Style {
    /// What selects it: of the sixteen colours, which every terminal's owner has chosen to be readable.
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
