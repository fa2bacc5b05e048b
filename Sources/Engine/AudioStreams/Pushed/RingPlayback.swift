// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem

/// Moves the program's frames to the device of the route, with the session's gain.
///
/// A frame stays in the ring until the device has played it. After an interruption, a pause or a route change
/// playback continues at the first frame that was not played.
final class RingPlayback: RingPump {
    private var device: (any PlaybackDevice)?

    /// Positions in the ring: written to the device, and played by it.
    private var sent: UInt64 = 0
    private var played: UInt64 = 0
    private var gain = stream_gain(now: 1, target: 1, left: 0)
    /// Memory for one period with the gain applied.
    private let scratch: UnsafeMutableRawPointer
    private let scratchFrames: UInt64 = 1024
    private var stalls = StallWatch()

    override init(
        _ ring: UnsafeMutablePointer<stream_ring>, _ shape: StreamShape, _ onInterrupt: OnInterrupt,
        on devices: any DeviceOpener = SystemDeviceOpener()
    ) {
        scratch = .allocate(byteCount: Int(scratchFrames) * shape.layout.frameSize, alignment: 16)
        super.init(ring, shape, onInterrupt, on: devices)
    }

    deinit { scratch.deallocate() }

    override var words: (direction: String, withoutDevice: String) { ("playback", "The stream is silent") }
    override var hasDevice: Bool { device != nil }
    override var movedFrames: UInt64 { played }
    override func rewind() { (sent, played) = (0, 0) }

    // MARK: The program's calls

    override func start() throws(SystemError) {
        // A session that is activated while another session ducks starts ducked, without a ramp.
        if phase == .prepared { stream_gain_ramp(&gain, target.gain, 0) }
        try super.start()
    }

    override func drain() throws(SystemError) {
        if phase == .prepared { try start() }
        guard phase == .running else { throw .badState }
        beginDraining()
    }

    // MARK: The device

    override func apply(_ target: StreamTarget) {
        devices.isInterrupted = target.isHeld
        if gain.target != target.gain {
            stream_gain_ramp(&gain, target.gain, isStarted && !self.target.isHeld ? shape.ramp : 0)
        }
        super.apply(target)
    }

    override func openDevice(_ choice: DeviceChoice) throws(SystemError) {
        let opened = try devices.openPlayback(choice, shape)
        try opened.prepare()
        device = opened
    }

    override func prepareDevice() throws(SystemError) { try device?.prepare() }

    override func useClock() { device = ClockPlayback(shape, into: nil) }

    override func dropDevice() { device = nil }

    /// Continues on another device at the first frame that was not played.
    override func move(to next: DeviceChoice) {
        // The next device opens before the former one stops, so that the gap is short.
        do throws(SystemError) {
            let opened = try devices.openPlayback(next, shape)
            halt()
            (device, choice, isOnClock) = (opened, next, false)
            try opened.prepare()
        } catch {
            // The former device may block the next one.
            super.move(to: next)
        }
    }

    /// Stops the sound. Frames that the device had not played are sent again later. A stream that ends does not need their number.
    override func halt() {
        defer { (isStarted, sent) = (false, played) }
        guard isStarted, let device else { return }
        if let pending = device.stop(waits: phase != .idle) { advance(leaving: pending) }
        do throws(SystemError) { try device.prepare() } catch { self.device = nil }
        report()
    }

    /// All frames that were sent have been played, except the last `pending` ones.
    private func advance(leaving pending: UInt64) {
        let now = pending < sent ? sent &- pending : 0
        if now > played { played = now }
    }

    // MARK: Moving frames

    override func move() -> UInt64 {
        guard phase.flows, let device else { return UInt64.max }
        let program = ring.program
        do throws(SystemError) {
            try measure(device)
            endStall()
            try begin(device, at: program)
            try fill(device, upTo: program)
        } catch { recover(from: error) }
        report()
        guard !ends(at: program) else { return UInt64.max }
        return nextDeadline(program)
    }

    private func measure(_ device: any PlaybackDevice) throws(SystemError) {
        guard isStarted else { return }
        do throws(SystemError) { advance(leaving: try device.pending()) } catch {
            guard error == .late else { throw error }
            played = sent
            isStarted = false
            try device.prepare()
        }
    }

    /// After an underrun PulseAudio waits for more frames than the end of a sound may have: that end is played after another start.
    private func endStall() {
        guard phase == .draining, isStarted, sent > played,
            stalls.notices(played: played, at: linux_monotonic_nanoseconds())
        else { return }
        halt()
    }

    /// Starts the device when there is a frame to play, before the frame is written.
    private func begin(_ device: any PlaybackDevice, at program: UInt64) throws(SystemError) {
        guard !isStarted, sent < program || isFreeRunning else { return }
        try device.start()
        isStarted = true
        stalls.start(at: linux_monotonic_nanoseconds())
    }

    private func fill(_ device: any PlaybackDevice, upTo program: UInt64) throws(SystemError) {
        while sent < program, sent &- played < device.queue {
            let (frames, unbroken) = ring.span(of: sent)
            let count = min(program &- sent, device.queue &- (sent &- played), unbroken)
            let accepted = try send(frames, count, to: device)
            guard accepted > 0 else { return }
            sent &+= accepted
        }
        try keepRunning(device, at: program)
    }

    private func send(_ frames: UnsafeMutableRawPointer, _ count: UInt64, to device: any PlaybackDevice) throws(SystemError)
        -> UInt64
    {
        if stream_gain_is_unity(&gain) { return try device.write(frames, count) }
        let count = min(count, scratchFrames)
        stream_gain_apply(&gain, shape.layout.sample, shape.layout.channels, frames, scratch, count)
        let accepted = try device.write(scratch, count)
        stream_gain_advance(&gain, accepted)
        return accepted
    }

    /// A stream without a stop threshold plays silence while the program is late.
    private func keepRunning(_ device: any PlaybackDevice, at program: UInt64) throws(SystemError) {
        guard isFreeRunning, phase == .running, sent >= program else { return }
        let short = min(device.period, scratchFrames)
        guard sent &- played < short else { return }
        scratch.initializeMemory(as: UInt8.self, repeating: 0, count: Int(short) * shape.layout.frameSize)
        sent &+= try device.write(scratch, short)
    }

    private var isFreeRunning: Bool { ring.pointee.stop_threshold > ring.pointee.buffer }

    private func recover(from error: SystemError) {
        // A device that has run dry has played all its frames, also those that its position did not report yet.
        if error == .late { played = sent }
        sent = played
        replaceDevice(after: error)
    }

    /// Updates the position that the program reads. If the device's periods are long compared with the program's buffer, it
    /// counts the frames that were sent, else the frames that were played.
    private func report() {
        let isCoarse = (device?.period ?? 0) &* 2 > shape.buffer
        stream_ring_advance(ring, isCoarse ? sent : played, played)
    }

    /// True when the program was late, or the drain is done.
    private func ends(at program: UInt64) -> Bool {
        if phase == .draining {
            guard played >= program else { return false }
            stop()
            stream_ring_signal(ring)
            return true
        }
        let ahead = program > played ? program &- played : 0
        let available = ring.pointee.buffer > ahead ? ring.pointee.buffer &- ahead : 0
        // A program that has written since then is not late: a frame that the ring has accepted is played.
        guard available >= ring.pointee.stop_threshold, stream_ring_close(ring, program) else { return false }
        fail(.late)
        return true
    }

    /// The time at which the device will have played enough of its queue.
    private func nextDeadline(_ program: UInt64) -> UInt64 {
        guard let device else { return UInt64.max }
        let queued = sent &- played
        let step = max(min(device.period, shape.period), 1)
        if sent >= program {
            // With a long queue the program's next frames can wait until that time.
            let hasTime = isStarted && queued > step &* 2
            guard phase == .draining || isFreeRunning || hasTime || stream_ring_await_program(ring, program) else { return 0 }
            guard isStarted else { return UInt64.max }
            return linux_monotonic_nanoseconds() &+ shape.layout.nanoseconds(of: min(max(queued, 1), step))
        }
        let low = device.queue > device.period ? device.queue &- device.period : 0
        let wait = queued > low ? min(queued &- low, step) : 0
        return linux_monotonic_nanoseconds() &+ shape.layout.nanoseconds(of: max(wait, max(step / 4, 1)))
    }
}
