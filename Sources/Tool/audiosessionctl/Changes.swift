// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLIOutput
import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import SimulatedHardware

/// The reason why a change is refused.
struct Refusal: Error {
    let text: String

    init(_ text: String) { self.text = text }

    /// A refusal because the sessions of other processes cannot notice the change.
    init(unnoticed reason: RuntimeDirectory.Unusable) { text = "\(reason.text); no session would notice: \(reason.remedy)" }

    init(_ error: ResultCode, of request: Request) {
        text =
            switch (request, error) {
            case (.beginCall, .notActive): "there is a call already"
            case (.endCall, .unspecified), (.confirmCall, .unspecified): "there is no call"
            default: "refused: \(error.name)"
            }
    }
}

/// Applies a change to the sessions or to the simulated machine. Returns the exit status.
func apply(_ change: SimulationCommand) -> Int32 {
    attempt { () throws(Refusal) in
        switch change {
        case .hardware(let change): try changeMachine(change)
        case .silent(let on): try submit(.silent(on), to: try sharedSessions())
        case .lock(let on): try submit(.lock(on), to: try sharedSessions())
        case .beginInterruption(let name): try submit(.beginCall(SessionName(name), holder: nil), to: try sharedSessions())
        case .endInterruption(let shouldResume): try submit(.endCall(shouldResume: shouldResume), to: try sharedSessions())
        case .confirmInterruption: try submit(.confirmCall, to: try sharedSessions())
        }
    }
}

/// Begins a call that lasts until another process ends it or this process exits.
func beginCall(_ name: String, detached: Bool) -> Int32 {
    guard !detached else { return apply(.beginInterruption(name: name)) }
    return attempt { () throws(Refusal) in
        let sessions = try sharedSessions()
        let slot = try enterHolder(sessions)
        // Created before the call begins: a signal after the begin then ends the call regularly.
        let signals = FileDescriptor(owning: linux_end_signals())
        try submit(.beginCall(SessionName(name), holder: slot), to: sessions)
        Output.print("\(name) began; it ends with this program\n")
        let poller = Poller(sessions.descriptor, signals.number)
        while sessions.table().call != nil {
            let ready = poller.next()
            if ready == signals.number || ready < 0 { break }
            sessions.processEvents()
            sessions.updatePeerMonitors()
        }
        try checkShared(sessions)
        sessions.leave(slot)
    }
}

private func attempt(_ body: () throws(Refusal) -> Void) -> Int32 {
    do throws(Refusal) {
        try body()
        return ExitCode.success
    } catch {
        Output.error(error.text)
        return ExitCode.failure
    }
}

private func sharedSessions() throws(Refusal) -> FileRegistry {
    do throws(RuntimeDirectory.Unusable) { return try SystemState.sharedSessions() } catch { throw Refusal(unnoticed: error) }
}

/// Fails if the registry has fallen back to a private table, which other processes do not see.
private func submit(_ request: Request, to sessions: FileRegistry) throws(Refusal) {
    var refusal: ResultCode?
    do throws(ResultCode) { try sessions.submit(request) } catch { refusal = error }
    try checkShared(sessions)
    if let refusal { throw Refusal(refusal, of: request) }
}

private func checkShared(_ sessions: FileRegistry) throws(Refusal) {
    if let reason = sessions.privateFallbackReason { throw Refusal(unnoticed: reason) }
}

private func enterHolder(_ sessions: FileRegistry) throws(Refusal) -> TableSlot {
    do throws(ResultCode) {
        return try sessions.enter(
            name: SessionEntry.callHolder, settings: SessionSettings(category: .ambientSound, mixes: true))
    } catch { throw Refusal("refused: \(error.name)") }
}

private func changeMachine(_ change: SimulatedChange) throws(Refusal) {
    let machine: any AudioHardware
    do throws(RuntimeDirectory.Unusable) { machine = try SystemState.machine() } catch { throw Refusal(unnoticed: error) }
    do throws(ResultCode) { try machine.simulate(change) } catch {
        throw Refusal(
            error == .unsupportedProperty
                ? "this machine is not simulated; set AUDIOSESSION_HARDWARE=simulated"
                : "the simulated machine is not changed")
    }
}
