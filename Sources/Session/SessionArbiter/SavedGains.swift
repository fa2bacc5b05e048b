// SPDX-License-Identifier: Apache-2.0
/// The gain of an input before sessions changed it.
public struct SavedGain: Equatable, Sendable {
    /// The hash of the UID of the input's port.
    public var input: UInt64
    /// From 0 to 1.
    public var level: Float

    public init(input: UInt64, level: Float) {
        self.input = input
        self.level = level
    }

    static let none = SavedGain(input: 0, level: 0)
}

/// The saved gains of a few inputs, without references.
public struct SavedGains: Equatable, Sendable {
    public static let capacity = 3
    private var storage = InlineArray<3, SavedGain>(repeating: .none)

    public init() {}

    /// By index, in the order of the shared table.
    public subscript(index: Int) -> SavedGain? {
        get { storage.indices.contains(index) && storage[index].input != 0 ? storage[index] : nil }
        set { if storage.indices.contains(index) { storage[index] = newValue ?? .none } }
    }

    public var all: [SavedGain] { storage.indices.compactMap { self[$0] } }
    public var isEmpty: Bool { storage[0].input | storage[1].input | storage[2].input == 0 }

    public func gain(of input: UInt64) -> SavedGain? { index(of: input).flatMap { self[$0] } }

    private func index(of input: UInt64) -> Int? { storage.indices.first { storage[$0].input == input } }

    /// False when the list has no room for another input.
    @discardableResult
    mutating func insert(_ gain: SavedGain) -> Bool {
        guard let index = index(of: gain.input) ?? index(of: 0) else { return false }
        storage[index] = gain
        return true
    }

    mutating func remove(_ input: UInt64) {
        if input != 0, let index = index(of: input) { storage[index] = .none }
    }

    /// Inserts a gain. Drops the first gain if the list is full.
    mutating func insertDroppingFirst(_ gain: SavedGain) {
        if insert(gain) { return }
        for index in 1..<SavedGains.capacity { storage[index - 1] = storage[index] }
        storage[SavedGains.capacity - 1] = gain
    }

    public static func == (left: SavedGains, right: SavedGains) -> Bool {
        left.storage[0] == right.storage[0] && left.storage[1] == right.storage[1] && left.storage[2] == right.storage[2]
    }
}
