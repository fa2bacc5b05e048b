// SPDX-License-Identifier: Apache-2.0
/// A few slots in ascending order, each once. A `SlotSet` has the same time for any number of slots, but each copy of it takes 136
/// bytes.
public struct SlotList: Equatable, Sendable, Sequence {
    private var slots: [TableSlot] = []

    public init() {}

    public var isEmpty: Bool { slots.isEmpty }
    public var count: Int { slots.count }

    /// Ignores an invalid slot number.
    public mutating func insert(_ slot: TableSlot) {
        guard slot >= 0, slot < SessionTable.capacity else { return }
        let place = place(of: slot)
        if place == slots.count {
            slots.append(slot)
        } else if slots[place] != slot {
            slots.insert(slot, at: place)
        }
    }

    public mutating func remove(_ slot: TableSlot) {
        let place = place(of: slot)
        if place < slots.count, slots[place] == slot { slots.remove(at: place) }
    }

    public func contains(_ slot: TableSlot) -> Bool {
        let place = place(of: slot)
        return place < slots.count && slots[place] == slot
    }

    /// Keeps its memory.
    public mutating func removeAll() { if !isEmpty { slots.removeAll(keepingCapacity: true) } }

    public mutating func formUnion(_ other: SlotList) { for slot in other { insert(slot) } }

    /// The index of the first slot that is not less.
    private func place(of slot: TableSlot) -> Int {
        var range = 0..<slots.count
        // Most slots are inserted in ascending order.
        if let last = slots.last, last < slot { return slots.count }
        while let first = range.first {
            let middle = first + range.count / 2
            if slots[middle] < slot { range = (middle + 1)..<range.upperBound } else { range = first..<middle }
        }
        return range.lowerBound
    }

    public func makeIterator() -> IndexingIterator<[TableSlot]> { slots.makeIterator() }
}
