// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Wakes one thread. Audio threads may signal: a system call is made only if the thread sleeps.
public final class ThreadSignal: @unchecked Sendable {
    private let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    public init() { word.initialize(to: 0) }

    deinit { word.deallocate() }

    public func signal() { linux_signal_thread(word) }

    /// Returns when a signal has arrived since the last return. Only the one thread calls this.
    public func wait() { linux_await_signal(word, UInt64.max) }
}
