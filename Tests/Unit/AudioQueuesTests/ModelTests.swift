// SPDX-License-Identifier: Apache-2.0
import CLinux
import EngineTestSupport
import LinuxSystem
import MediaFormats
import Synchronization
import TestSupport
import Testing

@testable import AudioQueues

/// The rules of a queue, written without its code.
private struct Model {
    enum Run { case stopped, running, paused }
    var run = Run.stopped
    var isStopping = false
    /// The session interrupted a stop, or the program called it while the queue did not run.
    var wasStopping = false
    var isInterrupted = false
    var isHandingBack = false
    var isDisposed = false
    var programs: Set<UInt> = []
    var queued: [UInt] = []

    func enqueueing(_ buffer: UInt) -> QueueStatus? {
        if isDisposed { return .queueInvalidated }
        if queued.contains(buffer) { return .bufferEnqueuedTwice }
        if !programs.contains(buffer) { return .invalidBuffer }
        return isHandingBack || isStopping ? .enqueueDuringReset : nil
    }

    func freeing(_ buffer: UInt) -> QueueStatus? {
        if isDisposed { return .queueInvalidated }
        if queued.contains(buffer) { return .bufferInQueue }
        return programs.contains(buffer) ? nil : .invalidBuffer
    }
}

/// Random calls, also inside callbacks, compared with the model after each.
private final class Comparison {
    private let bench: Bench
    private var model = Model()
    private var generator: SeededGenerator
    private var returnedCount = 0
    private var nesting = 0
    private(set) var faults: [String] = []
    private var history: [String] = []
    private var sizes: [UInt: UInt32] = [:]
    /// Buffers in the order of their allocation: addresses, and which of them are used again, differ between processes.
    private var order: [UInt: Int] = [:]
    private var allocations = 0

    init(seed: UInt64) throws {
        bench = try Bench(int16(channels: 1))
        generator = SeededGenerator(seed)
        bench.onBuffer = { [unowned self] in bufferReturned($0.address) }
    }

    private func expect(_ found: QueueStatus?, _ wanted: QueueStatus?, _ call: String) {
        history.append(call)
        if found != wanted {
            faults.append(
                "\(call): \(String(describing: found)) and not \(String(describing: wanted)) after \(history.suffix(12))")
        }
    }

    private func bufferReturned(_ address: UInt) {
        history.append("returned")
        if model.isDisposed { faults.append("a callback after the disposal") }
        if model.queued.first != address { faults.append("a buffer came back out of its order after \(history.suffix(12))") }
        model.queued.removeAll { $0 == address }
        model.programs.insert(address)
        nesting += 1
        defer { nesting -= 1 }
        guard nesting < 4 else { return }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...4: enqueue(address)
        case 5: free(address)
        case 6: step()
        default: break
        }
    }

    func run(_ steps: Int) -> [String] {
        for _ in 0..<steps where faults.isEmpty && !model.isDisposed { step() }
        for _ in 0..<200 where faults.isEmpty && !model.isDisposed { cycle() }
        if !model.isDisposed { dispose() }
        return faults
    }

    private func step() {
        let known = model.programs.sorted { order[$0, default: 0] < order[$1, default: 0] } + model.queued
        // An address differs from process to process, and its place does not.
        let any = known.isEmpty ? 1 : known[Int.random(in: known.indices, using: &generator)]
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<12: allocate()
        case 12..<15: free(any)
        case 15..<45: enqueue(any)
        case 45..<55: start()
        case 55..<60: pause()
        case 60..<64: stopNow()
        case 64..<68: stopLater()
        case 68..<71: reset()
        case 71..<73 where nesting == 0: interrupt()
        case 73: if Int.random(in: 0..<20, using: &generator) == 0 { dispose() }
        case 74 where nesting == 0: runDry()
        default: if nesting == 0 { cycle() }
        }
    }

    /// Rarely: it takes more than a second of sound.
    private func runDry() {
        guard Int.random(in: 0..<10, using: &generator) == 0 else { return }
        for _ in 0..<200 { cycle() }
    }

    private func allocate() {
        let size = UInt32.random(in: 1...700, using: &generator)
        let found = status { () throws(QueueStatus) in
            let address = UInt(bitPattern: try bench.queue.allocateBuffer(bytes: size).header)
            model.programs.insert(address)
            sizes[address] = size
            order[address] = allocations
            allocations += 1
        }
        expect(found, model.isDisposed ? .queueInvalidated : nil, "allocate")
    }

    private func free(_ buffer: UInt) {
        let wanted = model.freeing(buffer)
        expect(status { () throws(QueueStatus) in try bench.queue.freeBuffer(buffer) }, wanted, "free")
        if wanted == nil { model.programs.remove(buffer) }
    }

    private func enqueue(_ buffer: UInt) {
        let wanted = model.enqueueing(buffer)
        let bytes = UInt32.random(in: 0...sizes[buffer, default: 0], using: &generator)
        expect(status { () throws(QueueStatus) in try bench.queue.enqueue(buffer, bytes: bytes) }, wanted, "enqueue")
        guard wanted == nil else { return }
        model.programs.remove(buffer)
        model.queued.append(buffer)
        model.wasStopping = false
    }

    private func start() {
        expect(status { () throws(QueueStatus) in try bench.queue.start() }, model.isDisposed ? .queueInvalidated : nil, "start")
        model.isStopping = model.run != .running && (model.isStopping || model.wasStopping)
        (model.wasStopping, model.isInterrupted) = (false, false)
        model.run = .running
    }

    private func pause() {
        expect(status { () throws(QueueStatus) in try bench.queue.pause() }, model.isDisposed ? .queueInvalidated : nil, "pause")
        if model.run == .running { model.run = .paused }
    }

    private func stopNow() {
        let wasHandingBack = model.isHandingBack
        let wanted: QueueStatus? = model.isDisposed ? .queueInvalidated : nil
        if wanted == nil {
            model.isHandingBack = true
            model.run = .stopped
            (model.isStopping, model.wasStopping, model.isInterrupted) = (false, false, false)
        }
        let owed = model.queued
        expect(status { () throws(QueueStatus) in try bench.queue.stop(immediately: true) }, wanted, "stop now")
        model.isHandingBack = wasHandingBack
        if !model.isDisposed, model.queued.contains(where: owed.contains) { faults.append("a buffer did not come back in Stop") }
    }

    private func stopLater() {
        let wanted: QueueStatus? = model.isDisposed ? .queueInvalidated : nil
        // Of the buffers that have not come back, some are finished.
        let hasBuffers = bench.queue.hasBuffers
        expect(status { () throws(QueueStatus) in try bench.queue.stop(immediately: false) }, wanted, "stop later")
        if model.run == .running {
            model.isStopping = true
        } else if hasBuffers, model.run == .stopped || model.isInterrupted {
            model.wasStopping = true
        } else {
            (model.run, model.isStopping, model.wasStopping, model.isInterrupted) = (.stopped, false, false, false)
        }
        follow()
    }

    private func reset() {
        let wasHandingBack = model.isHandingBack
        model.isHandingBack = true
        model.wasStopping = false
        let owed = model.queued
        expect(status { () throws(QueueStatus) in try bench.queue.reset() }, model.isDisposed ? .queueInvalidated : nil, "reset")
        model.isHandingBack = wasHandingBack
        if !model.isDisposed, model.queued.contains(where: owed.contains) { faults.append("a buffer did not come back in Reset") }
    }

    private func interrupt() {
        history.append("interrupt")
        guard bench.engine.output?.isRunning == true else { return }
        bench.engine.output?.interrupt()
        // The stream has a paused voice until its last frame is heard, and one that runs also without a buffer.
        if model.run == .running || bench.queue.stream.has(bench.queue.voice) {
            model.wasStopping = model.wasStopping || model.isStopping
            (model.run, model.isStopping) = (model.run == .running ? .paused : model.run, false)
            model.isInterrupted = model.run == .paused
        }
        bench.settle()
    }

    private func dispose() {
        model.isDisposed = true
        expect(status { () throws(QueueStatus) in try bench.queue.dispose(immediately: true) }, nil, "dispose")
    }

    private func cycle() {
        history.append("cycle")
        bench.run()
        follow()
    }

    /// A stop that waits for the last buffer ends by itself, when nothing is enqueued any more.
    private func follow() {
        guard model.isStopping, bench.queue.lock.withLock({ bench.queue.state.run }) == .stopped else { return }
        model.isStopping = false
        model.run = .stopped
    }
}

@Suite struct ModelTests {
    @Test("Random calls, also inside callbacks, follow the rules of the model", arguments: 0..<100 as Range<UInt64>)
    func randomCallsFollowTheModel(seed: UInt64) throws {
        for fault in try Comparison(seed: seed).run(300) { Issue.record("\(fault)") }
    }

    /// Several threads call three queues with threads of their own, while cycles run and interruptions come.
    @Test("With random calls of several threads each enqueued buffer comes back once, and none after a dispose")
    func randomCallsOfSeveralThreadsLoseNothing() throws {
        let storm = try Storm()
        storm.run(steps: 2_000)
        #expect(storm.faults.load(ordering: .relaxed) == 0)
    }
}

/// Each queue's ledger counts, by buffer, what was enqueued and what came back.
private final class Storm: @unchecked Sendable {
    let engine = FakeEngine(slice: 256)
    let service: QueueService
    let faults = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let ledgers: [Ledger]

    final class Ledger: @unchecked Sendable {
        let lock = Lock()
        var queue: Queue?
        var isDisposed = false
        /// 1 while it is the queue's.
        var balance: [UInt: Int] = [:]
        /// The buffers in the order of their allocation.
        var buffers: [UInt] = []
    }

    init() throws {
        service = QueueService(engine)
        ledgers = [Ledger(), Ledger(), Ledger()]
        for ledger in ledgers {
            let handlers = Queue.Handlers { [unowned self] in returned($1, ledger) }
            ledger.queue = try service.queues.object(try service.makeOutput(int16(channels: 1), handlers))
            for _ in 0..<6 {
                if let allocation = try ledger.queue?.allocateBuffer(bytes: 300) {
                    ledger.balance[UInt(bitPattern: allocation.header)] = 0
                    ledger.buffers.append(UInt(bitPattern: allocation.header))
                }
            }
        }
    }

    private func returned(_ buffer: Queue.ReturnedBuffer, _ ledger: Ledger) {
        let isFault = ledger.lock.withLock {
            ledger.balance[buffer.address, default: 0] -= 1
            return ledger.balance[buffer.address] != 0 || ledger.isDisposed
        }
        if isFault { faults.add(1, ordering: .relaxed) }
        let isThird = (ledger.buffers.firstIndex(of: buffer.address) ?? 0) % 3 == 0
        if !isThird { enqueue(buffer.address, ledger) }
    }

    private func enqueue(_ address: UInt, _ ledger: Ledger) {
        // Before the call: the buffer can come back before it returns.
        ledger.lock.withLock {
            guard ledger.balance[address] == 0, let queue = ledger.queue else { return }
            if status({ () throws(QueueStatus) in try queue.enqueue(address, bytes: 300) }) == nil { ledger.balance[address] = 1 }
        }
    }

    func run(steps: Int) {
        let cycles = Worker("cycles") { [self] in
            while !isOver.load(ordering: .relaxed) {
                engine.play()
                linux_yield()
            }
        }
        let workers = (0..<3).map { number in
            Worker("caller") { [self] in
                var generator = SeededGenerator(UInt64(number))
                for _ in 0..<steps { step(&generator) }
            }
        }
        for worker in workers { worker.join() }
        for ledger in ledgers { finish(ledger) }
        isOver.store(true, ordering: .relaxed)
        cycles.join()
        service.end()
    }

    private func step(_ generator: inout SeededGenerator) {
        let ledger = ledgers[Int.random(in: 0..<3, using: &generator)]
        guard let queue = ledger.queue else { return }
        switch Int.random(in: 0..<200, using: &generator) {
        case 0..<120:
            enqueue(ledger.buffers[Int.random(in: ledger.buffers.indices, using: &generator)], ledger)
        case 120..<150: try? queue.start()
        case 150..<160: try? queue.pause()
        case 160..<165: try? queue.stop(immediately: true)
        case 165..<170: try? queue.stop(immediately: false)
        case 170..<175: try? queue.reset()
        case 175..<178: engine.output?.interrupt()
        case 178..<190: _ = try? queue.currentTime()
        default: try? queue.setParameter(1, Float.random(in: 0...1, using: &generator))
        }
    }

    /// All comes back, and nothing after the disposal.
    private func finish(_ ledger: Ledger) {
        try? ledger.queue?.stop(immediately: true)
        if ledger.lock.withLock({ ledger.balance.values.contains { $0 != 0 } }) { faults.add(1_000, ordering: .relaxed) }
        try? ledger.queue?.dispose(immediately: true)
        ledger.lock.withLock { ledger.isDisposed = true }
    }
}

/// A thread.
private final class Worker: @unchecked Sendable {
    private let body: () -> Void
    private var thread: UnsafeMutableRawPointer?

    init(_ name: StaticString, _ body: @escaping () -> Void) {
        self.body = body
        thread = linux_thread_start(
            { if let context = $0 { Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue().body() } },
            Unmanaged.passUnretained(self).toOpaque(), "worker")
    }

    func join() { if let thread { linux_thread_join(thread) } }
}
