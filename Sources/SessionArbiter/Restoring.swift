import SessionModel

extension SessionTable {
    /// Puts a session back into a table that has lost it. What it waited for may be lost for good:
    /// then it waits no longer. Nil when there is no place.
    public mutating func restore(_ entry: SessionEntry, preferring slot: Slot) -> Outcome? {
        let isFree = slot >= 0 && slot < SessionTable.capacity && self[slot] == nil
        guard let place = isFree ? slot : vacancy else { return nil }
        var entry = entry
        for interrupter in entry.interrupters where self[interrupter] == nil { entry.interrupters.remove(interrupter) }
        if call == nil { entry.isInterruptedByCall = false }
        if case .streams(let session?) = entry.role, self[session]?.process != entry.process { entry.role = .streams(of: nil) }
        for gain in entry.gains.all { gainsToReturn.remove(gain.input) }
        var decision = Decision()
        settle(entry, in: place, &decision)
        decision.concern(place)
        endIfFree(place, &decision)
        return decision.outcome
    }
}
