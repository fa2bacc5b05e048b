// SPDX-License-Identifier: Apache-2.0
/// The values of a card's elements, in the order of the elements' numbers. A card has a few dozen at most. (A
/// dictionary would link 2 KB of the standard library for each type of value.)
struct ElementValues: Equatable, Sendable {
    private struct Element: Equatable, Sendable {
        let number: UInt32
        var values: [Int32]
    }

    private var elements: [Element] = []

    subscript(number: UInt32) -> [Int32]? {
        @inline(never) get { elements.first { $0.number == number }?.values }
    }

    @inline(never)
    mutating func set(_ number: UInt32, to values: [Int32]) {
        let index = elements.firstIndex { $0.number >= number } ?? elements.count
        if index < elements.count, elements[index].number == number {
            elements[index].values = values
        } else {
            elements.insert(Element(number: number, values: values), at: index)
        }
    }
}
