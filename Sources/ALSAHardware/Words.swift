// Names of controls and devices are English in ASCII, in whatever case a driver's author liked.

extension String {
    /// ASCII letters small, everything else as it is.
    var folded: String {
        @inline(never) get { String(decoding: utf8.map(small), as: UTF8.self) }
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

    /// Without the ending; nil where it has another.
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

    /// A call: to read a number takes 700 bytes wherever it is inlined.
    @inline(never)
    func number() -> UInt32? { UInt32(self) }

    /// The number that stands after a word.
    @inline(never)
    func number(after word: StaticString) -> UInt32? {
        let bytes = Array(utf8)
        return word.withUTF8Buffer { word in
            guard word.count <= bytes.count else { return nil }
            for start in 0...(bytes.count - word.count) where zip(bytes[start...], word).allSatisfy({ $0 == $1 }) {
                let digits = bytes[(start + word.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
                return String(decoding: digits, as: UTF8.self).number()
            }
            return nil
        }
    }
}

private func small(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
