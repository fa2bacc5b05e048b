// SPDX-License-Identifier: Apache-2.0
import CLinux
import Dispatch
import Foundation
import LinuxSystem
import Synchronization
import Testing

@testable import AudioQueues

extension Queue {
    /// Waits until the condition holds, which the queue announces to the threads that wait for it. False after a minute.
    func awaitState(_ condition: () -> Bool) -> Bool {
        let limit = linux_monotonic_nanoseconds() + 60_000_000_000
        return lock.withLock {
            while !condition() { guard lock.wait(until: limit) else { return condition() } }
            return true
        }
    }
}

/// A queue whose delivery thread is in a callback until it is told to leave.
private final class BusyQueue: @unchecked Sendable {
    let bench: Bench
    private let entered = DispatchSemaphore(value: 0)
    private let mayLeave = DispatchSemaphore(value: 0)
    private let isOnThread = Mutex(false)
    /// What the callback on the thread does with its buffer before it returns, and what the nested ones did.
    var onThread: (UInt) -> Void = { _ in }
    private(set) var returned: [UInt] = []
    /// The thread of each of these callbacks.
    private(set) var threads: [UInt64] = []

    init() throws {
        bench = try Bench(int16(channels: 1))
        bench.onBuffer = { [unowned self] buffer in
            returned.append(buffer.address)
            threads.append(linux_thread_self())
            guard
                isOnThread.withLock({
                    let was = $0
                    $0 = false
                    return was
                })
            else { return }
            entered.signal()
            _ = mayLeave.wait(timeout: .now() + 60)
            onThread(buffer.address)
        }
    }

    /// Plays until the first buffer is finished, and calls the program on a thread.
    func enterCallback() {
        bench.engine.play(cycles: 2)
        bench.service.dispatch()
        isOnThread.withLock { $0 = true }
        let bench = bench
        Thread.detachNewThread { bench.delivery?.deliver() }
        #expect(entered.wait(timeout: .now() + 60) == .success)
    }

    /// Makes a call on a thread that waits for the callback, and lets the callback leave.
    func whileCalling(_ body: @escaping @Sendable (Queue) throws -> Void) {
        let hasReturned = DispatchSemaphore(value: 0)
        let queue = bench.queue
        Thread.detachNewThread {
            #expect(throws: Never.self) { try body(queue) }
            hasReturned.signal()
        }
        #expect(queue.awaitState { queue.turn.waiters == 1 })
        mayLeave.signal()
        #expect(hasReturned.wait(timeout: .now() + 60) == .success)
    }
}

@Suite struct StopTests {
    static let calls: [(name: String, call: @Sendable (Queue) throws -> Void)] = [
        ("Stop", { try $0.stop(immediately: true) }), ("Reset", { try $0.reset() }),
    ]

    @Test(
        "An immediate stop or a reset begins after the callback that runs, and returns the buffer that this one enqueues",
        arguments: 0..<2)
    func beginsAfterTheCallback(index: Int) throws {
        let queue = try BusyQueue()
        let results = Mutex<[QueueStatus?]>([])
        queue.onThread = { [unowned queue] address in
            let result = status { () throws(QueueStatus) in try queue.bench.queue.enqueue(address, bytes: 200) }
            results.withLock { $0.append(result) }
        }
        let addresses = try (0..<3).map { _ in try queue.bench.enqueue([Int16](repeating: 1_000, count: 300)) }
        for life in 1...2 {
            if life == 2 { for address in addresses { try queue.bench.queue.enqueue(address, bytes: 600) } }
            try queue.bench.queue.start()
            queue.enterCallback()
            queue.whileCalling(StopTests.calls[index].call)
            #expect(results.withLock { $0 } == [QueueStatus?](repeating: nil, count: life))
            #expect(queue.returned.suffix(4) == [addresses[0], addresses[1], addresses[2], addresses[0]])
            #expect(queue.returned.count == 4 * life)
            if index == 0 { #expect(!queue.bench.isRunning) }
        }
    }

    @Test("An immediate stop takes over the callbacks that are due behind the one that runs")
    func takesOverTheDueCallbacks() throws {
        let queue = try BusyQueue()
        let addresses = try (0..<3).map { _ in try queue.bench.enqueue([Int16](repeating: 1_000, count: 100)) }
        try queue.bench.queue.start()
        queue.enterCallback()
        queue.whileCalling { try $0.stop(immediately: true) }
        #expect(queue.returned == addresses)
        #expect(queue.threads[0] != queue.threads[1] && queue.threads[1] == queue.threads[2])
        try queue.bench.queue.enqueue(addresses[2], bytes: 200)
    }

    @Test("A stop in a callback returns all buffers inside of the call, in each life of the queue")
    func stopInTheCallback() throws {
        let bench = try Bench(int16(channels: 1))
        let addresses = try (0..<3).map { _ in try bench.enqueue([Int16](repeating: 1_000, count: 300)) }
        var counts: [Int] = []
        bench.onBuffer = { [unowned bench] buffer in
            guard buffer.address == addresses[0] else { return }
            #expect(status { () throws(QueueStatus) in try bench.queue.stop(immediately: true) } == nil)
            counts.append(bench.returned.count)
            #expect(status { () throws(QueueStatus) in try bench.queue.enqueue(buffer.address, bytes: 600) } == nil)
        }
        for life in 1...2 {
            try bench.queue.start()
            bench.run(3)
            #expect(counts.count == life && counts.last == 3 * life)
            #expect(!bench.isRunning)
            for address in addresses.dropFirst() { try bench.queue.enqueue(address, bytes: 600) }
        }
    }

    @Test("A stop that waits and is called before the start keeps the buffers, and the start plays them and stops")
    func stopBeforeTheStart() throws {
        let bench = try Bench(int16(channels: 1))
        for life in 1...2 {
            try bench.enqueue([Int16](repeating: 1_000, count: 300))
            try bench.enqueue([Int16](repeating: 1_000, count: 300))
            try bench.queue.stop(immediately: false)
            try bench.queue.stop(immediately: false)
            bench.run(2)
            #expect(bench.returned.count == 2 * (life - 1), "they stay")
            try bench.queue.start()
            let played = leftSide(bench.run(12))
            #expect(played.filter { $0 != 0 }.count == 600)
            #expect(bench.returned.count == 2 * life)
            #expect(bench.changes.count == 2 * life && !bench.isRunning)
            #expect(bench.engine.output?.isRunning == false)
        }
    }

    @Test("A stop that waits and is called during an interruption keeps the buffers, and the start plays them and stops")
    func stopDuringAnInterruption() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1_000, count: 2_000))
        try bench.queue.start()
        bench.run(2)
        bench.engine.output?.interrupt()
        bench.settle()
        try bench.queue.stop(immediately: false)
        bench.run(4)
        #expect(bench.returned.isEmpty)
        try bench.queue.start()
        bench.run(20)
        #expect(bench.returned.count == 1 && !bench.isRunning)
    }

    @Test("A stop before the start is forgotten with a further buffer, a reset, a stop at once, and in a queue without buffers")
    func forgottenStops() throws {
        let causes: [(Bench) throws -> Void] = [
            { _ in }, { try $0.queue.reset() }, { try $0.queue.stop(immediately: true) },
        ]
        for (index, cause) in causes.enumerated() {
            let bench = try Bench(int16(channels: 1))
            if index > 0 { try bench.enqueue([1]) }
            try bench.queue.stop(immediately: false)
            try cause(bench)
            #expect(bench.returned.count == min(index, 1))
            try bench.queue.start()
            bench.run(4)
            #expect(bench.isRunning, "\(index)")
            // A queue that stops would refuse it.
            try bench.enqueue([1])
        }
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([1])
        try bench.queue.stop(immediately: false)
        try bench.enqueue([2])
        try bench.queue.start()
        bench.run(4)
        #expect(bench.isRunning && bench.returned.count == 2)
    }

    @Test("A stop that waits returns the buffers of a paused queue, which is stopped then")
    func stopOfAPausedQueue() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1_000, count: 2_000))
        try bench.queue.start()
        bench.run(2)
        try bench.queue.pause()
        bench.run(6)
        try bench.queue.stop(immediately: false)
        bench.run()
        #expect(bench.returned.count == 1 && !bench.isRunning)
        try bench.enqueue([1])
        try bench.queue.start()
        bench.run(4)
        #expect(bench.isRunning)
    }

    @Test("A recording queue that is stopped before its start fills its buffers, returns them and stops")
    func stopBeforeTheStartOfARecording() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 0..<2 { try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 512).header), bytes: 0) }
        try bench.queue.stop(immediately: false)
        #expect(bench.returned.isEmpty)
        try bench.queue.start()
        for _ in 0..<4 { bench.capture([Float](repeating: 0.5, count: 256)) }
        #expect(bench.returned.map(\.bytes) == [512, 512] && !bench.isRunning)
    }
}
