// SPDX-License-Identifier: Apache-2.0
// The ordered arrays of this module are short, and each element is inserted at its position. To sort would
// link 3 KB of the standard library for each type of element.

extension Array {
    /// Inserts the element after all elements that are not greater.
    mutating func insert(_ element: Element, orderedBy number: (Element) -> UInt32) {
        insert(element, at: firstIndex { number($0) > number(element) } ?? endIndex)
    }
}
