// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A value that several threads use in turn. The thread sanitizer sees its lock, but not the wait for a Mutex of Synchronization,
/// which is in a library that is not instrumented.
public final class LockedValue<Value>: @unchecked Sendable {
    private let lock = NSLock()
    /// The value is outside of the object: the thread sanitizer takes a change of a property for a change of the whole object, and a
    /// read of the lock for a race with it.
    private let value: UnsafeMutablePointer<Value>

    public init(_ value: Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    public func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value.pointee)
    }
}
