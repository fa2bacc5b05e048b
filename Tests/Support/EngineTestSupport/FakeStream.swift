// SPDX-License-Identifier: Apache-2.0
import AllocationCount
public import CAudioStreams
public import CStatusPage
public import EngineClient
import LinuxSystem

/// A stream of `FakeEngine`. Its clock counts the frames of its cycles. A stream with an output has a slice in each cycle; any other has
/// the frames that the test captures.
public final class FakeStream: EngineStream, @unchecked Sendable {
    public let directions: StreamDirections
    private let engine: FakeEngine
    private var owner: EngineStreamOwner?

    private let lock = Lock()
    // Under the lock:
    private var hasStarted = false
    private var suspended = false
    /// The owner has to be told of the devices before the next cycle.
    private var needsConfiguration = false
    private var isStart = false

    public private(set) var isDestroyed = false
    public private(set) var starts = 0
    public private(set) var stops = 0
    public private(set) var ducksOthers = false
    /// The slice that the last start has asked for.
    public private(set) var frames = 0.0
    public private(set) var rate = 0.0

    /// Calls of another thread while a unit or queue is in a call of the stream.
    public var whileStarting: (() -> Void)?
    public var whileEnding: (() -> Void)?
    public var whileStopping: (() -> Void)?
    /// Runs once.
    public var whileReadingState: (() -> Void)?
    /// Called each time after the format was read.
    public var formatWasRead: (() -> Void)?

    /// The time at which the first frame after the start is heard, and the frames since then.
    private var origin: UInt64 = 1_000_000_000
    private var outputFrame: UInt64 = 0
    private var inputFrame: UInt64 = 0
    public var drift = 1.0
    /// The speed of the output's clock, as its cycles state it.
    public var rateScalar = 1.0
    /// The number of cycles in 16-bit samples.
    public private(set) var int16Cycles = 0
    /// Allocations of memory during the renders.
    public private(set) var allocations: UInt64 = 0

    init(_ engine: FakeEngine, _ owner: EngineStreamOwner, _ directions: StreamDirections) {
        self.engine = engine
        self.owner = owner
        self.directions = directions
    }

    private var hasOutput: Bool { directions.contains(.output) }
    private var hasInput: Bool { directions.contains(.input) }

    // MARK: Time and format

    public var deviceRate: Double { hasOutput ? engine.outputRate : engine.inputRate }
    /// The frames of the stream since its start.
    public var frame: UInt64 { hasOutput ? outputFrame : inputFrame }

    private func nanoseconds(_ frames: Double) -> UInt64 { deviceRate > 0 ? UInt64(frames * 1e9 / deviceRate) : 0 }

    /// When the first frame of the next cycle will be heard.
    public var time: UInt64 { origin + nanoseconds(Double(frame)) }
    /// When it is written, or was captured.
    public var now: UInt64 { time - nanoseconds(Double(engine.delay)) }

    public var slice: Int {
        engine.slice > 0 ? engine.slice : rate > 0 ? Int((frames / rate * deviceRate).rounded()) : 0
    }

    public var format: pull_format? {
        defer { formatWasRead?() }
        guard var format = engine.hardwareFormat(directions) else { return nil }
        format.slice = UInt32(slice)
        return format
    }

    // MARK: Calls of the owner

    public func start(frames: Double, rate: Double) -> Int32 {
        whileStarting?()
        guard !isDestroyed else { return -1500 }
        guard engine.startResult == 0 else { return engine.startResult }
        return lock.withLock {
            guard !hasStarted || suspended else { return 0 }
            if !hasStarted {
                origin = time
                (outputFrame, inputFrame) = (0, 0)
                starts += 1
                isStart = true
            }
            (self.frames, self.rate) = (frames, rate)
            (hasStarted, suspended, needsConfiguration) = (true, false, true)
            return 0
        }
    }

    public func stop() {
        lock.withLock {
            hasStarted = false
            stops += 1
        }
        whileStopping?()
    }

    public func suspend() { lock.withLock { suspended = hasStarted } }

    public func destroy() {
        lock.withLock { hasStarted = false }
        isDestroyed = true
        whileEnding?()
        owner = nil
    }

    public var isRunning: Bool {
        let call = whileReadingState
        whileReadingState = nil
        call?()
        return lock.withLock { hasStarted }
    }

    /// It runs without cycles.
    public var isSuspended: Bool { lock.withLock { hasStarted && suspended } }

    public func setDucksOthers(_ on: Bool) { ducksOthers = on }

    public var counters: pull_counters = {
        var counters = pull_counters()
        counters.load = 0.25
        return counters
    }()
    /// The counters of the slot in which the stream counts.
    public private(set) var slotCounters: UnsafeMutablePointer<status_counters>?
    public func count(in slot: StatusSlot) { slotCounters = slot.counters }

    // MARK: The machine

    /// The session stops the stream. The engine tells the owner before it tells the program (`reports`), and on its own thread
    /// (`tellsOwner`).
    public func interrupt(_ reason: StopReason = .interruption, tellsOwner: Bool = true, reports: Bool = false) {
        lock.withLock { hasStarted = false }
        if reports { owner?.sessionStopped() }
        if tellsOwner { owner?.stopped(reason) }
    }

    /// The stream's thread tells its owner that it has stopped.
    public func reportStop(_ reason: StopReason = .interruption) { owner?.stopped(reason) }

    /// The devices have changed: as in `hardware` of the engine. The next cycle is the first one on them.
    public func reconfigure() {
        lock.withLock { needsConfiguration = true }
        owner?.formatChanged()
    }

    /// The device loses frames.
    public func lose(_ frames: UInt64) {
        outputFrame += frames
        if !hasOutput { inputFrame += frames }
    }

    private func configureIfNeeded() {
        let (isNeeded, isStart) = lock.withLock {
            defer { (needsConfiguration, self.isStart) = (false, false) }
            return (needsConfiguration, self.isStart)
        }
        guard isNeeded, var format else { return }
        format.is_start = isStart
        owner?.configure(format)
    }

    // MARK: Cycles

    /// One cycle with captured frames. Returns what is played, interleaved: nothing while the stream has no cycles.
    @discardableResult
    public func turn(_ input: [Float] = []) -> [Float] {
        guard lock.withLock({ hasStarted && !suspended }), let owner else { return [] }
        configureIfNeeded()
        let channels = Int(engine.outputChannels)
        let room = hasOutput ? slice + Int(PULL_EXTRA_FRAMES) : 0
        // The engine leaves what a former cycle has written.
        var output = [Float](repeating: 9, count: room * channels)
        var integers = [Int16](repeating: 9, count: room * channels)
        let captured = hasInput ? input.count / Int(engine.inputChannels) : 0
        var cycle = describe(captured, room)
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                integers.withUnsafeMutableBufferPointer { integers in
                    cycle.input = captured > 0 ? input.baseAddress : nil
                    cycle.output = room > 0 ? output.baseAddress : nil
                    cycle.output_int16 = room > 0 && engine.acceptsInt16 ? integers.baseAddress : nil
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
        let played = cycle.produced > 0 ? Int(cycle.produced) : room > 0 ? slice : 0
        inputFrame += UInt64(captured)
        outputFrame += UInt64(played)
        return Array(output.prefix(min(played, room) * channels))
    }

    private func describe(_ captured: Int, _ room: Int) -> pull_cycle {
        var cycle = pull_cycle()
        (cycle.output_frame, cycle.output_time) = (outputFrame, time)
        (cycle.output_frames, cycle.output_delay) = (UInt32(room), UInt32(engine.delay))
        (cycle.input_frame, cycle.input_frames) = (inputFrame, UInt32(captured))
        // Beside an output, the frames have been captured up to the cycle.
        let before = hasOutput ? UInt64(Double(captured) / max(engine.inputRate, 1) * 1e9) : 0
        cycle.input_time = now - before
        (cycle.rate_scalar, cycle.drift) = (rateScalar, drift)
        return cycle
    }

    /// The same. Returns the silence of a slice while the stream has no cycles.
    public func cycle(capturing samples: [Float] = []) -> [Float] {
        guard lock.withLock({ hasStarted && !suspended }) else {
            return [Float](repeating: 0, count: hasOutput ? slice * Int(engine.outputChannels) : 0)
        }
        return turn(samples)
    }

    /// The allocations of this thread in so many renders, each of which captures the same samples.
    public func allocations(inCycles count: Int, capturing samples: [Float] = []) -> UInt64 {
        let before = allocations
        for _ in 0..<count { turn(samples) }
        return allocations - before
    }
}
