import SessionModel

// Who uses an input's gain, and which gains nobody uses any more. A session uses a gain from when it
// changes it until it is not active any more. What the first one found waits then until some session
// whose process has the input puts it back.
extension SessionTable {
    /// The session is about to change an input's gain, and finds it as it is now. Where others have
    /// changed it, what counts is what the first of them found.
    mutating func changeGain(_ found: SavedGain, _ slot: Slot, _ decision: inout Decision) -> ResultCode? {
        guard let entry = self[slot], found.input != 0 else { return .unspecified }
        guard entry.gains.gain(of: found.input) == nil else { return nil }
        var kept = entry.gains
        guard kept.insert(gainsToRestore.gain(of: found.input) ?? gainUsedByOthers(than: slot, of: found.input) ?? found) else {
            return .unspecified
        }
        gainsToRestore.remove(found.input)
        return change(slot, &decision) { $0.gains = kept }
    }

    mutating func releaseGains(_ slot: Slot, _ decision: inout Decision) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        stopUsing(entry.gains, slot)
        return change(slot, &decision) { $0.gains = SavedGains() }
    }

    /// The session is about to put it back: one at a time, and if it dies over that, another.
    mutating func beginRestoringGain(_ input: UInt64, _ slot: Slot, _ decision: inout Decision) -> ResultCode? {
        guard let gain = gainsToRestore.gain(of: input), var kept = self[slot]?.gains, kept.insert(gain) else {
            return .unspecified
        }
        gainsToRestore.remove(input)
        return change(slot, &decision) { $0.gains = kept }
    }

    mutating func endRestoringGain(_ input: UInt64, _ slot: Slot, _ isDone: Bool, _ decision: inout Decision) -> ResultCode? {
        guard let gain = self[slot]?.gains.gain(of: input) else { return .unspecified }
        if !isDone, gainUsedByOthers(than: slot, of: input) == nil { gainsToRestore.press(gain) }
        return change(slot, &decision) { $0.gains.remove(input) }
    }

    /// The session that is or was in the slot uses none of these any more.
    mutating func stopUsing(_ gains: SavedGains, _ slot: Slot) {
        for gain in gains.all where gainUsedByOthers(than: slot, of: gain.input) == nil { gainsToRestore.press(gain) }
    }

    private func gainUsedByOthers(than slot: Slot, of input: UInt64) -> SavedGain? {
        for other in entries.indices where other != slot {
            if let gain = entries[other]?.gains.gain(of: input) { return gain }
        }
        return nil
    }
}
