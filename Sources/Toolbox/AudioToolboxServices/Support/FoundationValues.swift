// SPDX-License-Identifier: Apache-2.0
import CoreFoundationTable

/// The CoreFoundation values of properties of files and formats. The caller releases them. Nil without CoreFoundation.
enum FoundationValues {
    typealias Object = CoreFoundation.Object

    static func string(_ text: String) -> Object? { loaded()?.string(text) }

    static func array(_ texts: [String]) -> Object? {
        guard let cf = loaded() else { return nil }
        return cf.array(texts.map { cf.string($0) })
    }

    static func dictionary(_ entries: [(key: String, value: String)]) -> Object? {
        guard let cf = loaded() else { return nil }
        let keys = entries.map { cf.string($0.key) }
        defer { for key in keys { if let key { cf.release(key) } } }
        guard keys.allSatisfy({ $0 != nil }) else { return nil }
        return cf.dictionary(zip(keys, entries).map { ($0.0, cf.string($0.1.value)) })
    }

    /// CoreFoundation, loaded if necessary.
    private static func loaded() -> CoreFoundation? {
        CoreFoundation.inProcess ?? (CoreFoundation.loadLibrary() ? CoreFoundation.inProcess : nil)
    }
}
