// SPDX-License-Identifier: Apache-2.0
/// A line of the screen: pieces of text with styles.
public struct ScreenLine: Equatable, Sendable {
    public enum Style: UInt8, CaseIterable, Sendable {
        case plain, dim, heading, notice, alert, level
        case active, ducked, silenced, interrupted
    }

    public struct Piece: Equatable, Sendable {
        public let text: String
        public let style: Style
        /// The first column, from 0, and the number of columns.
        public let column: Int
        public let width: Int
    }

    public private(set) var pieces: [Piece] = []
    /// In columns.
    public private(set) var width = 0

    public init() {}

    public init(_ text: String, _ style: Style = .plain) { add(text, style) }

    public var text: String { pieces.reduce("") { $0 + $1.text } }

    mutating func add(_ text: String, _ style: Style = .plain) {
        let text = printable(text)
        let columns = columns(of: text)
        guard !text.isEmpty else { return }
        pieces.append(Piece(text: text, style: style, column: width, width: columns))
        width += columns
    }

    /// Fills `columns` columns. The last one stays blank.
    mutating func add(_ text: String, _ style: Style = .plain, in columns: Int) {
        guard columns > 0 else { return }
        let end = width + columns
        add(shortened(printable(text), to: columns - 1), style)
        pad(to: end)
    }

    mutating func add(_ other: ScreenLine) {
        for piece in other.pieces { add(piece.text, piece.style) }
    }

    mutating func pad(to column: Int) {
        guard width < column else { return }
        add(String(repeating: " ", count: column - width))
    }

    func cut(to columns: Int) -> ScreenLine {
        guard width > columns else { return self }
        var line = ScreenLine()
        for piece in pieces where line.width < columns {
            line.add(shortened(piece.text, to: columns - line.width), piece.style)
        }
        return line
    }
}
