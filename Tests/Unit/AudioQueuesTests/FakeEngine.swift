// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioConverters
import CAudioStreams
import CStatusPage
import EngineClient
import LinuxSystem
import MediaFormats
import TestSupport

@testable import AudioQueues

/// An engine whose cycles the test runs, on the test's thread. Its clock counts the frames.
final class FakeEngine: AudioEngineClient, @unchecked Sendable {
    var outputRate = 48_000.0
    var inputRate = 48_000.0
    var outputChannels: UInt32 = 2
    var inputChannels: UInt32 = 1
    var slice = 256
    /// The output device has 16-bit samples, and no gain changes them.
    var acceptsInt16 = false
    /// Frames between writing and hearing.
    var delay = 512
    var startResult: Int32 = 0
    private(set) var output: FakeStream?
    private(set) var input: FakeStream?
    private(set) var systemSounds: FakeStream?

    func makeStream(for owner: EngineStreamOwner, _ directions: StreamDirections) -> EngineStreamResult {
        let stream = FakeStream(self, owner, isInput: directions == .input)
        if stream.isInput { input = stream } else { output = stream }
        return .stream(stream)
    }

    func makeSystemSoundStream(for owner: EngineStreamOwner) -> EngineStreamResult {
        let stream = FakeStream(self, owner, isInput: false)
        systemSounds = stream
        return .stream(stream)
    }

    /// False: the session has no preference.
    var prefersSlice = true
    var preferredSlice: Double { prefersSlice ? Double(slice) / 48_000 : 0 }
    private(set) var publishedSlice = 0.0
    func publishSlice(seconds: Double) { publishedSlice = seconds }
    func hardwareFormat(_ directions: StreamDirections) -> pull_format? {
        var format = pull_format()
        if directions.contains(.input) { (format.input_rate, format.input_channels) = (inputRate, inputChannels) }
        if directions.contains(.output) { (format.output_rate, format.output_channels) = (outputRate, outputChannels) }
        return format
    }
    func hardwareRate(isInput: Bool) -> Double { isInput ? inputRate : outputRate }

    /// Where queues describe themselves; nil: no slot is free.
    var statusPage: UnsafeMutablePointer<status_page>?
    func makeStatusSlot() -> StatusSlot? { statusPage.flatMap { status_claim($0) }.map { StatusSlot($0) } }

    /// The samples that so many cycles play.
    @discardableResult
    func play(cycles: Int = 1) -> [Float] { (0..<cycles).flatMap { _ in output?.cycle() ?? [] } }
}

final class FakeStream: EngineStream, @unchecked Sendable {
    let isInput: Bool
    private let engine: FakeEngine
    private var owner: EngineStreamOwner?
    private let lock = Lock()
    private var running = false
    private var needsConfiguration = false
    private(set) var starts = 0
    /// The length of a slice that the last start has asked for.
    private(set) var wantedFrames = 0.0
    private(set) var stops = 0
    private var suspended = false
    /// The time of the first frame after the start, and the frames since then.
    private var origin: UInt64 = 1_000_000_000
    private(set) var frame: UInt64 = 0
    /// The number of cycles in 16-bit samples.
    private(set) var int16Cycles = 0

    init(_ engine: FakeEngine, _ owner: EngineStreamOwner, isInput: Bool) {
        self.engine = engine
        self.owner = owner
        self.isInput = isInput
    }

    /// Called each time after the format was read.
    var formatWasRead: (() -> Void)?

    var format: pull_format? {
        defer { formatWasRead?() }
        var format = engine.hardwareFormat(isInput ? .input : .output)
        format?.slice = UInt32(engine.slice)
        return format
    }

    var rate: Double { isInput ? engine.inputRate : engine.outputRate }
    /// When the frame that is written next will be heard.
    var time: UInt64 { origin + UInt64(Double(frame) * 1e9 / rate) }
    /// When it is written.
    var now: UInt64 { time - UInt64(Double(engine.delay) * 1e9 / rate) }

    func start(frames: Double, rate: Double) -> Int32 {
        lock.withLock {
            guard engine.startResult == 0 else { return engine.startResult }
            if !running {
                origin = time
                frame = 0
                starts += 1
            }
            wantedFrames = frames
            (running, suspended) = (true, false)
            needsConfiguration = true
            return 0
        }
    }

    func stop() {
        lock.withLock {
            if running { stops += 1 }
            running = false
        }
    }

    func suspend() { lock.withLock { suspended = running } }
    /// The counters of the slot in which the stream counts.
    private(set) var slotCounters: UnsafeMutablePointer<status_counters>?
    func count(in slot: StatusSlot) { slotCounters = slot.counters }
    /// Only streams of units duck others.
    func setDucksOthers(_ on: Bool) {}

    var isRunning: Bool { lock.withLock { running } }
    /// It runs without cycles.
    var isSuspended: Bool { lock.withLock { running && suspended } }
    var counters: pull_counters { pull_counters() }
    func destroy() {
        stop()
        owner = nil
    }

    /// The session stops the stream. The engine tells the owner on its own thread, and before the program is told.
    func interrupt(tellsOwner: Bool = true, reports: Bool = false) {
        lock.withLock { running = false }
        if reports { owner?.sessionStopped() }
        if tellsOwner { owner?.stopped(.interruption) }
    }

    /// The device changes.
    func reconfigure() {
        lock.withLock { needsConfiguration = true }
        owner?.formatChanged()
    }

    /// The device loses frames.
    func lose(_ frames: UInt64) { frame += frames }

    /// The allocations of this thread in so many cycles, each of which captures the same samples.
    func allocations(inCycles count: Int, capturing samples: [Float] = []) -> UInt64? {
        let channels = Int(engine.outputChannels)
        var output = [Float](repeating: 0, count: (engine.slice + 16) * channels)
        var cycle = pull_cycle()
        cycle.rate_scalar = 1
        cycle.output_frames = UInt32(engine.slice + 16)
        cycle.input_frames = UInt32(samples.count / Int(engine.inputChannels))
        return samples.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (cycle.input, cycle.output) = (input.baseAddress, output.baseAddress)
                guard let owner else { return nil }
                let before = allocation_count()
                for _ in 0..<count {
                    (cycle.output_frame, cycle.output_time) = (frame, time)
                    (cycle.input_frame, cycle.input_time) = (frame, now)
                    owner.render(&cycle)
                    frame += UInt64(isInput ? cycle.consumed : cycle.produced)
                }
                return allocation_count() - before
            }
        }
    }

    /// Runs one cycle. Returns what was played: silence while the stream stands still.
    func cycle(capturing samples: [Float] = []) -> [Float] {
        let channels = Int(isInput ? engine.inputChannels : engine.outputChannels)
        var output = [Float](repeating: 0, count: isInput ? 0 : (engine.slice + 16) * channels)
        var integers = [Int16](repeating: 9, count: output.count)
        let (runs, isNew) = lock.withLock { () -> (Bool, Bool) in
            let runs = running && !suspended
            defer { if runs { needsConfiguration = false } }
            return (runs, needsConfiguration)
        }
        guard runs, let owner, let format else { return Array(output.prefix(engine.slice * channels)) }
        if isNew { owner.configure(format) }
        var cycle = pull_cycle()
        (cycle.rate_scalar, cycle.drift) = (1, 1)
        var produced = 0
        output.withUnsafeMutableBufferPointer { output in
            withTwoBuffers(samples, &integers) { input, integers in
                if isInput {
                    (cycle.input_frame, cycle.input_time) = (frame, now)
                    cycle.input = input.baseAddress
                    cycle.input_frames = UInt32(input.count / channels)
                } else {
                    // The engine leaves what a former cycle has written.
                    output.update(repeating: 9)
                    (cycle.output_frame, cycle.output_time) = (frame, time)
                    cycle.output_delay = UInt32(engine.delay)
                    cycle.output = output.baseAddress
                    cycle.output_int16 = engine.acceptsInt16 ? integers.baseAddress : nil
                    cycle.output_frames = UInt32(engine.slice + 16)
                }
                owner.render(&cycle)
                produced = Int(isInput ? cycle.consumed : cycle.produced)
            }
        }
        frame += UInt64(produced)
        if cycle.produces_int16 {
            int16Cycles += 1
            output = floats(integers)
        }
        return Array(output.prefix(produced * channels))
    }
}

private func withTwoBuffers(
    _ samples: [Float], _ integers: inout [Int16],
    _ body: (UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Int16>) -> Void
) {
    samples.withUnsafeBufferPointer { input in integers.withUnsafeMutableBufferPointer { body(input, $0) } }
}

/// Keeps what is written.
final class RecordedReference: PlaybackReference, PlaybackWriter, @unchecked Sendable {
    var isWanted = true
    private(set) var rates: [Double] = []
    private(set) var times: [UInt64] = []
    private(set) var frames: [Float] = []

    func makeWriter(deviceRate: Double) -> (any PlaybackWriter)? {
        rates.append(deviceRate)
        return self
    }

    func write(_ output: UnsafePointer<Float>, channels: Int, frames count: Int, heardAt time: UInt64) {
        guard isWanted else { return }
        times.append(time)
        frames += UnsafeBufferPointer(start: output, count: channels * count)
    }
}

/// A delivery that the test makes itself.
final class ManualDelivery: QueueDelivery, @unchecked Sendable {
    private let queue: Queue
    private let lock = Lock()
    private var wanted = false
    private(set) var isInvalid = false

    init(_ queue: Queue) { self.queue = queue }

    func signal() { lock.withLock { wanted = true } }
    func invalidate() { lock.withLock { isInvalid = true } }

    func deliver() {
        let wanted = lock.withLock {
            defer { self.wanted = false }
            return self.wanted
        }
        if wanted { queue.deliver() }
    }
}

/// One queue with a fake engine and no threads. Each step runs a cycle, the dispatcher and the delivery.
final class Bench: @unchecked Sendable {
    let engine: FakeEngine
    let service: QueueService
    let handle: UInt
    let queue: Queue
    private(set) var delivery: ManualDelivery?
    private(set) var returned: [Queue.ReturnedBuffer] = []
    var onBuffer: (Queue.ReturnedBuffer) -> Void = { _ in }
    private(set) var changes: [UInt32] = []
    var onChange: () -> Void = {}

    init(
        _ description: StreamDescription, isInput: Bool = false, engine: FakeEngine = FakeEngine(),
        reference: RecordedReference? = nil, codec: (any PacketDecoder)? = nil,
        encoder: (any VariablePacketEncoder)? = nil
    ) throws {
        self.engine = engine
        service = QueueService(engine, reference: reference, hasDispatcher: false)
        let box = Box()
        let handlers = Queue.Handlers { box.bench?.received($1) }
        let place: QueueService.MakeDelivery = { queue in
            let delivery = ManualDelivery(queue)
            box.delivery = delivery
            return delivery
        }
        handle =
            try isInput
            ? service.makeInput(description, codec: { _ in encoder }, handlers, on: place)
            : service.makeOutput(description, codec: codec, handlers, on: place)
        queue = try service.queues.object(handle)
        delivery = box.delivery
        // The queue references the box.
        box.delivery = nil
        box.bench = self
        try queue.addListener(QueueState.isRunningProperty, procedure: 1, data: 2) { [unowned self] in
            changes.append($1)
            onChange()
        }
    }

    private final class Box: @unchecked Sendable {
        weak var bench: Bench?
        var delivery: ManualDelivery?
    }

    deinit { service.end() }

    private func received(_ buffer: Queue.ReturnedBuffer) {
        returned.append(buffer)
        onBuffer(buffer)
    }

    /// Allocates a buffer with these bytes.
    func buffer(_ bytes: [UInt8]) throws -> Queue.Allocation {
        let allocation = try queue.allocateBuffer(bytes: UInt32(max(bytes.count, 1)))
        allocation.data.copyMemory(from: bytes, byteCount: bytes.count)
        return allocation
    }

    @discardableResult
    func enqueue(_ samples: [Int16], _ options: Queue.EnqueueOptions = .init()) throws -> UInt {
        let bytes = samples.withUnsafeBytes { Array($0) }
        let address = UInt(bitPattern: try buffer(bytes).header)
        try queue.enqueue(address, bytes: UInt32(bytes.count), options)
        return address
    }

    /// So many cycles; the dispatcher and the delivery run after each. Returns what is played.
    @discardableResult
    func run(_ cycles: Int = 1) -> [Float] {
        var played: [Float] = []
        for _ in 0..<cycles {
            played += engine.play()
            settle()
        }
        return played
    }

    /// Starts the queue and runs until it had no buffer for a second.
    func runDry() throws {
        try enqueue([1])
        try queue.start()
        run(Int(engine.outputRate) / engine.slice + 20)
    }

    func settle() {
        service.dispatch()
        delivery?.deliver()
    }

    func capture(_ samples: [Float]) {
        _ = engine.input?.cycle(capturing: samples)
        settle()
    }

    var isRunning: Bool { (try? queue.property(QueueState.isRunningProperty))?.first == 1 }
}

func int16(rate: Double = 48_000, channels: UInt32 = 2) -> StreamDescription {
    StreamDescription(
        sampleRate: rate, formatID: FormatID.linearPCM, formatFlags: [.signedInteger, .packed], bytesPerPacket: 2 * channels,
        framesPerPacket: 1, bytesPerFrame: 2 * channels, channelsPerFrame: channels, bitsPerChannel: 16)
}

/// Noise that no fade or mix can be mistaken for.
func noise(_ count: Int, seed: UInt64 = 1) -> [Int16] {
    var generator = SeededGenerator(seed)
    return (0..<count).map { _ in Int16.random(in: -20_000...20_000, using: &generator) }
}

func floats(_ samples: some Sequence<Int16>) -> [Float] { samples.map { Float($0) / 32_768 } }

/// Of stereo frames.
func leftSide(_ samples: [Float]) -> [Float] { stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
