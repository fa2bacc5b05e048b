/// The kernel shows a new card's device a moment before the card has its name, and does not tell when it
/// has got it: such a card is looked at again, a few times.
struct NamingPatience {
    private var rounds: Int32 = 0
    private(set) var isNeeded = false

    private static let mostRounds: Int32 = 9

    /// How long to wait before the next look; -1 when there is nothing to wait for.
    var milliseconds: Int32 { isNeeded ? 1 << rounds : -1 }

    mutating func beginRound() {
        if !isNeeded { rounds = 0 }
        isNeeded = false
    }

    /// Whether a card without a name is left for the next look; when not, it goes by its number.
    mutating func waits() -> Bool {
        guard rounds < NamingPatience.mostRounds else { return false }
        if !isNeeded { rounds += 1 }
        isNeeded = true
        return true
    }
}
