// SPDX-License-Identifier: Apache-2.0
import CAudioQueues

/// Wakes one thread. Audio threads may signal: a system call is made only if the thread sleeps.
final class WakeUp: @unchecked Sendable {
    private let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    init() { word.initialize(to: UInt32(WAKE_AWAKE.rawValue)) }

    deinit { word.deallocate() }

    func signal() { wake_signal(word) }

    /// Returns when a signal has arrived since the last return. Only the one thread calls this.
    func wait() { wake_await(word) }
}
