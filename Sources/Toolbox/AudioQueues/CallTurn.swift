// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The right to call the program: one thread has it at a time, and a thread that has it may take it again in a callback. The caller
/// of all members holds the lock that it passes, which is released during a wait.
final class CallTurn: @unchecked Sendable {
    /// The thread that has the turn, and the nesting depth of its calls.
    private var caller: UInt64 = 0
    private var depth = 0
    /// The number of threads that wait until no other thread calls the program.
    private(set) var waiters = 0

    var hasWaiters: Bool { waiters > 0 }

    /// This thread calls the program.
    var isOwn: Bool { depth > 0 && caller == linux_thread_self() }

    /// Waits until no other thread has the turn. False, without the turn, when `isUsable` is false: a broadcast of the lock reports
    /// the change.
    func enter(_ lock: borrowing ConditionLock, while isUsable: () -> Bool) -> Bool {
        awaitOther(lock, while: isUsable)
        guard isUsable() else { return false }
        caller = linux_thread_self()
        depth += 1
        return true
    }

    func leave(_ lock: borrowing ConditionLock) {
        depth -= 1
        if depth == 0 { lock.broadcast() }
    }

    /// Waits until no other thread has the turn.
    func awaitOther(_ lock: borrowing ConditionLock, while isWanted: () -> Bool = { true }) {
        guard depth > 0, !isOwn else { return }
        waiters += 1
        lock.broadcast()
        while depth > 0, isWanted() { _ = lock.wait(until: .max) }
        waiters -= 1
    }
}
