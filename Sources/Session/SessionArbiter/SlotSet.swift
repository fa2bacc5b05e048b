// SPDX-License-Identifier: Apache-2.0
/// A set of slots, without references, in ascending order. It never contains an invalid slot number.
public struct SlotSet: Equatable, Sendable, Sequence {
    static let wordCount = 16

    public private(set) var words = InlineArray<16, UInt64>(repeating: 0)
    /// The indices of the words that are not 0, so that a set of few slots takes few instructions.
    private var used = WordIndices()

    public init() {}

    public init(words: InlineArray<16, UInt64>) {
        self.words = words
        used = wordsInUse(words)
    }

    public var isEmpty: Bool { used.isEmpty }

    private func word(_ index: Int) -> UInt64 { wordOf(self, index) }

    public func contains(_ slot: TableSlot) -> Bool { isSlot(slot) && word(slot >> 6) & bit(slot) != 0 }

    public mutating func insert(_ slot: TableSlot) {
        guard isSlot(slot) else { return }
        words[slot >> 6] = word(slot >> 6) | bit(slot)
        used.insert(slot >> 6)
    }

    public mutating func remove(_ slot: TableSlot) {
        guard isSlot(slot) else { return }
        let rest = word(slot >> 6) & ~bit(slot)
        words[slot >> 6] = rest
        if rest == 0 { used.remove(slot >> 6) }
    }

    private func isSlot(_ slot: TableSlot) -> Bool { slot >= 0 && slot < SessionTable.capacity }
    private func bit(_ slot: TableSlot) -> UInt64 { 1 << UInt64(slot & 63) }

    public static func == (left: SlotSet, right: SlotSet) -> Bool {
        guard left.used == right.used else { return false }
        for index in left.used where left.word(index) != right.word(index) { return false }
        return true
    }
}

/// Compiled for speed: an access to a word copies all words, and code for size copies byte by byte.
@inline(never)
@_optimize(speed)
private func wordOf(_ set: SlotSet, _ index: Int) -> UInt64 { set.words[index] }

@inline(never)
@_optimize(speed)
private func wordsInUse(_ words: InlineArray<16, UInt64>) -> WordIndices {
    var used = WordIndices()
    let words = words.span
    for index in words.indices where words[unchecked: index] != 0 { used.insert(index) }
    return used
}

/// Indices of words, in ascending order.
private struct WordIndices: Equatable, Sequence, IteratorProtocol {
    private var bits: UInt32 = 0

    var isEmpty: Bool { bits == 0 }
    mutating func insert(_ index: Int) { bits |= 1 << UInt32(index & 31) }
    mutating func remove(_ index: Int) { bits &= ~(1 << UInt32(index & 31)) }

    mutating func next() -> Int? {
        guard bits != 0 else { return nil }
        defer { bits &= bits &- 1 }
        return bits.trailingZeroBitCount
    }
}

extension SlotSet {
    public struct Iterator: IteratorProtocol {
        private let words: InlineArray<16, UInt64>
        private var rest: WordIndices
        private var index = 0
        private var word: UInt64 = 0

        init(_ set: SlotSet) {
            words = set.words
            rest = set.used
        }

        public mutating func next() -> TableSlot? {
            if word == 0 {
                guard let index = rest.next() else { return nil }
                self.index = index
                word = words[index]
            }
            defer { word &= word - 1 }
            return index << 6 | word.trailingZeroBitCount
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }
}

/// A name of at most 63 bytes of UTF-8, without references.
public struct SessionName: Equatable, Sendable {
    private typealias Words = InlineArray<8, UInt64>

    public private(set) var bytes = InlineArray<64, UInt8>(repeating: 0)

    /// A longer name is truncated at a character boundary.
    public init(_ text: String) {
        var length = 0
        for character in text.unicodeScalars {
            let width = UTF8.width(character)
            guard length + width < 64, character.value != 0 else { break }
            for byte in UTF8.encode(character).unsafelyUnwrapped {
                bytes[length] = byte
                length += 1
            }
        }
    }

    /// The name from bytes that another process may have written.
    public init(bytes: InlineArray<64, UInt8>) {
        self.bytes = bytes
        self.bytes[63] = 0
    }

    public var text: String {
        var length = 0
        while length < 64, bytes[length] != 0 { length += 1 }
        var utf8: [UInt8] = []
        for index in 0..<length { utf8.append(bytes[index]) }
        return String(decoding: utf8, as: UTF8.self)
    }

    public static func == (left: SessionName, right: SessionName) -> Bool {
        // Compares eight bytes at a time.
        let (left, right) = (unsafeBitCast(left.bytes, to: Words.self), unsafeBitCast(right.bytes, to: Words.self))
        for index in left.indices where left[unchecked: index] != right[unchecked: index] { return false }
        return true
    }
}
