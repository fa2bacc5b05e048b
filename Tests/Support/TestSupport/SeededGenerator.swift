// SPDX-License-Identifier: Apache-2.0

/// Random numbers that a seed repeats, so that a failure can be reproduced.
///
/// All that is drawn is part of the digest of the inputs, for the file that has created the generator: see `InputDigest`.
public struct SeededGenerator: RandomNumberGenerator {
    fileprivate var numbers: SplitMix64
    private let file: StaticString

    public init(_ seed: some BinaryInteger, file: StaticString = #fileID) {
        numbers = SplitMix64(state: UInt64(truncatingIfNeeded: seed))
        self.file = file
    }

    public mutating func next() -> UInt64 {
        let number = numbers.next()
        note(number)
        return number
    }

    public mutating func below(_ bound: Int) -> Int {
        let value = Int(numbers.next() % UInt64(bound))
        note(UInt64(truncatingIfNeeded: value))
        return value
    }
    public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// Adds an input to the digest.
    fileprivate func note(_ pattern: UInt64) {
        if InputDigest.isWanted { InputDigest.add(pattern, at: numbers.state, file) }
    }

    /// Adds what was chosen from a collection, by its description: numbers of objects and of hashes differ from process to process.
    fileprivate func note(choice: some Any) {
        if InputDigest.isWanted { InputDigest.add(InputDigest.hash("\(choice)"), at: numbers.state, file) }
    }
}

private struct SplitMix64: RandomNumberGenerator {
    private(set) var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

// The functions of the standard library for this generator. What they return is an input of the test: it depends on the range and on
// the order of the collection as well, and the order of a Set differs from process to process.

extension FixedWidthInteger {
    public static func random(in range: Range<Self>, using generator: inout SeededGenerator) -> Self {
        let value = random(in: range, using: &generator.numbers)
        generator.note(UInt64(truncatingIfNeeded: value))
        return value
    }

    public static func random(in range: ClosedRange<Self>, using generator: inout SeededGenerator) -> Self {
        let value = random(in: range, using: &generator.numbers)
        generator.note(UInt64(truncatingIfNeeded: value))
        return value
    }
}

extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
    public static func random(in range: Range<Self>, using generator: inout SeededGenerator) -> Self {
        let value = random(in: range, using: &generator.numbers)
        generator.note(Double(value).bitPattern)
        return value
    }

    public static func random(in range: ClosedRange<Self>, using generator: inout SeededGenerator) -> Self {
        let value = random(in: range, using: &generator.numbers)
        generator.note(Double(value).bitPattern)
        return value
    }
}

extension Bool {
    public static func random(using generator: inout SeededGenerator) -> Bool {
        let value = random(using: &generator.numbers)
        generator.note(value ? 1 : 0)
        return value
    }
}

extension Collection {
    public func randomElement(using generator: inout SeededGenerator) -> Element? {
        let element = randomElement(using: &generator.numbers)
        generator.note(choice: element as Any)
        return element
    }
}

extension Sequence {
    public func shuffled(using generator: inout SeededGenerator) -> [Element] {
        let elements = shuffled(using: &generator.numbers)
        generator.note(choice: elements)
        return elements
    }
}
