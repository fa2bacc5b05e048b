// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CEngineClient
import LinuxSystem

/// The engine in libAudioSession, called through its private table.
public final class SessionEngine: AudioEngineClient, @unchecked Sendable {
    private let table: UnsafePointer<audiosession_engine>

    init(_ table: UnsafePointer<audiosession_engine>) { self.table = table }

    /// The engine of this process; nil when libAudioSession has another version.
    public static let ofProcess: SessionEngine? = find(engine_client_table)

    /// `table` returns the table of the engine, or nil and the version of the library that has another one.
    static func find(
        _ table: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> UnsafePointer<audiosession_engine>?
    ) -> SessionEngine? {
        var theirs: UnsafePointer<CChar>?
        if let table = table(&theirs) { return SessionEngine(table) }
        let own = firstLine(engine_client_version())
        let other = theirs.map { "version \(firstLine($0))" } ?? "not loaded"
        Log.error(
            "no unit or queue can start: libAudioToolbox has version \(own), and libAudioSession is \(other);"
                + " install both of one version")
        return nil
    }

    public var preferredSlice: Double { table.pointee.session_preferred_slice() }

    public func publishSlice(seconds: Double) { table.pointee.session_set_io_slice(seconds) }

    public func hardwareRate(isInput: Bool) -> Double { table.pointee.session_hardware_rate(isInput) }

    public func hardwareFormat(_ directions: StreamDirections) -> pull_format? {
        var format = pull_format()
        return table.pointee.session_hardware_format(directions.rawValue, &format) ? format : nil
    }

    public func makeStatusSlot() -> StatusSlot? { table.pointee.status_claim().map { StatusSlot($0) } }

    public func makeStream(for owner: EngineStreamOwner, _ directions: StreamDirections) -> EngineStreamResult {
        makeStream(for: owner) { table.pointee.pull_create($0, $1, directions.rawValue, $2) }
    }

    public func makeSystemSoundStream(for owner: EngineStreamOwner) -> EngineStreamResult {
        makeStream(for: owner) { table.pointee.pull_create_system_sounds($0, $1, $2) }
    }

    private func makeStream(
        for owner: EngineStreamOwner,
        _ create: (
            UnsafePointer<pull_callbacks>, UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> Int32
    ) -> EngineStreamResult {
        let context = Unmanaged.passRetained(owner)
        var callbacks = pull_callbacks(
            render: { if let cycle = $1 { SessionEngine.owner($0)?.render(cycle) } },
            configure: { if let format = $1 { SessionEngine.owner($0)?.configure(format.pointee) } },
            stopped: { SessionEngine.owner($0)?.stopped($1) },
            format_changed: { SessionEngine.owner($0)?.formatChanged() },
            session_stopped: { SessionEngine.owner($0)?.sessionStopped() })
        var handle: UnsafeMutableRawPointer?
        let status = create(&callbacks, context.toOpaque(), &handle)
        guard let handle else {
            context.release()
            return .refused(status)
        }
        return .stream(SessionStream(table, handle, context))
    }

    /// The owner of a stream, from the context of its callbacks.
    private static func owner(_ context: UnsafeMutableRawPointer?) -> EngineStreamOwner? {
        context.map { Unmanaged<EngineStreamOwner>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func firstLine(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "unknown" }
        return String(String(cString: text).prefix { $0 != "\n" })
    }
}

private final class SessionStream: EngineStream, @unchecked Sendable {
    private let table: UnsafePointer<audiosession_engine>
    private let handle: UnsafeMutableRawPointer
    private let context: Unmanaged<EngineStreamOwner>

    init(
        _ table: UnsafePointer<audiosession_engine>, _ handle: UnsafeMutableRawPointer, _ context: Unmanaged<EngineStreamOwner>
    ) {
        self.table = table
        self.handle = handle
        self.context = context
    }

    /// The last call of another thread has returned, because each call keeps a reference.
    deinit {
        table.pointee.pull_destroy(handle)
        context.release()
    }

    var format: pull_format? {
        var format = pull_format()
        return table.pointee.pull_format(handle, &format) ? format : nil
    }

    func start(frames: Double, rate: Double) -> Int32 {
        table.pointee.pull_start(handle, frames, rate)
    }

    func stop() { table.pointee.pull_stop(handle) }

    func suspend() { table.pointee.pull_suspend(handle) }

    var isRunning: Bool { table.pointee.pull_is_running(handle) }

    var counters: pull_counters {
        var counters = pull_counters()
        table.pointee.pull_read_counters(handle, &counters)
        return counters
    }

    func count(in slot: StatusSlot) { table.pointee.pull_count_in(handle, slot.counters) }

    func setDucksOthers(_ on: Bool) { table.pointee.pull_duck_others(handle, on) }

    func destroy() { table.pointee.pull_end(handle) }
}
