import SessionModel

// Who interrupts whom, and when that ends.
extension SessionTable {
    /// The session has become active, or has stopped mixing.
    mutating func interruptOthers(_ slot: Slot, _ decision: inout Decision) {
        guard let policy = self[slot]?.policy, !policy.mixes || policy.interruptsSpeech else { return }
        change(slot, &decision) { $0.interruptedSpokenAudioOnly = policy.mixes }
        for other in entries.indices where other != slot {
            guard policy.mixes ? entries[other]?.policy.mode == .spokenAudio : entries[other]?.policy.mixes == false else {
                continue
            }
            if entries[other]?.isActive == true {
                interrupt(other, &decision) { $0.interrupters.insert(slot) }
            } else if entries[other]?.isInterrupted == true, !policy.mixes {
                // It would have been interrupted by this one as well.
                change(other, &decision) { $0.interrupters.insert(slot) }
            }
        }
    }

    mutating func interrupt(_ slot: Slot, _ decision: inout Decision, by mark: (inout SessionEntry) -> Void) {
        change(slot, &decision) { entry in
            entry.isActive = false
            entry.isInterrupted = true
            entry.lastEnd = nil
            entry.policy.revertOverrides()
            entry.waiting.addBegin()
            mark(&entry)
        }
        decision.affect(slot)
    }

    /// The session holds nobody back any more. Who is told not to resume lets go of others in turn.
    mutating func letGo(_ slot: Slot, lettingResume: Bool, _ decision: inout Decision) {
        var leaving: [(slot: Slot, lettingResume: Bool)] = [(slot, lettingResume)]
        while let next = leaving.popLast() {
            for other in entries.indices where entries[other]?.interrupters.contains(next.slot) == true {
                // In place: in a long chain of sessions there are many of these.
                entries[other]?.interrupters.remove(next.slot)
                if !next.lettingResume { entries[other]?.mustNotResume = true }
                decision.outcome.changed.insert(other)
                if endIfFree(other, &decision) == .shouldNotResume { leaving.append((other, false)) }
            }
        }
    }

    /// Tells the session that its interruption has ended, where the last interrupter has left.
    @discardableResult
    mutating func endIfFree(_ slot: Slot, _ decision: inout Decision) -> InterruptionType? {
        guard entries[slot]?.isInterrupted == true, entries[slot]?.isFree == true else { return nil }
        let type: InterruptionType = entries[slot]?.mustNotResume == true ? .shouldNotResume : .shouldResume
        change(slot, &decision) { entry in
            entry.isInterrupted = false
            entry.mustNotResume = false
            entry.lastEnd = type
            entry.waiting.addEnd(type)
        }
        decision.affect(slot)
        return type
    }

    // MARK: The call

    mutating func beginCall(_ name: SessionName, _ holder: Slot?, _ decision: inout Decision) -> ResultCode? {
        guard call == nil else { return .notActive }
        if let holder, isFree(holder) { return .unspecified }
        call = Call(name: name, holder: holder)
        for slot in entries.indices { holdByCall(slot, &decision) }
        return nil
    }

    /// Interrupts whoever is active; of who is interrupted already it is one interrupter more.
    mutating func holdByCall(_ slot: Slot, _ decision: inout Decision) {
        if entries[slot]?.isActive == true {
            interrupt(slot, &decision) { $0.isInterruptedByCall = true }
        } else if entries[slot]?.isInterrupted == true {
            change(slot, &decision) { $0.isInterruptedByCall = true }
        }
    }

    mutating func endCall(_ shouldResume: Bool, _ decision: inout Decision) -> ResultCode? {
        guard let ended = call else { return .unspecified }
        call = nil
        // Who holds it waits for its end, and has no events of its own.
        if let holder = ended.holder { decision.affect(holder) }
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            change(slot, &decision) { entry in
                entry.isInterruptedByCall = false
                if !shouldResume { entry.mustNotResume = true }
            }
            if endIfFree(slot, &decision) == .shouldNotResume { letGo(slot, lettingResume: false, &decision) }
        }
        return nil
    }

    /// The user took it: whom nothing else holds is free, without being told so.
    mutating func confirmCall(_ decision: inout Decision) -> ResultCode? {
        guard call != nil else { return .unspecified }
        call?.isConfirmed = true
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            change(slot, &decision) { entry in
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

extension SessionSettings {
    /// Mixes with all sessions but those in mode SpokenAudio.
    var interruptsSpeech: Bool { mixes && interruptsSpokenAudio }
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
