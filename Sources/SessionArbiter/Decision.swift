import SessionModel

/// An outcome in the making.
struct Decision {
    var outcome = Outcome()
    /// How many more sessions than before are active and duck, or record, or play without mixing.
    private(set) var duckersMore = 0
    private(set) var recordersMore = 0
    private(set) var primariesMore = 0

    /// The entry in `slot` is another than before.
    mutating func note(_ slot: Slot, was old: SessionEntry?, is new: SessionEntry?) {
        outcome.changed.insert(slot)
        duckersMore += (new.isDucking ? 1 : 0) - (old.isDucking ? 1 : 0)
        recordersMore += (new.isRecording ? 1 : 0) - (old.isRecording ? 1 : 0)
        primariesMore += (new.isPlayingPrimaryAudio ? 1 : 0) - (old.isPlayingPrimaryAudio ? 1 : 0)
    }

    mutating func affect(_ slot: Slot) { outcome.affected.insert(slot) }
}

extension SessionTable {
    /// Changes one entry; refuses where nobody is. Its code is large, and asked for from everywhere.
    @inline(never)
    @discardableResult
    mutating func change(_ slot: Slot, _ decision: inout Decision, _ body: (inout SessionEntry) -> Void) -> ResultCode? {
        guard let old = self[slot] else { return .unspecified }
        var new = old
        body(&new)
        if old.isActive, !new.isActive, !new.gains.isEmpty {
            stopUsing(new.gains, slot)
            new.gains = SavedGains()
        }
        guard new != old else { return nil }
        entries[slot] = new
        decision.note(slot, was: old, is: new)
        return nil
    }

    /// Who ducks or records shapes the sound of everybody else: the first and the last of them is news.
    /// Who does not mix makes theirs secondary, which is news to those who want to know.
    func notifyAffectedSessions(_ decision: inout Decision) {
        let shapesSound = decision.recordersMore != 0 || isDuckingNew(decision)
        guard shapesSound || decision.primariesMore != 0 else { return }
        for slot in entries.indices where entries[slot]?.isActive == true {
            if shapesSound || entries[slot]?.policy.flags.contains(.wantsSecondaryAudioHint) == true { decision.affect(slot) }
        }
    }

    private func isDuckingNew(_ decision: Decision) -> Bool {
        guard decision.duckersMore != 0 else { return false }
        var duckers = 0
        for slot in entries.indices where entries[slot].isDucking { duckers += 1 }
        return (duckers > 0) != (duckers - decision.duckersMore > 0)
    }
}

extension SessionEntry? {
    /// At work in a way that shapes the sound of others. Asked without taking the entry out of its table.
    var isDucking: Bool { self?.isActive == true && self?.policy.ducks == true }
    var isRecording: Bool { self?.isActive == true && self?.policy.category == .recordAudio }
    var isPlayingPrimaryAudio: Bool {
        self?.isActive == true && self?.policy.mixes == false && self?.policy.category.traits.hasOutput == true
            && self?.playback != .stopped
    }
}
