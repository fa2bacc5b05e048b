import SessionModel

// Sessions that come, become active, change, and go.
extension SessionTable {
    /// More than this many of one process are a mistake of the program.
    public static let capacityOfProcess = 16

    mutating func enter(
        _ process: ProcessIdentity, _ name: SessionName, _ policy: SessionPolicy, _ outcome: inout Outcome
    ) -> ResultCode? {
        var own = 0
        for case let entry? in entries where entry.process == process { own += 1 }
        let slot = entries.firstIndex { $0 == nil } ?? entries.count
        guard own < SessionTable.capacityOfProcess, slot < SessionTable.capacity else { return .initializationError }
        let entry = SessionEntry(serial: nextSerial, process: process, name: name, policy: policy)
        nextSerial &+= 1
        if slot < entries.count { entries[slot] = entry } else { entries.append(entry) }
        outcome.slot = slot
        outcome.changed.insert(slot)
        return nil
    }

    /// Gone for good, by its own will or not: what it held back may resume.
    mutating func vanish(_ slot: Slot, _ outcome: inout Outcome) -> ResultCode? {
        guard self[slot] != nil else { return .unspecified }
        entries[slot] = nil
        outcome.changed.insert(slot)
        if call?.holder == slot { _ = endCall(true, &outcome) }
        leave(slot, lettingResume: true, &outcome)
        return nil
    }

    mutating func activate(_ slot: Slot, _ outcome: inout Outcome) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        guard !entry.isActive else { return nil }
        guard entry.policy.mixes || call == nil else { return .notActive }
        change(slot, &outcome) { entry in
            entry.isActive = true
            entry.endInterruption()
        }
        interruptOthers(slot, &outcome)
        return nil
    }

    /// Also of a session that is interrupted: its end still comes, but it holds nobody back any more.
    mutating func deactivate(_ slot: Slot, _ notifyingOthers: Bool, _ outcome: inout Outcome) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        if entry.isActive { change(slot, &outcome) { $0.isActive = false } }
        leave(slot, lettingResume: notifyingOthers || entry.interruptedSpokenAudioOnly, &outcome)
        return nil
    }

    mutating func reset(_ slot: Slot, _ outcome: inout Outcome) -> ResultCode? {
        guard self[slot] != nil else { return .unspecified }
        change(slot, &outcome) { entry in
            entry.isActive = false
            entry.endInterruption()
        }
        leave(slot, lettingResume: true, &outcome)
        return nil
    }

    /// A session that stops mixing while it is active counts as newly activated.
    mutating func adopt(_ policy: SessionPolicy, _ slot: Slot, _ outcome: inout Outcome) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        let stopsMixing = entry.isActive && entry.policy.mixes && !policy.mixes
        let stopsSpeech = entry.isActive && policy.interruptsSpokenAudio && !entry.policy.interruptsSpokenAudio
        guard !stopsMixing || call == nil else { return .unspecified }
        change(slot, &outcome) { $0.policy = policy }
        if stopsMixing || stopsSpeech { interruptOthers(slot, &outcome) }
        return nil
    }
}
