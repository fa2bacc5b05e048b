// SPDX-License-Identifier: Apache-2.0
import SessionModel

// Interruptions: their begin and their end.
extension SessionTable {
    /// Interrupts others for a session that has become active, or has stopped mixing.
    mutating func interruptOthers(_ slot: Slot, _ decision: inout Decision) {
        guard let settings = self[slot]?.settings, !settings.mixes || settings.interruptsSpeech else { return }
        change(slot, &decision) { $0.interruptedSpokenAudioOnly = settings.mixes }
        for other in entries.indices where other != slot {
            guard settings.mixes ? entries[other]?.settings.mode == .spokenAudio : entries[other]?.settings.mixes == false else {
                continue
            }
            if entries[other]?.isActive == true {
                interrupt(other, &decision) { $0.interrupters.insert(slot) }
            } else if entries[other]?.isInterrupted == true, !settings.mixes {
                // This session would have interrupted it as well.
                change(other, &decision) { $0.interrupters.insert(slot) }
            }
        }
    }

    mutating func interrupt(_ slot: Slot, _ decision: inout Decision, by mark: (inout SessionEntry) -> Void) {
        change(slot, &decision) { entry in
            entry.isActive = false
            entry.isInterrupted = true
            entry.lastEnd = nil
            entry.settings.revertOverrides()
            entry.waiting.addBegin()
            mark(&entry)
        }
        decision.affect(slot)
    }

    /// The session leaves as an interrupter. An interrupted session whose end says not to resume leaves in turn.
    mutating func releaseInterrupted(_ slot: Slot, lettingResume: Bool, _ decision: inout Decision) {
        var leaving: [(slot: Slot, lettingResume: Bool)] = [(slot, lettingResume)]
        while let next = leaving.popLast() {
            for other in entries.indices where entries[other]?.interrupters.contains(next.slot) == true {
                // The entry is changed in place: a long chain of sessions has many of these steps.
                entries[other]?.interrupters.remove(next.slot)
                if !next.lettingResume { entries[other]?.mustNotResume = true }
                decision.outcome.changed.insert(other)
                if endIfFree(other, &decision) == .shouldNotResume { leaving.append((other, false)) }
            }
        }
    }

    /// Ends the interruption of a session whose last interrupter has left.
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
        for slot in entries.indices { interruptByCall(slot, &decision) }
        return nil
    }

    /// Interrupts an active session, and becomes an interrupter of an interrupted one. A call that the user has taken leaves
    /// at once.
    mutating func interruptByCall(_ slot: Slot, _ decision: inout Decision) {
        if entries[slot]?.isActive == true {
            interrupt(slot, &decision) { $0.isInterruptedByCall = true }
        } else if entries[slot]?.isInterrupted == true {
            change(slot, &decision) { $0.isInterruptedByCall = true }
        }
        if call?.isConfirmed == true { releaseFromConfirmedCall(slot, &decision) }
    }

    mutating func endCall(_ shouldResume: Bool, _ decision: inout Decision) -> ResultCode? {
        guard let ended = call else { return .unspecified }
        call = nil
        // The holder waits for the end, and has no events of its own.
        if let holder = ended.holder { decision.affect(holder) }
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            change(slot, &decision) { entry in
                entry.isInterruptedByCall = false
                if !shouldResume { entry.mustNotResume = true }
            }
            if endIfFree(slot, &decision) == .shouldNotResume { releaseInterrupted(slot, lettingResume: false, &decision) }
        }
        return nil
    }

    /// The user has taken the call.
    mutating func confirmCall(_ decision: inout Decision) -> ResultCode? {
        guard call != nil else { return .unspecified }
        call?.isConfirmed = true
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            releaseFromConfirmedCall(slot, &decision)
        }
        return nil
    }

    /// A session without another interrupter is free, and gets no end.
    private mutating func releaseFromConfirmedCall(_ slot: Slot, _ decision: inout Decision) {
        change(slot, &decision) { entry in
            entry.isInterruptedByCall = false
            if entry.isFree {
                entry.isInterrupted = false
                entry.mustNotResume = false
            }
        }
    }
}

extension SessionSettings {
    /// Mixes with all sessions but those in mode SpokenAudio.
    var interruptsSpeech: Bool { mixes && interruptsSpokenAudio }
}

extension SessionEntry {
    /// It has no interrupter.
    var isFree: Bool { interrupters.isEmpty && !isInterruptedByCall }

    /// Its own activation, or the death of its server, ends its interruption without an event.
    mutating func endInterruption() {
        isInterrupted = false
        interrupters = SlotSet()
        isInterruptedByCall = false
        mustNotResume = false
        waiting = .none
    }
}

extension WaitingInterruptions {
    /// A waiting end says that a begin was fetched. With another begin, both cancel out.
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
