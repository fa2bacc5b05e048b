// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import LinuxSystem

/// The output of a pulled stream on one device. Only the stream's thread uses it. After the initialization nothing
/// allocates, except when a device fails.
///
/// The queue of the device holds two slices: one plays, and one waits. If the periods of the device are longer than a slice, a
/// period replaces the first slice.
final class PullOutput: PullSide {
    let layout: SampleLayout
    private(set) var source: ClockSource
    /// In frames of the device.
    let slice: UInt64
    let room: UInt64

    private let clock: any DeviceClock
    private let counters: PullCounters
    private var device: any PlaybackDevice
    /// A slice is due when the queue has this number of frames.
    private let threshold: UInt64
    /// The position of a card moves in steps, so that the queue seems longer than it is. A slice that is due by the clock is written
    /// although the queue seems longer by this number of frames, so that the thread does not wait a second time. A slice that is not
    /// due is not written: the input has not captured its frames.
    private let tolerance: UInt64
    /// The time of the next slice, computed from a position of the device; 0: none was computed since the last start.
    private var dueTime: UInt64 = 0
    /// The frames of the program, the frames with the gain applied, and the frames in the format of the device. A program with
    /// the samples of the device writes the last.
    private let frames: UnsafeMutablePointer<Float>
    private let scaled: UnsafeMutablePointer<Float>
    private let bytes: UnsafeMutableRawPointer
    private let silence: UnsafeMutableRawPointer
    /// Frames in `bytes` that the device has not accepted yet.
    private var unsent: (first: UInt64, count: UInt64) = (0, 0)

    private var position = PlaybackPosition(queued: 0, delay: 0)
    /// The time at which the device stated the position. Nil if it has stated none since the last start, or has not accepted all
    /// frames.
    private var measured: UInt64?
    /// The device has been written to. Before the first write it has no position.
    private var hasWritten = false
    /// Frames of silence that precede the program's, so that the input has a slice for the first cycle.
    private var priming: UInt64 = 0
    /// The device was started again since the last cycle.
    private var wasRestarted = false
    /// The frames that the device has accepted since its start, with its lead.
    private var accepted: UInt64 = 0
    private var stalls = StallWatch()
    private var gain = stream_gain(now: 1, target: 1, left: 0)
    private(set) var loop: DelayLockedLoop
    /// The number of frames that were played or lost.
    private var frame: UInt64 = 0

    init(
        _ opened: OpenedOutput, _ source: ClockSource, _ length: SliceLength, by clock: any DeviceClock,
        _ counters: PullCounters, after former: PullOutput?
    ) {
        device = opened.device
        layout = opened.layout
        self.source = source
        self.clock = clock
        self.counters = counters
        slice = length.frames(at: opened.layout.rate)
        room = slice &+ UInt64(PULL_EXTRA_FRAMES)
        // A slice is written to a short buffer in parts.
        let longest = opened.device.capacity
        let most = longest > slice ? longest &- slice : longest / 2
        threshold = min(max(slice, opened.device.period), most)
        tolerance = min(slice / 2, most &- threshold)
        let samples = Int(room) * Int(opened.layout.channels)
        frames = .allocate(capacity: samples)
        frames.initialize(repeating: 0, count: samples)
        scaled = .allocate(capacity: samples)
        scaled.initialize(repeating: 0, count: samples)
        bytes = .allocate(byteCount: Int(room) * opened.layout.frameSize, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Int(room) * opened.layout.frameSize)
        silence = .allocate(byteCount: Int(room) * opened.layout.frameSize, alignment: 16)
        silence.initializeMemory(as: UInt8.self, repeating: 0, count: Int(room) * opened.layout.frameSize)
        loop = DelayLockedLoop(rate: layout.rate, after: former?.loop)
        frame = former.map { layout.frames(lasting: $0.frame, of: $0.layout) } ?? 0
        if let former { gain = former.gain }
    }

    deinit {
        frames.deallocate()
        scaled.deallocate()
        bytes.deallocate()
        silence.deallocate()
    }

    // MARK: Start and stop

    /// With an input the device starts with two slices of silence.
    func start(withInput: Bool) {
        if withInput {
            // The margin covers the steps of the position of a real device.
            let margin = source == .system ? 0 : layout.frames(inMilliseconds: 2)
            priming = threshold &+ slice &+ margin
        }
        startOrUseClock()
    }

    private func startOrUseClock() {
        do throws(SystemError) { try startDevice() } catch { useClock(after: error) }
    }

    private func startDevice() throws(SystemError) {
        (hasWritten, measured, dueTime) = (false, nil, 0)
        try device.prepare()
        try device.start()
        var queued = device.lead
        stalls.start(at: clock.now)
        accepted = queued
        if priming > queued { queued &+= try writeSilence(priming &- queued) }
        position = PlaybackPosition(queued: queued, delay: queued)
        wasRestarted = loop.hasStarted
        // The silence is followed by the frames that the device did not accept before.
        let lost = loop.start(at: clock.now &+ layout.nanoseconds(of: queued &+ unsent.count))
        frame &+= lost
        counters.addLost(lost)
    }

    private func writeSilence(_ count: UInt64) throws(SystemError) -> UInt64 {
        var written: UInt64 = 0
        while written < count {
            let taken = try device.write(silence, min(count &- written, room))
            guard taken > 0 else { break }
            written &+= taken
            accepted &+= taken
            hasWritten = true
        }
        return written
    }

    func halt() { _ = device.stop(waits: false) }

    func release() { device = silentDevice }

    private var silentDevice: ClockPlayback {
        ClockPlayback(StreamShape(layout: layout, period: slice, buffer: slice * 2), into: nil, by: clock)
    }

    /// Plays silence by the clock until the route changes.
    private func useClock(after error: SystemError) {
        Log.debug("the output device failed: \(error.text). The stream is silent until the route changes")
        device = silentDevice
        source = .system
        do throws(SystemError) { try startDevice() } catch {}
    }

    /// Restarts the device after an underrun or the sleep of the machine. Any other error is permanent.
    private func recover(from error: SystemError) {
        guard error == .late || error == .suspended else { return useClock(after: error) }
        if counters.addUnderrun() {
            Log.debug("the output device was late: the program or the machine is too slow")
        }
        startOrUseClock()
    }

    /// True once after each further start of a device.
    func consumeRestart() -> Bool {
        defer { wasRestarted = false }
        return wasRestarted
    }

    // MARK: A cycle

    /// The number of frames to wait until the next cycle; 0: a slice fits now.
    func framesToWait() -> UInt64 {
        do throws(SystemError) {
            if hasWritten {
                position = try device.position()
                measured = unsent.count == 0 ? clock.now : nil
                noticeStall()
            }
            try flush()
        } catch { recover(from: error) }
        guard unsent.count == 0 else { return leastWait }
        // The first slice follows the lead immediately.
        guard hasWritten else { return 0 }
        let now = clock.now
        let excess = excess(queued: position.queued)
        let isDue = excess == 0 || (excess <= tolerance && now >= dueTime)
        guard !isDue else { return 0 }
        let wait = excess <= tolerance ? excess : max(excess, leastWait)
        dueTime = layout.time(after: wait, from: now)
        return wait
    }

    private func noticeStall() {
        guard stalls.notices(played: accepted &- position.queued, at: clock.now) else { return }
        Log.debug("the output device has accepted frames, and has played nothing for two seconds: it may be blocked, or broken")
    }

    private var leastWait: UInt64 { max(slice / 8, 1) }

    /// The frames that have to play until a slice is due.
    private func excess(queued: UInt64) -> UInt64 { queued > threshold ? queued &- threshold : 0 }

    func describe(_ cycle: inout pull_cycle) {
        cycle.output = frames
        if layout.sample == STREAM_S16.rawValue, stream_gain_is_unity(&gain) {
            cycle.output_int16 = bytes.assumingMemoryBound(to: Int16.self)
        }
        cycle.output_frames = UInt32(clamping: room)
        cycle.output_frame = frame
        cycle.output_time = loop.update(measured: (measured ?? clock.now) &+ layout.nanoseconds(of: position.delay))
        cycle.output_delay = UInt32(clamping: position.delay)
        cycle.rate_scalar = loop.scalar
    }

    func setGain(_ target: Float, ramp: Bool) {
        guard gain.target != target || !ramp else { return }
        stream_gain_ramp(&gain, target, ramp ? UInt32(clamping: layout.frames(inMilliseconds: 40)) : 0)
    }

    /// Plays the frames that the program has produced, or a slice of silence if there are none. Returns the time of the next
    /// cycle, computed from the last position of the device; 0: the device has to be asked.
    func send(_ cycle: pull_cycle) -> UInt64 {
        let produced = UInt64(cycle.produced)
        let count = produced == 0 ? slice : min(produced, room)
        if produced == 0 { frames.update(repeating: 0, count: Int(count) * Int(layout.channels)) }
        if produced == 0 || !cycle.produces_int16 || cycle.output_int16 == nil { convert(count) }
        unsent = (0, count)
        frame &+= count
        loop.advance(by: count)
        do throws(SystemError) {
            try checkDelay()
            try flush()
        } catch { recover(from: error) }
        guard let measured, unsent.count == 0 else {
            dueTime = 0
            return 0
        }
        let wait = excess(queued: position.queued &+ count)
        dueTime = wait > 0 ? layout.time(after: wait, from: measured) : 0
        return dueTime
    }

    /// Applies the gain to the program's floats, and converts them to the samples of the device.
    private func convert(_ count: UInt64) {
        let samples = Int(count) * Int(layout.channels)
        guard !stream_gain_is_unity(&gain) else { return stream_from_float(layout.sample, frames, bytes, samples) }
        stream_gain_apply(&gain, Int32(STREAM_FLOAT.rawValue), layout.channels, frames, scaled, count)
        stream_gain_advance(&gain, count)
        stream_from_float(layout.sample, scaled, bytes, samples)
    }

    /// A device accepts frames that are too late until it notices that it has played the last one. It notices when it is asked.
    private func checkDelay() throws(SystemError) {
        guard hasWritten || device.lead > 0 else { return }
        if let measured, clock.now &- measured < layout.nanoseconds(of: position.queued &- min(slice / 2, position.queued)) {
            return
        }
        position = try device.position()
        measured = clock.now
    }

    private func flush() throws(SystemError) {
        while unsent.count > 0 {
            let taken = try device.write(bytes + Int(unsent.first) * layout.frameSize, unsent.count)
            guard taken > 0 else { return }
            hasWritten = true
            accepted &+= taken
            unsent = (unsent.first &+ taken, unsent.count &- min(taken, unsent.count))
        }
    }
}
