// SPDX-License-Identifier: Apache-2.0
import AudioHardware
public import CAudioStreams
import CLinux
public import CStatusPage
import LinuxSystem
public import SessionModel

/// A stream that calls a program for each slice. It has two threads from its first start on: `audiosession-io` runs the
/// cycles. `audiosession-cb` calls the program after a stop or a change of the format, because such a call may take long.
///
/// The members that the group reads change under the lock of the group. No thread holds a lock during a callback:
/// a callback that does not return blocks only a stop of this stream.
public final class PulledStream: GroupMember, ManagedStream, @unchecked Sendable {
    public let directions: StreamDirections
    let functions: PullFunctions
    let control = PullControl()
    let counters = PullCounters()
    /// Nil for the devices of the system.
    private let devices: (any PullDevices)?
    private let membership = Lock()
    /// The group of the stream. Guarded by `membership`, because the program can call the stream while it leaves the group.
    private var joined: StreamGroup?

    // Guarded by the group's lock:
    /// The threads have ended or are ending. The stream does not start again.
    private(set) var hasEnded = false
    var isRunning = false
    var wasInterrupted = false
    var ducksOthers = false
    private var threads: Threads?
    private(set) var cycle: PullCycle?
    private(set) var clock: any DeviceClock = MonotonicClock.shared
    /// The registration of the stream's thread with the clock.
    private(set) var ticket = 0

    var hasOptions: Bool { false }

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

    public func join(_ group: StreamGroup) {
        group.add(self)
        membership.withLock { joined = group }
    }

    private var group: StreamGroup? { membership.withLock { joined } }
    /// The stream has not left its group.
    public var isMember: Bool { group != nil }

    // MARK: The program's calls

    public func start(_ length: SliceLength) throws(ResultCode) {
        guard let group else { throw .unspecified }
        try group.start(self, length)
    }

    /// Returns when no render callback runs any more. In a callback it returns at once.
    public func stop() {
        control.stop(because: .program)
        if !control.isOnCycles, !control.isOnDelivery { control.waitUntilStopped() }
        group?.stopped(self)
    }

    /// Returns when no render callback runs any more; in a callback it returns at once. Gives the devices back. The stream still
    /// counts as running: an event that stops streams stops it, and is reported. The next start renders again. No effect on a
    /// stopped stream.
    public func suspend() {
        control.suspend()
        if !control.isOnCycles, !control.isOnDelivery { control.waitUntilStopped() }
    }

    public var isStarted: Bool { control.isRunning }
    public var counts: pull_counters { counters.copy }
    /// Sets the memory of the counters. Called before the first start. The memory is that of a slot, which outlives the stream.
    public func count(in words: UnsafeMutablePointer<status_counters>) { counters.move(to: words) }

    /// Ducks the sound of other sessions while the stream runs.
    public func setDucksOthers(_ on: Bool) { group?.setDucksOthers(on, self) }

    /// Nil without a device.
    public var format: pull_format? {
        guard let running = control.format else { return group?.format(of: directions) }
        return group?.hasDevice(for: directions) == true ? running : nil
    }

    /// Returns when no callback runs any more, except the callback that makes this call. The stream does not start again.
    public func endThreads() {
        let threads = group?.end(self)
        control.end()
        guard let threads else { return }
        if control.isOnCycles { linux_thread_detach(threads.cycles) } else { linux_thread_join(threads.cycles) }
        if control.isOnDelivery { linux_thread_detach(threads.delivery) } else { linux_thread_join(threads.delivery) }
    }

    public func leave() {
        let former = membership.withLock {
            defer { joined = nil }
            return joined
        }
        former?.remove(self)
    }

    // MARK: The group's calls

    typealias Threads = (cycles: UnsafeMutableRawPointer, delivery: UnsafeMutableRawPointer)

    /// Returns the threads at the first call, and nil later. The stream starts no thread and no cycle after this call.
    func end() -> Threads? {
        hasEnded = true
        defer { threads = nil }
        return threads
    }

    /// Starts the threads at the first start of the stream.
    func prepare(by clock: any DeviceClock) throws(ResultCode) {
        guard threads == nil else { return }
        guard control.isValid else { throw .unspecified }
        self.clock = clock
        cycle = PullCycle(functions, on: devices ?? SystemPullDevices(by: clock), by: clock, counters)
        // Registered before the thread exists: a clock that a test steps waits for the thread from now on.
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

    /// Applies the state of the session and the hardware. Stops the stream if it must not run any more.
    func apply(_ conditions: StreamConditions) {
        if control.isRunning, let reason = conditions.stopReason(directions) {
            isRunning = false
            control.stop(because: reason)
        }
        control.apply(conditions.target(of: directions))
    }

    func reportStop(_ count: () -> Void) {
        control.reportStop {
            functions.callbacks.session_stopped?(functions.context)
            count()
        }
    }
}
