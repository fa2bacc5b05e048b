// SPDX-License-Identifier: Apache-2.0
/// The lines of a screen as SVG.
public struct ScreenDrawing {
    private let lines: [ScreenLine]
    private let size: MonitorView.Size
    private let title: String

    public init(of lines: [ScreenLine], in size: MonitorView.Size, title: String) {
        self.lines = lines
        self.size = size
        self.title = title
    }

    /// In pixels.
    private enum Cell {
        static let width = 8
        static let height = 19
        static let left = 16
        static let top = 44
        static let bottom = 14
    }

    public var svg: String {
        let width = size.columns * Cell.width + 2 * Cell.left
        let height = size.rows * Cell.height + Cell.top + Cell.bottom
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            font-family="ui-monospace,'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace" font-size="13.2" \
            xml:space="preserve">
            <rect width="100%" height="100%" rx="8" fill="#1c2128"/>
            <path d="M0 30V8a8 8 0 0 1 8-8H\(width - 8)a8 8 0 0 1 8 8V30z" fill="#2d333b"/>
            <text x="\(width / 2)" y="20" fill="#adbac7" text-anchor="middle">\(escaped(title))</text>\n
            """
        for (row, line) in lines.enumerated() {
            for piece in line.pieces { svg += drawing(of: piece, at: Cell.top + row * Cell.height) }
        }
        return svg + "</svg>\n"
    }

    /// Places text in columns as a terminal does, for any width of the viewer's font. Lines and marks are shapes,
    /// because fonts draw them differently.
    private func drawing(of piece: ScreenLine.Piece, at y: Int) -> String {
        var svg = ""
        var text = ""
        var start = piece.column
        var column = piece.column
        func write() {
            svg += word(text, from: start, to: column, y, piece.style)
            text = ""
        }
        for character in piece.text.unicodeScalars {
            let shape = shape(character, x: Cell.left + column * Cell.width, y: y + Cell.height / 2)
            // Several spaces separate two text elements.
            if shape != nil || (character == " " && (text.isEmpty || text.hasSuffix(" "))) {
                write()
                column += columns(of: character)
                start = column
                if let shape { svg += "<path d=\"\(shape.path)\" \(shape.encoder)=\"\(piece.style.colour)\"/>\n" }
            } else {
                text.unicodeScalars.append(character)
                column += columns(of: character)
            }
        }
        write()
        return svg
    }

    private func word(_ text: String, from: Int, to: Int, _ y: Int, _ style: ScreenLine.Style) -> String {
        var text = text
        var end = to
        if text.hasSuffix(" ") {
            text.removeLast()
            end -= 1
        }
        guard !text.isEmpty else { return "" }
        let weight = style == .heading || style == .notice || style == .alert ? " font-weight=\"bold\"" : ""
        return "<text x=\"\(Cell.left + from * Cell.width)\" y=\"\(y + 14)\" fill=\"\(style.colour)\"\(weight)"
            + " textLength=\"\((end - from) * Cell.width)\" lengthAdjust=\"spacingAndGlyphs\">\(escaped(text))</text>\n"
    }

    /// Nil for a character that is text.
    private func shape(_ character: Unicode.Scalar, x: Int, y: Int) -> (path: String, encoder: String)? {
        let circle = "M\(x) \(y)a4 4 0 0 1 8 0a4 4 0 0 1-8 0z"
        switch character {
        case "━": return ("M\(x) \(y - 2)h8v4h-8z", "fill")
        case "╾": return ("M\(x) \(y - 2)h4v2h4v1h-4v1h-4z", "fill")
        case "─": return ("M\(x) \(y)h8v1h-8z", "fill")
        case "●": return (circle, "fill")
        case "○": return (circle, "fill=\"none\" stroke")
        case "⊘": return (circle + "m1.2 2.8l5.6-5.6", "fill=\"none\" stroke")
        case "◐": return ("M\(x + 4) \(y - 4)a4 4 0 0 0 0 8zm0 .5a3.5 3.5 0 0 1 0 7v.5a4 4 0 0 0 0-8z", "fill")
        case "‖": return ("M\(x + 1) \(y - 4)h2v8h-2zm4 0h2v8h-2z", "fill")
        case "▶": return ("M\(x + 1) \(y - 4)l7 4l-7 4z", "fill")
        default: return nil
        }
    }
}

extension ScreenLine.Style {
    fileprivate var colour: String {
        switch self {
        case .plain: "#cdd9e5"
        case .dim: "#768390"
        case .heading: "#f0f6fc"
        case .notice: "#e3b341"
        case .alert: "#ff7b72"
        case .level: "#6cb6ff"
        case .active: "#57ab5a"
        case .ducked: "#76c7d8"
        case .silenced: "#8d96a0"
        case .interrupted: "#e0a03c"
        }
    }
}
