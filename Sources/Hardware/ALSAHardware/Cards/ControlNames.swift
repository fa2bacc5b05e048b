// SPDX-License-Identifier: Apache-2.0
// Drivers name controls and devices in ASCII English, in upper or lower case.

extension String {
    /// With ASCII letters in lower case.
    var folded: String {
        @inline(never) get { String(decoding: utf8.map(lowercase), as: UTF8.self) }
    }

    @inline(never)
    func holds(_ part: StaticString) -> Bool {
        let bytes = Array(utf8)
        return part.withUTF8Buffer { part in
            guard !part.isEmpty, part.count <= bytes.count else { return false }
            for start in 0...(bytes.count - part.count) {
                if zip(bytes[start...], part).allSatisfy({ $0 == $1 }) { return true }
            }
            return false
        }
    }

    /// Without the ending; nil for a text that ends otherwise.
    func without(ending: StaticString) -> String? {
        let bytes = Array(utf8)
        return ending.withUTF8Buffer { ending in
            guard bytes.count >= ending.count, zip(bytes.suffix(ending.count), ending).allSatisfy({ $0 == $1 }) else {
                return nil
            }
            return String(decoding: bytes.dropLast(ending.count), as: UTF8.self)
        }
    }

    @inline(never)
    func begins(with start: StaticString) -> Bool {
        start.withUTF8Buffer { start in
            utf8.count >= start.count && zip(utf8, start).allSatisfy { $0 == $1 }
        }
    }

    /// Never inlined: the conversion is 700 bytes of code.
    @inline(never)
    func number() -> UInt32? { UInt32(self) }

    /// The number directly after the first occurrence of a text.
    @inline(never)
    func number(after text: StaticString) -> UInt32? {
        let bytes = Array(utf8)
        return text.withUTF8Buffer { text in
            guard text.count <= bytes.count else { return nil }
            for start in 0...(bytes.count - text.count) where zip(bytes[start...], text).allSatisfy({ $0 == $1 }) {
                let digits = bytes[(start + text.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
                return String(decoding: digits, as: UTF8.self).number()
            }
            return nil
        }
    }
}

private func lowercase(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
