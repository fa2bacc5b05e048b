// SPDX-License-Identifier: Apache-2.0
/// A table that is written as Markdown and as mdoc.
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

    /// Marks constants, strings and codes as code.
    private func marked(_ cell: String) -> String {
        let cell = cell.replacing("|", with: "\\|")
        let isCode = cell.hasPrefix("'") || cell.hasPrefix("\"") || cell.hasPrefix("kAudio")
        return isCode ? "`\(cell)`" : cell
    }

    /// A literal display, which every reader of manual pages shows alike.
    var mdoc: String {
        let widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
        // Two spaces between columns where the line has room.
        let gap = widths.reduce(0, +) + 2 * (widths.count - 1) > 73 ? 1 : 2
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + gap) }
            var line = padded.joined().replacing("\\", with: "\\e").replacing("-", with: "\\-")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
        let head = ".Sy \"" + line(titles) + "\"\n"
        // \& protects a quote at the beginning of a line, which would be a request.
        return ".Bd -literal -compact\n" + head + rows.map { "\\&" + line($0) + "\n" }.joined() + ".Ed\n"
    }
}
