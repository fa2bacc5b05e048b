/// Values of elements, by the elements' numbers: a few dozen at most, in the order of the numbers. (A dictionary
/// would bring 2 KB of the standard library's for each kind of value.)
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
        let place = elements.firstIndex { $0.number >= number } ?? elements.count
        if place < elements.count, elements[place].number == number {
            elements[place].values = values
        } else {
            elements.insert(Element(number: number, values: values), at: place)
        }
    }
}
