// SPDX-License-Identifier: Apache-2.0
import SessionModel

// Sessions that enter, activate, change their settings, and leave.
extension SessionTable {
    /// A process with more sessions has a defect.
    public static let capacityOfProcess = 16

    mutating func enter(
        _ process: ProcessIdentity, _ name: SessionName, _ settings: SessionSettings, _ decision: inout Decision
    ) -> ResultCode? {
        var own = 0
        for slot in entries.indices where entries[slot]?.process == process { own += 1 }
        guard own < SessionTable.capacityOfProcess, let slot = freeSlot else { return .initializationError }
        assign(SessionEntry(serial: nextSerial, process: process, name: name, settings: settings), in: slot, &decision)
        return nil
    }

    /// The lowest free slot.
    var freeSlot: TableSlot? {
        for slot in entries.indices.prefix(SessionTable.capacity) where isFree(slot) { return slot }
        return entries.count < SessionTable.capacity ? entries.count : nil
    }

    /// Assigns the entry to a slot, under the next serial number.
    mutating func assign(_ entry: SessionEntry, in slot: TableSlot, _ decision: inout Decision) {
        var entry = entry
        entry.serial = nextSerial
        put(entry, in: slot)
        nextSerial &+= 1
        decision.outcome.slot = slot
        decision.record(slot, was: [], is: kinds(of: slot))
    }

    /// Removes a session that left or died. The sessions that it interrupted may resume.
    mutating func remove(_ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        decision.record(slot, was: kinds(of: slot), is: [])
        put(nil, in: slot)
        stopUsing(entry.gains, slot)
        if call?.holder == slot { _ = endCall(true, &decision) }
        leaveAsInterrupter(slot, lettingResume: true, &decision)
        detachStreams(slot, entry.role, &decision)
        return nil
    }

    mutating func activate(_ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard !isFree(slot), entries[slot]?.role == .session else { return .unspecified }
        guard entries[slot]?.isActive == false else { return nil }
        guard entries[slot]?.settings.mixes == true || call == nil else { return .notActive }
        change(slot, &decision) { entry in
            entry.isActive = true
            entry.endInterruption()
        }
        interruptOthers(slot, &decision)
        return nil
    }

    /// A deactivated session stops interrupting others. If the session itself is interrupted, it still receives the end of its
    /// interruption.
    mutating func deactivate(_ slot: TableSlot, _ notifyingOthers: Bool, _ decision: inout Decision) -> ResultCode? {
        guard !isFree(slot), let wasActive = entries[slot]?.isActive else { return .unspecified }
        decision.outcome.isBusy = wasActive && entries[slot]?.playback.isRunning == true
        change(slot, &decision) { $0.isActive = false }
        leaveAsInterrupter(slot, lettingResume: notifyingOthers, &decision)
        return nil
    }

    mutating func reset(_ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard !isFree(slot) else { return .unspecified }
        change(slot, &decision) { entry in
            entry.isActive = false
            entry.endInterruption()
        }
        leaveAsInterrupter(slot, lettingResume: true, &decision)
        return nil
    }

    /// A session that stops mixing while it is active counts as newly activated.
    mutating func changeSettings(
        _ settings: SessionSettings, _ slot: TableSlot, _ yieldsToCall: Bool, _ decision: inout Decision
    ) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        let stopsMixing = entry.isActive && entry.settings.mixes && !settings.mixes
        let stopsSpeech = entry.isActive && settings.interruptsSpeech && !entry.settings.interruptsSpeech
        let meetsCall = stopsMixing && call != nil
        guard !meetsCall || yieldsToCall else { return .unspecified }
        if entry.isInterrupted, entry.settings.mixes != settings.mixes { changeMixing(slot, to: settings.mixes, &decision) }
        change(slot, &decision) { $0.settings = settings }
        if meetsCall {
            interruptByCall(slot, &decision)
        } else if stopsMixing || stopsSpeech {
            interruptOthers(slot, &decision)
        }
        return nil
    }
}
