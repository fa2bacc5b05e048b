// SPDX-License-Identifier: Apache-2.0
import SessionModel

extension SessionTable {
    /// Restores a session into a table that has lost it. Interrupters that are not in the table no longer interrupt it. Nil when
    /// the table is full.
    public mutating func restore(_ entry: SessionEntry, preferring slot: TableSlot) -> Outcome? {
        let fits = slot >= 0 && slot < SessionTable.capacity && isFree(slot)
        guard let target = fits ? slot : freeSlot else { return nil }
        var entry = entry
        for interrupter in entry.listedInterrupters where isFree(interrupter) { entry.listedInterrupters.remove(interrupter) }
        if let interrupter = entry.speechInterrupter, isFree(interrupter) { entry.speechInterrupter = nil }
        if call == nil { entry.isInterruptedByCall = false }
        if case .streams(let session?) = entry.role, self[session]?.process != entry.process { entry.role = .streams(of: nil) }
        for gain in entry.gains.all { gainsToRestore.remove(gain.input) }
        var decision = Decision()
        assign(entry, in: target, &decision)
        decision.affect(target)
        endIfFree(target, lastInterrupting: lastInterrupting, &decision)
        return decision.outcome
    }

    /// The table and the session's own process disagree whether the session is active. The process cannot have missed this
    /// change: only its own requests and interruptions make it.
    public func hasMissed(_ known: SessionEntry, in slot: TableSlot) -> Bool {
        guard let entry = self[slot], entry.role == .session, entry.isActive != known.isActive else { return false }
        return !(entry.isInterruptedByCall && call != nil)
    }

    /// Removes a session from the interrupters of others. It is inactive, but the table does not contain this change.
    public mutating func release(_ slot: TableSlot) -> Outcome {
        var decision = Decision()
        leaveAsInterrupter(slot, lettingResume: true, &decision)
        return decision.outcome
    }

    /// Makes the pending interruptions of a session consistent with the last event that its program has fetched.
    public mutating func reconcileInterruptions(of slot: TableSlot, knowing known: SessionEntry) -> Outcome {
        var decision = Decision()
        guard let waiting = self[slot]?.waiting, waiting != .none else { return decision.outcome }
        change(slot, &decision) { $0.waiting = waiting.following(begin: known.hasDeliveredBegin) }
        return decision.outcome
    }

    /// Removes contradictions from a table that was restored from the snapshots of several processes. `version` orders two
    /// entries by their last change.
    public mutating func reconcile(version: (TableSlot) -> UInt64) -> Outcome {
        var decision = Decision()
        if let holder = call?.holder, isFree(holder) { _ = endCall(true, &decision) }
        for slot in entries.indices {
            removeMissingInterrupters(of: slot, &decision)
            if call != nil, isRival(slot) { interruptByCall(slot, &decision) }
        }
        // Two sessions that do not mix are never active at the same time: the later one has interrupted the earlier one.
        let rivals = entries.indices.filter { isRival($0) }
        guard let latest = rivals.max(by: { version($0) < version($1) }) else { return decision.outcome }
        for slot in rivals where slot != latest { interrupt(slot, &decision) { $0.listedInterrupters.insert(latest) } }
        return decision.outcome
    }

    private func isRival(_ slot: TableSlot) -> Bool {
        entries[slot]?.isActive == true && entries[slot]?.settings.mixes == false && entries[slot]?.role == .session
    }

    private mutating func removeMissingInterrupters(of slot: TableSlot, _ decision: inout Decision) {
        guard let entry = self[slot], entry.isInterrupted else { return }
        var left = entry.listedInterrupters
        for interrupter in entry.listedInterrupters where !mayInterrupt(interrupter) { left.remove(interrupter) }
        let speechInterrupter = entry.speechInterrupter.flatMap { mayInterrupt($0) ? $0 : nil }
        let isCallOngoing = entry.isInterruptedByCall && call != nil
        change(slot, &decision) { entry in
            entry.listedInterrupters = left
            entry.speechInterrupter = speechInterrupter
            entry.isInterruptedByCall = isCallOngoing
        }
        endIfFree(slot, lastInterrupting: lastInterrupting, &decision)
    }

    /// A session that is neither active nor interrupted interrupts no other session.
    private func mayInterrupt(_ slot: TableSlot) -> Bool { self[slot].map { $0.isActive || $0.isInterrupted } ?? false }
}

extension SessionEntry {
    /// The last event that the program has fetched is a begin.
    var hasDeliveredBegin: Bool {
        switch waiting {
        case .none: isInterrupted
        case .begin, .beginAndEnd: false
        case .end: true
        }
    }
}

extension WaitingInterruptions {
    /// Drops a pending begin that has been delivered, and a pending end whose begin has not been delivered.
    fileprivate func following(begin hasDeliveredBegin: Bool) -> WaitingInterruptions {
        switch self {
        case .none: .none
        case .begin: hasDeliveredBegin ? .none : self
        case .beginAndEnd(let type): hasDeliveredBegin ? .end(type) : self
        case .end: hasDeliveredBegin ? self : .none
        }
    }
}
