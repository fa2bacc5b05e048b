// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
import CAudioStreams
import CLinux
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry

/// The streams of this process and their session. This is the program's session, from any engine of the process, or else a
/// session that the group creates. The group observes the table and the hardware, and gives each stream its target.
public final class StreamGroup: @unchecked Sendable {
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    private let isSimulated: Bool

    /// Guards the fields below.
    private let lock = Lock()
    private var streams: [any GroupMember] = []
    /// The options of the first stream that has options. The session that the group creates uses them.
    private var choices = StreamOptions()
    /// The entry of the streams.
    private var slot: Slot?
    /// The session to which the streams belong.
    private var session: Slot?
    /// The session that the group has created.
    private var own: Slot?
    /// The program's session, if the engine of these streams has created it.
    private var program: (slot: Slot, activate: () throws(ResultCode) -> Void)?
    private var view = SessionView()
    /// The playback state of the streams in the table.
    private var playback = SessionArbiter.Playback.stopped
    private var isRunning: Bool { playback.isRunning }

    public init(in registry: any SessionRegistry, on hardware: any AudioHardware, isSimulated: Bool) {
        self.registry = registry
        self.hardware = hardware
        self.isSimulated = isSimulated
    }

    public var isEmpty: Bool { lock.withLock { streams.isEmpty } }

    /// Applies a change of the registry. The monitor's thread calls this.
    public func applyEvents() { lock.withLock { refresh() } }

    /// Applies a change of the hardware, with the session as it was at the last read of the table. The table is read
    /// only after the server has died.
    public func applyHardwareEvents() {
        lock.withLock {
            let snapshot = hardware.snapshot()
            if !snapshot.serverIsAlive, own != nil, view.isActive || view.isInterrupted { return refresh() }
            applyTargets(snapshot)
        }
    }

    /// Stops the pulled streams whose session is interrupted. The monitor's thread calls this before it reports the
    /// interruption to the program, which may start them again.
    public func stopInterrupted() { lock.withLock { if streams.contains(where: { $0.isStarted }) { refresh() } } }

    // MARK: Streams

    func add(_ stream: Stream) throws(SystemError) {
        try lock.withLock { () throws(SystemError) in
            if !streams.contains(where: { $0.options != nil }) { choices = stream.choices }
            do throws(SystemError) {
                try follow(with: stream)
                do throws(ResultCode) { try checkDirections(of: stream) } catch { throw .notPermitted }
                guard stream.choices.slave != nil || mayHaveDevice(capture: stream.isCapture) else { throw .noDevice }
            } catch {
                leaveIfEmpty()
                throw error
            }
            streams.append(stream)
            refresh()
        }
    }

    /// A pulled stream enters the table with its first start.
    func add(_ stream: PulledStream) { lock.withLock { streams.append(stream) } }

    func remove(_ stream: any GroupMember) {
        lock.withLock {
            stream.isRunning = false
            updateRunning()
            streams.removeAll { $0 === stream }
            leaveIfEmpty()
        }
    }

    /// Removes the entries of the group from the table when the group has no stream.
    private func leaveIfEmpty() {
        guard streams.isEmpty else { return }
        if let slot { registry.leave(slot) }
        if let own { registry.leave(own) }
        (slot, own, session) = (nil, nil, nil)
        choices = StreamOptions()
        view = SessionView()
    }

    private func checkDirections(of stream: any GroupMember) throws(ResultCode) {
        let category = view.settings?.category
        guard stream.directions.isPermitted(in: category) else {
            let name = category.map { "\($0.traits.name)" } ?? "no category"
            Log.debug("\(stream.directions.name) is not permitted: the session's category is \(name)")
            throw .incompatibleCategory
        }
    }

    /// The stream waits for hardware that has not been explored, because it may have a device.
    private func mayHaveDevice(capture: Bool) -> Bool {
        let snapshot = hardware.snapshot()
        return snapshot.isPending || snapshot.ports.contains { $0.kind.isInput == capture }
    }

    // MARK: Start and stop

    /// Activates the session before a stream starts. The refusals are those of `SetActive(true)`.
    func start(_ stream: Stream) throws(SystemError) {
        try lock.withLock { () throws(SystemError) in
            try follow(with: stream)
            guard slot != nil else { throw .badState }
            do throws(ResultCode) {
                try checkDirections(of: stream)
                if !mayStartHeld(stream) { try activate() }
            } catch { throw SystemError(error) }
            run(stream)
        }
    }

    /// Activates the session before a pulled stream starts. Resumes a suspended stream. No effect on any other running stream.
    func start(_ stream: PulledStream, _ length: SliceLength) throws(ResultCode) {
        try lock.withLock { () throws(ResultCode) in
            guard !stream.hasEnded else { throw .unspecified }
            // A pending interruption, which the monitor has not processed yet, stops the stream first.
            refresh()
            guard !stream.isStarted else { return stream.resume(length) }
            do throws(SystemError) { try follow(with: stream) } catch { throw .unspecified }
            try checkDirections(of: stream)
            // A stream without threads leaves the session as it is.
            try stream.prepare(by: hardware.clock)
            try activate()
            run(stream)
            if let reason = conditions.stopReason(stream.directions) {
                stream.isRunning = false
                updateRunning()
                throw reason.refusal
            }
            stream.begin(length)
        }
    }

    /// Prevents further starts of the stream. Returns its threads. The caller ends them after it has released the lock.
    func end(_ stream: PulledStream) -> PulledStream.Threads? { lock.withLock { stream.end() } }

    private func run(_ stream: any GroupMember) {
        stream.isRunning = true
        playback = presentPlayback
        if let slot { submit(.playback(slot, playback)) }
        refresh()
    }

    /// True for a stream with the option `hold` that ran when the present interruption began. The program may start it again
    /// during the interruption, and it stays held until the session is active.
    private func mayStartHeld(_ stream: Stream) -> Bool {
        stream.choices.onInterrupt == .hold && stream.wasInterrupted && view.isInterrupted
    }

    private func activate() throws(ResultCode) {
        guard !view.isActive else { return }
        do throws(ResultCode) {
            if let program, program.slot == session { return try program.activate() }
            try checkActivation()
            if let session { try registry.submit(.activate(session)) }
        } catch {
            let name = view.settings.map { "\($0.category.traits.name)" } ?? "no category"
            Log.debug("a stream cannot start: the session, of category \(name), cannot be activated (\(error.name))")
            throw error
        }
    }

    /// The checks of an activation that are made before the registry is called.
    private func checkActivation() throws(ResultCode) {
        var state = SessionState()
        if let category = view.settings?.category { state.settings.setCategory(category) }
        state.hardware = hardware.snapshot()
        try state.checkActivation()
    }

    func stopped(_ stream: any GroupMember) {
        lock.withLock {
            // Another thread may have started the stream again.
            guard !stream.isStarted else { return }
            stream.isRunning = false
            updateRunning()
        }
    }

    private var presentPlayback: SessionArbiter.Playback {
        let running = streams.filter { $0.isRunning }
        guard !running.isEmpty else { return .stopped }
        return running.contains { $0.ducksOthers } ? .runningVoice : .running
    }

    /// Other sessions are ducked while one of these streams runs.
    func setDucksOthers(_ on: Bool, _ stream: PulledStream) {
        lock.withLock {
            stream.ducksOthers = on
            updateRunning()
        }
    }

    private func updateRunning() {
        let present = presentPlayback
        guard isRunning, present != playback else { return }
        playback = present
        if let slot { submit(.playback(slot, present)) }
        guard !isRunning else { return }
        if let own { submit(.deactivate(own, notifyingOthers: true)) }
        refresh()
    }

    private func submit(_ request: Request) {
        do throws(ResultCode) { try registry.submit(request) } catch {
            Log.debug("the table refuses a change of the streams (\(error.name))")
        }
    }

    // MARK: The session of the streams

    /// The program creates its session now. Returns the session that the group has created, if it is active. That session
    /// becomes the program's: nothing changes for running streams or for other processes.
    public func handOverSession() -> (slot: Slot, settings: SessionSettings)? {
        lock.withLock {
            guard let own, isRunning, registry.view(of: own).isActive else { return nil }
            do throws(ResultCode) {
                let settings = try ownSettings(with: nil)
                self.own = nil
                return (own, settings)
            } catch { return nil }
        }
    }

    /// The engine has created the program's session in this slot; `activate` activates it.
    public func join(_ slot: Slot, activate: @escaping () throws(ResultCode) -> Void) {
        lock.withLock {
            program = (slot, activate)
            guard self.slot != nil else { return }
            do throws(SystemError) { try follow(with: nil) } catch {}
            refresh()
        }
    }

    /// Joins the program's session if there is one, else the session of the group.
    private func follow(with stream: (any GroupMember)?) throws(SystemError) {
        do throws(ResultCode) {
            if let new = programSession() { try follow(new) } else { try followOwn(with: stream) }
        } catch {
            Log.debug("no session for the streams (\(error.name))")
            throw .invalid
        }
        if let slot { apply(registry.view(of: slot)) }
    }

    /// A new interruption affects the streams that run now.
    private func apply(_ new: SessionView) {
        for stream in streams {
            stream.wasInterrupted = new.isInterrupted && (view.isInterrupted ? stream.wasInterrupted : stream.isRunning)
        }
        view = new
    }

    /// The session of this engine, else a session that another engine of this process has created.
    private func programSession() -> Slot? {
        if let program { return program.slot }
        let table = registry.table()
        let process = ProcessIdentity.own
        return table.entries.indices.first { slot in
            guard let entry = table.entries[slot] else { return false }
            return entry.role == .session && entry.process == process && slot != own
        }
    }

    private func follow(_ new: Slot) throws(ResultCode) {
        guard new != session else { return }
        if let slot { try registry.submit(.follow(slot, session: new)) } else { slot = try registry.enterStreams(of: new) }
        session = new
        if let made = own { registry.leave(made) }
        own = nil
    }

    private func followOwn(with stream: (any GroupMember)?) throws(ResultCode) {
        let settings = try ownSettings(with: stream)
        if let own {
            if view.settings != settings { try registry.submit(.adopt(own, settings)) }
            return
        }
        let made = try registry.enter(
            name: SessionName(choices.name ?? String(cString: linux_program_name())), settings: settings)
        do throws(ResultCode) {
            if let slot { try registry.submit(.follow(slot, session: made)) } else { slot = try registry.enterStreams(of: made) }
        } catch {
            registry.leave(made)
            throw error
        }
        (own, session) = (made, made)
    }

    /// The settings of the session that the group creates, by the directions of the streams. A pulled stream counts while it
    /// runs: a program that calls no session function and plays with units or queues has the default category.
    private func ownSettings(with stream: (any GroupMember)?) throws(ResultCode) -> SessionSettings {
        let all = streams.filter { $0.options != nil || $0.isRunning } + (stream.map { [$0] } ?? [])
        return try choices.settings(
            recording: all.contains { $0.directions.contains(.input) },
            usual: all.contains { $0.options != nil } ? .mediaPlayback : .soloAmbientSound)
    }

    // MARK: Targets

    /// Gives every stream its target, and stops the streams that must not run. Under the lock.
    private func refresh() {
        let snapshot = hardware.snapshot()
        if !snapshot.serverIsAlive { loseServer() }
        answerInterruptions()
        guard let slot else { return }
        apply(registry.view(of: slot))
        if view.settings == nil, !streams.isEmpty {
            do throws(SystemError) { try follow(with: nil) } catch {}
        }
        applyTargets(snapshot)
    }

    private func applyTargets(_ snapshot: HardwareSnapshot) {
        let conditions = StreamConditions(view, snapshot, hardware, isSimulated: isSimulated)
        for stream in streams { stream.apply(conditions) }
        updateRunning()
    }

    private var conditions: StreamConditions { StreamConditions(view, hardware.snapshot(), hardware, isSimulated: isSimulated) }

    /// When its server dies, the session that the group has created becomes inactive and loses its interruptions.
    private func loseServer() {
        guard let own else { return }
        let state = registry.view(of: own)
        if state.isActive || state.isInterrupted { submit(.reset(own)) }
    }

    /// The session that the group has created has no listener: the group resumes after its interruptions. A pulled
    /// stream has stopped, and the program starts it again.
    private func answerInterruptions() {
        guard let own else { return }
        for case .end(let type) in registry.view(of: own).interruptions where isRunning {
            guard type == .shouldResume || !choices.obeysShouldNotResume else { continue }
            submit(.activate(own))
        }
    }

    // MARK: Formats

    /// The settings of the session, also before a stream has an entry in the table.
    private func settings(with stream: (any GroupMember)?) -> SessionSettings? {
        if let slot, let settings = registry.view(of: slot).settings { return settings }
        if let new = programSession() { return registry.view(of: new).settings }
        do throws(ResultCode) { return try ownSettings(with: stream) } catch { return nil }
    }

    /// The conditions in which a stream would start.
    private func expected(with stream: (any GroupMember)?) -> StreamConditions {
        var view = view
        view.settings = settings(with: stream)
        return StreamConditions(view, hardware.snapshot(), hardware, isSimulated: isSimulated)
    }

    /// The format that the hardware grants to a pulled stream; nil without a device.
    func format(of stream: PulledStream) -> pull_format? {
        lock.withLock { expected(with: stream).format(of: stream.directions) }
    }

    func hasDevice(for stream: PulledStream) -> Bool {
        lock.withLock { expected(with: stream).hasDevice(for: stream.directions) }
    }

    /// The rate that the route's device grants; 0 without a device.
    public func hardwareRate(input: Bool) -> Double {
        lock.withLock { expected(with: nil).grantedRate(input ? .input : .output) ?? 0 }
    }
}
