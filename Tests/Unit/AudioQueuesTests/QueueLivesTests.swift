// SPDX-License-Identifier: Apache-2.0
import EngineTestSupport
import TestSupport
import Testing

@testable import AudioQueues

private enum QueueCall {
    case start, stopNow, stopLater, pause, enqueue, playOut, reset, interrupt, refusedStart

    static let common: [QueueCall] = [.start, .stopLater, .pause, .enqueue, .playOut]
    static let all: [QueueCall] = common + [.stopNow, .reset, .interrupt, .refusedStart]
}

/// The result of a call, and the state of the queue after it.
private struct QueueAnswer: Equatable {
    var status: QueueStatus?
    var run = QueueState.Run.stopped
    /// The buffers that came back in the call.
    var returned = 0
}

/// The rules of a queue that plays. `playOut` lasts longer than all buffers of a sequence, and than a fade.
private struct QueueModel: LifeModel {
    private var run = QueueState.Run.stopped
    private var queued = 0
    private var isStopping = false
    /// A stop that the next start continues.
    private var wasStopping = false
    private var isInterrupted = false
    /// The audio thread fades the paused queue out.
    private var fades = false

    mutating func predict(_ call: QueueCall) -> QueueAnswer {
        var answer = QueueAnswer()
        switch call {
        case .start: start()
        case .refusedStart: if streamRuns { start() } else { answer.status = QueueStatus(561_017_449) }
        case .stopNow: answer.returned = stop()
        case .stopLater: answer.returned = stopLater()
        case .pause:
            if run == .running { (run, fades) = (.paused, true) }
        case .enqueue:
            if isStopping { answer.status = .enqueueDuringReset } else { (queued, wasStopping) = (queued + 1, false) }
        case .playOut: answer.returned = playOut()
        case .reset:
            wasStopping = false
            answer.returned = takeAll()
        case .interrupt: interrupt()
        }
        answer.run = run
        return answer
    }

    private var streamRuns: Bool { run == .running || fades }

    private mutating func start() {
        isStopping = run != .running && (isStopping || wasStopping)
        (wasStopping, isInterrupted, fades) = (false, false, false)
        run = .running
    }

    private mutating func takeAll() -> Int {
        defer { queued = 0 }
        return queued
    }

    private mutating func stop() -> Int {
        (run, isStopping, wasStopping, isInterrupted, fades) = (.stopped, false, false, false, false)
        return takeAll()
    }

    private mutating func stopLater() -> Int {
        if run == .running {
            isStopping = true
        } else if queued > 0, run == .stopped || isInterrupted {
            wasStopping = true
        } else {
            return stop()
        }
        return 0
    }

    private mutating func playOut() -> Int {
        fades = false
        guard run == .running else { return 0 }
        return isStopping ? stop() : takeAll()
    }

    private mutating func interrupt() {
        guard streamRuns else { return }
        wasStopping = wasStopping || isStopping
        (isStopping, fades, run, isInterrupted) = (false, false, .paused, true)
    }
}

/// A queue of a service whose cycles the test runs.
private final class QueueLife: LivingObject {
    private let engine: FakeEngine
    private let service: QueueService
    private let rate: Double
    private let queue: Queue
    private let delivery: ManualDelivery
    private var returned = 0
    private var seed: UInt64 = 0

    convenience init(rate: Double) throws {
        let engine = FakeEngine(slice: 256)
        (engine.slice, engine.delay, engine.outputChannels) = (64, 64, 1)
        try self.init(engine, QueueService(engine, hasDispatcher: false), rate)
    }

    private init(_ engine: FakeEngine, _ service: QueueService, _ rate: Double) throws {
        (self.engine, self.service, self.rate) = (engine, service, rate)
        final class Box {
            weak var life: QueueLife?
            var delivery: ManualDelivery?
        }
        let box = Box()
        let handle = try service.makeOutput(
            int16(rate: rate, channels: 1), Queue.Handlers { _, _ in box.life?.returned += 1 },
            on: { queue in
                let delivery = ManualDelivery(queue)
                box.delivery = delivery
                return delivery
            })
        queue = try service.queues.object(handle)
        delivery = try #require(box.delivery)
        box.delivery = nil
        box.life = self
    }

    deinit { try? queue.dispose(immediately: true) }

    func reopened(_ way: Int) throws -> QueueLife {
        if way == 0 {
            try queue.stop(immediately: true)
            settle()
            (seed, returned) = (0, 0)
            return self
        }
        try queue.dispose(immediately: true)
        return try QueueLife(engine, service, rate)
    }

    private func settle() {
        service.dispatch()
        delivery.deliver()
    }

    private func enqueue() throws(QueueStatus) {
        seed += 1
        let samples = noise(32, seed: seed)
        let buffer = try queue.allocateBuffer(bytes: 64)
        samples.withUnsafeBytes { if let base = $0.baseAddress { buffer.data.copyMemory(from: base, byteCount: 64) } }
        try queue.enqueue(UInt(bitPattern: buffer.header), bytes: 64)
    }

    func perform(_ call: QueueCall, _ trace: inout Trace) -> QueueAnswer {
        let before = returned
        var answer = QueueAnswer()
        answer.status = status { () throws(QueueStatus) in
            switch call {
            case .start: try queue.start()
            case .refusedStart:
                engine.startResult = 561_017_449
                defer { engine.startResult = 0 }
                try queue.start()
            case .stopNow: try queue.stop(immediately: true)
            case .stopLater: try queue.stop(immediately: false)
            case .pause: try queue.pause()
            case .enqueue: try enqueue()
            case .playOut:
                for _ in 0..<12 {
                    // A stream that was never made and one that stands play the same.
                    let runs = engine.output?.isRunning == true
                    let played = engine.play()
                    trace.append(runs ? played : [])
                    settle()
                }
            case .reset: try queue.reset()
            case .interrupt: engine.output?.interrupt()
            }
        }
        settle()
        answer.run = queue.state.run
        answer.returned = returned - before
        show(&trace)
        return answer
    }

    /// Traces whether the queue runs, and its time.
    private func show(_ trace: inout Trace) {
        trace.append((try? queue.property(QueueState.isRunningProperty)) ?? [])
        guard queue.state.run != .stopped, let stream = engine.output else { return }
        let time = try? queue.currentTime(at: stream.now)
        trace.append(time.map { $0.frame.bitPattern } ?? 1)
        trace.append(time?.isDiscontinuous == true ? 1 : 0)
    }
}

@Suite("The lives of a queue")
struct QueueLivesTests {
    /// After a stop, and as a new queue. One of the rates has a converter.
    @Test("are equal for every sequence of calls", arguments: [(QueueCall.common, 4, 48_000.0), (QueueCall.all, 3, 24_000)])
    fileprivate func equal(_ calls: [QueueCall], longest: Int, rate: Double) throws {
        var lives = Lives(of: calls, longest: longest, ways: 2, make: { try QueueLife(rate: rate) }, model: { QueueModel() })
        try lives.run()
        for finding in lives.findings { Issue.record("\(finding)") }
    }
}
