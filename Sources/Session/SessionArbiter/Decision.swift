// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The outcome of a request while it is decided.
struct Decision {
    var outcome = Outcome()
    /// The change in the number of active sessions that duck, that record, and that play without mixing.
    private(set) var duckerDelta = 0
    private(set) var recordersMore = 0
    private(set) var primariesMore = 0

    /// The entry in `slot` has changed.
    mutating func record(_ slot: TableSlot, was old: EntryKinds, is new: EntryKinds) {
        outcome.changed.insert(slot)
        guard old != new else { return }
        duckerDelta += new.count(.ducking) - old.count(.ducking)
        recordersMore += new.count(.recording) - old.count(.recording)
        primariesMore += new.count(.primary) - old.count(.primary)
    }

    mutating func affect(_ slot: TableSlot) { outcome.affected.insert(slot) }
}

extension SessionTable {
    /// Changes one entry. Refuses a free slot. Not inlined, because the function is large and has many callers.
    @inline(never)
    @discardableResult
    mutating func change(_ slot: TableSlot, _ decision: inout Decision, _ body: (inout SessionEntry) -> Void) -> ResultCode? {
        guard let old = self[slot] else { return .unspecified }
        let before = kinds(of: slot)
        var unused = SavedGains()
        var isChanged = false
        update(slot) { entry in
            body(&entry)
            if old.isActive, !entry.isActive { (unused, entry.gains) = (entry.gains, SavedGains()) }
            isChanged = entry != old
        }
        if !unused.isEmpty { stopUsing(unused, slot) }
        if isChanged { decision.record(slot, was: before, is: kinds(of: slot)) }
        return nil
    }

    /// A session that ducks or records affects the sound of every other active session. A session that plays without mixing
    /// affects the secondary audio hint.
    func notifyAffectedSessions(_ decision: inout Decision) {
        let affectsSound = decision.recordersMore != 0 || isDuckingNew(decision)
        guard affectsSound || decision.primariesMore != 0 else { return }
        for slot in slots(affectsSound ? .active : .hinted) { decision.affect(slot) }
    }

    private func isDuckingNew(_ decision: Decision) -> Bool {
        guard decision.duckerDelta != 0 else { return false }
        let duckers = slots(.ducking).count
        return (duckers > 0) != (duckers - decision.duckerDelta > 0)
    }
}
