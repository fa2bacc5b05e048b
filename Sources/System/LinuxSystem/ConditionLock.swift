// SPDX-License-Identifier: Apache-2.0
import CLinux

/// A lock with a condition variable.
public struct ConditionLock: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutableRawPointer?
    private let condition: UnsafeMutableRawPointer?

    public init() {
        mutex = linux_mutex_create()
        condition = linux_condition_create()
    }

    deinit {
        if let condition { linux_condition_destroy(condition) }
        if let mutex { linux_mutex_destroy(mutex) }
    }

    /// False when there was no memory for the lock.
    public var isValid: Bool { mutex != nil && condition != nil }

    public borrowing func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if let mutex { linux_mutex_lock(mutex) }
        defer { if let mutex { linux_mutex_unlock(mutex) } }
        return try body()
    }

    /// Called by the holder of the lock. Releases the lock during the wait. False when the deadline passes before a broadcast.
    public borrowing func wait(until deadline: UInt64) -> Bool {
        guard let mutex, let condition else { return false }
        return linux_condition_wait_until(condition, mutex, deadline)
    }

    /// Wakes every waiting thread, which checks its condition again.
    public borrowing func broadcast() { if let condition { linux_condition_broadcast(condition) } }
}
