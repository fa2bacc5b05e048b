// SPDX-License-Identifier: Apache-2.0
import SessionModel

// Interruptions: their begin and their end.
extension SessionTable {
    /// Interrupts others for a session that has become active, or has stopped mixing.
    mutating func interruptOthers(_ slot: TableSlot, _ decision: inout Decision) {
        guard !isFree(slot), let mixes = entries[slot]?.settings.mixes else { return }
        guard !mixes || entries[slot]?.settings.interruptsSpeech == true else { return }
        let number = nextSerial
        if !mixes { change(slot, &decision) { $0.interrupting = number } }
        let kind: EntryKinds = mixes ? .speaking : .exclusive
        if hasSlots(kind, besides: slot) {
            for other in slots(kind) where other != slot {
                interrupt(other, &decision) { if mixes { $0.speechInterrupter = slot } }
            }
        }
        if !mixes { nextSerial &+= 1 }
    }

    mutating func interrupt(_ slot: TableSlot, _ decision: inout Decision, by mark: (inout SessionEntry) -> Void) {
        let number = nextSerial
        change(slot, &decision) { entry in
            entry.isActive = false
            entry.isInterrupted = true
            entry.lastEnd = nil
            entry.settings.revertOverrides()
            entry.waiting.addBegin()
            entry.interruptedSince = entry.settings.mixes ? 0 : number
            mark(&entry)
        }
        decision.affect(slot)
    }

    /// The session stops interrupting others. If it leaves without should-resume, an interrupted session that must not resume
    /// stops interrupting others in turn.
    mutating func leaveAsInterrupter(_ slot: TableSlot, lettingResume: Bool, _ decision: inout Decision) {
        var leaving: [(slot: TableSlot, lettingResume: Bool)] = [(slot, lettingResume)]
        while let next = leaving.popLast() {
            if !next.lettingResume { lastNotResumed = max(lastNotResumed, entries[next.slot]?.interrupting ?? 0) }
            change(next.slot, &decision) { $0.interrupting = 0 }
            if hasSlots(.listing) { removeFromEntries(next.slot, lettingResume: next.lettingResume, &decision) }
            guard hasSlots(.interrupted) else { continue }
            let last = lastInterrupting
            for other in slots(.interrupted) {
                if endIfFree(other, lastInterrupting: last, &decision) == .shouldNotResume { leaving.append((other, false)) }
            }
        }
    }

    private mutating func removeFromEntries(_ slot: TableSlot, lettingResume: Bool, _ decision: inout Decision) {
        for other in slots(.listing) {
            if entries[other]?.speechInterrupter == slot { change(other, &decision) { $0.speechInterrupter = nil } }
            guard entries[other]?.listedInterrupters.contains(slot) == true else { continue }
            change(other, &decision) { entry in
                entry.listedInterrupters.remove(slot)
                if !lettingResume { entry.mustNotResume = true }
            }
        }
    }

    /// Ends the interruption of a session whose last interrupter has left.
    @discardableResult
    mutating func endIfFree(_ slot: TableSlot, lastInterrupting: UInt64, _ decision: inout Decision) -> InterruptionType? {
        guard entries[slot]?.isInterrupted == true, entries[slot]?.isFree(lastInterrupting: lastInterrupting) == true else {
            return nil
        }
        let type: InterruptionType = mustNotResume(slot) ? .shouldNotResume : .shouldResume
        change(slot, &decision) { entry in
            entry.isInterrupted = false
            entry.interruptedSince = 0
            entry.mustNotResume = false
            entry.lastEnd = type
            entry.waiting.addEnd(type)
        }
        decision.affect(slot)
        return type
    }

    // MARK: Interrupters

    /// The interrupters of an interrupted session, except the call.
    public func interrupters(of slot: TableSlot) -> SlotSet {
        var interrupters = interruptersWithoutMixing(of: slot)
        if let interrupter = self[slot]?.speechInterrupter { interrupters.insert(interrupter) }
        return interrupters
    }

    /// The interrupters except the one that interrupted the speech of the session.
    private func interruptersWithoutMixing(of slot: TableSlot) -> SlotSet {
        guard let entry = self[slot] else { return SlotSet() }
        var interrupters = entry.listedInterrupters
        guard entry.interruptedSince != 0 else { return interrupters }
        for other in slots(.interrupting) {
            if let number = entries[other]?.interrupting, number >= entry.interruptedSince { interrupters.insert(other) }
        }
        return interrupters
    }

    /// An interrupter of the session has left without should-resume. A session that has left was an interrupter if it was
    /// activated after the begin of the interruption.
    public func mustNotResume(_ slot: TableSlot) -> Bool {
        guard let entry = self[slot] else { return false }
        return entry.mustNotResume || (entry.interruptedSince != 0 && entry.interruptedSince <= lastNotResumed)
    }

    /// The latest activation of all interrupters.
    var lastInterrupting: UInt64 {
        var last: UInt64 = 0
        for slot in slots(.interrupting) { last = max(last, entries[slot]?.interrupting ?? 0) }
        return last
    }

    /// A session that starts to mix during its interruption keeps its interrupters and gets no further interrupters.
    mutating func changeMixing(_ slot: TableSlot, to mixes: Bool, _ decision: inout Decision) {
        let (interrupters, mustNotResume, number) = (interruptersWithoutMixing(of: slot), mustNotResume(slot), nextSerial)
        change(slot, &decision) { entry in
            entry.listedInterrupters = interrupters
            entry.mustNotResume = mustNotResume
            entry.interruptedSince = mixes ? 0 : number
        }
    }

    // MARK: The call

    mutating func beginCall(_ name: SessionName, _ holder: TableSlot?, _ decision: inout Decision) -> ResultCode? {
        guard call == nil else { return .notActive }
        if let holder, isFree(holder) { return .unspecified }
        call = Call(name: name, holder: holder)
        for slot in entries.indices { interruptByCall(slot, &decision) }
        affectSystemSounds(&decision)
        return nil
    }

    /// The call silences system sounds until it ends or is confirmed.
    private func affectSystemSounds(_ decision: inout Decision) {
        for slot in slots(.active) where entries[slot]?.settings.areOfSystemSounds == true { decision.affect(slot) }
    }

    /// Interrupts an active session. For an interrupted session, the call becomes a further interrupter. A confirmed call is
    /// removed at once.
    mutating func interruptByCall(_ slot: TableSlot, _ decision: inout Decision) {
        guard entries[slot]?.settings.areOfSystemSounds == false else { return }
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
        affectSystemSounds(&decision)
        // The holder waits for the end of the call, and the end causes no event of the holder's session.
        if let holder = ended.holder { decision.affect(holder) }
        var last = lastInterrupting
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            change(slot, &decision) { entry in
                entry.isInterruptedByCall = false
                if !shouldResume { entry.mustNotResume = true }
            }
            if endIfFree(slot, lastInterrupting: last, &decision) == .shouldNotResume {
                leaveAsInterrupter(slot, lettingResume: false, &decision)
                last = lastInterrupting
            }
        }
        return nil
    }

    /// The user has taken the call.
    mutating func confirmCall(_ decision: inout Decision) -> ResultCode? {
        guard call != nil else { return .unspecified }
        call?.isConfirmed = true
        affectSystemSounds(&decision)
        for slot in entries.indices where entries[slot]?.isInterruptedByCall == true {
            releaseFromConfirmedCall(slot, &decision)
        }
        return nil
    }

    /// A session without another interrupter is no longer interrupted, and receives no end event.
    private mutating func releaseFromConfirmedCall(_ slot: TableSlot, _ decision: inout Decision) {
        let last = lastInterrupting
        change(slot, &decision) { entry in
            entry.isInterruptedByCall = false
            if entry.isFree(lastInterrupting: last) {
                entry.isInterrupted = false
                entry.interruptedSince = 0
                entry.mustNotResume = false
            }
        }
    }
}

extension SessionSettings {
    /// Mixes with all sessions except those in mode SpokenAudio.
    var interruptsSpeech: Bool { mixes && interruptsSpokenAudio }
}

extension SessionEntry {
    /// The session has no interrupter.
    func isFree(lastInterrupting: UInt64) -> Bool {
        listedInterrupters.isEmpty && speechInterrupter == nil && !isInterruptedByCall
            && (interruptedSince == 0 || interruptedSince > lastInterrupting)
    }

    /// Ends the interruption without an event, because the session is activated or its server has died.
    mutating func endInterruption() {
        isInterrupted = false
        interruptedSince = 0
        listedInterrupters = SlotSet()
        speechInterrupter = nil
        isInterruptedByCall = false
        mustNotResume = false
        waiting = .none
    }
}

extension WaitingInterruptions {
    /// A pending end implies that the begin before it was fetched. The pending end and another begin cancel out.
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
