// SPDX-License-Identifier: Apache-2.0
/// A set of slots, without references, in ascending order. It never contains an invalid slot number.
public struct SlotSet: Equatable, Sendable, Sequence {
    public private(set) var words = InlineArray<16, UInt64>(repeating: 0)

    public init() {}

    public init(words: InlineArray<16, UInt64>) { self.words = words }

    public var isEmpty: Bool {
        let words = words.span
        var all: UInt64 = 0
        for index in words.indices { all |= words[unchecked: index] }
        return all == 0
    }

    /// Whether the set contains no slot except this one.
    func isEmpty(but slot: TableSlot) -> Bool {
        var others = self
        others.remove(slot)
        return others.isEmpty
    }

    public var count: Int {
        let words = words.span
        var count = 0
        for index in words.indices { count += words[unchecked: index].nonzeroBitCount }
        return count
    }

    public func contains(_ slot: TableSlot) -> Bool { isSlot(slot) && words[slot >> 6] & bit(slot) != 0 }
    public mutating func insert(_ slot: TableSlot) { if isSlot(slot) { words[slot >> 6] |= bit(slot) } }
    public mutating func remove(_ slot: TableSlot) { if isSlot(slot) { words[slot >> 6] &= ~bit(slot) } }

    private func isSlot(_ slot: TableSlot) -> Bool { slot >= 0 && slot < SessionTable.capacity }
    private func bit(_ slot: TableSlot) -> UInt64 { 1 << UInt64(slot & 63) }

    public mutating func formUnion(_ other: SlotSet) {
        for index in words.indices { words[unchecked: index] |= other.words[unchecked: index] }
    }

    public static func == (left: SlotSet, right: SlotSet) -> Bool {
        let (left, right) = (left.words.span, right.words.span)
        for index in left.indices where left[unchecked: index] != right[unchecked: index] { return false }
        return true
    }
}

extension SlotSet {
    public struct Iterator: IteratorProtocol {
        private let words: InlineArray<16, UInt64>
        private var index = 0
        private var word: UInt64

        init(_ set: SlotSet) {
            words = set.words
            word = words[0]
        }

        public mutating func next() -> TableSlot? {
            while word == 0 {
                guard index + 1 < words.count else { return nil }
                index += 1
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
