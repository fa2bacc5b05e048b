// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
public import CAudioStreams
import LinuxSystem
import SessionArbiter
public import SessionModel
public import SessionRegistry
import Synchronization

/// The streams of this process. The group observes their session and the hardware, and gives each stream its target.
public final class StreamGroup: @unchecked Sendable {
    private let targets: GroupTargets
    private var hardware: any AudioHardware { targets.hardware }

    /// The number of stops of which a unit or queue was told.
    private let reports = Atomic<UInt64>(0)

    /// Guards the fields below.
    private let lock = Lock()
    private var members = GroupMembers()
    private var session: GroupSession
    private var view = SessionView()
    /// The activity of the streams in the table.
    private var activity = StreamActivity.stopped
    private var isRunning: Bool { activity.isRunning }

    /// A group that plays system sounds has an entry of its own in the table, apart from the program's session.
    public init(
        in registry: any SessionRegistry, on hardware: any AudioHardware, isSimulated: Bool, playsSystemSounds: Bool = false
    ) {
        session = GroupSession(in: registry, playsSystemSounds: playsSystemSounds)
        targets = GroupTargets(hardware: hardware, isSimulated: isSimulated)
    }

    public var isEmpty: Bool { lock.withLock { members.isEmpty } }

    /// Applies a change of the registry. The monitor's thread calls this.
    public func applyEvents() { lock.withLock { if !members.isEmpty { refresh() } } }

    /// Applies a change of the hardware, with the session as it was at the last read of the table. The table is read
    /// only after the server has died.
    public func applyHardwareEvents() {
        lock.withLock {
            guard !members.isEmpty else { return }
            let snapshot = hardware.snapshot()
            if !snapshot.serverIsAlive, session.hasGroupSession, view.isActive || view.isInterrupted { return refresh() }
            applyTargets(snapshot)
        }
    }

    /// Stops the pulled streams whose session is interrupted, and tells their units and queues. Called under no lock, before the
    /// interruption is reported to the program, which may start them again. Returns how many were told since the group exists.
    @discardableResult
    public func stopInterrupted() -> UInt64 {
        lock.withLock { if members.hasStarted { refresh() } }
        return reportStops()
    }

    /// Stops the pulled streams after the death of their server, and tells their units and queues. Called under no lock, before the
    /// death is reported to the program: a start that it tries then fails. False while the server is alive.
    public func stopWithoutServer() -> Bool {
        let isDead = lock.withLock {
            guard let snapshot = hardware.knownSnapshot, !snapshot.serverIsAlive else { return false }
            if members.hasStarted { refresh() }
            return true
        }
        reportStops()
        return isDead
    }

    /// Tells the units and queues of the streams that the session has stopped. Called under no lock.
    @discardableResult
    public func reportStops() -> UInt64 {
        lock.withLock { members }.reportStops { reports.wrappingAdd(1, ordering: .releasing) }
        return reportedStops
    }

    /// How many units and queues were told of a stop since the group exists.
    public var reportedStops: UInt64 { reports.load(ordering: .acquiring) }

    /// Why the session does not let streams of these directions run; nil if they may run.
    public func stop(of directions: StreamDirections) -> SessionStop? {
        lock.withLock {
            guard let reason = targets.conditions(of: session, in: view).stopReason(directions) else { return nil }
            return reason == .interruption && view.isInterrupted ? .interruption : .other
        }
    }

    // MARK: Streams

    func add(_ stream: PushedStream) throws(SystemError) {
        try lock.withLock { () throws(SystemError) in
            if !members.hasOptions { session.options = stream.options }
            do throws(SystemError) {
                try join(with: stream)
                do throws(ResultCode) { try checkDirections(of: stream) } catch { throw .notPermitted }
                guard stream.options.slave != nil || targets.mayHaveDevice(capture: stream.isCapture) else { throw .noDevice }
            } catch {
                leaveIfEmpty()
                throw error
            }
            members.append(stream)
            refresh()
        }
    }

    /// A pulled stream enters the table with its first start.
    func add(_ stream: PulledStream) { lock.withLock { members.append(stream) } }

    func remove(_ stream: any GroupMember) {
        lock.withLock {
            stream.isRunning = false
            updateRunning()
            members.remove(stream)
            leaveIfEmpty()
        }
    }

    /// Removes the entries of the group from the table when the group has no stream.
    private func leaveIfEmpty() {
        guard members.isEmpty else { return }
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
            if let reason = targets.conditions(of: session, in: view).stopReason(stream.directions) {
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
        activity = members.activity
        session.publish(activity)
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

    /// Other sessions are ducked while one of these streams runs.
    func setDucksOthers(_ on: Bool, _ stream: PulledStream) {
        lock.withLock {
            stream.ducksOthers = on
            updateRunning()
        }
    }

    private func updateRunning() {
        let present = members.activity
        guard isRunning, present != activity else { return }
        activity = present
        session.publish(present)
        guard !isRunning else { return }
        session.deactivateGroupSession()
        refresh()
    }

    // MARK: The session of the streams

    /// The program creates its session now. Returns the session that the group has created, if it is active. That session
    /// becomes the program's: nothing changes for running streams or for other processes.
    public func handOverSession() -> (slot: TableSlot, settings: SessionSettings)? {
        lock.withLock { isRunning ? session.handOver(for: members.needs()) : nil }
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
        let needs = members.needs(adding: stream?.directions ?? [], withOptions: stream?.hasOptions ?? false)
        try session.join(for: needs, current: view)
        if let view = session.view() { apply(view) }
    }

    private func apply(_ new: SessionView) {
        members.markInterrupted(from: view, to: new)
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
        if view.settings == nil, !members.isEmpty {
            do throws(SystemError) { try join(with: nil) } catch {}
        }
        applyTargets(snapshot)
    }

    private func applyTargets(_ snapshot: HardwareSnapshot) {
        members.apply(targets.conditions(of: session, in: view, snapshot))
        updateRunning()
    }

    // MARK: Formats

    /// The conditions in which a pulled stream of these directions would start.
    private func expected(for directions: StreamDirections) -> StreamConditions {
        targets.conditions(of: session, in: view, expecting: members.needs(adding: directions))
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
