import CAudioStreams
import CLinux
import LinuxSystem

/// Moves what the program has written to the device of the route, with the session's gain.
///
/// A frame stays in the ring until it has been heard. Whatever takes the device away, an interruption, a
/// pause, another route, playing goes on at the first frame that nobody has heard.
final class Playback: Flow {
    private let ring: UnsafeMutablePointer<stream_ring>
    private let devices: any DeviceOpener
    private let onInterrupt: OnInterrupt
    private let shape: StreamShape
    private var phase = Phase.idle
    private var situation = Situation()

    private var outlet: (any Outlet)?
    /// What the outlet was opened for.
    private var choice: DeviceChoice?
    private var isStarted = false

    /// Positions in the ring: given to the outlet, and heard.
    private var sent: UInt64 = 0
    private var heard: UInt64 = 0
    private var gain = stream_gain(now: 1, target: 1, left: 0)
    /// A period with the gain applied.
    private let scratch: UnsafeMutableRawPointer
    private let scratchFrames: UInt64 = 1024

    init(
        _ ring: UnsafeMutablePointer<stream_ring>, _ shape: StreamShape, _ onInterrupt: OnInterrupt,
        on devices: any DeviceOpener = SystemDeviceOpener()
    ) {
        self.ring = ring
        self.devices = devices
        self.shape = shape
        self.onInterrupt = onInterrupt
        scratch = .allocate(byteCount: Int(scratchFrames) * shape.layout.frameSize, alignment: 16)
    }

    deinit { scratch.deallocate() }

    // MARK: What the program asks

    func open() throws(StreamError) {
        guard !situation.isHeld, let device = situation.device else { return }
        try open(device)
    }

    func prepare() throws(StreamError) {
        letGo()
        (sent, heard) = (0, 0)
        ring.restart()
        phase = .prepared
        if outlet == nil, !situation.isHeld { openOrFallSilent() }
    }

    func start() throws(StreamError) {
        guard phase == .prepared else { throw .badState }
        // A session that is activated while another ducks starts ducked.
        stream_gain_aim(&gain, situation.gain, 0)
        phase = .running
        settle(situation)
    }

    func pause(_ on: Bool) throws(StreamError) {
        guard phase == (on ? .running : .paused) else { throw .badState }
        phase = on ? .paused : .running
        if on { letGo() }
        settle(situation)
    }

    func drain() throws(StreamError) {
        if phase == .prepared { try start() }
        guard phase == .running else { throw .badState }
        phase = .draining
    }

    func stop() {
        phase = .idle
        letGo()
    }

    func close() {
        letGo()
        outlet = nil
        choice = nil
    }

    // MARK: The device

    private var wanted: DeviceChoice? { situation.device(on: onInterrupt) }

    func settle(_ situation: Situation) {
        let wasHeld = self.situation.isHeld
        self.situation = situation
        if gain.target != situation.gain {
            stream_gain_aim(&gain, situation.gain, isStarted && !wasHeld ? shape.ramp : 0)
        }
        guard phase.flows else { return }
        if let end = situation.end(on: onInterrupt) { return fail(end) }
        guard let wanted else { return suspend() }
        if choice != wanted || outlet == nil { move(to: wanted) }
    }

    /// Gives the device back until the session is active again.
    private func suspend() {
        guard outlet != nil else { return }
        close()
        Log.line("playback is suspended after \(heard) frames: the session is not active")
    }

    /// Goes on with another device at the first frame that has not been heard.
    private func move(to next: DeviceChoice) {
        // The next one is opened before the old one falls silent, so that the gap is short.
        do throws(StreamError) {
            let opened = try devices.openOutlet(next, shape)
            letGo()
            (outlet, choice) = (opened, next)
            try opened.prepare()
        } catch {
            // Perhaps the old one is what stands in the way.
            close()
            openOrFallSilent()
        }
    }

    private func openOrFallSilent() {
        guard let wanted else { return }
        do throws(StreamError) { try open(wanted) } catch {
            Log.line("no device to play on (error \(error.number)): time goes on without a sound")
            let silent = ClockOutlet(shape, into: nil)
            silent.prepare()
            outlet = silent
            // As if it were the wanted one: only another wish is worth another try.
            choice = wanted
        }
    }

    private func open(_ choice: DeviceChoice) throws(StreamError) {
        let opened = try devices.openOutlet(choice, shape)
        try opened.prepare()
        outlet = opened
        self.choice = choice
        isStarted = false
    }

    /// Silent at once. What was on its way is played again when it goes on.
    private func letGo() {
        defer { (isStarted, sent) = (false, heard) }
        guard isStarted, let outlet else { return }
        if let pending = outlet.stop() { hear(pending) }
        do throws(StreamError) { try outlet.prepare() } catch { self.outlet = nil }
        report()
    }

    private func hear(_ pending: UInt64) {
        let now = pending < sent ? sent &- pending : 0
        if now > heard { heard = now }
    }

    // MARK: Moving

    func move() -> UInt64 {
        guard phase.flows, let outlet else { return UInt64.max }
        let program = ring.program
        do throws(StreamError) {
            try measure(outlet)
            try begin(outlet, at: program)
            try fill(outlet, upTo: program)
        } catch { recover(from: error) }
        report()
        guard !endsHere(at: program) else { return UInt64.max }
        return nextLook(program)
    }

    private func measure(_ outlet: any Outlet) throws(StreamError) {
        guard isStarted else { return }
        do throws(StreamError) { hear(try outlet.pending()) } catch {
            guard error == .late else { throw error }
            heard = sent
            isStarted = false
            try outlet.prepare()
        }
    }

    /// As soon as there is something to play, and before it is played.
    private func begin(_ outlet: any Outlet, at program: UInt64) throws(StreamError) {
        guard !isStarted, sent < program || isFreeRunning else { return }
        try outlet.start()
        isStarted = true
    }

    private func fill(_ outlet: any Outlet, upTo program: UInt64) throws(StreamError) {
        while sent < program, sent &- heard < outlet.queue {
            let (frames, unbroken) = ring.place(of: sent)
            let count = min(program &- sent, outlet.queue &- (sent &- heard), unbroken)
            let taken = try give(frames, count, to: outlet)
            guard taken > 0 else { return }
            sent &+= taken
        }
        try keepRunning(outlet, at: program)
    }

    private func give(_ frames: UnsafeMutableRawPointer, _ count: UInt64, to outlet: any Outlet) throws(StreamError) -> UInt64 {
        if stream_gain_is_unity(&gain) { return try outlet.write(frames, count) }
        let count = min(count, scratchFrames)
        stream_gain_apply(&gain, shape.layout.sample, shape.layout.channels, frames, scratch, count)
        let taken = try outlet.write(scratch, count)
        stream_gain_advance(&gain, taken)
        return taken
    }

    /// A stream that must not stop plays silence where the program is late.
    private func keepRunning(_ outlet: any Outlet, at program: UInt64) throws(StreamError) {
        guard isFreeRunning, phase == .running, sent >= program else { return }
        let short = min(outlet.period, scratchFrames)
        guard sent &- heard < short else { return }
        scratch.initializeMemory(as: UInt8.self, repeating: 0, count: Int(short) * shape.layout.frameSize)
        sent &+= try outlet.write(scratch, short)
    }

    private var isFreeRunning: Bool { ring.pointee.stop_threshold > ring.pointee.buffer }

    private func recover(from error: StreamError) {
        (sent, isStarted) = (heard, false)
        guard let failure = failure(after: error, { () throws(StreamError) in try outlet?.prepare() }) else { return }
        Log.line("the device is gone (error \(failure.number)): time goes on without a sound until there is another")
        outlet = ClockOutlet(shape, into: nil)
    }

    /// Where the device's steps are coarser than the program's buffer, the program is told what was taken.
    private func report() {
        let isCoarse = (outlet?.period ?? 0) &* 2 > shape.buffer
        stream_ring_advance(ring, isCoarse ? sent : heard, heard)
    }

    /// The program was late, or everything has been drained.
    private func endsHere(at program: UInt64) -> Bool {
        if phase == .draining {
            guard heard >= program else { return false }
            stop()
            stream_ring_signal(ring)
            return true
        }
        let ahead = program > heard ? program &- heard : 0
        let available = ring.pointee.buffer > ahead ? ring.pointee.buffer &- ahead : 0
        guard available >= ring.pointee.stop_threshold else { return false }
        fail(.late)
        return true
    }

    private func fail(_ error: StreamError) {
        phase = .idle
        letGo()
        stream_ring_fail(ring, UInt32(bitPattern: error.number))
    }

    /// The clock of the sound itself: when enough of what is on its way will have been heard.
    private func nextLook(_ program: UInt64) -> UInt64 {
        guard let outlet else { return UInt64.max }
        let onItsWay = sent &- heard
        let step = max(min(outlet.period, shape.period), 1)
        if sent >= program {
            // While plenty is on its way, what the program writes can wait for the next look.
            let hasTime = isStarted && onItsWay > step &* 2
            guard phase == .draining || isFreeRunning || hasTime || stream_ring_await_program(ring, program) else { return 0 }
            guard isStarted else { return UInt64.max }
            return linux_monotonic_nanoseconds() &+ shape.layout.nanoseconds(of: min(max(onItsWay, 1), step))
        }
        let low = outlet.queue > outlet.period ? outlet.queue &- outlet.period : 0
        let wait = onItsWay > low ? min(onItsWay &- low, step) : 0
        return linux_monotonic_nanoseconds() &+ shape.layout.nanoseconds(of: max(wait, max(step / 4, 1)))
    }
}
