// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A text with tables between a line that names the table and a line that ends it.
struct Document {
    let path: String
    let text: String

    struct Malformed: Error {
        let text: String
    }

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOfFile: path, encoding: .utf8)
    }

    private var isMarkdown: Bool { path.hasSuffix(".md") }

    /// The name in `<!-- table: NAME -->`, or in `.\" table: NAME`.
    private func name(in line: Substring) -> String? {
        let (start, end) = isMarkdown ? ("<!-- table: ", " -->") : (".\\\" table: ", "")
        guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
        return String(line.dropFirst(start.count).dropLast(end.count))
    }

    private var end: String { isMarkdown ? "<!-- end of table -->" : ".\\\" end of table" }

    /// The text with the current content of every table.
    func filled(from tables: [String: Table]) throws(Malformed) -> String {
        var filled = ""
        var open: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let name = name(in: line) {
                guard open == nil, let table = tables[name] else {
                    throw Malformed(text: "\(path): unexpected table \"\(name)\"")
                }
                open = name
                filled += line + "\n" + (isMarkdown ? "\n" + table.markdown + "\n" : table.mdoc)
            } else if line == end, open != nil {
                open = nil
                filled += line + "\n"
            } else if open == nil {
                filled += line + "\n"
            }
        }
        if let open { throw Malformed(text: "\(path): the table \"\(open)\" does not end") }
        return filled
    }
}
