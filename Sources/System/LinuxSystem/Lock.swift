// SPDX-License-Identifier: Apache-2.0
import CLinux

/// A mutual exclusion lock. Not recursive.
public struct Lock: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutableRawPointer?

    public init() { mutex = linux_mutex_create() }

    deinit { if let mutex { linux_mutex_destroy(mutex) } }

    public borrowing func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // When there is no memory for a lock, the library works without the lock: it must not end the program.
        if let mutex { linux_mutex_lock(mutex) }
        defer { if let mutex { linux_mutex_unlock(mutex) } }
        return try body()
    }
}
