// SPDX-License-Identifier: Apache-2.0
import CAudioQueues

/// Wakes one thread. Audio threads signal as well: a system call is made only where the thread sleeps.
final class WakeUp: @unchecked Sendable {
    private let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    init() { word.initialize(to: UInt32(WAKE_AWAKE.rawValue)) }

    deinit { word.deallocate() }

    func signal() { wake_signal(word) }

    /// Returns when there has been a signal since the last return. For the one thread.
    func wait() { wake_await(word) }
}
