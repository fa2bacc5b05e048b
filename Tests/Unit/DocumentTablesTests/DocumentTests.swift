// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import DocumentTables

@Suite struct DocumentTests {
    private let tables = ["one": Table("Code", "Name", rows: [["'abcd'", "In | out"], ["'ef-g'", "a \"b\" \\ c"]])]

    private func filled(_ text: String, _ name: String = "text.md") throws -> String {
        let path = NSTemporaryDirectory() + UUID().uuidString + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try Document(path).filled(from: tables)
    }

    @Test("A table replaces the text between its marks and nothing else; a second time changes nothing")
    func places() throws {
        let text = "before\n<!-- table: one -->\nold\n<!-- end of table -->\nafter\n"
        let once = try filled(text)
        #expect(once.hasPrefix("before\n<!-- table: one -->\n\n| Code | Name |\n|---|---|\n| `'abcd'` | In \\| out |\n"))
        #expect(once.hasSuffix("\n\n<!-- end of table -->\nafter\n"))
        #expect(try filled(once) == once)
    }

    @Test("In a manual page, the columns are aligned, and no line is a request")
    func mdoc() throws {
        let text = try filled(".\\\" table: one\n.\\\" end of table\n", "text.7")
        #expect(text.contains(".Sy \"Code    Name\"\n\\&'abcd'  In | out\n\\&'ef\\-g'  a \"b\" \\e c\n.Ed\n"))
    }

    @Test("An unknown table, a table without an end, and a table within a table are errors")
    func mistakes() {
        #expect(throws: Document.Malformed.self) { try filled("<!-- table: none -->\n<!-- end of table -->\n") }
        #expect(throws: Document.Malformed.self) { try filled("<!-- table: one -->\n") }
        #expect(throws: Document.Malformed.self) {
            try filled("<!-- table: one -->\n<!-- table: one -->\n<!-- end of table -->\n")
        }
    }
}
