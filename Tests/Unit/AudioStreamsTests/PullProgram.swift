// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import CLinux
import Dispatch
import HardwareTestSupport
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import SimulatedHardware
import TestSupport
import Testing

@testable import AudioStreams

/// The program's view of one cycle.
struct SeenCycle: Equatable, Sendable {
    var frame: UInt64 = 0
    var time: UInt64 = 0
    var delay: UInt32 = 0
    var room: UInt32 = 0
    var inputFrame: UInt64 = 0
    var inputTime: UInt64 = 0
    var input: [Float] = []
    var drift = 0.0
    var scalar = 0.0
}

/// A program with one pulled stream, on a simulated machine whose clock the test steps.
final class PullProgram: @unchecked Sendable {
    let machine: PullMachine
    private(set) var stream: PulledStream!
    private let lock = Lock()
    private var seen: [SeenCycle] = []
    private var formats: [pull_format] = []
    private var threads: Set<UInt64> = []
    private var stops: [(reason: UInt32, wasRunning: Bool)] = []

    let hasStopped = DispatchSemaphore(value: 0)
    let formatHasChanged = DispatchSemaphore(value: 0)
    /// The work of each cycle, after it was noted. By default it plays 1 in each sample of a slice.
    var render: (PullProgram, inout pull_cycle) -> Void = { program, cycle in program.play(&cycle) }
    var whenStopped: (PullProgram) -> Void = { _ in }

    init(
        _ machine: PullMachine, _ directions: StreamDirections = .output, on devices: (any PullDevices)? = nil,
        in group: StreamGroup? = nil
    ) {
        self.machine = machine
        let callbacks = pull_callbacks(
            render: { context, cycle in PullProgram.from(context).note(&cycle!.pointee) },
            configure: { context, format in PullProgram.from(context).add(format!.pointee) },
            stopped: { context, reason in PullProgram.from(context).note(reason) },
            format_changed: { context in PullProgram.from(context).formatHasChanged.signal() },
            session_stopped: { context in PullProgram.from(context).noteReport() })
        stream = PulledStream(callbacks, Unmanaged.passUnretained(self).toOpaque(), directions, on: devices ?? machine.devices)
        stream.join(group ?? machine.group)
    }

    /// The program destroys its stream before it ends.
    func destroy() {
        stream?.endThreads()
        stream?.leave()
        stream = nil
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> PullProgram {
        Unmanaged<PullProgram>.fromOpaque(context!).takeUnretainedValue()
    }

    private func note(_ cycle: inout pull_cycle) {
        let new = SeenCycle(
            frame: cycle.output_frame, time: cycle.output_time, delay: cycle.output_delay, room: cycle.output_frames,
            inputFrame: cycle.input_frame, inputTime: cycle.input_time,
            input: Array(UnsafeBufferPointer(start: cycle.input, count: Int(cycle.input_frames))), drift: cycle.drift,
            scalar: cycle.rate_scalar)
        lock.withLock {
            seen.append(new)
            threads.insert(linux_thread_self())
        }
        render(self, &cycle)
    }

    private func add(_ format: pull_format) { lock.withLock { formats.append(format) } }

    /// Whether the stream ran at each report that the session has stopped it.
    var reports: [Bool] { lock.withLock { reported } }
    var whenReported: (PullProgram) -> Void = { _ in }
    private var reported: [Bool] = []

    private func noteReport() {
        let isRunning = stream?.isStarted ?? false
        lock.withLock { reported.append(isRunning) }
        whenReported(self)
    }

    private func note(_ reason: StopReason) {
        let isRunning = stream?.isStarted ?? false
        lock.withLock { stops.append((reason.rawValue, isRunning)) }
        whenStopped(self)
        hasStopped.signal()
    }

    /// Plays a slice of ones, and consumes the input.
    func play(_ cycle: inout pull_cycle, level: Float = 1) {
        let format = formats.last!
        if let output = cycle.output {
            let count = cycle.output_frames - UInt32(PULL_EXTRA_FRAMES)
            for index in 0..<Int(count * format.output_channels) { output[index] = level }
            cycle.produced = count
        }
        cycle.consumed = cycle.input_frames
    }

    var cycles: [SeenCycle] { lock.withLock { seen } }
    /// The threads that rendered.
    var streamThreads: LogThreads { .these { [self] in lock.withLock { threads } } }
    var configurations: [pull_format] { lock.withLock { formats } }
    var stopReasons: [UInt32] { lock.withLock { stops.map(\.reason) } }
    var wasRunningWhenStopped: Bool { lock.withLock { stops.contains { $0.wasRunning } } }

    func start(_ frames: Double = 512, _ rate: Double = 44_100) throws(ResultCode) {
        try stream.start(SliceLength(frames: frames, rate: rate)!)
    }
}

extension DispatchSemaphore {
    /// False after a minute.
    func happens() -> Bool { wait(timeout: .now() + 60) == .success }
}

/// A simulated machine with a clock that the test steps, and its sessions.
final class PullMachine {
    let clock: SteppedClock
    let hardware: SimulatedHardware
    let common = InProcessTable()
    let program: InProcessRegistry
    let other: InProcessRegistry
    let group: StreamGroup
    let systemSounds: StreamGroup
    let devices: PullTestDevices

    /// `real`: hardware that is not simulated, by the same clock.
    init(by clock: SteppedClock = SteppedClock(), on real: (any AudioHardware)? = nil) {
        self.clock = clock
        hardware = SimulatedHardware(file: nil, clock: clock)
        program = InProcessRegistry(in: common)
        other = InProcessRegistry(in: common, as: ProcessIdentity(pid: 4711, startTime: 1, pidNamespace: 1))
        let used: any AudioHardware = real ?? hardware
        group = StreamGroup(in: InProcessRegistry(in: common), on: used, isSimulated: real == nil)
        systemSounds = StreamGroup(
            in: InProcessRegistry(in: common), on: used, isSimulated: real == nil, playsSystemSounds: true)
        devices = PullTestDevices(clock)
    }

    /// The session of the program, in a category.
    func enter(_ category: SessionModel.Category) throws -> TableSlot {
        let slot = try program.enter(name: SessionName("test"), settings: SessionSettings(category: category, mixes: false))
        group.join(slot) { [program] () throws(ResultCode) in try program.submit(.activate(slot)) }
        return slot
    }

    func step(milliseconds: Int) { #expect(clock.step(nanoseconds: UInt64(milliseconds) * 1_000_000)) }

    /// The state of the streams in the table.
    var playback: [StreamActivity] {
        program.table().entries.compactMap { $0 }.filter { if case .streams = $0.role { true } else { false } }.map(\.playback)
    }

    var sessions: [SessionEntry] {
        program.table().entries.compactMap { $0 }.filter { $0.role == .session && $0.process == .own }
    }
}

/// Opens clocks whose output is kept, and whose input counts its frames.
final class PullTestDevices: PullDevices, @unchecked Sendable {
    /// The threads of all streams of a machine set it.
    var isInterrupted: Bool {
        get { lock.withLock { wasInterrupted } }
        set { lock.withLock { wasInterrupted = newValue } }
    }
    let clock: any DeviceClock
    private let lock = Lock()
    private var wasInterrupted = false
    private var played: [Float] = []
    private var log: [String] = []
    /// The device of the last open.
    private(set) weak var output: PullTestPlayback?
    private(set) weak var input: PullTestCapture?
    /// The samples of the output device.
    var sample = STREAM_FLOAT
    /// The position of the output device moves by so many frames.
    var step: UInt64 = 1
    var refusesOutput = false
    /// A second output opens only when the first one was given back.
    var isExclusive = false
    let isFreed = DispatchSemaphore(value: 0)

    init(_ clock: any DeviceClock) { self.clock = clock }

    deinit { isFreed.signal() }

    /// The first channel of all that was written.
    var sound: [Float] { lock.withLock { played } }
    var events: [String] { lock.withLock { log } }

    func note(_ event: String) { lock.withLock { log.append(event) } }
    func add(_ frames: UnsafeRawPointer, _ count: Int, _ layout: SampleLayout) {
        var first: [Float] = []
        for index in 0..<count {
            var frame: Float = 0
            stream_to_float(layout.sample, frames + index * layout.frameSize, &frame, 1)
            first.append(frame)
        }
        lock.withLock { played += first }
    }

    func openOutput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedOutput {
        if refusesOutput, target.choice != .silence { throw .noDevice }
        if isExclusive, output != nil {
            note("busy")
            throw .busy
        }
        note("open \(target.choice.name) \(target.rate)")
        let floats = try target.clockLayout
        let layout = SampleLayout(sample: Int32(sample.rawValue), channels: floats.channels, rate: floats.rate) ?? floats
        let device = PullTestPlayback(layout, slice, self)
        output = device
        return OpenedOutput(device: device, layout: layout)
    }

    func openInput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedInput {
        let layout = try target.clockLayout
        let device = PullTestCapture(layout, slice, self)
        input = device
        return OpenedInput(device: device, layout: layout)
    }
}

final class PullTestPlayback: PlaybackDevice {
    private let clock: ClockPlayback
    private let owner: PullTestDevices
    private let layout: SampleLayout
    /// Until this time the device does not play, and it reports an underrun then; 0: it plays.
    var stall: UInt64 = 0
    /// It was pulled out.
    var isGone = false
    /// The most frames that one write moves, and the most that wait.
    var portion = UInt64.max
    var room = UInt64.max
    /// How often it was asked for its position.
    private(set) var questions = 0
    private(set) var starts = 0
    let queue: UInt64
    let period: UInt64

    init(_ layout: SampleLayout, _ slice: SliceLength, _ owner: PullTestDevices) {
        clock = ClockPlayback(layout.shape(slice), into: nil, by: owner.clock)
        (queue, period) = (clock.queue, clock.period)
        self.layout = layout
        self.owner = owner
    }

    deinit { owner.note("close") }

    func prepare() { clock.prepare() }
    func start() {
        starts += 1
        clock.start()
    }
    func stop(waits: Bool) -> UInt64? {
        owner.note("stop")
        return clock.stop(waits: waits)
    }
    func pending() throws(SystemError) -> UInt64 {
        questions += 1
        guard !isGone else { throw .noDevice }
        guard stall > 0 else { return (try clock.pending() + owner.step - 1) / owner.step * owner.step }
        guard owner.clock.now >= stall else { return queue }
        stall = 0
        throw .late
    }
    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(SystemError) -> UInt64 {
        guard !isGone else { throw .noDevice }
        let left = room == .max ? room : room - min(try position().queued, room)
        let count = min(count, portion, left)
        guard count > 0 else { return 0 }
        owner.add(frames, Int(count), layout)
        return clock.write(frames, count)
    }
}

/// Its samples count up from 1, and a float holds them exactly.
final class PullTestCapture: CaptureDevice {
    private let clock: ClockCapture
    private let channels: Int
    private var next: Float = 1
    /// The next question about its frames is answered with an overrun.
    var isLate = false
    /// It was pulled out.
    var isGone = false
    let period: UInt64

    init(_ layout: SampleLayout, _ slice: SliceLength, _ owner: PullTestDevices) {
        clock = ClockCapture(layout.shape(slice), by: owner.clock)
        period = clock.period
        channels = Int(layout.channels)
    }

    func prepare() { clock.prepare() }
    func start() { clock.start() }
    func stop() { clock.stop() }
    func available() throws(SystemError) -> UInt64 {
        guard !isGone else { throw .noDevice }
        guard isLate else { return clock.available() }
        isLate = false
        throw .late
    }
    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) -> UInt64 {
        let read = clock.read(frames, count)
        let samples = frames.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(read) {
            for channel in 0..<channels { samples[frame * channels + channel] = next / 65_536 }
            next += 1
        }
        return read
    }
}
