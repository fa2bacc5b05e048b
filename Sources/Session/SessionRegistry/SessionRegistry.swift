// SPDX-License-Identifier: Apache-2.0
public import SessionArbiter
public import SessionModel

/// The table of sessions, as one process sees it. Any thread may call any function. One thread waits for `descriptor`.
public protocol SessionRegistry: AnyObject {
    /// Becomes readable when a session of this registry is affected, or when a process that affects such a session has ended. -1
    /// if neither can happen.
    var descriptor: Int32 { get }

    /// Clears the descriptor. The caller asks for the view of each session afterwards.
    func processEvents()

    /// Chooses the processes whose end makes the descriptor readable. The caller has asked for the views.
    func updatePeerMonitors()

    /// Adds a session of this process.
    func enter(name: SessionName, settings: SessionSettings) throws(ResultCode) -> TableSlot
    /// Adds the ALSA streams of one of this process's sessions, which any registry of the process may have added.
    func enterStreams(of session: TableSlot) throws(ResultCode) -> TableSlot
    func leave(_ slot: TableSlot)

    /// Performs a request. Throws the arbiter's refusal, or `unspecified` if the table cannot be changed.
    func submit(_ request: Request) throws(ResultCode)

    /// Performs a request, and returns the view of a session after it.
    func submit(_ request: Request, viewing slot: TableSlot) throws(ResultCode) -> SessionView

    /// The state of a session and its pending interruptions. Each interruption is returned once.
    func view(of slot: TableSlot) -> SessionView

    /// The state of a session after the last transaction of this process, without interruptions and without a read of the table.
    /// The descriptor becomes readable after a later change.
    func lastView(of slot: TableSlot) -> SessionView

    /// The sessions of all processes.
    func table() -> SessionTable

    /// Whether a session of another process plays.
    func othersArePlaying() -> Bool
}

extension SessionRegistry {
    /// No effect for a registry without other processes.
    public func updatePeerMonitors() {}
    /// For a registry that is not a file.
    public func lastView(of slot: TableSlot) -> SessionView { view(of: slot) }
}
