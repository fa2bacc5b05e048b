// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
import CLinux
import LinuxSystem

/// A clock that advances only when a test steps it. A step ends when all threads have done the work that its time allows, so
/// that a test finds the same frames in every run.
public final class SteppedClock: DeviceClock, @unchecked Sendable {
    private struct Sleeper {
        let thread: Int
        let wake: @Sendable () -> Void
        /// Nil while the thread runs.
        var deadline: UInt64?
    }

    private let lock = ConditionLock()
    // Guarded by the lock:
    private var time: UInt64
    private var sleepers: [Sleeper] = []
    private var lastThread = 0

    /// The longest time for which a step waits for a thread, in nanoseconds.
    private let limit: UInt64

    public init(at time: UInt64 = 1_000_000_000, limit: UInt64 = 60_000_000_000) {
        self.time = time
        self.limit = limit
    }

    public var now: UInt64 { lock.withLock { time } }

    // MARK: Threads

    public func register(wake: @escaping @Sendable () -> Void) -> Int {
        lock.withLock {
            lastThread += 1
            sleepers.append(Sleeper(thread: lastThread, wake: wake))
            return lastThread
        }
    }

    public func unregister(_ thread: Int) {
        lock.withLock {
            sleepers = sleepers.filter { $0.thread != thread }
            lock.broadcast()
        }
    }

    public func sleep(_ thread: Int, until deadline: UInt64) -> UInt64 {
        lock.withLock {
            if let index = sleepers.firstIndex(where: { $0.thread == thread }) {
                sleepers[index].deadline = max(deadline, time)
                lock.broadcast()
            }
            return UInt64.max
        }
    }

    /// A message may wake a thread before its deadline. The time does not advance until the thread sleeps again, so that a thread
    /// reads the same time in all its work between two sleeps.
    public func endSleep(_ thread: Int) {
        lock.withLock {
            guard let index = sleepers.firstIndex(where: { $0.thread == thread }) else { return }
            sleepers[index].deadline = nil
        }
    }

    // MARK: The test

    /// Advances the time to each deadline in turn, and then to the end of the step. False when a thread does not
    /// sleep within the limit: the time then stays at the deadline of this thread.
    public func step(nanoseconds: UInt64) -> Bool {
        lock.withLock {
            let (sum, overflows) = time.addingReportingOverflow(nanoseconds)
            let target = overflows ? UInt64.max - 1 : sum
            // A program may have woken a thread that has not run yet, or that was about to sleep: each thread checks once more.
            guard waitForAll() else { return false }
            wake { _ in true }
            while waitForAll() {
                let next = sleepers.reduce(UInt64.max) { min($0, $1.deadline ?? $0) }
                time = max(time, min(next, target))
                guard next <= target else { return true }
                wake { $0 <= time }
            }
            return false
        }
    }

    /// Advances the time while the calling thread works.
    public func spend(nanoseconds: UInt64) { lock.withLock { time &+= nanoseconds } }

    private func wake(where isDue: (UInt64) -> Bool) {
        for index in sleepers.indices {
            guard let deadline = sleepers[index].deadline, isDue(deadline) else { continue }
            sleepers[index].deadline = nil
            sleepers[index].wake()
        }
    }

    private func waitForAll() -> Bool {
        let end = linux_monotonic_nanoseconds() &+ limit
        while sleepers.contains(where: { $0.deadline == nil }) {
            guard lock.wait(until: end) else { return !sleepers.contains { $0.deadline == nil } }
        }
        return true
    }
}
