// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
public import CAudioStreams
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry

/// The streams of this process. The group observes their session and the hardware, and gives each stream its target.
public final class StreamGroup: @unchecked Sendable {
    private let hardware: any AudioHardware
    private let isSimulated: Bool

    /// Guards the fields below.
    private let lock = Lock()
    private var streams: [any GroupMember] = []
    private var session: GroupSession
    private var view = SessionView()
    /// The playback state of the streams in the table.
    private var playback = StreamActivity.stopped
    private var isRunning: Bool { playback.isRunning }
    /// The number of calls of `reportStops` that have told a unit or queue of a stop.
    private var reports: UInt64 = 0

    /// A group that plays system sounds has an entry of its own in the table, apart from the program's session.
    public init(
        in registry: any SessionRegistry, on hardware: any AudioHardware, isSimulated: Bool, playsSystemSounds: Bool = false
    ) {
        session = GroupSession(in: registry, playsSystemSounds: playsSystemSounds)
        self.hardware = hardware
        self.isSimulated = isSimulated
    }

    public var isEmpty: Bool { lock.withLock { streams.isEmpty } }

    /// Applies a change of the registry. The monitor's thread calls this.
    public func applyEvents() { lock.withLock { if !streams.isEmpty { refresh() } } }

    /// Applies a change of the hardware, with the session as it was at the last read of the table. The table is read
    /// only after the server has died.
    public func applyHardwareEvents() {
        lock.withLock {
            guard !streams.isEmpty else { return }
            let snapshot = hardware.snapshot()
            if !snapshot.serverIsAlive, session.hasGroupSession, view.isActive || view.isInterrupted { return refresh() }
            applyTargets(snapshot)
        }
    }

    /// Stops the pulled streams whose session is interrupted, and tells their units and queues. Called under no lock, before the
    /// interruption is reported to the program, which may start them again. Returns the number of such reports since the group
    /// exists.
    @discardableResult
    public func stopInterrupted() -> UInt64 {
        lock.withLock { if streams.contains(where: { $0.isStarted }) { refresh() } }
        return reportStops()
    }

    /// Tells the units and queues of the streams that the session has stopped. Called under no lock.
    @discardableResult
    public func reportStops() -> UInt64 {
        // All of them, also after one that had a report to make.
        let count = lock.withLock { streams }.count { $0.reportStop() }
        return lock.withLock {
            if count > 0 { reports &+= 1 }
            return reports
        }
    }

    // MARK: Streams

    func add(_ stream: PushedStream) throws(SystemError) {
        try lock.withLock { () throws(SystemError) in
            if !streams.contains(where: { $0.hasOptions }) { session.options = stream.options }
            do throws(SystemError) {
                try join(with: stream)
                do throws(ResultCode) { try checkDirections(of: stream) } catch { throw .notPermitted }
                guard stream.options.slave != nil || mayHaveDevice(capture: stream.isCapture) else { throw .noDevice }
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
        session.leave()
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
    func start(_ stream: PushedStream) throws(SystemError) {
        try lock.withLock { () throws(SystemError) in
            try join(with: stream)
            guard session.streamsSlot != nil else { throw .badState }
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
            do throws(SystemError) { try join(with: stream) } catch { throw .unspecified }
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
        session.publish(playback)
        refresh()
    }

    /// True for a stream with the option `hold` that ran when the present interruption began. The program may start it again
    /// during the interruption, and it stays held until the session is active.
    private func mayStartHeld(_ stream: PushedStream) -> Bool {
        stream.options.onInterrupt == .hold && stream.wasInterrupted && view.isInterrupted
    }

    private func activate() throws(ResultCode) {
        guard !view.isActive else { return }
        do throws(ResultCode) { try session.activate(on: hardware, current: view) } catch {
            let name = view.settings.map { "\($0.category.traits.name)" } ?? "no category"
            Log.debug("a stream cannot start: the session, of category \(name), cannot be activated (\(error.name))")
            throw error
        }
    }

    func stopped(_ stream: any GroupMember) {
        lock.withLock {
            // Another thread may have started the stream again.
            guard !stream.isStarted else { return }
            stream.isRunning = false
            updateRunning()
        }
    }

    private var presentPlayback: StreamActivity {
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
        session.publish(present)
        guard !isRunning else { return }
        session.deactivateGroupSession()
        refresh()
    }

    // MARK: The session of the streams

    /// The program creates its session now. Returns the session that the group has created, if it is active. That session
    /// becomes the program's: nothing changes for running streams or for other processes.
    public func handOverSession() -> (slot: TableSlot, settings: SessionSettings)? {
        lock.withLock { isRunning ? session.handOver(for: needs(with: nil)) : nil }
    }

    /// The engine has created the program's session in this slot; `activate` activates it.
    public func join(_ slot: TableSlot, activate: @escaping () throws(ResultCode) -> Void) {
        lock.withLock {
            session.setProgramSession(slot, activate: activate)
            guard session.streamsSlot != nil else { return }
            do throws(SystemError) { try join(with: nil) } catch {}
            refresh()
        }
    }

    private func join(with stream: (any GroupMember)?) throws(SystemError) {
        try session.join(for: needs(with: stream), current: view)
        if let view = session.view() { apply(view) }
    }

    /// A pulled stream counts while it runs: a program that calls no session function and plays with units or queues has the default
    /// category.
    private func needs(with stream: (any GroupMember)?) -> GroupSession.Needs {
        needs(adding: stream?.directions ?? [], withOptions: stream?.hasOptions ?? false)
    }

    private func needs(adding directions: StreamDirections, withOptions hasOptions: Bool = false) -> GroupSession.Needs {
        let all = streams.filter { $0.hasOptions || $0.isRunning }
        return GroupSession.Needs(
            recording: directions.contains(.input) || all.contains { $0.directions.contains(.input) },
            hasOptions: hasOptions || all.contains { $0.hasOptions })
    }

    /// A new interruption affects the streams that run now.
    private func apply(_ new: SessionView) {
        for stream in streams {
            stream.wasInterrupted = new.isInterrupted && (view.isInterrupted ? stream.wasInterrupted : stream.isRunning)
        }
        view = new
    }

    // MARK: Targets

    /// Gives every stream its target, and stops the streams that must not run. Under the lock.
    private func refresh() {
        let snapshot = hardware.snapshot()
        if !snapshot.serverIsAlive { session.loseServer() }
        session.answerInterruptions { isRunning }
        guard let view = session.view() else { return }
        apply(view)
        if view.settings == nil, !streams.isEmpty {
            do throws(SystemError) { try join(with: nil) } catch {}
        }
        applyTargets(snapshot)
    }

    private func applyTargets(_ snapshot: HardwareSnapshot) {
        let conditions = conditions(of: view, snapshot)
        for stream in streams { stream.apply(conditions) }
        updateRunning()
    }

    private var conditions: StreamConditions { conditions(of: view, hardware.snapshot()) }

    private func conditions(of view: SessionView, _ snapshot: HardwareSnapshot) -> StreamConditions {
        StreamConditions(
            view, snapshot, hardware, isSimulated: isSimulated, playsSystemSounds: session.playsSystemSounds,
            title: session.name)
    }

    // MARK: Formats

    /// The conditions in which a pulled stream of these directions would start.
    private func expected(for directions: StreamDirections) -> StreamConditions {
        var view = view
        view.settings = session.expectedSettings(for: needs(adding: directions))
        return conditions(of: view, hardware.snapshot())
    }

    /// The format that the hardware grants to a pulled stream of these directions; nil without a device.
    public func format(of directions: StreamDirections) -> pull_format? {
        lock.withLock { expected(for: directions).format(of: directions) }
    }

    func hasDevice(for directions: StreamDirections) -> Bool {
        lock.withLock { expected(for: directions).hasDevice(for: directions) }
    }

    /// The rate that the route's device grants; 0 without a device.
    public func hardwareRate(input: Bool) -> Double {
        lock.withLock { expected(for: []).grantedRate(input ? .input : .output) ?? 0 }
    }
}
