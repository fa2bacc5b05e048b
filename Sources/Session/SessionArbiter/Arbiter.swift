// SPDX-License-Identifier: Apache-2.0
import SessionModel

extension SessionTable {
    /// Decides a request: changes the table, and returns the sessions that are affected. Any request on any table has an
    /// outcome. A refused request changes nothing.
    public mutating func decide(_ request: Request) -> Outcome {
        var decision = Decision()
        decide(request, &decision)
        return decision.outcome
    }

    /// Leaves the outcome in `decision`, which may have served an earlier request.
    public mutating func decide(_ request: Request, _ decision: inout Decision) {
        decision.begin()
        decision.outcome.refusal = answer(request, &decision)
        notifyAffectedSessions(&decision)
        affectStreams(&decision)
    }

    private mutating func answer(_ request: Request, _ decision: inout Decision) -> ResultCode? {
        switch request {
        case .enter(let process, let name, let settings): enter(process, name, settings, &decision)
        case .enterStreams(let process, let session): enterStreams(process, of: session, &decision)
        case .join(let slot, let session): join(session, slot, &decision)
        case .leave(let slot), .death(let slot): remove(slot, &decision)
        case .activate(let slot): activate(slot, &decision)
        case .deactivate(let slot, let notifying): deactivate(slot, notifying, &decision)
        case .reset(let slot): reset(slot, &decision)
        case .change(let slot, let settings, let yieldsToCall): changeSettings(settings, slot, yieldsToCall, &decision)
        case .rename(let slot, let name): change(slot, &decision) { $0.name = name }
        case .playback(let slot, let playback): play(playback, slot, &decision)
        case .changeGain(let slot, let found): changeGain(found, slot, &decision)
        case .releaseGains(let slot): releaseGains(slot, &decision)
        case .beginRestoringGain(let slot, let input): beginRestoringGain(input, slot, &decision)
        case .endRestoringGain(let slot, let input, let isDone): endRestoringGain(input, slot, isDone, &decision)
        case .interruptionsFetched(let slot): change(slot, &decision) { $0.waiting = .none }
        case .beginCall(let name, let holder): beginCall(name, holder, &decision)
        case .endCall(let shouldResume): endCall(shouldResume, &decision)
        case .confirmCall: confirmCall(&decision)
        case .silent(let on): user(&decision) { $0.isSilent = on }
        case .lock(let on): user(&decision) { $0.isLocked = on }
        }
    }

    /// A switch of the user affects every session.
    private mutating func user(_ decision: inout Decision, _ body: (inout SessionTable) -> Void) -> ResultCode? {
        let old = (isSilent, isLocked)
        body(&self)
        guard (isSilent, isLocked) != old else { return nil }
        for slot in entries.indices where !isFree(slot) { decision.affect(slot) }
        return nil
    }
}

extension SessionTable {
    /// The effect of the table on the sound of the session in `slot`.
    public func effect(of slot: TableSlot) -> Effect {
        guard let slot = sessionOfSound(in: slot), kinds(of: slot).contains(.active), let own = entries[slot]?.settings else {
            return Effect(gain: 1, isSilenced: true)
        }
        var effect = Effect(gain: 1, isSilenced: (isSilent || isLocked) && own.category.traits.obeysSilentSwitch)
        if !kinds(of: slot).contains(.ducking), hasSlots(.ducking, besides: slot) { effect.gain = 0.2 }
        if hasSlots(.recording, besides: slot) { effect.isSilenced = true }
        // A call silences system sounds, which it does not interrupt.
        if own.areOfSystemSounds, let call, !call.isConfirmed { effect.isSilenced = true }
        return effect
    }

    /// Whether a session other than the one in `slot` plays without mixing.
    public func primaryAudioPlays(besides slot: TableSlot) -> Bool {
        hasSlots(.primary, besides: slot)
    }

    /// Whether a session of another process plays. System sounds do not count.
    public func othersArePlaying(than process: ProcessIdentity) -> Bool {
        slots(.active).contains { slot in
            guard let entry = entries[slot], entry.process != process, !entry.settings.areOfSystemSounds else { return false }
            return entry.settings.category.traits.hasOutput && entry.playback != .stopped
        }
    }
}
