// SPDX-License-Identifier: Apache-2.0
import CoreFoundationTable

/// CoreFoundation values that files and formats give. They belong to the caller; nil when CoreFoundation is not installed.
enum FoundationValues {
    typealias Object = CoreFoundation.Object

    static func string(_ text: String) -> Object? { loaded()?.string(text) }

    static func array(_ texts: [String]) -> Object? {
        guard let cf = loaded() else { return nil }
        return cf.array(texts.map { cf.string($0) })
    }

    static func dictionary(_ key: String, _ value: String) -> Object? {
        guard let cf = loaded(), let key = cf.string(key) else { return nil }
        defer { cf.release(key) }
        return cf.dictionary([(key, cf.string(value))])
    }

    /// CoreFoundation, loaded if necessary.
    private static func loaded() -> CoreFoundation? {
        CoreFoundation.inProcess ?? (CoreFoundation.loadLibrary() ? CoreFoundation.inProcess : nil)
    }
}
