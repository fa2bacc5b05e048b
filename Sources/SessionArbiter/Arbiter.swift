import SessionModel

extension SessionTable {
    /// Decides a request: changes the table and tells whom it concerns. Total: any request on any
    /// table has an outcome, and a refused one changes nothing.
    public mutating func decide(_ request: Request) -> Outcome {
        var outcome = Outcome()
        let before = Ambience(of: self)
        outcome.refusal = answer(request, &outcome)
        if Ambience(of: self) != before { concernEveryActive(&outcome) }
        return outcome
    }

    private mutating func answer(_ request: Request, _ outcome: inout Outcome) -> ResultCode? {
        switch request {
        case .enter(let process, let name, let policy): enter(process, name, policy, &outcome)
        case .leave(let slot), .death(let slot): vanish(slot, &outcome)
        case .activate(let slot): activate(slot, &outcome)
        case .deactivate(let slot, let notifying): deactivate(slot, notifying, &outcome)
        case .reset(let slot): reset(slot, &outcome)
        case .adopt(let slot, let policy): adopt(policy, slot, &outcome)
        case .rename(let slot, let name): change(slot, &outcome) { $0.name = name }
        case .playback(let slot, let playback): change(slot, &outcome) { $0.playback = playback }
        case .fetched(let slot): change(slot, &outcome) { $0.waiting = .none }
        case .beginCall(let name, let holder): beginCall(name, holder, &outcome)
        case .endCall(let shouldResume): endCall(shouldResume, &outcome)
        case .confirmCall: confirmCall(&outcome)
        case .silent(let on): user(&outcome) { $0.isSilent = on }
        case .lock(let on): user(&outcome) { $0.isLocked = on }
        }
    }

    /// Changes one entry; refuses where nobody is.
    @discardableResult
    mutating func change(_ slot: Slot, _ outcome: inout Outcome, _ body: (inout SessionEntry) -> Void) -> ResultCode? {
        guard var entry = self[slot] else { return .unspecified }
        body(&entry)
        entries[slot] = entry
        outcome.changed.insert(slot)
        return nil
    }

    /// A switch of the user concerns everybody.
    private mutating func user(_ outcome: inout Outcome, _ body: (inout SessionTable) -> Void) -> ResultCode? {
        body(&self)
        for slot in entries.indices where entries[slot] != nil { outcome.concerned.insert(slot) }
        return nil
    }

    private func concernEveryActive(_ outcome: inout Outcome) {
        for slot in entries.indices where entries[slot]?.isActive == true { outcome.concerned.insert(slot) }
    }
}

/// What of all sessions together shapes the sound of each.
private struct Ambience: Equatable {
    var isDucking = false
    var recorders = 0
    var isSilent: Bool
    var isLocked: Bool

    init(of table: SessionTable) {
        isSilent = table.isSilent
        isLocked = table.isLocked
        for case let entry? in table.entries where entry.isActive {
            if entry.policy.ducks { isDucking = true }
            if entry.policy.category == .recordAudio { recorders += 1 }
        }
    }
}

extension SessionTable {
    /// What the audio of the session in `slot` is to do.
    public func effect(of slot: Slot) -> Effect {
        guard let own = self[slot], own.isActive else { return Effect(gain: 1, isSilenced: true) }
        var effect = Effect(gain: 1, isSilenced: (isSilent || isLocked) && own.policy.category.traits.obeysSilentSwitch)
        for other in entries.indices where other != slot {
            guard let entry = entries[other], entry.isActive else { continue }
            if entry.policy.ducks, !own.policy.ducks { effect.gain = 0.2 }
            if entry.policy.category == .recordAudio { effect.isSilenced = true }
        }
        return effect
    }

    /// Whether a session other than those of `process` is playing.
    public func othersArePlaying(than process: ProcessIdentity) -> Bool {
        entries.contains { entry in
            guard let entry, entry.isActive, entry.process != process else { return false }
            return entry.policy.category.traits.hasOutput && entry.playback != .stopped
        }
    }
}
