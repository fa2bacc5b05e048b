// SPDX-License-Identifier: Apache-2.0
import CCoreFoundation
public import LinuxSystem

// Conversions of values to objects, which the caller releases, and of objects to values. An object is nil when memory is
// exhausted.
extension CoreFoundation {
    public func string(_ text: String) -> Object? {
        var text = text
        return text.withUTF8 { stringCreate(nil, $0.baseAddress, $0.count, UInt32(CF_STRING_UTF8), 0) }
    }

    /// Releases the elements.
    public func array(_ elements: [Object?]) -> Object? {
        defer { for element in elements { drop(element) } }
        guard elements.allSatisfy({ $0 != nil }) else { return nil }
        return elements.withUnsafeBufferPointer { arrayCreate(nil, $0.baseAddress, $0.count, arrayCallBacks) }
    }

    /// Releases the values, and not the keys.
    public func dictionary(_ entries: [(key: Object?, value: Object?)]) -> Object? {
        let keys = entries.map { $0.key }
        let values = entries.map { $0.value }
        defer { for value in values { drop(value) } }
        guard values.allSatisfy({ $0 != nil }) else { return nil }
        return keys.withUnsafeBufferPointer { keys in
            values.withUnsafeBufferPointer { values in
                dictionaryCreate(nil, keys.baseAddress, values.baseAddress, keys.count, keyCallBacks, valueCallBacks)
            }
        }
    }

    private func drop(_ object: Object?) { if let object { release(object) } }

    // MARK: Objects of the program

    /// The path of a file's CFURL. Nil for another object, and for a URL that names no file.
    public func path(ofURL url: Object?) -> FilePath? {
        guard let url, typeOf(url) == urlType(), namesFile(url) else { return nil }
        return bytes(capacity: 4_096) { urlPath(url, 1, $0, $1) }.map { FilePath($0) }
    }

    private func namesFile(_ url: Object) -> Bool {
        // The text of a relative URL has no scheme.
        guard let absolute = urlAbsolute(url) else { return false }
        defer { release(absolute) }
        var text = [UInt8](repeating: 0, count: max(urlBytes(absolute, nil, 0), 0))
        let count = text.withUnsafeMutableBufferPointer { urlBytes(absolute, $0.baseAddress, $0.count) }
        return count == text.count && FileURL.namesFile(text)
    }

    /// The text of a CFString of at most 255 bytes. Nil for another object.
    public func text(ofString string: Object?) -> String? {
        guard let string, typeOf(string) == stringType() else { return nil }
        return bytes(capacity: 256) { stringGet(string, $0, $1, UInt32(CF_STRING_UTF8)) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The bytes of the C string that `write` writes; nil when it returns 0.
    private func bytes(capacity: Int, _ write: (UnsafeMutablePointer<UInt8>, Int) -> UInt8) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let isWritten = bytes.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { write($0, capacity) != 0 } ?? false
        }
        guard isWritten, let end = bytes.firstIndex(of: 0) else { return nil }
        return Array(bytes[..<end])
    }
}
