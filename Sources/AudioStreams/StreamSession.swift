import AudioHardware
import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import Surroundings

/// The session that all streams of this process belong to: the program's own, wherever in the process that
/// was made, or else one made for the streams. It watches the table and the hardware, and tells each
/// stream what they make of it.
final class StreamSession: @unchecked Sendable {
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    private let isSimulated: Bool
    private let choices: StreamChoices
    private var watcher: Watcher?

    /// Guards what follows.
    private let lock = Lock()
    private var streams: [Stream] = []
    /// The entry of the streams.
    private var slot: Slot?
    /// The session that they belong to.
    private var session: Slot?
    /// That session, where it was made for them.
    private var own: Slot?
    private var view = SessionView()
    private var isRunning = false

    // MARK: One for the process

    private static let door = Lock()
    nonisolated(unsafe) private static var current: StreamSession?

    /// Adds a stream, and makes what all of them share for the first one.
    static func join(_ stream: Stream) throws(StreamError) -> StreamSession {
        try door.withLock { () throws(StreamError) in
            let session = current ?? ofThisProcess(stream.choices)
            do throws(StreamError) { try session.add(stream) } catch {
                if current == nil { session.end() }
                throw error
            }
            current = session
            return session
        }
    }

    func leave(_ stream: Stream) {
        StreamSession.door.withLock {
            stopped(stream)
            guard remove(stream) else { return }
            if StreamSession.current === self { StreamSession.current = nil }
            end()
        }
    }

    private static func ofThisProcess(_ choices: StreamChoices) -> StreamSession {
        let (hardware, isSimulated) = Surroundings.hardware()
        let session = StreamSession(choices, in: Surroundings.registry(), on: hardware, isSimulated: isSimulated)
        session.startWatching()
        return session
    }

    init(_ choices: StreamChoices, in registry: any SessionRegistry, on hardware: any AudioHardware, isSimulated: Bool) {
        self.choices = choices
        self.registry = registry
        self.hardware = hardware
        self.isSimulated = isSimulated
    }

    /// Starts the thread that follows the table and the hardware until `end`.
    private func startWatching() {
        // Until `end`, they keep each other alive.
        let watcher = Watcher(of: [registry.descriptor, hardware.descriptor]) { index in
            if index == 0 { self.followTable() } else { self.followHardware() }
        }
        self.watcher = watcher
        if !watcher.start() { Log.line("no descriptors or thread: the streams do not notice the session") }
    }

    /// Applies what made the registry's descriptor readable.
    func followTable() {
        registry.heed()
        lock.withLock { refresh() }
        registry.keepWatch()
    }

    /// Applies what made the hardware's descriptor readable.
    func followHardware() {
        if hardware.processEvents() { lock.withLock { refresh() } }
    }

    func end() {
        watcher?.stop()
        watcher = nil
        lock.withLock {
            if let slot { registry.leave(slot) }
            if let own { registry.leave(own) }
            (slot, own, session) = (nil, nil, nil)
        }
    }

    // MARK: Streams

    func add(_ stream: Stream) throws(StreamError) {
        try lock.withLock { () throws(StreamError) in
            try follow(with: stream)
            let traits = view.policy?.category.traits
            guard stream.isCapture ? traits?.hasInput == true : traits?.hasOutput == true else {
                Log.line("the session's category does not allow to \(stream.isCapture ? "record" : "play")")
                throw .notPermitted
            }
            guard stream.choices.slave != nil || mayHaveDevice(capture: stream.isCapture) else { throw .noDevice }
            streams.append(stream)
            refresh()
        }
    }

    /// True when it was the last one.
    private func remove(_ stream: Stream) -> Bool {
        lock.withLock {
            streams.removeAll { $0 === stream }
            return streams.isEmpty
        }
    }

    /// What is not known yet may be there: the stream waits for it.
    private func mayHaveDevice(capture: Bool) -> Bool {
        let snapshot = hardware.snapshot()
        return snapshot.isPending || snapshot.ports.contains { $0.kind.isInput == capture }
    }

    /// Before a stream starts: its session is active afterwards, or interrupted.
    func start(_ stream: Stream) throws(StreamError) {
        try lock.withLock { () throws(StreamError) in
            try follow(with: stream)
            guard let slot, let session else { throw .badState }
            view = registry.look(slot)
            if !view.isActive { try activate(session, for: stream) }
            stream.isRunning = true
            isRunning = true
            submit(.playback(slot, .running))
            refresh()
        }
    }

    private func activate(_ session: Slot, for stream: Stream) throws(StreamError) {
        guard !view.isInterrupted else {
            // What its choice says of a running stream holds for one that starts, too.
            if stream.choices.onInterrupt == .xrun { throw .busy }
            return
        }
        do throws(ResultCode) { try registry.submit(.activate(session)) } catch {
            Log.line("the session cannot be activated now (\(error.rawValue))")
            throw .busy
        }
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

    /// The program's own session as soon as there is one, else ours.
    private func follow(with stream: Stream?) throws(StreamError) {
        do throws(ResultCode) {
            if let theirs = programsSession() { try follow(theirs) } else { try followOwn(with: stream) }
        } catch {
            Log.line("the streams have no session (\(error.rawValue))")
            throw .invalid
        }
        if let slot { view = registry.look(slot) }
    }

    private func programsSession() -> Slot? {
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
        let all = streams + (stream.map { [$0] } ?? [])
        let settings = try choices.settings(
            playing: all.contains { !$0.isCapture }, recording: all.contains { $0.isCapture })
        var policy = SessionPolicy(settings)
        if choices.options.contains(.spoken) { policy.flags.formUnion([.mixWithOthers, .interruptSpokenAudio]) }
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

    // MARK: What they make of the streams

    /// Looks, and tells every stream. Under the lock.
    private func refresh() {
        answerInterruptions()
        guard let slot else { return }
        view = registry.look(slot)
        if view.policy == nil, !streams.isEmpty {
            do throws(StreamError) { try follow(with: nil) } catch {}
        }
        let snapshot = hardware.snapshot()
        for stream in streams { stream.tell(situation(of: stream, snapshot)) }
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
