// SPDX-License-Identifier: Apache-2.0
public import SessionModel

/// A request to the table. A request about one session names its slot.
public enum Request: Equatable, Sendable {
    case enter(process: ProcessIdentity, name: SessionName, settings: SessionSettings)
    /// Adds the streams of a session.
    case enterStreams(process: ProcessIdentity, of: Slot)
    /// The streams belong to this session from now on.
    case follow(Slot, session: Slot)
    case leave(Slot)
    /// The process has ended or executes another program.
    case death(Slot)
    case activate(Slot)
    /// Its audio server has died: it becomes inactive, and its interruption ends without an event.
    case reset(Slot)
    case deactivate(Slot, notifyingOthers: Bool)
    /// The program has changed its settings. `yieldsToCall`: a session that stops mixing during a call is
    /// interrupted by it; without that the request is refused.
    case adopt(Slot, SessionSettings, yieldsToCall: Bool = false)
    case rename(Slot, SessionName)
    case playback(Slot, Playback)
    /// The session is about to change the gain of an input from this one.
    case changeGain(Slot, SavedGain)
    /// The process of the session is about to end, and changes no gain any more.
    case releaseGains(Slot)
    /// The session is about to restore the gain of an input. Refused where no gain waits for that.
    case beginRestoringGain(Slot, input: UInt64)
    /// It has restored the gain, or could not, because the input has gone.
    case endRestoringGain(Slot, input: UInt64, isDone: Bool)
    /// The session has fetched the interruption events that waited for it.
    case interruptionsFetched(Slot)
    /// The holder's death ends the call; nil: only a request ends it.
    case beginCall(SessionName, holder: Slot?)
    case endCall(shouldResume: Bool)
    case confirmCall
    case silent(Bool)
    case lock(Bool)
}

/// The outcome of a request.
public struct Outcome: Equatable, Sendable {
    /// A refused request changes nothing.
    public var refusal: ResultCode?
    /// A session was deactivated while its streams were running.
    public var isBusy = false
    /// For `enter`: the slot of the session.
    public var slot: Slot?
    /// The entries that differ from before.
    public var changed: SlotSet
    /// The sessions with new events, with another effect on their sound, or with another state of the user.
    public var affected: SlotSet

    public init(refusal: ResultCode? = nil, slot: Slot? = nil, changed: SlotSet = SlotSet(), affected: SlotSet = SlotSet()) {
        self.refusal = refusal
        self.slot = slot
        self.changed = changed
        self.affected = affected
    }
}
