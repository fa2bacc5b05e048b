// SPDX-License-Identifier: Apache-2.0
/// The words of the command line that have not been parsed.
struct Arguments {
    private var words: [String]

    init(_ words: [String]) { self.words = words }

    var isEmpty: Bool { words.isEmpty }
    var startsWithOption: Bool { words.first.map(isOption) ?? false }
    mutating func next() -> String? { words.isEmpty ? nil : words.removeFirst() }

    /// Consumes the next word if it is `word`.
    mutating func accept(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    /// A file name. A name that begins with "-" follows "--". The name "-" stands for standard input, if the command reads files.
    mutating func nextFile(_ missing: StaticString, isRead: Bool = false) throws(UsageError) -> String {
        let isQuoted = accept("--")
        guard let word = next() else { throw UsageError("\(missing)") }
        guard isQuoted || !isOption(word) && (isRead || word != "-") else {
            throw UsageError("\"\(word)\" is no option; write -- before the name of a file that begins with \"-\"")
        }
        return word
    }

    /// Whether a word before "--" is --help or -h.
    func asksForHelp(onlyFirst: Bool) -> Bool {
        for word in onlyFirst ? words.prefix(1) : words[...] {
            if word == "--" { return false }
            if word == "--help" || word == "-h" { return true }
        }
        return false
    }

    private func isOption(_ word: String) -> Bool { word.utf8.first == 0x2D && word != "-" }
}
