public import AudioHardware
import CLinux
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry

/// The streams of this process, and the session that they belong to: the program's, wherever in the process it
/// was made, else one made for them. Follows the table and the hardware, and gives each stream its target.
public final class StreamSession: @unchecked Sendable {
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    private let isSimulated: Bool

    /// Guards what follows.
    private let lock = Lock()
    private var streams: [Stream] = []
    /// The options of the first stream: those of the session that is made for the streams.
    private var choices = StreamChoices()
    /// The entry of the streams.
    private var slot: Slot?
    /// The session that they belong to.
    private var session: Slot?
    /// That session, where it was made for them.
    private var own: Slot?
    /// The program's session, where the engine of these streams has it.
    private var program: (slot: Slot, activate: () throws(ResultCode) -> Void)?
    private var view = SessionView()
    private var isRunning = false

    public init(in registry: any SessionRegistry, on hardware: any AudioHardware, isSimulated: Bool) {
        self.registry = registry
        self.hardware = hardware
        self.isSimulated = isSimulated
    }

    public var isEmpty: Bool { lock.withLock { streams.isEmpty } }

    /// Applies what the registry or the hardware has reported. The monitor's thread calls this.
    public func applyEvents() { lock.withLock { refresh() } }

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

    /// Without a stream nothing of them is in the table.
    private func leaveIfEmpty() {
        guard streams.isEmpty else { return }
        if let slot { registry.leave(slot) }
        if let own { registry.leave(own) }
        (slot, own, session) = (nil, nil, nil)
    }

    private func checkDirection(of stream: Stream) throws(StreamError) {
        let category = view.policy?.category
        guard stream.isCapture ? category?.traits.hasInput == true : category?.traits.hasOutput == true else {
            let name = category.map { "\($0.traits.name)" } ?? "no category"
            Log.line("\(stream.isCapture ? "capture" : "playback") is not permitted: the session's category is \(name)")
            throw .notPermitted
        }
    }

    /// Hardware that has not reported yet may have a device: the stream waits for it.
    private func mayHaveDevice(capture: Bool) -> Bool {
        let snapshot = hardware.snapshot()
        return snapshot.isPending || snapshot.ports.contains { $0.kind.isInput == capture }
    }

    // MARK: Start and stop

    /// Before a stream starts: activates its session. The refusals are those of `SetActive(true)`.
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

    /// A stream that holds on interruptions, and ran when this one came, starts again while it lasts, and stands
    /// still until the session is active.
    private func mayStandStill(_ stream: Stream) -> Bool {
        stream.choices.onInterrupt == .hold && stream.wasInterrupted && view.isInterrupted
    }

    private func activate() throws(StreamError) {
        do throws(ResultCode) {
            if let program, program.slot == session { return try program.activate() }
            try checkActivation()
            if let session { try registry.submit(.activate(session)) }
        } catch {
            let name = view.policy.map { "\($0.category.traits.name)" } ?? "no category"
            Log.line("a stream cannot start: the session, of category \(name), cannot be activated (\(error.name))")
            throw StreamError(error)
        }
    }

    /// What a session checks before it asks the registry.
    private func checkActivation() throws(ResultCode) {
        var state = SessionState()
        if let category = view.policy?.category { state.settings.setCategory(category) }
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
        do throws(ResultCode) { try registry.submit(request) } catch { Log.line("the table refused (\(error.rawValue))") }
    }

    // MARK: Which session

    /// The program makes its session now. Hands over the session that was made for the streams where it is
    /// active: it becomes the program's, so that nothing changes for the streams that run, and for nobody else.
    public func handOverSession() -> (slot: Slot, settings: SessionSettings)? {
        lock.withLock {
            guard let own, isRunning, registry.look(own).isActive else { return nil }
            do throws(ResultCode) {
                let settings = try ownSettings(with: nil)
                self.own = nil
                return (own, settings)
            } catch { return nil }
        }
    }

    /// The engine has made the program's session in this slot, and `activate` activates it.
    public func join(_ slot: Slot, activate: @escaping () throws(ResultCode) -> Void) {
        lock.withLock {
            program = (slot, activate)
            guard !streams.isEmpty else { return }
            do throws(StreamError) { try follow(with: nil) } catch {}
            refresh()
        }
    }

    /// The program's own session as soon as there is one, else ours.
    private func follow(with stream: Stream?) throws(StreamError) {
        do throws(ResultCode) {
            if let theirs = programsSession() { try follow(theirs) } else { try followOwn(with: stream) }
        } catch {
            Log.line("the streams have no session (\(error.rawValue))")
            throw .invalid
        }
        if let slot { apply(registry.look(slot)) }
    }

    /// An interruption has reached the streams that run now.
    private func apply(_ new: SessionView) {
        for stream in streams { stream.wasInterrupted = new.isInterrupted && (view.isInterrupted ? stream.wasInterrupted : stream.isRunning) }
        view = new
    }

    /// The engine's own, else one that another engine in this process has made.
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
        let policy = try ownSettings(with: stream)
        if let own {
            if view.policy != policy { try registry.submit(.adopt(own, policy)) }
            return
        }
        let made = try registry.enter(
            name: SessionName(choices.name ?? String(cString: linux_program_name())), policy: policy)
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
        apply(registry.look(slot))
        if view.policy == nil, !streams.isEmpty {
            do throws(StreamError) { try follow(with: nil) } catch {}
        }
        for stream in streams { stream.tell(situation(of: stream, snapshot)) }
    }

    /// With its server the session made for the streams loses its activity and its interruptions.
    private func loseServer() {
        guard let own, registry.look(own).isActive else { return }
        submit(.reset(own))
    }

    /// Nobody but us hears of the interruptions of a session that was made for the streams.
    private func answerInterruptions() {
        guard let own else { return }
        for case .end(let type) in registry.look(own).interruptions where isRunning {
            guard type == .shouldResume || !choices.obeysShouldNotResume else { continue }
            submit(.activate(own))
        }
    }

    private func situation(of stream: Stream, _ snapshot: HardwareSnapshot) -> Situation {
        var situation = Situation()
        situation.isHeld = !view.isActive
        situation.isWithoutServer = !snapshot.serverIsAlive
        situation.gain = view.effect.isSilenced && !stream.isCapture ? 0 : stream.isCapture ? 1 : view.effect.gain
        let port = port(for: stream, snapshot)
        if stream.choices.stopsOnRouteLoss, let former = stream.port, stream.isRunning {
            situation.isLost = !snapshot.ports.contains { $0.isSame(as: former) }
        }
        if !situation.isLost { stream.port = port }
        situation.device = device(of: port, for: stream, snapshot)
        return situation
    }

    private func port(for stream: Stream, _ snapshot: HardwareSnapshot) -> Port? {
        guard let policy = view.policy else { return nil }
        let route = Route(for: policy, among: snapshot.ports)
        if stream.isCapture { return route.inputs.first }
        guard let wanted = stream.choices.port?.kind, policy.category == .multiRoute else { return route.outputs.first }
        return route.outputs.first { $0.kind == wanted }
    }

    private func device(of port: Port?, for stream: Stream, _ snapshot: HardwareSnapshot) -> DeviceChoice? {
        if let slave = stream.choices.slave { return .alsa([slave]) }
        guard let port else { return snapshot.isPending ? nil : .silence }
        guard !isSimulated else { return .simulated }
        return .alsa(names(of: port.alsaDevice, playback: !stream.isCapture))
    }

    /// First the way that leaves the card to others as well.
    private func names(of device: String, playback: Bool) -> [String] {
        guard device.utf8.starts(with: "hw:".utf8) else { return ["plug:'\(device)'"] }
        let card = String(decoding: device.utf8.dropFirst(3), as: UTF8.self)
        return ["plug:'\(playback ? "dmix" : "dsnoop"):\(card)'", "plughw:\(card)"]
    }
}
