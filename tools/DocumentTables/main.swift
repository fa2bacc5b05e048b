// SPDX-License-Identifier: Apache-2.0
// Generates the tables and the picture of the documents from the model of the library. `write FILE...` updates the files,
// `check FILE...` lists the files that are not current.

import Foundation

private func fail(_ text: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(status)
}

let arguments = CommandLine.arguments.dropFirst()
guard let command = arguments.first, command == "write" || command == "check" else {
    fail("usage: DocumentTables write | check FILE...", 2)
}

var stale: [String] = []
for path in arguments.dropFirst() {
    do {
        let document = try Document(path)
        let isPicture = path.hasSuffix("/monitor.svg")
        let text = isPicture ? monitorPicture() : try document.filled(from: allTables())
        if text == document.text { continue }
        stale.append(path)
        if command == "write" { try text.write(toFile: path, atomically: true, encoding: .utf8) }
    } catch let error as Document.Malformed {
        fail(error.text, 1)
    } catch {
        fail("\(path): \(error.localizedDescription)", 1)
    }
}

if command == "check", !stale.isEmpty { fail("not current (make documents writes them): \(stale.joined(separator: " "))", 1) }
