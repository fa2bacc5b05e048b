// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The outcome of a request while it is decided. One value serves many requests, and keeps the memory of its lists.
public struct Decision {
    public internal(set) var outcome = Outcome()
    private(set) var more = MoreActive()

    /// The change in the number of active sessions that duck, that record, and that play without mixing.
    struct MoreActive {
        var duckers = 0
        var recorders = 0
        var primaries = 0
    }

    public init() {}

    /// Forgets the last request.
    mutating func begin() {
        outcome.clear()
        more = MoreActive()
    }

    /// The entry in `slot` has changed.
    mutating func record(_ slot: TableSlot, was old: EntryKinds, is new: EntryKinds) {
        outcome.changed.insert(slot)
        guard old != new else { return }
        more.duckers += new.count(.ducking) - old.count(.ducking)
        more.recorders += new.count(.recording) - old.count(.recording)
        more.primaries += new.count(.primary) - old.count(.primary)
    }

    mutating func affect(_ slot: TableSlot) { outcome.affected.insert(slot) }
}

extension SessionTable {
    /// Changes one entry. Refuses a free slot. Not inlined, because the function is large and has many callers.
    @inline(never)
    @discardableResult
    mutating func change(_ slot: TableSlot, _ decision: inout Decision, _ body: (inout SessionEntry) -> Void) -> ResultCode? {
        let before = kinds(of: slot)
        guard let isChanged = update(slot, body) else { return .unspecified }
        guard isChanged else { return nil }
        if before.contains(.active), !kinds(of: slot).contains(.active) { releaseGains(of: slot) }
        decision.record(slot, was: before, is: kinds(of: slot))
        return nil
    }

    /// A session that ducks or records affects the sound of every other active session. A session that plays without mixing
    /// affects the secondary audio hint. Mutating like its caller: a call that only reads would copy the table.
    mutating func notifyAffectedSessions(_ decision: inout Decision) {
        // A function with the decision as its argument would copy it.
        let more = decision.more
        let affectsSound = more.recorders != 0 || isDuckingNew(more.duckers)
        let kind: EntryKinds = affectsSound ? .active : .hinted
        guard affectsSound || more.primaries != 0, hasSlots(kind) else { return }
        for slot in slots(kind) { decision.affect(slot) }
    }

    /// The first session ducks, or none any more.
    private mutating func isDuckingNew(_ more: Int) -> Bool {
        guard more != 0 else { return false }
        let duckers = count(of: .ducking)
        return (duckers > 0) != (duckers - more > 0)
    }
}
