/// The gain of an input before sessions changed it.
public struct SavedGain: Equatable, Sendable {
    /// A hash of the input's name, the same in all processes; never 0.
    public var input: UInt64
    /// From 0 to 1.
    public var level: Float

    public init(input: UInt64, level: Float) {
        self.input = input
        self.level = level
    }

    /// `name` is the same in all processes, and each time that the input is present.
    public init(of name: String, level: Float) {
        var number: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { number = (number ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.init(input: number | 1, level: level)
    }

    static let none = SavedGain(input: 0, level: 0)
}

/// The saved gains of a few inputs, without references.
public struct SavedGains: Equatable, Sendable {
    public static let capacity = 3
    private var places = InlineArray<3, SavedGain>(repeating: .none)

    public init() {}

    /// By index, as the shared table holds them.
    public subscript(place: Int) -> SavedGain? {
        get { places.indices.contains(place) && places[place].input != 0 ? places[place] : nil }
        set { if places.indices.contains(place) { places[place] = newValue ?? .none } }
    }

    public var all: [SavedGain] { places.indices.compactMap { self[$0] } }
    public var isEmpty: Bool { places.indices.allSatisfy { places[$0].input == 0 } }

    public func gain(of input: UInt64) -> SavedGain? { place(of: input).flatMap { self[$0] } }

    private func place(of input: UInt64) -> Int? { places.indices.first { places[$0].input == input } }

    /// False when there is no room for another input.
    @discardableResult
    mutating func insert(_ gain: SavedGain) -> Bool {
        guard let place = place(of: gain.input) ?? place(of: 0) else { return false }
        places[place] = gain
        return true
    }

    mutating func remove(_ input: UInt64) {
        if input != 0, let place = place(of: input) { places[place] = .none }
    }

    /// Drops the first one where there is no room.
    mutating func insertDroppingFirst(_ gain: SavedGain) {
        if insert(gain) { return }
        for place in 1..<SavedGains.capacity { places[place - 1] = places[place] }
        places[SavedGains.capacity - 1] = gain
    }

    public static func == (left: SavedGains, right: SavedGains) -> Bool {
        left.places.indices.allSatisfy { left.places[$0] == right.places[$0] }
    }
}
