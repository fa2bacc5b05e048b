// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import LinuxSystem

/// One direction of a pushed stream: its phase, which the program's calls change, and the device that the phase and the target
/// require. A subclass owns the device and moves the frames between it and the ring.
class RingPump: StreamPump {
    final let ring: UnsafeMutablePointer<stream_ring>
    final let devices: any DeviceOpener
    final let shape: StreamShape
    private let onInterrupt: OnInterrupt
    final private(set) var phase = Phase.idle
    final private(set) var target = StreamTarget()
    /// The target that the device was opened for.
    final var choice: DeviceChoice?
    /// The device runs.
    final var isStarted = false
    /// A clock stands in for the device of the choice, which did not open or has failed.
    final var isOnClock = false

    init(
        _ ring: UnsafeMutablePointer<stream_ring>, _ shape: StreamShape, _ onInterrupt: OnInterrupt,
        on devices: any DeviceOpener = SystemDeviceOpener()
    ) {
        self.ring = ring
        self.devices = devices
        self.shape = shape
        self.onInterrupt = onInterrupt
    }

    // MARK: The subclass

    /// For the log: the direction, and what a stream without a device does.
    var words: (direction: String, withoutDevice: String) { ("", "") }
    var hasDevice: Bool { false }
    /// The frames that the device has played or recorded.
    var movedFrames: UInt64 { 0 }
    /// Opens a device, which replaces the present one.
    func openDevice(_ choice: DeviceChoice) throws(SystemError) {}
    func prepareDevice() throws(SystemError) {}
    /// Replaces the device by a clock.
    func useClock() {}
    func dropDevice() {}
    /// Stops the device at once.
    func halt() {}
    /// The next frame is the first one.
    func rewind() {}
    func move() -> UInt64 { UInt64.max }
    func drain() throws(SystemError) {}
    /// Continues on another device.
    func move(to next: DeviceChoice) {
        close()
        openOrUseClock()
    }

    // MARK: The program's calls

    final func open() throws(SystemError) {
        guard !target.isHeld, let device = target.device else { return }
        try open(device)
    }

    final func prepare() throws(SystemError) {
        halt()
        rewind()
        stream_ring_restart(ring)
        phase = .prepared
        // Each prepare tries again a device that failed before.
        if isOnClock { close() }
        if !hasDevice, !target.isHeld, !target.isWithoutServer { openOrUseClock() }
    }

    func start() throws(SystemError) {
        guard phase == .prepared else { throw .badState }
        phase = .running
        apply(target)
    }

    final func pause(_ on: Bool) throws(SystemError) {
        guard phase == (on ? .running : .paused) else { throw .badState }
        phase = on ? .paused : .running
        if on { halt() }
        apply(target)
    }

    /// The program writes no more frames.
    final func beginDraining() { phase = .draining }

    final func stop() {
        phase = .idle
        halt()
    }

    final func close() {
        halt()
        dropDevice()
        choice = nil
        isOnClock = false
    }

    // MARK: The device

    private var wanted: DeviceChoice? { target.device(on: onInterrupt) }

    func apply(_ target: StreamTarget) {
        self.target = target
        if phase.flows, let end = target.end(on: onInterrupt) { fail(end) }
        guard phase.flows else { return closeIfGone() }
        guard let wanted else { return hold() }
        if choice != wanted || !hasDevice { move(to: wanted) }
    }

    /// A stream that stands still keeps its device for its next start, unless the device is away: a device of the same name can
    /// come back, and does not know the former handle.
    private func closeIfGone() {
        let isReplaced = target.device.map { $0 != choice } ?? false
        if target.isWithoutServer || target.isLost || isReplaced { close() }
    }

    /// Gives the device back until the session is active again.
    private func hold() {
        guard hasDevice else { return }
        close()
        Log.debug("\(words.direction) is held after \(movedFrames) frames: the session is not active")
    }

    final func openOrUseClock() {
        guard let wanted else { return }
        do throws(SystemError) { try open(wanted) } catch {
            Log.debug("no \(words.direction) device opens: \(error.text). \(words.withoutDevice) until the route changes")
            standIn()
            // The device is not opened again until the target changes.
            choice = wanted
        }
    }

    private func open(_ choice: DeviceChoice) throws(SystemError) {
        try openDevice(choice)
        self.choice = choice
        isStarted = false
        isOnClock = false
    }

    // MARK: Failures

    /// A device that was late or suspended is prepared again, and a clock replaces any other.
    final func replaceDevice(after error: SystemError) {
        isStarted = false
        guard let failure = failure(after: error, { () throws(SystemError) in try prepareDevice() }) else { return }
        Log.debug("the \(words.direction) device failed: \(failure.text). \(words.withoutDevice) until the route changes")
        standIn()
    }

    private func standIn() {
        useClock()
        isOnClock = true
    }

    /// Ends the stream with this result of the program's calls.
    final func fail(_ error: SystemError) {
        phase = .idle
        halt()
        stream_ring_fail(ring, UInt32(bitPattern: error.number))
    }
}
