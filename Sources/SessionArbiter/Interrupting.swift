import SessionModel

// Who interrupts whom, and when that ends.
extension SessionTable {
    /// The session has become active, or has stopped mixing.
    mutating func interruptOthers(_ slot: Slot, _ outcome: inout Outcome) {
        guard let policy = self[slot]?.policy, !policy.mixes || policy.interruptsSpokenAudio else { return }
        change(slot, &outcome) { $0.interruptedSpokenAudioOnly = policy.mixes }
        for other in entries.indices where other != slot {
            guard let entry = entries[other] else { continue }
            let meets = policy.mixes ? entry.policy.mode == .spokenAudio : !entry.policy.mixes
            guard meets else { continue }
            if entry.isActive {
                interrupt(other, &outcome) { $0.interrupters.insert(slot) }
            } else if entry.isInterrupted, !policy.mixes {
                // It would have been interrupted by this one as well.
                change(other, &outcome) { $0.interrupters.insert(slot) }
            }
        }
    }

    mutating func interrupt(_ slot: Slot, _ outcome: inout Outcome, by mark: (inout SessionEntry) -> Void) {
        change(slot, &outcome) { entry in
            entry.isActive = false
            entry.isInterrupted = true
            entry.waiting.addBegin()
            mark(&entry)
        }
        outcome.concerned.insert(slot)
    }

    /// The session holds nobody back any more. Who is told not to resume lets go of others in turn.
    mutating func leave(_ slot: Slot, lettingResume: Bool, _ outcome: inout Outcome) {
        var leaving: [(slot: Slot, lettingResume: Bool)] = [(slot, lettingResume)]
        while let next = leaving.popLast() {
            for other in entries.indices {
                guard let entry = entries[other], entry.interrupters.contains(next.slot) else { continue }
                change(other, &outcome) { entry in
                    entry.interrupters.remove(next.slot)
                    if !next.lettingResume { entry.mustNotResume = true }
                }
                if endIfFree(other, &outcome) == .shouldNotResume { leaving.append((other, false)) }
            }
        }
    }

    /// Tells the session that its interruption has ended, where the last interrupter has left.
    @discardableResult
    mutating func endIfFree(_ slot: Slot, _ outcome: inout Outcome) -> InterruptionType? {
        guard let entry = self[slot], entry.isInterrupted, entry.isFree else { return nil }
        let type: InterruptionType = entry.mustNotResume ? .shouldNotResume : .shouldResume
        change(slot, &outcome) { entry in
            entry.isInterrupted = false
            entry.mustNotResume = false
            entry.waiting.addEnd(type)
        }
        outcome.concerned.insert(slot)
        return type
    }

    // MARK: The call

    mutating func beginCall(_ name: SessionName, _ holder: Slot?, _ outcome: inout Outcome) -> ResultCode? {
        guard call == nil else { return .notActive }
        if let holder, self[holder] == nil { return .unspecified }
        call = Call(name: name, holder: holder)
        for slot in entries.indices {
            guard let entry = entries[slot] else { continue }
            if entry.isActive {
                interrupt(slot, &outcome) { $0.isInterruptedByCall = true }
            } else if entry.isInterrupted {
                change(slot, &outcome) { $0.isInterruptedByCall = true }
            }
        }
        return nil
    }

    mutating func endCall(_ shouldResume: Bool, _ outcome: inout Outcome) -> ResultCode? {
        guard call != nil else { return .unspecified }
        call = nil
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            change(slot, &outcome) { entry in
                entry.isInterruptedByCall = false
                if !shouldResume { entry.mustNotResume = true }
            }
            if endIfFree(slot, &outcome) == .shouldNotResume { leave(slot, lettingResume: false, &outcome) }
        }
        return nil
    }

    /// The user took it: whom nothing else holds is free, without being told so.
    mutating func confirmCall(_ outcome: inout Outcome) -> ResultCode? {
        guard call != nil else { return .unspecified }
        call?.isConfirmed = true
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            change(slot, &outcome) { entry in
                entry.isInterruptedByCall = false
                if entry.isFree {
                    entry.isInterrupted = false
                    entry.mustNotResume = false
                }
            }
        }
        return nil
    }
}

extension SessionEntry {
    /// Nobody holds it back.
    var isFree: Bool { interrupters.isEmpty && !isInterruptedByCall }

    /// Its own activation, or its server's death, ends its being interrupted without a word.
    mutating func endInterruption() {
        isInterrupted = false
        interrupters = SlotSet()
        isInterruptedByCall = false
        mustNotResume = false
        waiting = .none
    }
}

extension WaitingInterruptions {
    /// An end that waits says that a begin was fetched: with another begin all is as the program knows it.
    mutating func addBegin() {
        switch self {
        case .end: self = .none
        case .none, .begin, .beginAndEnd: self = .begin
        }
    }

    mutating func addEnd(_ type: InterruptionType) {
        switch self {
        case .none, .end: self = .end(type)
        case .begin, .beginAndEnd: self = .beginAndEnd(type)
        }
    }
}
