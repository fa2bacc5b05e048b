public import SessionArbiter
public import SessionModel

/// Where sessions meet. Any thread may call any of this; one thread watches `descriptor`.
public protocol SessionRegistry: AnyObject {
    /// Becomes readable when one of this registry's sessions is concerned by something, or when a
    /// process that matters to them has died. -1 when nothing can ever happen by itself.
    var descriptor: Int32 { get }

    /// Takes in what made the descriptor readable. Afterwards the sessions should `look`.
    func heed()

    /// When the sessions have looked: sees to it that what they depend on is heard of from now on.
    func keepWatch()

    /// Adds a session of this process.
    func enter(name: SessionName, policy: SessionPolicy) throws(ResultCode) -> Slot
    /// Adds what this process plays by ALSA on behalf of one of its sessions, wherever that was entered.
    func enterStreams(of session: Slot) throws(ResultCode) -> Slot
    func leave(_ slot: Slot)

    /// Asks something of the table. Throws the arbiter's refusal, or `unspecified` where the table
    /// could not be changed at all.
    func submit(_ request: Request) throws(ResultCode)

    /// The same, and the session's own state after it.
    func submit(_ request: Request, lookingFrom slot: Slot) throws(ResultCode) -> SessionView

    /// The session's own state; takes the interruptions that wait for it.
    func look(_ slot: Slot) -> SessionView

    /// Everybody, as of now.
    func table() -> SessionTable

    /// Whether a session of another process is playing, as of now.
    func othersArePlaying() -> Bool
}

extension SessionRegistry {
    /// Nothing to do where nobody dies.
    public func keepWatch() {}
}
