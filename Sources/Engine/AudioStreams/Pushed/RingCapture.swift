// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem

/// Moves frames from the route's input to the program.
final class RingCapture: StreamPump {
    private let ring: UnsafeMutablePointer<stream_ring>
    private let devices: any DeviceOpener
    private let onInterrupt: OnInterrupt
    private let shape: StreamShape
    private var phase = Phase.idle
    private var target = StreamTarget()
    private var device: (any CaptureDevice)?
    private var choice: DeviceChoice?
    private var isStarted = false
    private var recorded: UInt64 = 0

    init(
        _ ring: UnsafeMutablePointer<stream_ring>, _ shape: StreamShape, _ onInterrupt: OnInterrupt,
        on devices: any DeviceOpener = SystemDeviceOpener()
    ) {
        self.ring = ring
        self.devices = devices
        self.shape = shape
        self.onInterrupt = onInterrupt
    }

    // MARK: The program's calls

    func open() throws(SystemError) {
        guard !target.isHeld, let device = target.device else { return }
        try open(device)
    }

    func prepare() throws(SystemError) {
        halt()
        recorded = 0
        stream_ring_restart(ring)
        phase = .prepared
        if device == nil, !target.isHeld { openOrUseClock() }
    }

    func start() throws(SystemError) {
        guard phase == .prepared else { throw .badState }
        phase = .running
        apply(target)
    }

    func pause(_ on: Bool) throws(SystemError) {
        guard phase == (on ? .running : .paused) else { throw .badState }
        phase = on ? .paused : .running
        if on { halt() }
        apply(target)
    }

    /// Stops at once: the program can still read the frames that have been recorded.
    func drain() { stop() }

    func stop() {
        phase = .idle
        halt()
    }

    func close() {
        halt()
        device = nil
        choice = nil
    }

    // MARK: The device

    private var wanted: DeviceChoice? { target.device(on: onInterrupt) }

    func apply(_ target: StreamTarget) {
        self.target = target
        guard phase.flows else { return }
        if let end = target.end(on: onInterrupt) { return fail(end) }
        guard let wanted else { return hold() }
        guard choice != wanted || device == nil else { return }
        close()
        openOrUseClock()
    }

    /// Gives the device back until the session is active again.
    private func hold() {
        guard device != nil else { return }
        close()
        Log.debug("capture is held after \(recorded) frames: the session is not active")
    }

    private func openOrUseClock() {
        guard let wanted else { return }
        do throws(SystemError) { try open(wanted) } catch {
            Log.debug("no capture device opens: \(error.text). The stream records silence until the route changes")
            device = ClockCapture(shape)
            choice = wanted
        }
    }

    private func open(_ choice: DeviceChoice) throws(SystemError) {
        let opened = try devices.openCapture(choice, shape)
        try opened.prepare()
        device = opened
        self.choice = choice
        isStarted = false
    }

    private func halt() {
        guard isStarted else { return }
        isStarted = false
        device?.stop()
        do throws(SystemError) { try device?.prepare() } catch { device = nil }
    }

    // MARK: Moving frames

    func move() -> UInt64 {
        guard phase.flows, let device else { return UInt64.max }
        var waiting: UInt64 = 0
        do throws(SystemError) {
            if !isStarted {
                try device.start()
                isStarted = true
            }
            waiting = try read(from: device)
        } catch { recover(from: error) }
        stream_ring_advance(ring, recorded, recorded)
        guard !isOverrun else {
            fail(.late)
            return UInt64.max
        }
        let step = max(min(device.period, shape.period), 1)
        let missing = step > waiting ? step &- waiting : 0
        return linux_monotonic_nanoseconds() &+ shape.layout.nanoseconds(of: max(missing, max(step / 4, 1)))
    }

    /// Reads frames. Returns the number of frames that the device still has.
    private func read(from device: any CaptureDevice) throws(SystemError) -> UInt64 {
        while true {
            let available = try device.available()
            let unread = recorded &- min(ring.program, recorded)
            let room = ring.pointee.buffer > unread ? ring.pointee.buffer &- unread : 0
            let (frames, unbroken) = ring.span(of: recorded)
            let count = min(available, room, unbroken)
            guard count > 0 else { return available }
            let got = try device.read(frames, count)
            guard got > 0 else { return available }
            recorded &+= got
        }
    }

    private var isOverrun: Bool {
        recorded &- min(ring.program, recorded) >= max(ring.pointee.stop_threshold, 1)
    }

    private func recover(from error: SystemError) {
        isStarted = false
        guard let failure = failure(after: error, { () throws(SystemError) in try device?.prepare() }) else { return }
        Log.debug("the capture device failed: \(failure.text). The stream records silence until the route changes")
        device = ClockCapture(shape)
    }

    private func fail(_ error: SystemError) {
        phase = .idle
        halt()
        stream_ring_fail(ring, UInt32(bitPattern: error.number))
    }
}
