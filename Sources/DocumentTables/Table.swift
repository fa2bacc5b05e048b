/// A table, as Markdown and as mdoc.
struct Table {
    let titles: [String]
    var rows: [[String]] = []

    init(_ titles: String..., rows: [[String]] = []) {
        self.titles = titles
        self.rows = rows
    }

    init(titles: [String], rows: [[String]]) {
        self.titles = titles
        self.rows = rows
    }

    var markdown: String {
        func line(_ cells: [String]) -> String {
            "| " + cells.map(marked).joined(separator: " | ") + " |\n"
        }
        return line(titles) + "|" + titles.map { _ in "---|" }.joined() + "\n" + rows.map(line).joined()
    }

    /// What the program writes stands out.
    private func marked(_ cell: String) -> String {
        let cell = cell.replacing("|", with: "\\|")
        let isCode = cell.hasPrefix("'") || cell.hasPrefix("\"") || cell.hasPrefix("kAudio")
        return isCode ? "`\(cell)`" : cell
    }

    /// A list of columns, each as wide as its widest cell.
    var mdoc: String {
        func quoted(_ text: String) -> String {
            // The \& keeps words such as "In" and "No" from being taken for macros.
            "\"\\&" + text.replacing("\\", with: "\\e").replacing("\"", with: "\\(dq").replacing("-", with: "\\-") + "\""
        }
        func width(_ column: Int) -> String {
            quoted(([titles] + rows).map { $0[column] }.max { $0.count < $1.count } ?? "")
        }
        var text = ".Bl -column -compact \(titles.indices.map(width).joined(separator: " "))\n"
        text += ".It " + titles.map { "Sy " + quoted($0) }.joined(separator: " Ta ") + "\n"
        for row in rows { text += ".It " + row.map(quoted).joined(separator: " Ta ") + "\n" }
        return text + ".El\n"
    }
}
