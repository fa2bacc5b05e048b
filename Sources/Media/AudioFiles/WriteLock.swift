// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The lock of a file and its position: a thread changes them, and others read them before or after the change.
///
/// A change calls the write procedure of the program, which may read the position on the same thread. Such a read takes no lock.
struct WriteLock: ~Copyable {
    private let lock = Lock()
    /// The thread that holds the lock for a change; 0 if there is none.
    private let writer = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

    init() { writer.initialize(to: 0) }

    deinit { writer.deallocate() }

    borrowing func write<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        try lock.withLock { () throws(Failure) in
            linux_store64(writer, linux_thread_self())
            defer { linux_store64(writer, 0) }
            try body()
        }
    }

    borrowing func read<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // A thread finds its own number only if it has stored it.
        if linux_load64(writer) == linux_thread_self() { return try body() }
        return try lock.withLock(body)
    }
}
