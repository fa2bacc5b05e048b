// SPDX-License-Identifier: Apache-2.0
public import SessionModel

/// The index of an entry in the table.
public typealias TableSlot = Int

/// Identifies a process, also if its pid is used again later.
public struct ProcessIdentity: Equatable, Sendable {
    public var pid: Int32
    public var startTime: UInt64
    public var pidNamespace: UInt64

    public init(pid: Int32, startTime: UInt64, pidNamespace: UInt64) {
        self.pid = pid
        self.startTime = startTime
        self.pidNamespace = pidNamespace
    }
}

/// The state of a session's streams. The state of the session is the greatest state of its streams.
public enum StreamActivity: UInt8, Comparable, Sendable {
    /// The session has no known streams: it counts as playing while it is active.
    case unknown
    case stopped
    case running
    /// A stream that processes a voice runs: the session ducks other sessions.
    case runningVoice

    public var isRunning: Bool { self >= .running }

    public static func < (left: StreamActivity, right: StreamActivity) -> Bool { left.rawValue < right.rawValue }
}

/// Interruption events that a session has not fetched: at most a begin and an end. A pending end and a begin
/// that follows it cancel out.
public enum WaitingInterruptions: Equatable, Sendable {
    case none
    case begin
    case beginAndEnd(InterruptionType)
    case end(InterruptionType)
}

/// The kind of an entry.
public enum Role: Equatable, Sendable {
    case session
    /// The ALSA streams of a session of the same process. A stream entry is never active, and is notified together with its
    /// session. Nil: the session has left.
    case streams(of: TableSlot?)
}

/// One session, or the streams of one session. A plain value without references. The comparison of two entries begins with the
/// first member: what changes most often comes first.
public struct SessionEntry: Equatable, Sendable {
    /// Distinguishes the session from an earlier session in the same slot.
    public var serial: UInt64
    public var isActive = false
    /// The session is interrupted, and the interruption has not ended.
    public var isInterrupted = false
    /// The value of `nextSerial` at the begin of the session's interruption. Each session whose `interrupting` is at least this
    /// number is an interrupter of it. 0 for a session that is not interrupted, or that mixes.
    public var interruptedSince: UInt64 = 0
    /// The call is an interrupter of this session.
    public var isInterruptedByCall = false
    /// An interrupter of this session has left without should-resume. See `SessionTable.mustNotResume`.
    public var mustNotResume = false
    /// The value of `nextSerial` at the session's last activation without mixing. 0 after it has stopped interrupting others.
    public var interrupting: UInt64 = 0
    public var waiting = WaitingInterruptions.none
    /// The type of the end of the session's last interruption. Nil during an interruption, and after an interruption without an
    /// end event.
    public var lastEnd: InterruptionType?
    public var role = Role.session
    public var playback = StreamActivity.unknown
    public var settings: SessionSettings
    public var process: ProcessIdentity
    public var name: SessionName
    /// The interrupters from before this session began to mix.
    public var listedInterrupters = SlotSet()
    /// The session that mixes with others and has interrupted this one in mode SpokenAudio. At most one: an interrupted session is
    /// not active, and only active sessions are interrupted for their speech. It lets this session resume, whatever its flag is.
    public var speechInterrupter: TableSlot?
    /// The saved gains of the inputs whose gain the session has changed.
    public var gains = SavedGains()

    public init(serial: UInt64, process: ProcessIdentity, name: SessionName, settings: SessionSettings) {
        self.serial = serial
        self.process = process
        self.name = name
        self.settings = settings
    }

    /// True by the settings, or because a stream processes a voice. It has an effect while the session is active.
    public var ducksOthers: Bool { settings.ducks || playback == .runningVoice }
}

/// Returns the kinds of the entry. Compiled for speed, as `edit`.
@inline(never)
@_optimize(speed)
private func store(_ entry: SessionEntry?, in place: inout SessionEntry?) -> EntryKinds {
    place = entry
    return entry?.kinds ?? []
}

private enum EntryEdit {
    case free
    case unchanged
    case changed(EntryKinds)
}

/// Compiled for speed, because it copies the entry: code for size copies byte by byte.
@inline(never)
@_optimize(speed)
private func edit(_ entry: inout SessionEntry?, _ body: (inout SessionEntry) -> Void) -> EntryEdit {
    guard let old = entry else { return .free }
    var new = old
    body(&new)
    guard new != old else { return .unchanged }
    entry = new
    return .changed(new.kinds)
}

/// A system interruption, which has priority over every session.
public struct Call: Equatable, Sendable {
    public var name: SessionName
    /// The session whose death ends the call; nil when only a request ends it.
    public var holder: TableSlot?
    /// The user has accepted the call: it no longer interrupts sessions. A session that does not mix cannot activate.
    public var isConfirmed = false

    public init(name: SessionName, holder: TableSlot?) {
        self.name = name
        self.holder = holder
    }
}

/// All sessions of a user, and the states of the user.
public struct SessionTable: Equatable, Sendable {
    public static let capacity = 1024

    public var isSilent = false
    public var isLocked = false
    public var call: Call?
    /// The saved gains of inputs that no session uses any more.
    public var gainsToRestore = SavedGains()
    /// The next number of a session, or of an activation that interrupts others. The numbers increase.
    public var nextSerial: UInt64 = 1
    /// The largest `interrupting` of the sessions that have stopped interrupting others without should-resume.
    public var lastNotResumed: UInt64 = 0
    /// By slot; nil for a free slot.
    public private(set) var entries: [SessionEntry?] = []
    private var kinds = SlotKinds()

    public init() {}

    /// Assigns or frees a slot. The table grows as necessary, at most to its capacity.
    public mutating func put(_ entry: SessionEntry?, in slot: TableSlot) {
        guard slot >= 0, slot < SessionTable.capacity else { return }
        if slot >= entries.count { resize(to: slot + 1) }
        kinds.set(store(entry, in: &entries[slot]), of: slot)
    }

    /// Changes an entry in place. Returns nil for a free slot, and otherwise whether the entry differs from before.
    mutating func update(_ slot: TableSlot, _ body: (inout SessionEntry) -> Void) -> Bool? {
        guard entries.indices.contains(slot) else { return nil }
        switch edit(&entries[slot], body) {
        case .free: return nil
        case .unchanged: return false
        case .changed(let kinds):
            self.kinds.set(kinds, of: slot)
            return true
        }
    }

    /// Adds free slots at the end of the table, or removes slots there.
    public mutating func resize(to count: Int) {
        while entries.count > count {
            entries.removeLast()
            kinds.set([], of: entries.count)
        }
        while entries.count < count { entries.append(nil) }
    }

    /// The slots of all entries of a kind. A copy.
    public func slots(_ kind: EntryKinds) -> SlotSet { kinds[kind] }
    /// These three copy nothing.
    func count(of kind: EntryKinds) -> Int { kinds.count(of: kind) }
    func hasSlots(_ kind: EntryKinds) -> Bool { kinds.count(of: kind) > 0 }
    func hasSlots(_ kind: EntryKinds, besides slot: TableSlot) -> Bool { kinds.hasSlots(kind, besides: slot) }

    /// Nil for a free slot. These two do not copy the entry.
    public func serial(in slot: TableSlot) -> UInt64? { entries.indices.contains(slot) ? entries[slot]?.serial : nil }
    public func hasWaitingInterruptions(_ slot: TableSlot) -> Bool {
        entries.indices.contains(slot) && (entries[slot]?.waiting ?? .none) != .none
    }

    /// The kinds of the entry in a slot; none for a free slot.
    func kinds(of slot: TableSlot) -> EntryKinds { kinds.kinds(of: slot) }

    /// Nil for a free slot, and for an invalid slot number.
    public subscript(slot: TableSlot) -> SessionEntry? {
        entries.indices.contains(slot) ? entries[slot] : nil
    }

    /// True for a free slot. Faster than a comparison with nil, which would compare every field.
    public func isFree(_ slot: TableSlot) -> Bool {
        guard entries.indices.contains(slot), case .some = entries[slot] else { return true }
        return false
    }
}

/// The effect of the other sessions and of the user's switches on a session's sound.
public struct Effect: Equatable, Sendable {
    /// 1, or less while other sessions duck the session.
    public var gain: Float
    /// The session is inactive, or a recording or a switch of the user silences it.
    public var isSilenced: Bool

    public init(gain: Float, isSilenced: Bool) {
        self.gain = gain
        self.isSilenced = isSilenced
    }
}
