// SPDX-License-Identifier: Apache-2.0
import SessionModel

// The use of input gains by sessions. A session uses the gain of an input from its change until the session becomes inactive.
// The original gain then stays in the table until a session whose process has the input restores it.
extension SessionTable {
    /// The session is about to change the gain of an input, and has read the present gain. If other sessions have changed the
    /// gain before, the gain that the first of them has read is kept for the restoration.
    mutating func changeGain(_ found: SavedGain, _ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard let entry = self[slot], found.input != 0 else { return .unspecified }
        guard entry.gains.gain(of: found.input) == nil else { return nil }
        var kept = entry.gains
        guard kept.insert(gainsToRestore.gain(of: found.input) ?? gainUsedByOthers(than: slot, of: found.input) ?? found) else {
            return .unspecified
        }
        gainsToRestore.remove(found.input)
        return change(slot, &decision) { $0.gains = kept }
    }

    mutating func releaseGains(_ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        stopUsing(entry.gains, slot)
        return change(slot, &decision) { $0.gains = SavedGains() }
    }

    /// The session has become inactive.
    mutating func releaseGains(of slot: TableSlot) {
        guard let gains = entries[slot]?.gains, !gains.isEmpty else { return }
        _ = update(slot) { $0.gains = SavedGains() }
        stopUsing(gains, slot)
    }

    /// The session is about to restore the gain. Only one session restores it. If its process dies, another session does.
    mutating func beginRestoringGain(_ input: UInt64, _ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard let gain = gainsToRestore.gain(of: input), var kept = self[slot]?.gains, kept.insert(gain) else {
            return .unspecified
        }
        gainsToRestore.remove(input)
        return change(slot, &decision) { $0.gains = kept }
    }

    mutating func endRestoringGain(_ input: UInt64, _ slot: TableSlot, _ isDone: Bool, _ decision: inout Decision) -> ResultCode?
    {
        guard let gain = self[slot]?.gains.gain(of: input) else { return .unspecified }
        if !isDone, gainUsedByOthers(than: slot, of: input) == nil { gainsToRestore.insertDroppingFirst(gain) }
        return change(slot, &decision) { $0.gains.remove(input) }
    }

    /// Ends the use of these inputs by the session in the slot, which may have left.
    mutating func stopUsing(_ gains: SavedGains, _ slot: TableSlot) {
        for gain in gains.all where gainUsedByOthers(than: slot, of: gain.input) == nil {
            gainsToRestore.insertDroppingFirst(gain)
        }
    }

    private func gainUsedByOthers(than slot: TableSlot, of input: UInt64) -> SavedGain? {
        for other in entries.indices where other != slot {
            if let gain = entries[other]?.gains.gain(of: input) { return gain }
        }
        return nil
    }
}
