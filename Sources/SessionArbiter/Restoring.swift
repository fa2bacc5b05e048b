import SessionModel

extension SessionTable {
    /// Puts a session back into a table that has lost it. What it waited for may be lost for good:
    /// then it waits no longer. Nil when there is no place.
    public mutating func restore(_ entry: SessionEntry, preferring slot: Slot) -> Outcome? {
        guard let place = vacancy(preferring: slot) else { return nil }
        while entries.count <= place { entries.append(nil) }
        var entry = entry
        entry.serial = nextSerial
        nextSerial &+= 1
        for interrupter in entry.interrupters where self[interrupter] == nil { entry.interrupters.remove(interrupter) }
        if call == nil { entry.isInterruptedByCall = false }
        entries[place] = entry
        var outcome = Outcome(slot: place)
        outcome.changed.insert(place)
        outcome.concerned.insert(place)
        endIfFree(place, &outcome)
        return outcome
    }

    private func vacancy(preferring slot: Slot) -> Slot? {
        if slot >= 0, slot < SessionTable.capacity, self[slot] == nil { return slot }
        for free in entries.indices where entries[free] == nil { return free }
        return entries.count < SessionTable.capacity ? entries.count : nil
    }
}
