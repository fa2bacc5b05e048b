// SPDX-License-Identifier: Apache-2.0
/// An error in the command line.
struct UsageError: Error, Equatable {
    let text: String
    /// The name of the command whose usage is printed; nil: the usage of the tool.
    private(set) var command: String?

    init(_ text: String) { self.text = text }

    /// Names the unknown word, and suggests the nearest known word.
    init(unknown word: String, as kind: String = "word", among known: [String]) {
        var text = "unknown \(kind) \"\(word)\""
        if let nearest = nearest(to: word, among: known) { text += "; did you mean \(nearest)?" }
        self.text = text
    }

    func of(_ usage: Usage) -> UsageError {
        var error = self
        error.command = usage.name
        return error
    }

    var message: String {
        let usage = command.flatMap { name in Usage.all.first { $0.name == name } }
        return text + "\n" + (usage?.usageLines ?? Usage.general)
    }
}

/// The known word with the smallest edit distance, if that is at most a third of its length.
func nearest(to word: String, among known: [String]) -> String? {
    var best: (word: String, distance: Int)?
    for candidate in known {
        let distance = editDistance(Array(word.utf8), Array(candidate.utf8))
        guard distance <= max(1, candidate.utf8.count / 3), distance < best?.distance ?? .max else { continue }
        best = (candidate, distance)
    }
    return best?.word
}

/// Insertions, deletions, substitutions and exchanges of two adjacent bytes (optimal string alignment).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    // An argument may have any length. No word of the tool is longer than this limit.
    guard left.count <= 64, right.count <= 64 else { return .max }
    var rows = [Array(0...right.count)]
    for i in 0..<left.count {
        var row = [i + 1]
        for j in 0..<right.count {
            var distance = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (left[i] == right[j] ? 0 : 1))
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                distance = min(distance, rows[i - 1][j - 1] + 1)
            }
            row.append(distance)
        }
        rows.append(row)
    }
    return rows[left.count][right.count]
}
