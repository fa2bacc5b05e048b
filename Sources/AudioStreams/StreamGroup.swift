// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
import CLinux
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry

/// The streams of this process and their session: the program's, from any engine of the process, else one that is
/// made for them. The group follows the table and the hardware, and gives each stream its target.
public final class StreamGroup: @unchecked Sendable {
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    private let isSimulated: Bool

    /// Guards the fields below.
    private let lock = Lock()
    private var streams: [Stream] = []
    /// The options of the first stream: those of the session that is made for the streams.
    private var choices = StreamOptions()
    /// The entry of the streams.
    private var slot: Slot?
    /// The session that they belong to.
    private var session: Slot?
    /// That session, if it was made for them.
    private var own: Slot?
    /// The program's session, if the engine of these streams has made it.
    private var program: (slot: Slot, activate: () throws(ResultCode) -> Void)?
    private var view = SessionView()
    private var isRunning = false

    public init(in registry: any SessionRegistry, on hardware: any AudioHardware, isSimulated: Bool) {
        self.registry = registry
        self.hardware = hardware
        self.isSimulated = isSimulated
    }

    public var isEmpty: Bool { lock.withLock { streams.isEmpty } }

    /// Follows a change of the registry. The monitor's thread calls this.
    public func applyEvents() { lock.withLock { refresh() } }

    /// Follows a change of the hardware, with the session as the last look at the table showed it. The table is read
    /// only for a server that has died.
    public func applyHardwareEvents() {
        lock.withLock {
            let snapshot = hardware.snapshot()
            if !snapshot.serverIsAlive, own != nil, view.isActive || view.isInterrupted { return refresh() }
            applyTargets(snapshot)
        }
    }

    // MARK: Streams

    func add(_ stream: Stream) throws(StreamError) {
        try lock.withLock { () throws(StreamError) in
            if streams.isEmpty { choices = stream.choices }
            do throws(StreamError) {
                try follow(with: stream)
                try checkDirection(of: stream)
                guard stream.choices.slave != nil || mayHaveDevice(capture: stream.isCapture) else { throw .noDevice }
            } catch {
                leaveIfEmpty()
                throw error
            }
            streams.append(stream)
            refresh()
        }
    }

    func remove(_ stream: Stream) {
        stopped(stream)
        lock.withLock {
            streams.removeAll { $0 === stream }
            leaveIfEmpty()
        }
    }

    /// Without a stream the table has no entry of the group.
    private func leaveIfEmpty() {
        guard streams.isEmpty else { return }
        if let slot { registry.leave(slot) }
        if let own { registry.leave(own) }
        (slot, own, session) = (nil, nil, nil)
        view = SessionView()
    }

    private func checkDirection(of stream: Stream) throws(StreamError) {
        let category = view.settings?.category
        guard stream.isCapture ? category?.traits.hasInput == true : category?.traits.hasOutput == true else {
            let name = category.map { "\($0.traits.name)" } ?? "no category"
            Log.debug("\(stream.isCapture ? "capture" : "playback") is not permitted: the session's category is \(name)")
            throw .notPermitted
        }
    }

    /// Hardware that has not been explored may have a device: the stream waits for it.
    private func mayHaveDevice(capture: Bool) -> Bool {
        let snapshot = hardware.snapshot()
        return snapshot.isPending || snapshot.ports.contains { $0.kind.isInput == capture }
    }

    // MARK: Start and stop

    /// Activates the session before a stream starts. The refusals are those of `SetActive(true)`.
    func start(_ stream: Stream) throws(StreamError) {
        try lock.withLock { () throws(StreamError) in
            try follow(with: stream)
            guard let slot else { throw .badState }
            try checkDirection(of: stream)
            if !view.isActive, !mayStandStill(stream) { try activate() }
            stream.isRunning = true
            isRunning = true
            submit(.playback(slot, .running))
            refresh()
        }
    }

    /// A stream that ran when the present interruption began, with the option `hold`, starts again during the
    /// interruption, and stands still until the session is active.
    private func mayStandStill(_ stream: Stream) -> Bool {
        stream.choices.onInterrupt == .hold && stream.wasInterrupted && view.isInterrupted
    }

    private func activate() throws(StreamError) {
        do throws(ResultCode) {
            if let program, program.slot == session { return try program.activate() }
            try checkActivation()
            if let session { try registry.submit(.activate(session)) }
        } catch {
            let name = view.settings.map { "\($0.category.traits.name)" } ?? "no category"
            Log.debug("a stream cannot start: the session, of category \(name), cannot be activated (\(error.name))")
            throw StreamError(error)
        }
    }

    /// The checks of an activation that precede the registry's.
    private func checkActivation() throws(ResultCode) {
        var state = SessionState()
        if let category = view.settings?.category { state.settings.setCategory(category) }
        state.hardware = hardware.snapshot()
        try state.checkActivation()
    }

    func stopped(_ stream: Stream) {
        lock.withLock {
            stream.isRunning = false
            guard isRunning, !streams.contains(where: { $0.isRunning }) else { return }
            isRunning = false
            if let slot { submit(.playback(slot, .stopped)) }
            if let own { submit(.deactivate(own, notifyingOthers: true)) }
            refresh()
        }
    }

    private func submit(_ request: Request) {
        do throws(ResultCode) { try registry.submit(request) } catch {
            Log.debug("the table refuses a change of the streams (\(error.name))")
        }
    }

    // MARK: Which session

    /// The program makes its session now. Hands over the session that was made for the streams if it is active. It
    /// becomes the program's: nothing changes for the streams that run, or for other processes.
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

    /// The engine has made the program's session in this slot; `activate` activates it.
    public func join(_ slot: Slot, activate: @escaping () throws(ResultCode) -> Void) {
        lock.withLock {
            program = (slot, activate)
            guard !streams.isEmpty else { return }
            do throws(StreamError) { try follow(with: nil) } catch {}
            refresh()
        }
    }

    /// The program's session if there is one, else one of the streams' own.
    private func follow(with stream: Stream?) throws(StreamError) {
        do throws(ResultCode) {
            if let theirs = programsSession() { try follow(theirs) } else { try followOwn(with: stream) }
        } catch {
            Log.debug("no session for the streams (\(error.name))")
            throw .invalid
        }
        if let slot { apply(registry.view(of: slot)) }
    }

    /// A new interruption reaches the streams that run now.
    private func apply(_ new: SessionView) {
        for stream in streams {
            stream.wasInterrupted = new.isInterrupted && (view.isInterrupted ? stream.wasInterrupted : stream.isRunning)
        }
        view = new
    }

    /// The session of this engine, else one that another engine of this process has made.
    private func programsSession() -> Slot? {
        if let program { return program.slot }
        let table = registry.table()
        let process = ProcessIdentity.own
        return table.entries.indices.first { place in
            guard let entry = table.entries[place] else { return false }
            return entry.role == .session && entry.process == process && place != own
        }
    }

    private func follow(_ theirs: Slot) throws(ResultCode) {
        guard theirs != session else { return }
        if let slot { try registry.submit(.follow(slot, session: theirs)) } else { slot = try registry.enterStreams(of: theirs) }
        session = theirs
        if let made = own { registry.leave(made) }
        own = nil
    }

    private func followOwn(with stream: Stream?) throws(ResultCode) {
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

    /// The settings of the session that is made for the streams: by their directions.
    private func ownSettings(with stream: Stream?) throws(ResultCode) -> SessionSettings {
        let all = streams + (stream.map { [$0] } ?? [])
        return try choices.settings(playing: all.contains { !$0.isCapture }, recording: all.contains { $0.isCapture })
    }

    // MARK: Targets

    /// Gives every stream its target. Under the lock.
    private func refresh() {
        let snapshot = hardware.snapshot()
        if !snapshot.serverIsAlive { loseServer() }
        answerInterruptions()
        guard let slot else { return }
        apply(registry.view(of: slot))
        if view.settings == nil, !streams.isEmpty {
            do throws(StreamError) { try follow(with: nil) } catch {}
        }
        applyTargets(snapshot)
    }

    private func applyTargets(_ snapshot: HardwareSnapshot) {
        for stream in streams { stream.apply(target(of: stream, snapshot)) }
    }

    /// With its server the session made for the streams loses its activity and its interruptions.
    private func loseServer() {
        guard let own else { return }
        let state = registry.view(of: own)
        if state.isActive || state.isInterrupted { submit(.reset(own)) }
    }

    /// The session that was made for the streams has no listener: the group resumes after its interruptions.
    private func answerInterruptions() {
        guard let own else { return }
        for case .end(let type) in registry.view(of: own).interruptions where isRunning {
            guard type == .shouldResume || !choices.obeysShouldNotResume else { continue }
            submit(.activate(own))
        }
    }

    private func target(of stream: Stream, _ snapshot: HardwareSnapshot) -> StreamTarget {
        var target = StreamTarget()
        target.isHeld = !view.isActive
        target.isWithoutServer = !snapshot.serverIsAlive
        target.gain = view.effect.isSilenced && !stream.isCapture ? 0 : stream.isCapture ? 1 : view.effect.gain
        let port = port(for: stream, snapshot)
        if stream.choices.stopsOnRouteLoss, let former = stream.port, stream.isRunning {
            target.isLost = !snapshot.ports.contains { $0.isSame(as: former) }
        }
        if !target.isLost { stream.port = port }
        target.device = device(of: port, for: stream, snapshot)
        return target
    }

    private func port(for stream: Stream, _ snapshot: HardwareSnapshot) -> Port? {
        guard let settings = view.settings else { return nil }
        let route = Route(for: settings, among: snapshot.ports)
        if stream.isCapture { return route.inputs.first }
        guard let wanted = stream.choices.port?.kind, settings.category == .multiRoute else { return route.outputs.first }
        return route.outputs.first { $0.kind == wanted }
    }

    private func device(of port: Port?, for stream: Stream, _ snapshot: HardwareSnapshot) -> DeviceChoice? {
        if let slave = stream.choices.slave { return .alsa([slave]) }
        guard let port else { return snapshot.isPending ? nil : .silence }
        guard !isSimulated else { return .simulated }
        return .alsa(names(of: port.alsaDevice, playback: !stream.isCapture))
    }

    /// First the mixer, which leaves the card to other programs.
    private func names(of device: String, playback: Bool) -> [String] {
        guard device.utf8.starts(with: "hw:".utf8) else { return ["plug:'\(device)'"] }
        let card = String(decoding: device.utf8.dropFirst(3), as: UTF8.self)
        return ["plug:'\(playback ? "dmix" : "dsnoop"):\(card)'", "plughw:\(card)"]
    }
}
