// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry

/// The session to which the streams of a group belong, and the entry of the streams in the table. It is the program's session, from
/// any engine of the process, or else a session that the group creates. System sounds have an entry that the group creates, and
/// never belong to the program's session. The group calls all members under its lock.
struct GroupSession {
    /// What the streams need of a session that the group creates.
    struct Needs {
        var recording: Bool
        /// A stream has options. Only units and queues do not.
        var hasOptions: Bool
    }

    private let registry: any SessionRegistry
    let playsSystemSounds: Bool
    /// The options of the first stream that has options. The session that the group creates uses them.
    var options = StreamOptions()
    /// The entry of the streams. Nil before the first stream enters the table.
    private(set) var streamsSlot: TableSlot?
    private var joinedSlot: TableSlot?
    /// The name that the session had in the table at the last join; empty before the first. It is not read with each event, because
    /// another process can hold the lock of the table.
    private(set) var name = ""
    /// The session that the group has created.
    private var groupSessionSlot: TableSlot?
    /// The program's session, if the engine of these streams has created it.
    private var programSession: (slot: TableSlot, activate: () throws(ResultCode) -> Void)?

    init(in registry: any SessionRegistry, playsSystemSounds: Bool = false) {
        self.registry = registry
        self.playsSystemSounds = playsSystemSounds
    }

    var hasGroupSession: Bool { groupSessionSlot != nil }

    /// The state of the session at the last transaction; nil before the streams have an entry.
    func view() -> SessionView? { streamsSlot.map { registry.view(of: $0) } }

    // MARK: Membership

    /// Joins the program's session if there is one, else the session of the group.
    mutating func join(for needs: Needs, current view: SessionView) throws(SystemError) {
        do throws(ResultCode) {
            if let program = slotOfProgram() { try join(program) } else { try joinGroupSession(for: needs, current: view) }
            name = joinedSlot.flatMap { registry.table().entries[$0]?.name.text } ?? ""
        } catch {
            Log.debug("no session for the streams (\(error.name))")
            throw .invalid
        }
    }

    private mutating func join(_ new: TableSlot) throws(ResultCode) {
        guard new != joinedSlot else { return }
        try enter(new)
        joinedSlot = new
        if let made = groupSessionSlot { registry.leave(made) }
        groupSessionSlot = nil
    }

    private mutating func joinGroupSession(for needs: Needs, current view: SessionView) throws(ResultCode) {
        let settings = try settings(for: needs)
        if let groupSessionSlot {
            if view.settings != settings { try registry.submit(.change(groupSessionSlot, settings)) }
            return
        }
        let name = options.name ?? String(cString: linux_program_name())
        let made = try registry.enter(
            name: SessionName(playsSystemSounds ? "\(name) (system sounds)" : name), settings: settings)
        do throws(ResultCode) { try enter(made) } catch {
            registry.leave(made)
            throw error
        }
        (groupSessionSlot, joinedSlot) = (made, made)
    }

    /// The entry of the streams belongs to this session from now on.
    private mutating func enter(_ session: TableSlot) throws(ResultCode) {
        if let streamsSlot {
            try registry.submit(.join(streamsSlot, session: session))
        } else {
            streamsSlot = try registry.enterStreams(of: session)
        }
    }

    /// Removes the entries of the group from the table.
    mutating func leave() {
        if let streamsSlot { registry.leave(streamsSlot) }
        if let groupSessionSlot { registry.leave(groupSessionSlot) }
        (streamsSlot, groupSessionSlot, joinedSlot) = (nil, nil, nil)
        options = StreamOptions()
    }

    /// The session of this engine, else a session that another engine of this process has created.
    private func slotOfProgram() -> TableSlot? {
        guard !playsSystemSounds else { return nil }
        if let programSession { return programSession.slot }
        let table = registry.table()
        let process = ProcessIdentity.own
        return table.entries.indices.first { slot in
            guard let entry = table.entries[slot] else { return false }
            return entry.role == .session && entry.process == process && slot != groupSessionSlot
                && !entry.settings.areOfSystemSounds
        }
    }

    // MARK: The program's session

    /// The engine has created the program's session in this slot; `activate` activates it.
    mutating func setProgramSession(_ slot: TableSlot, activate: @escaping () throws(ResultCode) -> Void) {
        programSession = (slot, activate)
    }

    /// The session that the group has created becomes the program's, if it is active.
    mutating func handOver(for needs: Needs) -> (slot: TableSlot, settings: SessionSettings)? {
        guard let slot = groupSessionSlot, registry.view(of: slot).isActive else { return nil }
        do throws(ResultCode) {
            let settings = try settings(for: needs)
            groupSessionSlot = nil
            return (slot, settings)
        } catch { return nil }
    }

    // MARK: State

    func activate(on hardware: any AudioHardware, current view: SessionView) throws(ResultCode) {
        if let programSession, programSession.slot == joinedSlot { return try programSession.activate() }
        // The checks of an activation that are made before the registry is called.
        var state = SessionState()
        if let category = view.settings?.category { state.settings.setCategory(category) }
        state.hardware = hardware.snapshot()
        try state.checkActivation()
        if let joinedSlot { try registry.submit(.activate(joinedSlot)) }
    }

    func publish(_ activity: StreamActivity) {
        if let streamsSlot { submit(.playback(streamsSlot, activity)) }
    }

    /// A session of the group becomes inactive when its last stream stops.
    func deactivateGroupSession() {
        if let groupSessionSlot { submit(.deactivate(groupSessionSlot, notifyingOthers: true)) }
    }

    /// When its server dies, the session that the group has created becomes inactive and loses its interruptions.
    func loseServer() {
        guard let groupSessionSlot else { return }
        let state = registry.view(of: groupSessionSlot)
        if state.isActive || state.isInterrupted { submit(.reset(groupSessionSlot)) }
    }

    /// The session that the group has created has no listener: it becomes active again after its interruptions, while streams run.
    func answerInterruptions(running isRunning: () -> Bool) {
        guard let groupSessionSlot else { return }
        for case .end(let type) in registry.view(of: groupSessionSlot).interruptions where isRunning() {
            guard type == .shouldResume || !options.obeysShouldNotResume else { continue }
            submit(.activate(groupSessionSlot))
        }
    }

    private func submit(_ request: Request) {
        do throws(ResultCode) { try registry.submit(request) } catch {
            Log.debug("the table refuses a change of the streams (\(error.name))")
        }
    }

    // MARK: Settings

    /// The settings of the session, also before a stream has an entry in the table.
    func expectedSettings(for needs: Needs) -> SessionSettings? {
        if let settings = view()?.settings { return settings }
        if let program = slotOfProgram() { return registry.view(of: program).settings }
        do throws(ResultCode) { return try settings(for: needs) } catch { return nil }
    }

    private func settings(for needs: Needs) throws(ResultCode) -> SessionSettings {
        guard !playsSystemSounds else { return .ofSystemSounds }
        return try options.settings(recording: needs.recording, usual: needs.hasOptions ? .mediaPlayback : .soloAmbientSound)
    }
}
