// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem

/// The state that a pulled stream shares between the program, the group of streams, the stream's thread and its
/// delivery thread. The stream's thread takes the lock only after a wake-up.
final class PullControl: @unchecked Sendable {
    /// A start of the stream. Each start has its own number.
    struct Start {
        let number: UInt64
        let length: SliceLength
    }

    /// The state that the stream's thread follows.
    struct Messages {
        /// Nil: the stream is to stop.
        let start: Start?
        /// Nil: unchanged.
        let target: PullTarget?
        let isInterrupted: Bool
        let isEnding: Bool
    }

    private enum Word { static let hasMessage = 0, isWoken = 1, isRunning = 2 }
    private enum Identity { static let cycles = 0, delivery = 1 }

    private let words: UnsafeMutablePointer<UInt32>
    /// The identities of the two threads; 0: not started.
    private let threads: UnsafeMutablePointer<UInt64>
    private let lock = ConditionLock()
    // Guarded by the lock:
    private var lastNumber: UInt64 = 0
    /// The start that the stream's thread is to execute.
    private var wanted: Start?
    /// The number of the start that the thread executes; 0: none.
    private var current: UInt64 = 0
    private var target = PullTarget()
    private var hasTarget = false
    /// The number of the start that the stream's thread has fetched last.
    private var fetched: UInt64 = 0
    private var isInterrupted = false
    /// The stream runs, but its thread does not execute the wanted start.
    private var isSuspended = false
    private var isEnding = false
    /// The session has stopped the stream, and its owner has not been told yet.
    private var hasUnreportedStop = false
    /// The thread that tells the owner; 0: none.
    private var reporter: UInt64 = 0
    private(set) var deliveries = PendingNotices()

    init() {
        words = .allocate(capacity: 3)
        words.initialize(repeating: 0, count: 3)
        threads = .allocate(capacity: 2)
        threads.initialize(repeating: 0, count: 2)
    }

    deinit {
        words.deallocate()
        threads.deallocate()
    }

    /// False when there was no memory for the lock.
    var isValid: Bool { lock.isValid }

    // MARK: The program and the group

    var isRunning: Bool { linux_load(words + Word.isRunning) != 0 }

    // The caller is in a callback of the stream.
    var isOnCycles: Bool { linux_thread_self() == linux_load64(threads + Identity.cycles) }
    var isOnDelivery: Bool { linux_thread_self() == linux_load64(threads + Identity.delivery) }

    /// The devices of the last start while it is executed.
    var format: pull_format? { lock.withLock { current == wanted?.number ? deliveries.format : nil } }

    func begin(_ length: SliceLength) {
        lock.withLock {
            lastNumber &+= 1
            wanted = Start(number: lastNumber, length: length)
            (isSuspended, hasUnreportedStop) = (false, false)
            linux_store(words + Word.isRunning, 1)
            post()
        }
    }

    /// Stops the cycles of the last start until `begin`. The stream still runs.
    func suspend() {
        lock.withLock {
            isSuspended = true
            post()
        }
    }

    /// False when the stream runs but is suspended.
    var hasCycles: Bool { lock.withLock { !isSuspended } }

    func stop(because reason: StopReason) {
        lock.withLock {
            guard let start = wanted else { return }
            wanted = nil
            linux_store(words + Word.isRunning, 0)
            if reason != .program { deliveries.add(reason, ofStart: start.number) }
            hasUnreportedStop = reason != .program
            isInterrupted = reason == .interruption
            post()
            lock.broadcast()
        }
    }

    /// Returns when the stream's thread executes no start that was stopped or suspended.
    func waitUntilStopped() {
        lock.withLock {
            while current != 0, isSuspended || current != wanted?.number { _ = lock.wait(until: UInt64.max) }
        }
    }

    func apply(_ new: PullTarget) {
        lock.withLock {
            guard new != target else { return }
            // The program reads the format of the expected devices until they open.
            if let wanted, wanted.number != fetched, new.output != target.output || new.input != target.input {
                deliveries.noteChange(before: wanted.number)
            }
            target = new
            hasTarget = true
            post()
        }
    }

    /// Ends both threads. The program is not called any more.
    func end() {
        lock.withLock {
            wanted = nil
            linux_store(words + Word.isRunning, 0)
            deliveries.removeStops()
            isEnding = true
            post()
            lock.broadcast()
            awaitReporter()
        }
    }

    /// Calls `report` if the session has stopped the stream since the last start and no report was made. When another thread makes
    /// it, returns after it has been made. Called without a lock.
    func reportStop(_ report: () -> Void) {
        let isDue = lock.withLock {
            awaitReporter()
            guard hasUnreportedStop, !isEnding, reporter == 0 else { return false }
            (hasUnreportedStop, reporter) = (false, linux_thread_self())
            return true
        }
        guard isDue else { return }
        report()
        lock.withLock {
            reporter = 0
            lock.broadcast()
        }
    }

    /// Returns when no other thread tells the owner of a stop. Under the lock.
    private func awaitReporter() {
        let thread = linux_thread_self()
        while reporter != 0, reporter != thread { _ = lock.wait(until: .max) }
    }

    /// Prepares for another thread, which applies the target again.
    func reopen() {
        lock.withLock {
            isEnding = false
            hasTarget = true
        }
    }

    private func post() {
        linux_store(words + Word.hasMessage, 1)
        wake()
    }

    func wake() { linux_signal_thread(words + Word.isWoken) }

    // MARK: The stream's thread

    func enterCycles() { linux_store64(threads + Identity.cycles, linux_thread_self()) }
    func sleep(until deadline: UInt64) { linux_await_signal(words + Word.isWoken, deadline) }
    var hasMessages: Bool { linux_load(words + Word.hasMessage) != 0 }

    func fetchMessages() -> Messages {
        lock.withLock {
            linux_store(words + Word.hasMessage, 0)
            defer { hasTarget = false }
            let start = isSuspended ? nil : wanted
            if let start { fetched = start.number }
            return Messages(
                start: start, target: hasTarget ? target : nil, isInterrupted: isInterrupted,
                isEnding: isEnding)
        }
    }

    /// False when the start was stopped or suspended meanwhile.
    func execute(_ start: Start) -> Bool {
        lock.withLock {
            guard wanted?.number == start.number, !isSuspended else { return false }
            current = start.number
            return true
        }
    }

    /// The thread has ended the start that it executed.
    func hasStopped() {
        lock.withLock {
            current = 0
            deliveries.clearFormat()
            lock.broadcast()
        }
    }

    func publish(_ format: pull_format) {
        lock.withLock {
            if deliveries.publish(format, ofStart: current) { lock.broadcast() }
        }
    }

    // MARK: The delivery thread

    func enterDelivery() { linux_store64(threads + Identity.delivery, linux_thread_self()) }

    /// Waits for the next call; nil at the end.
    func nextDelivery() -> PendingNotices.StreamNotice? {
        lock.withLock {
            while !isEnding {
                if let next = deliveries.next(executing: current) { return next }
                _ = lock.wait(until: UInt64.max)
            }
            return nil
        }
    }
}
