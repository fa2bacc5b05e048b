import SessionModel

extension SessionTable {
    /// Puts a session back into a table that has lost it. What it waited for may be lost for good:
    /// then it waits no longer. Nil when there is no place.
    public mutating func restore(_ entry: SessionEntry, preferring slot: Slot) -> Outcome? {
        let fits = slot >= 0 && slot < SessionTable.capacity && isFree(slot)
        guard let place = fits ? slot : vacancy else { return nil }
        var entry = entry
        for interrupter in entry.interrupters where isFree(interrupter) { entry.interrupters.remove(interrupter) }
        if call == nil { entry.isInterruptedByCall = false }
        if case .streams(let session?) = entry.role, self[session]?.process != entry.process { entry.role = .streams(of: nil) }
        for gain in entry.gains.all { gainsToRestore.remove(gain.input) }
        var decision = Decision()
        settle(entry, in: place, &decision)
        decision.affect(place)
        endIfFree(place, &decision)
        return decision.outcome
    }

    /// Whether the table says of a session what its own process cannot have missed: only that makes it
    /// active or not, but for interruptions.
    public func hasMissed(_ known: SessionEntry, in slot: Slot) -> Bool {
        guard let entry = self[slot], entry.role == .session, entry.isActive != known.isActive else { return false }
        return !(entry.isInterruptedByCall && call != nil)
    }

    /// Nobody waits for a session that is not active and was never seen to leave.
    public mutating func release(_ slot: Slot) -> Outcome {
        var decision = Decision()
        letGo(slot, lettingResume: true, &decision)
        return decision.outcome
    }

    /// What waits for a session must fit what its program was told last.
    public mutating func reconcileInterruptions(of slot: Slot, knowing known: SessionEntry) -> Outcome {
        var decision = Decision()
        guard let waiting = self[slot]?.waiting, waiting != .none else { return decision.outcome }
        change(slot, &decision) { $0.waiting = waiting.following(begin: known.hasToldBegin) }
        return decision.outcome
    }

    /// Mends what cannot have come about: it was put together from what several processes remembered.
    /// `version` tells which of two entries was changed later.
    public mutating func reconcile(version: (Slot) -> UInt64) -> Outcome {
        var decision = Decision()
        if let holder = call?.holder, isFree(holder) { _ = endCall(true, &decision) }
        for slot in entries.indices {
            forgetTheGone(slot, &decision)
            if call != nil, isRival(slot) { holdByCall(slot, &decision) }
        }
        // Two that do not mix are never active at once: the later has interrupted the earlier.
        let rivals = entries.indices.filter { isRival($0) }
        guard let latest = rivals.max(by: { version($0) < version($1) }) else { return decision.outcome }
        for slot in rivals where slot != latest { interrupt(slot, &decision) { $0.interrupters.insert(latest) } }
        return decision.outcome
    }

    private func isRival(_ slot: Slot) -> Bool {
        entries[slot]?.isActive == true && entries[slot]?.policy.mixes == false && entries[slot]?.role == .session
    }

    private mutating func forgetTheGone(_ slot: Slot, _ decision: inout Decision) {
        guard let entry = self[slot], entry.isInterrupted else { return }
        var left = entry.interrupters
        for interrupter in entry.interrupters where !mayHoldBack(interrupter) { left.remove(interrupter) }
        let isHeldByCall = entry.isInterruptedByCall && call != nil
        change(slot, &decision) { entry in
            entry.interrupters = left
            entry.isInterruptedByCall = isHeldByCall
        }
        endIfFree(slot, &decision)
    }

    /// One that is neither active nor interrupted has left, most likely before it was known whom it interrupts.
    private func mayHoldBack(_ slot: Slot) -> Bool { self[slot].map { $0.isActive || $0.isInterrupted } ?? false }
}

extension SessionEntry {
    /// The program was told of a begin, and of nothing since.
    var hasToldBegin: Bool {
        switch waiting {
        case .none: isInterrupted
        case .begin, .beginAndEnd: false
        case .end: true
        }
    }
}

extension WaitingInterruptions {
    /// Without a begin that was told already, or an end of what was never told.
    fileprivate func following(begin hasToldBegin: Bool) -> WaitingInterruptions {
        switch self {
        case .none: .none
        case .begin: hasToldBegin ? .none : self
        case .beginAndEnd(let type): hasToldBegin ? .end(type) : self
        case .end: hasToldBegin ? self : .none
        }
    }
}
