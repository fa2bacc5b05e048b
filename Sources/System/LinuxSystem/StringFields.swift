// SPDX-License-Identifier: Apache-2.0
// Splits text into fields. The result is strings, because each type of slice would link another copy of the splitting of the
// standard library.

extension String {
    /// The fields between the separators. Empty fields are left out without `withEmpty`.
    @inline(never)
    public func parts(withEmpty: Bool = false, between isSeparator: (UInt8) -> Bool) -> [String] {
        utf8.split(omittingEmptySubsequences: !withEmpty, whereSeparator: isSeparator)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
