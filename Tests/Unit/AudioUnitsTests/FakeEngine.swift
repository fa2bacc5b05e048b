// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import CAudioStreams
import CStatusPage
import EngineClient

/// An engine without threads: a test turns each cycle itself, on its own thread.
final class FakeEngine: AudioEngineClient, @unchecked Sendable {
    var hardware = pull_format(
        output_rate: 48_000, input_rate: 48_000, output_channels: 2, input_channels: 1, slice: 0, shares_clock: true,
        is_start: false)
    var preferredSlice = 0.0
    /// The output device has 16-bit samples, and no gain changes them.
    var acceptsInt16 = false
    /// The result of the next starts.
    var startStatus: Int32 = 0
    var refusesStreams = false
    private(set) var publishedSlice = 0.0
    private(set) var streams: [FakeStream] = []

    /// Calls of another thread while the unit is in a call of the engine.
    var whilePublishing: (() -> Void)?
    /// For the streams that are made from now on.
    var whileReadingState: (() -> Void)?

    func publishSlice(seconds: Double) {
        publishedSlice = seconds
        let call = whilePublishing
        whilePublishing = nil
        call?()
    }
    func hardwareRate(isInput: Bool) -> Double { isInput ? hardware.input_rate : hardware.output_rate }

    func hardwareFormat(_ directions: StreamDirections) -> pull_format? {
        guard hardware.output_rate > 0 || hardware.input_rate > 0 else { return nil }
        var format = hardware
        if !directions.contains(.output) { (format.output_rate, format.output_channels) = (0, 0) }
        if !directions.contains(.input) { (format.input_rate, format.input_channels) = (0, 0) }
        return format
    }

    func makeStream(for owner: EngineStreamOwner, _ directions: StreamDirections) -> EngineStreamResult {
        guard !refusesStreams else { return .refused(-19) }
        let stream = FakeStream(self, owner, directions)
        stream.whileReadingState = whileReadingState
        streams.append(stream)
        return .stream(stream)
    }

    /// Units play no system sounds.
    func makeSystemSoundStream(for owner: EngineStreamOwner) -> EngineStreamResult { .refused(-19) }

    /// Where units describe themselves; nil: no slot is free.
    var statusPage: UnsafeMutablePointer<status_page>?
    func makeStatusSlot() -> StatusSlot? { statusPage.flatMap { status_claim($0) }.map { StatusSlot($0) } }

    /// The stream that the unit uses.
    var stream: FakeStream? { streams.last { !$0.isDestroyed } }
}

final class FakeStream: EngineStream, @unchecked Sendable {
    private let engine: FakeEngine
    private var owner: EngineStreamOwner?
    let directions: StreamDirections
    private var hasStarted = false
    /// Runs `whileReadingState` once.
    private(set) var isRunning: Bool {
        get {
            let call = whileReadingState
            whileReadingState = nil
            call?()
            return hasStarted
        }
        set { hasStarted = newValue }
    }
    private(set) var isDestroyed = false
    private(set) var starts = 0
    private(set) var stops = 0
    /// Calls of another thread while the unit is in a call of the stream.
    var whileStarting: (() -> Void)?
    var whileEnding: (() -> Void)?
    var whileStopping: (() -> Void)?
    var whileReadingState: (() -> Void)?
    private(set) var ducksOthers = false
    /// The slice that the unit has asked for.
    private(set) var frames = 0.0
    private(set) var rate = 0.0
    private var outputFrame: UInt64 = 0
    private var inputFrame: UInt64 = 0
    /// Nanoseconds at the next cycle.
    var now: UInt64 = 1_000_000_000
    var drift = 1.0
    /// The number of cycles in 16-bit samples.
    private(set) var int16Cycles = 0
    /// Allocations of memory during the cycles.
    private(set) var allocations: UInt64 = 0

    init(_ engine: FakeEngine, _ owner: EngineStreamOwner, _ directions: StreamDirections) {
        self.engine = engine
        self.owner = owner
        self.directions = directions
    }

    var slice: Int {
        let deviceRate = directions.contains(.output) ? engine.hardware.output_rate : engine.hardware.input_rate
        return Int((frames / rate * deviceRate).rounded())
    }

    var format: pull_format? {
        guard var format = engine.hardwareFormat(directions) else { return nil }
        format.slice = starts > 0 ? UInt32(slice) : 0
        return format
    }

    func start(frames: Double, rate: Double) -> Int32 {
        whileStarting?()
        guard !isDestroyed else { return -1500 }
        guard engine.startStatus == 0 else { return engine.startStatus }
        guard !isRunning else { return 0 }
        (self.frames, self.rate) = (frames, rate)
        starts += 1
        isRunning = true
        (outputFrame, inputFrame) = (0, 0)
        configure(isStart: true)
        return 0
    }

    func configure(isStart: Bool = false) {
        guard var format else { return }
        format.is_start = isStart
        owner?.configure(format)
    }

    func stop() {
        isRunning = false
        stops += 1
        whileStopping?()
    }
    func setDucksOthers(_ on: Bool) { ducksOthers = on }

    func destroy() {
        isRunning = false
        isDestroyed = true
        whileEnding?()
        owner = nil
    }

    var counters: pull_counters = {
        var counters = pull_counters()
        counters.load = 0.25
        return counters
    }()
    /// The counters of the slot in which the stream counts.
    private(set) var slotCounters: UnsafeMutablePointer<status_counters>?
    func count(in slot: StatusSlot) { slotCounters = slot.counters }
    /// Only streams of queues are suspended.
    func suspend() {}

    // MARK: The machine

    func interrupt(_ reason: StopReason = .interruption) {
        guard isRunning else { return }
        isRunning = false
        owner?.stopped(reason)
    }

    /// The session stops the stream and is about to tell the program of it.
    func stopBySession() {
        guard isRunning else { return }
        isRunning = false
        owner?.sessionStopped()
    }

    /// The stream's thread tells its owner that it has stopped.
    func reportStop(_ reason: StopReason = .interruption) { owner?.stopped(reason) }

    /// The devices have changed: as in `hardware` of the engine.
    func changeFormat() {
        configure()
        owner?.formatChanged()
    }

    func lose(frames: Int) { outputFrame += UInt64(frames) }

    /// One cycle with captured frames. Returns what is played, interleaved.
    @discardableResult
    func turn(_ input: [Float] = []) -> [Float] {
        guard isRunning, let owner else { return [] }
        let channels = Int(engine.hardware.output_channels)
        let room = directions.contains(.output) ? slice + Int(PULL_EXTRA_FRAMES) : 0
        // The engine leaves what a former cycle has written.
        var output = [Float](repeating: 9, count: room * channels)
        var integers = [Int16](repeating: 9, count: room * channels)
        var cycle = pull_cycle()
        cycle.output_frame = outputFrame
        cycle.input_frame = inputFrame
        cycle.output_time = now + 10_000_000
        cycle.rate_scalar = 1
        cycle.drift = drift
        let captured = directions.contains(.input) ? input.count / Int(engine.hardware.input_channels) : 0
        // Captured up to now.
        cycle.input_time = now - UInt64(Double(captured) / max(engine.hardware.input_rate, 1) * 1e9)
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                integers.withUnsafeMutableBufferPointer { integers in
                    cycle.input = captured > 0 ? input.baseAddress : nil
                    cycle.input_frames = UInt32(captured)
                    cycle.output = room > 0 ? output.baseAddress : nil
                    cycle.output_int16 = room > 0 && engine.acceptsInt16 ? integers.baseAddress : nil
                    cycle.output_frames = UInt32(room)
                    let before = allocation_count()
                    owner.render(&cycle)
                    allocations += allocation_count() - before
                }
            }
        }
        if cycle.produces_int16 {
            int16Cycles += 1
            output = integers.map { Float($0) / 32_768 }
        }
        if cycle.produced == 0 { output = [Float](repeating: 0, count: output.count) }
        inputFrame += UInt64(captured)
        let played = cycle.produced > 0 ? Int(cycle.produced) : (room > 0 ? slice : 0)
        outputFrame += UInt64(played)
        let deviceRate = room > 0 ? engine.hardware.output_rate : engine.hardware.input_rate
        now += UInt64(Double(room > 0 ? played : captured) / deviceRate * 1e9)
        return Array(output[..<(min(played, room) * channels)])
    }
}
