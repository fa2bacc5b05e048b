// SPDX-License-Identifier: Apache-2.0
public import SessionModel

/// A request to the table. A request about one session names its slot.
public enum Request: Equatable, Sendable {
    case enter(process: ProcessIdentity, name: SessionName, settings: SessionSettings)
    /// Adds the streams of a session.
    case enterStreams(process: ProcessIdentity, of: TableSlot)
    /// From now on the streams belong to this session.
    case join(TableSlot, session: TableSlot)
    case leave(TableSlot)
    /// The process of the session has ended or executes another program.
    case death(TableSlot)
    case activate(TableSlot)
    /// The audio server of the session has died: the session becomes inactive, and its interruption ends without an event.
    case reset(TableSlot)
    case deactivate(TableSlot, notifyingOthers: Bool)
    /// The program has changed its settings. `yieldsToCall`: the call interrupts a session that stops mixing; otherwise
    /// the request is refused during a call.
    case change(TableSlot, SessionSettings, yieldsToCall: Bool = false)
    case rename(TableSlot, SessionName)
    case playback(TableSlot, StreamActivity)
    /// The session is about to change the gain of an input. `SavedGain` is the gain before the change.
    case changeGain(TableSlot, SavedGain)
    /// The process of the session is about to end, and no longer changes any gain.
    case releaseGains(TableSlot)
    /// The session is about to restore the gain of an input. Refused if the gain need not be restored.
    case beginRestoringGain(TableSlot, input: UInt64)
    /// The session has restored the gain (`isDone`), or could not, because the input is absent.
    case endRestoringGain(TableSlot, input: UInt64, isDone: Bool)
    /// The session has fetched its pending interruption events.
    case interruptionsFetched(TableSlot)
    /// The death of the holder ends the call. Without a holder, only a request ends the call.
    case beginCall(SessionName, holder: TableSlot?)
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
    public var slot: TableSlot?
    /// The entries that have changed.
    public var changed: SlotList
    /// The sessions with new events, with another effect on their sound, or with another state of the user.
    public var affected: SlotList

    mutating func clear() {
        refusal = nil
        isBusy = false
        slot = nil
        changed.removeAll()
        affected.removeAll()
    }

    public init(
        refusal: ResultCode? = nil, slot: TableSlot? = nil, changed: SlotList = SlotList(), affected: SlotList = SlotList()
    ) {
        self.refusal = refusal
        self.slot = slot
        self.changed = changed
        self.affected = affected
    }
}
