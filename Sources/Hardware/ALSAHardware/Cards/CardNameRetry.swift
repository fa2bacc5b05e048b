// SPDX-License-Identifier: Apache-2.0
/// The kernel creates the device of a new card before the card has its name, and sends no event for the
/// name. A card without a name is opened again, with growing delays, nine times.
struct CardNameRetry {
    private var rounds: Int32 = 0
    private(set) var isNeeded = false

    private static let mostRounds: Int32 = 9

    /// Milliseconds until the next attempt; -1: no attempt is needed.
    var delay: Int32 { isNeeded ? 1 << rounds : -1 }

    mutating func beginRound() {
        if !isNeeded { rounds = 0 }
        isNeeded = false
    }

    /// Whether to open a card without a name again later. If not, its number is its name.
    mutating func shouldWait() -> Bool {
        guard rounds < CardNameRetry.mostRounds else { return false }
        if !isNeeded { rounds += 1 }
        isNeeded = true
        return true
    }
}
