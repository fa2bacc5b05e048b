// SPDX-License-Identifier: Apache-2.0
import AudioHardware
public import CAudioStreams
import CLinux
public import CStatusPage
import LinuxSystem
public import SessionModel

/// A stream that calls a program for each slice. Two threads belong to it from its first start: `audiosession-io` runs
/// the cycles, and `audiosession-cb` calls the program after a stop or a change of the format, since that may take long.
///
/// The state that the group sees changes under the lock of the group. No thread holds a lock while a callback runs:
/// a callback that does not return blocks only a stop of this stream.
public final class PulledStream: GroupMember, EngineStream, @unchecked Sendable {
    public let directions: StreamDirections
    let functions: PullFunctions
    let control = PullControl()
    let counters = PullCounters()
    /// Nil: the devices of the system.
    private let devices: (any PullDevices)?
    private var session: StreamGroup?

    // Guarded by the group's lock:
    var isRunning = false
    var wasInterrupted = false
    var ducksOthers = false
    private var threads: (cycles: UnsafeMutableRawPointer, delivery: UnsafeMutableRawPointer)?
    private(set) var cycle: PullCycle?
    private(set) var clock: any DeviceClock = MonotonicClock.shared
    /// The registration of the stream's thread with the clock.
    private(set) var ticket = 0

    var options: StreamOptions? { nil }

    public convenience init(_ callbacks: pull_callbacks, _ context: UnsafeMutableRawPointer?, _ directions: StreamDirections) {
        self.init(callbacks, context, directions, on: nil)
    }

    init(
        _ callbacks: pull_callbacks, _ context: UnsafeMutableRawPointer?, _ directions: StreamDirections,
        on devices: (any PullDevices)?
    ) {
        functions = PullFunctions(callbacks: callbacks, context: context)
        self.directions = directions
        self.devices = devices
    }

    public func join(_ session: StreamGroup) {
        session.add(self)
        self.session = session
    }

    // MARK: The program's calls

    public func start(_ length: SliceLength) throws(ResultCode) {
        guard let session else { throw .unspecified }
        try session.start(self, length)
    }

    /// Returns when no render runs any more, except in a callback.
    public func stop() {
        control.stop(because: nil)
        if !control.isOnCycles, !control.isOnDelivery { control.waitUntilStopped() }
        session?.stopped(self)
    }

    /// Returns when no render runs any more, except in a callback. The devices are given back. The stream still counts as running:
    /// what stops a stream stops it, and reports it. The next start renders again. Harmless when stopped.
    public func suspend() {
        control.suspend()
        if !control.isOnCycles, !control.isOnDelivery { control.waitUntilStopped() }
    }

    public var isStarted: Bool { control.isRunning }
    public var counts: pull_counters { counters.copy }
    /// Before the first start. The memory is that of a slot, which outlives the stream.
    public func count(in words: UnsafeMutablePointer<status_counters>) { counters.move(to: words) }

    /// While the stream runs, the sound of other sessions is ducked.
    public func setDucksOthers(_ on: Bool) { session?.setDucksOthers(on, self) }

    /// Nil without a device.
    public var format: pull_format? {
        guard let running = control.format else { return session?.format(of: self) }
        return session?.hasDevice(for: self) == true ? running : nil
    }

    /// Returns when no callback runs any more but the one that the caller is in.
    public func endThreads() {
        control.end()
        guard let threads else { return }
        self.threads = nil
        if control.isOnCycles { linux_thread_detach(threads.cycles) } else { linux_thread_join(threads.cycles) }
        if control.isOnDelivery { linux_thread_detach(threads.delivery) } else { linux_thread_join(threads.delivery) }
    }

    public func leave() {
        session?.remove(self)
        session = nil
    }

    // MARK: The group's calls

    /// The threads, made at the first start.
    func prepare(by clock: any DeviceClock) throws(ResultCode) {
        guard threads == nil else { return }
        guard control.works else { throw .unspecified }
        self.clock = clock
        cycle = PullCycle(functions, on: devices ?? SystemPullDevices(by: clock), by: clock, counters)
        // Before the thread exists: a clock that a test steps waits for it from now on.
        ticket = clock.register { [control] in control.wake() }
        guard let cycles = startThread(delivering: false) else {
            clock.unregister(ticket)
            throw .unspecified
        }
        guard let delivery = startThread(delivering: true) else {
            control.end()
            linux_thread_join(cycles)
            control.reopen()
            throw .unspecified
        }
        threads = (cycles, delivery)
    }

    func begin(_ length: SliceLength) { control.begin(length) }

    /// The stream is started.
    func resume(_ length: SliceLength) { if !control.hasCycles { control.begin(length) } }

    /// Follows the session and the hardware. A stream that must not run any more stops.
    func apply(_ situation: GroupSituation) {
        if control.isRunning, let reason = situation.stopReason(directions) {
            isRunning = false
            control.stop(because: reason)
        }
        control.apply(situation.target(of: directions))
    }
}
