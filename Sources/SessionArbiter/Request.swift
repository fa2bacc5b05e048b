public import SessionModel

/// What can be asked of the table. Where a request concerns one session, it names its slot.
public enum Request: Equatable, Sendable {
    case enter(process: ProcessIdentity, name: SessionName, policy: SessionSettings)
    /// What the process plays on behalf of a session begins to be known.
    case enterStreams(process: ProcessIdentity, of: Slot)
    /// Streams belong to this session from now on.
    case follow(Slot, session: Slot)
    case leave(Slot)
    /// The process died or became another program.
    case death(Slot)
    case activate(Slot)
    /// Its audio server is gone: it becomes inactive and its interruptions end without a word.
    case reset(Slot)
    case deactivate(Slot, notifyingOthers: Bool)
    /// The program has changed its settings. `yieldsToCall`: a session that stops mixing during a call is
    /// interrupted by it; without that the request is refused.
    case adopt(Slot, SessionSettings, yieldsToCall: Bool = false)
    case rename(Slot, SessionName)
    case playback(Slot, Playback)
    /// The session is about to change the gain of an input, which it finds like this.
    case changeGain(Slot, SavedGain)
    /// The session's process is about to end, and changes no gain any more.
    case releaseGains(Slot)
    /// The session is about to put the gain of an input back; refused where that is not to be done.
    case beginRestoringGain(Slot, input: UInt64)
    /// It has done so, or it could not since the input has gone.
    case endRestoringGain(Slot, input: UInt64, isDone: Bool)
    /// The session has fetched the interruption events that waited for it.
    case interruptionsFetched(Slot)
    /// The holder's death ends the call; nil: it stays until somebody ends it.
    case beginCall(SessionName, holder: Slot?)
    case endCall(shouldResume: Bool)
    case confirmCall
    case silent(Bool)
    case lock(Bool)
}

/// What became of a request.
public struct Outcome: Equatable, Sendable {
    /// A refused request changes nothing.
    public var refusal: ResultCode?
    /// A session was deactivated while its streams were running.
    public var isBusy = false
    /// For `enter`: where the session is.
    public var slot: Slot?
    /// Entries that differ from before.
    public var changed: SlotSet
    /// Sessions that have something new to look at: events that wait, another effect, or a state of
    /// the user that concerns them.
    public var affected: SlotSet

    public init(refusal: ResultCode? = nil, slot: Slot? = nil, changed: SlotSet = SlotSet(), affected: SlotSet = SlotSet()) {
        self.refusal = refusal
        self.slot = slot
        self.changed = changed
        self.affected = affected
    }
}
