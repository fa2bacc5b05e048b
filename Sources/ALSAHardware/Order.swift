// Of the few things that are in an order here each finds its place when it comes: to sort is 3 KB of code
// for each kind of thing.

extension Array {
    /// Behind those that are not greater.
    mutating func insert(_ element: Element, orderedBy number: (Element) -> UInt32) {
        insert(element, at: firstIndex { number($0) > number(element) } ?? endIndex)
    }
}
