public import SessionModel

/// A session's place in the table.
public typealias Slot = Int

/// Which process a session belongs to, so that a reused process number is not mistaken for it.
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

/// What is known of a session's streams.
public enum Playback: UInt8, Sendable {
    /// The library does not see its streams: it counts as playing while it is active.
    case unknown
    case stopped
    case running
}

/// Interruption events that a session has not fetched. At most a begin and an end: an end that waits
/// and a begin that follows it cancel out.
public enum WaitingInterruptions: Equatable, Sendable {
    case none
    case begin
    case beginAndEnd(InterruptionType)
    case end(InterruptionType)
}

/// What an entry of the table stands for.
public enum Role: Equatable, Sendable {
    case session
    /// What a process plays and records by ALSA on behalf of a session of its own. Never active by itself:
    /// it follows its session, and is told whatever concerns that. Nil: the session is gone.
    case streams(of: Slot?)
}

/// One session, as all processes see it. A plain value without references.
public struct SessionEntry: Equatable, Sendable {
    /// Tells this session from an earlier one in the same slot.
    public var serial: UInt64
    public var process: ProcessIdentity
    public var name: SessionName
    public var policy: SessionSettings
    public var role = Role.session
    public var playback = Playback.unknown
    public var isActive = false

    /// Interrupted, and not yet told that it ended.
    public var isInterrupted = false
    public var interrupters = SlotSet()
    /// The call is one of its interrupters.
    public var isInterruptedByCall = false
    /// An interrupter has left without letting others resume.
    public var mustNotResume = false
    /// It interrupted spoken audio only; what it interrupted resumes whatever its flag says.
    public var interruptedSpokenAudioOnly = false
    public var waiting = WaitingInterruptions.none
    /// The type of the end of its last interruption. Nil during an interruption, and after one that ended without an end.
    public var lastEnd: InterruptionType?
    /// Of inputs whose gain it has changed.
    public var gains = SavedGains()

    public init(serial: UInt64, process: ProcessIdentity, name: SessionName, policy: SessionSettings) {
        self.serial = serial
        self.process = process
        self.name = name
        self.policy = policy
    }
}

/// A phone call, or whatever else stands above every session.
public struct Call: Equatable, Sendable {
    public var name: SessionName
    /// The session whose death ends it; nil when it is held by nobody.
    public var holder: Slot?
    /// The user took it: nobody is held by it any more, but nothing that does not mix may start.
    public var isConfirmed = false

    public init(name: SessionName, holder: Slot?) {
        self.name = name
        self.holder = holder
    }
}

/// All sessions of a user, and the states of that user.
public struct SessionTable: Equatable, Sendable {
    public static let capacity = 1024

    public var isSilent = false
    public var isLocked = false
    public var call: Call?
    /// Of inputs whose gain was changed by sessions that use it no more.
    public var gainsToRestore = SavedGains()
    public var nextSerial: UInt64 = 1
    /// By slot; nil where nobody is. Grows to what is needed.
    public var entries: [SessionEntry?] = []

    public init() {}

    /// Nil for whatever is no slot.
    public subscript(slot: Slot) -> SessionEntry? {
        entries.indices.contains(slot) ? entries[slot] : nil
    }

    /// Nobody is there. An entry that is compared with nil is compared as a whole, field by field.
    public func isFree(_ slot: Slot) -> Bool {
        guard entries.indices.contains(slot), case .some = entries[slot] else { return true }
        return false
    }
}

/// What a session's audio is to do now.
public struct Effect: Equatable, Sendable {
    /// 1, or less while others duck it.
    public var gain: Float
    /// Nothing of it is to be heard: it is not active, a recording silences it, or the user's switch.
    public var isSilenced: Bool

    public init(gain: Float, isSilenced: Bool) {
        self.gain = gain
        self.isSilenced = isSilenced
    }
}
