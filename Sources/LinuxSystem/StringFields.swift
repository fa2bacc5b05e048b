// Texts taken apart. A function for all, with strings as its result: each kind of slice would bring a copy
// of the standard library's splitting of its own.

extension String {
    /// What stands between the separators; what is empty is left out, unless it is asked for.
    @inline(never)
    public func parts(withEmpty: Bool = false, between isSeparator: (UInt8) -> Bool) -> [String] {
        utf8.split(omittingEmptySubsequences: !withEmpty, whereSeparator: isSeparator)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
