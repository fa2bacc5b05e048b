// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionModel
import Testing

/// One line of docs/names.tsv, the list of all public constants.
private struct Name: CustomStringConvertible {
    let kind: String
    let name: String
    let value: String
    let type: String
    let access: String

    var description: String { name }
    /// The number of four characters, else the number itself.
    var code: UInt32? {
        guard value.utf8.count == 4, !value.hasPrefix("-") else { return Int32(value).map { UInt32(bitPattern: $0) } }
        return value.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

private func file(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

private func names(_ kind: String) throws -> [Name] {
    try file("docs/names.tsv").split(separator: "\n").compactMap { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 5, fields[0] == kind else { return nil }
        return Name(kind: fields[0], name: fields[1], value: fields[2], type: fields[3], access: fields[4])
    }
}

private func letters(_ access: PropertyAccess) -> String {
    (access.contains(.get) ? "G" : "") + (access.contains(.set) ? "S" : "") + (access.contains(.listen) ? "L" : "")
}

@Suite("The list of names agrees with the sources, the headers and the documents")
struct NamesTests {
    @Test("The list has every property with its code, name, type and access") func properties() throws {
        let listed = try names("property")
        #expect(listed.count == SessionProperty.allCases.count)
        for name in listed {
            let property = try #require(name.code.flatMap(SessionProperty.init(rawValue:)), "\(name)")
            let row = property.row
            #expect(name.name.hasSuffix("Property_\(row.name)"))
            #expect(name.type == "\(row.type.name)", "\(name)")
            #expect(name.access == letters(row.access), "\(name)")
        }
    }

    @Test("The list has every result code with its name") func results() throws {
        let listed = try names("result")
        #expect(listed.count == ResultCode.allCases.count)
        for name in listed {
            let code = try #require(name.code.flatMap { ResultCode(rawValue: Int32(bitPattern: $0)) }, "\(name)")
            #expect("\(code.name)" == name.name)
        }
    }

    @Test("The list has every category and every mode with its name") func categoriesAndModes() throws {
        let categories = try names("category")
        #expect(categories.count == Category.allCases.count)
        for name in categories { #expect(name.code.flatMap(Category.init(rawValue:)).map { "\($0.traits.name)" } == name.name) }
        let modes = try names("mode")
        #expect(modes.count == Mode.allCases.count)
        for name in modes { #expect(name.code.flatMap(Mode.init(rawValue:)).map { "\($0.name)" } == name.name) }
    }

    @Test("The list has the values of all reasons of a route change, in their order") func routeChangeReasons() throws {
        let listed = try names("reason")
        #expect(listed.compactMap { $0.code.map { Int32(bitPattern: $0) } } == RouteChangeReason.allCases.map { $0.rawValue })
    }

    @Test("The headers declare the names of the list with their values") func headers() throws {
        let headers =
            try file("include/audiosession/AudioToolbox/AudioSession.h")
            + file("include/audiosession/AudioToolbox/AudioSessionLinux.h")
        for kind in ["property", "result", "category", "mode", "reason", "override", "flag", "interruption"] {
            for name in try names(kind) {
                let code = try #require(name.code)
                let hexadecimal = "0x" + String(code, radix: 16, uppercase: true)
                let spellings = [
                    "\(name.name) = \(hexadecimal)", "\(name.name) = \(code)", "\(name.name) (\(Int32(bitPattern: code)))",
                ]
                #expect(spellings.contains { headers.contains($0) }, "\(name) is \(hexadecimal)")
                if name.value.utf8.count == 4, code > 255 { #expect(headers.contains("'\(name.value)'"), "\(name)") }
            }
        }
        for name in try names("string") { #expect(headers.contains("extern const CFStringRef \(name.name);")) }
        for name in try names("macro") { #expect(headers.contains("#define \(name.name) \"\(name.value)\"")) }
    }

    @Test("The C source defines each string constant of the list with its value") func constantStrings() throws {
        let source = try file("Sources/API/CAudioSessionServices/constants.c")
        for name in try names("string") { #expect(source.contains("string(\(name.name), \"\(name.value)\")"), "\(name)") }
    }

    @Test("The list of exported symbols has each string constant") func exportedSymbols() throws {
        let symbols = try file("abi/AudioSession.symbols")
        for name in try names("string") { #expect(symbols.contains("\(name.name)\n")) }
    }

    @Test("The tables list every property with its code, type and access") func tables() throws {
        let tables = try file("docs/tables.md")
        for name in try names("property") where name.name.hasPrefix("kAudioSessionProperty_") {
            let short = name.name.dropFirst("kAudioSessionProperty_".count)
            let lines = tables.split(separator: "\n").filter { $0.hasPrefix("| `'\(name.value)'` | \(short) | \(name.type) |") }
            #expect(lines.contains { $0.contains("| \(name.access) |") }, "\(name)")
        }
    }
}
