// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import EngineClient
import EngineTestSupport
import LinuxSystem
import MediaFormats
import TestSupport

@testable import AudioQueues

extension FakeEngine {
    /// The samples that so many cycles play.
    @discardableResult
    func play(cycles: Int = 1) -> [Float] { (0..<cycles).flatMap { _ in output?.cycle() ?? [] } }
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
        _ description: StreamDescription, isInput: Bool = false, engine: FakeEngine = FakeEngine(slice: 256),
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

/// The left channel of stereo frames.
func leftSide(_ samples: [Float]) -> [Float] { stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
