// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Testing

@Suite("Four-character codes")
struct FourCCTests {
    @Test("The first character is the highest byte")
    func codes() {
        #expect(FourCC.code("lpcm") == 0x6C70_636D)
        #expect(FourCC.code("aac ") == 0x6161_6320)
        #expect(FourCC.code("\0\u{1}~\u{7F}") == 0x0001_7E7F)
        #expect(FourCC.status("!act") == 0x2161_6374)
    }

    @Test("A text of four bytes has a code, and another text has none")
    func texts() {
        #expect(FourCC.code(of: "ambi") == FourCC.code("ambi"))
        #expect(FourCC.code(of: "©a") == nil)
        #expect(FourCC.code(of: "©ab") == 0xC2A9_6162)
        #expect(FourCC.code(of: "") == nil)
        #expect(FourCC.code(of: "ambient") == nil)
    }

    @Test(
        "A code with a character that is not printable is written as a number",
        arguments: [
            (0x2021_7D7E, "' !}~'", "' !}~'"), (0x1F21_7D7E, "522288510", "0x1F217D7E"), (0x2021_7D7F, "539065727", "0x20217D7F"),
            (0x2021_807E, "539066494", "0x2021807E"), (0, "0", "0x00000000"), (.max, "4294967295", "0xFFFFFFFF"),
        ] as [(UInt32, String, String)])
    func written(code: UInt32, text: String, hexadecimal: String) {
        #expect(FourCC.text(code) == text)
        #expect(FourCC.text(code, isHexadecimal: true) == hexadecimal)
    }

    @Test("A question mark stands for a character that is not printable")
    func characters() {
        #expect(FourCC.characters(FourCC.code("aac ")) == "aac ")
        #expect(FourCC.characters(0x207E_1F7F) == " ~??")
        #expect(FourCC.characters(0x6D73_00FF) == "ms??")
    }
}

/// A line of a source file.
private struct Line: CustomStringConvertible {
    let path: String
    let number: Int
    let text: String

    var isSwift: Bool { path.hasSuffix(".swift") }
    var description: String { "\(path):\(number): \(text)" }
}

/// Numbers of eight digits, with the characters that their bytes spell, and what stands before and after each.
private struct Literal {
    let code: UInt32
    let before: Substring
    /// The characters in quotes with which a comment behind the number begins.
    let comment: Substring?

    var isPrintable: Bool { stride(from: UInt32(0), to: 32, by: 8).allSatisfy { 0x20..<0x7F ~= code >> $0 & 0xFF } }

    static func all(in text: String) -> [Literal] {
        text.matches(of: /\b0x([0-9A-Fa-f]{4})_?([0-9A-Fa-f]{4})\b/).compactMap { match in
            UInt32(match.1 + match.2, radix: 16).map { code in
                let behind = text[match.range.upperBound...]
                let comment = behind.firstMatch(of: /(?:\/\/|\/\*) *'(....)'/)?.1
                return Literal(code: code, before: text[..<match.range.lowerBound], comment: comment)
            }
        }
    }
}

@Suite("The sources write a four-character code as its characters")
struct FourCCSourceTests {
    /// The lines of the sources and the public headers that have any of the words.
    private func lines(with words: String...) throws -> [Line] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardizedFileURL
        var lines: [Line] = []
        for folder in ["Sources", "include", "tools/DocumentTables"] {
            let start = root.appendingPathComponent(folder).resolvingSymlinksInPath()
            let paths = try #require(FileManager.default.enumerator(atPath: start.path)).compactMap { $0 as? String }
            for path in paths where [".swift", ".c", ".h"].contains(where: path.hasSuffix) {
                let text = try String(contentsOf: start.appendingPathComponent(path), encoding: .utf8)
                for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    guard words.contains(where: { line.contains($0) }) else { continue }
                    lines.append(Line(path: "\(folder)/\(path)", number: index + 1, text: String(line)))
                }
            }
        }
        return lines
    }

    @Test("The number beside characters in a comment is their code")
    func comments() throws {
        var count = 0
        for line in try lines(with: "0x") {
            // The copyright sign of tags is a byte of Latin-1.
            for literal in Literal.all(in: line.text) {
                guard let comment = literal.comment else { continue }
                let code = comment.unicodeScalars.reduce(UInt32(0)) { $0 << 8 | $1.value }
                #expect(literal.code == code, "\(line)")
                count += 1
            }
        }
        #expect(count > 400)
    }

    @Test("A number of four printable characters is the value of an enum's case, or is in C, and a comment has the characters")
    func numbers() throws {
        for line in try lines(with: "0x") {
            // 'op??' in C is a trigraph: its comment describes it.
            for literal in Literal.all(in: line.text) where literal.isPrintable && literal.code != FourCC.code("op??") {
                #expect(literal.comment != nil, "write FourCC.code(\"…\"), or 'abcd' in a comment behind the number: \(line)")
                let isRawValue = literal.before.wholeMatch(of: /\ *case \w+ =\ /) != nil
                #expect(!line.isSwift || isRawValue, "write FourCC.code(\"…\"): \(line)")
            }
        }
    }

    @Test("Each code is made of a literal of four characters: the optimizer replaces it by its number")
    func literals() throws {
        var count = 0
        for line in try lines(with: "FourCC.") where line.isSwift {
            let calls = line.text.matches(of: /FourCC\.(?:code|status)\((?!of:)/).count
            let literals = line.text.matches(of: /FourCC\.(?:code|status)\("([^"]*)"\)/)
            #expect(calls == literals.count, "\(line)")
            // An escape, \0 for one, is a byte.
            for literal in literals { #expect(literal.1.replacing(/\\./, with: "?").utf8.count == 4, "\(line)") }
            count += calls
        }
        #expect(count > 200)
    }
}
