// SPDX-License-Identifier: Apache-2.0

/// The text of a URL, before a path is taken from it.
public enum FileURL {
    /// True if the URL can name a file: its scheme is `file` or missing, and its path has no byte 0, where a path of the system
    /// would end early.
    public static func namesFile(_ text: [UInt8]) -> Bool {
        if let scheme = scheme(of: text), !scheme.elementsEqual("file".utf8) { return false }
        // A query or a fragment is no part of the path.
        let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        for index in path.indices where path[index] == 0 || path[index...].starts(with: "%00".utf8) { return false }
        return true
    }

    /// The scheme in small letters. Nil without a scheme.
    private static func scheme(of text: [UInt8]) -> [UInt8]? {
        guard let end = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<end].map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        guard let first = scheme.first, 0x61...0x7A ~= first else { return nil }
        let isName = scheme.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || "+-.".utf8.contains($0) }
        return isName ? scheme : nil
    }
}
