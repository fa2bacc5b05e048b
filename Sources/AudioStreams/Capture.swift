import CAudioStreams
import CLinux
import LinuxSystem

/// Moves what the route's input hears to the program.
final class Capture: Flow {
    private let ring: UnsafeMutablePointer<stream_ring>
    private let devices: any DeviceOpener
    private let onInterrupt: OnInterrupt
    private let shape: StreamShape
    private var phase = Phase.idle
    private var situation = Situation()
    private var inlet: (any Inlet)?
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

    // MARK: What the program asks

    func open() throws(StreamError) {
        guard !situation.isHeld, let device = situation.device else { return }
        try open(device)
    }

    func prepare() throws(StreamError) {
        letGo()
        recorded = 0
        ring.restart()
        phase = .prepared
        if inlet == nil, !situation.isHeld { openOrHearNothing() }
    }

    func start() throws(StreamError) {
        guard phase == .prepared else { throw .badState }
        phase = .running
        settle(situation)
    }

    func pause(_ on: Bool) throws(StreamError) {
        guard phase == (on ? .running : .paused) else { throw .badState }
        phase = on ? .paused : .running
        if on { letGo() }
        settle(situation)
    }

    /// What was recorded may still be read; there is nothing to wait for.
    func drain() { stop() }

    func stop() {
        phase = .idle
        letGo()
    }

    func close() {
        letGo()
        inlet = nil
        choice = nil
    }

    // MARK: The device

    private var wanted: DeviceChoice? { situation.device(on: onInterrupt) }

    func settle(_ situation: Situation) {
        self.situation = situation
        guard phase.flows else { return }
        if let end = situation.end(on: onInterrupt) { return fail(end) }
        guard let wanted else { return suspend() }
        guard choice != wanted || inlet == nil else { return }
        close()
        openOrHearNothing()
    }

    /// Gives the device back until the session is active again.
    private func suspend() {
        guard inlet != nil else { return }
        close()
        Log.line("capture is suspended after \(recorded) frames: the session is not active")
    }

    private func openOrHearNothing() {
        guard let wanted else { return }
        do throws(StreamError) { try open(wanted) } catch {
            Log.line("no device to record from (error \(error.number)): time goes on in silence")
            inlet = ClockInlet(shape)
            choice = wanted
        }
    }

    private func open(_ choice: DeviceChoice) throws(StreamError) {
        let opened = try devices.openInlet(choice, shape)
        try opened.prepare()
        inlet = opened
        self.choice = choice
        isStarted = false
    }

    private func letGo() {
        guard isStarted else { return }
        isStarted = false
        inlet?.stop()
        do throws(StreamError) { try inlet?.prepare() } catch { inlet = nil }
    }

    // MARK: Moving

    func move() -> UInt64 {
        guard phase.flows, let inlet else { return UInt64.max }
        var waiting: UInt64 = 0
        do throws(StreamError) {
            if !isStarted {
                try inlet.start()
                isStarted = true
            }
            waiting = try take(from: inlet)
        } catch { recover(from: error) }
        stream_ring_advance(ring, recorded, recorded)
        guard !isOverrun else {
            fail(.late)
            return UInt64.max
        }
        let step = max(min(inlet.period, shape.period), 1)
        let missing = step > waiting ? step &- waiting : 0
        return linux_monotonic_nanoseconds() &+ shape.layout.nanoseconds(of: max(missing, max(step / 4, 1)))
    }

    /// What is left waiting.
    private func take(from inlet: any Inlet) throws(StreamError) -> UInt64 {
        while true {
            let available = try inlet.available()
            let unread = recorded &- min(ring.program, recorded)
            let room = ring.pointee.buffer > unread ? ring.pointee.buffer &- unread : 0
            let (frames, unbroken) = ring.place(of: recorded)
            let count = min(available, room, unbroken)
            guard count > 0 else { return available }
            let got = try inlet.read(frames, count)
            guard got > 0 else { return available }
            recorded &+= got
        }
    }

    private var isOverrun: Bool {
        recorded &- min(ring.program, recorded) >= max(ring.pointee.stop_threshold, 1)
    }

    private func recover(from error: StreamError) {
        isStarted = false
        guard let failure = failure(after: error, { () throws(StreamError) in try inlet?.prepare() }) else { return }
        Log.line("the device is gone (error \(failure.number)): time goes on in silence until there is another")
        inlet = ClockInlet(shape)
    }

    private func fail(_ error: StreamError) {
        phase = .idle
        letGo()
        stream_ring_fail(ring, UInt32(bitPattern: error.number))
    }
}
