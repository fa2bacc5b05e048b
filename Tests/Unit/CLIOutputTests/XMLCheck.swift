// SPDX-License-Identifier: Apache-2.0
/// Every tag that is opened is closed, and nothing stands where it may not.
enum XMLCheck {
    static func isWellFormed(_ text: String) -> Bool {
        var open: [Substring] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { return false }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let name = tag.split(separator: " ").first ?? ""
            if tag.contains("<") || name.isEmpty { return false }
            if name.hasPrefix("/") {
                guard open.popLast() == name.dropFirst() else { return false }
            } else if !tag.hasSuffix("/") {
                open.append(name)
            }
        }
        return open.isEmpty && !rest.contains(">")
    }
}
