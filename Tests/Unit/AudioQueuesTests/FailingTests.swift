// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EngineTestSupport
import FaultPlan
import LinuxSystem
import Testing

@testable import AudioQueues

#if canImport(Glibc)
    import Glibc
#endif

/// Each call to the system and each allocation of the C modules fails in turn, once or with all that follow, while a program
/// makes a queue, fills it, starts it and disposes of it.
@Suite("A queue whose system calls fail", .serialized)
struct FailingTests {
    struct Failure: Sendable, CustomTestStringConvertible {
        let isInput: Bool
        let lasts: Bool
        var testDescription: String { "\(isInput ? "recording" : "playing")\(lasts ? ", for good" : "")" }
    }

    private static let failures = [false, true].flatMap { isInput in [false, true].map { Failure(isInput: isInput, lasts: $0) } }

    /// A program with a queue that calls it on its own thread.
    private final class Program: @unchecked Sendable {
        let engine = FakeEngine(slice: 256)
        let service: QueueService
        let isInput: Bool
        let returned = DispatchSemaphore(value: 0)

        init(isInput: Bool) {
            service = QueueService(engine)
            self.isInput = isInput
        }

        deinit { service.end() }

        /// Makes a queue with two buffers, and starts it.
        func start() throws -> Queue {
            let returned = returned
            let handlers = Queue.Handlers { _, _ in returned.signal() }
            let handle = try isInput ? service.makeInput(int16(), handlers) : service.makeOutput(int16(), handlers)
            let queue = try service.queues.object(handle)
            do {
                for _ in 0..<2 {
                    let buffer = try queue.allocateBuffer(bytes: 1_024)
                    buffer.data.bindMemory(to: Int16.self, capacity: 512).initialize(repeating: 8_192, count: 512)
                    try queue.enqueue(UInt(bitPattern: buffer.header), bytes: isInput ? 0 : 1_024)
                }
                try queue.start()
            } catch {
                // A refused call leaves a queue that can be disposed of.
                try queue.dispose(immediately: true)
                throw error
            }
            return queue
        }

        /// The queue plays both buffers or fills them, and returns them.
        func expectSound(_ place: String) {
            for _ in 0..<4 {
                if isInput {
                    _ = engine.input?.cycle(capturing: [Float](repeating: 0.25, count: 256))
                } else {
                    played += engine.play()
                }
            }
            for _ in 0..<2 { #expect(returned.wait(timeout: .now() + 60) == .success, "\(place)") }
            let isWhole = isInput || played.prefix(1_024).allSatisfy { $0 == 0.25 }
            #expect(isWhole, "\(place)")
        }

        private var played: [Float] = []
    }

    @Test("gives a documented result, works with the next try and is freed", arguments: failures)
    func life(failure: Failure) throws {
        var (nth, hasStruck) = (UInt64(0), true)
        while hasStruck, nth < 500 {
            nth += 1
            let place = "call \(nth)"
            weak var queue: Queue?
            weak var service: QueueService?
            do {
                fault_plan_enter(ENOMEM, nth, failure.lasts)
                let program = Program(isInput: failure.isInput)
                var refusal: QueueStatus?
                do { try program.start().dispose(immediately: true) } catch { refusal = error as? QueueStatus ?? .parameter }
                hasStruck = fault_plan_leave()
                #expect(refusal == nil || refusal == .outOfMemory, "\(place): \(String(describing: refusal))")
                while program.returned.wait(timeout: .now()) == .success {}
                let started = try program.start()
                (queue, service) = (started, program.service)
                program.expectSound(place)
                try started.dispose(immediately: true)
            }
            // The thread of the queue ends by itself.
            #expect(happens { queue == nil && service == nil }, "\(place)")
        }
        #expect(!hasStruck)
    }

    /// Whether it happens before a minute has passed.
    private func happens(_ condition: () -> Bool) -> Bool {
        let limit = DispatchTime.now() + 60
        while !condition() {
            guard DispatchTime.now() < limit else { return false }
            sched_yield()
        }
        return true
    }
}
