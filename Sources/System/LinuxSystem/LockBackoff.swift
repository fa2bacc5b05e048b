// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The wait for a lock that its holders keep for microseconds. It yields at first, because the shortest sleep takes longer.
/// Then it sleeps, longer each time, so that many waiting processes leave the processors to the holder. It ends after a second
/// without progress, because the holder has then been stopped, and after ten seconds in any case.
public struct LockBackoff {
    private static let second: UInt64 = 1_000_000_000
    private static let longestPause: UInt64 = 8_000_000
    /// A longer step does not count as waiting: this process was stopped, perhaps together with the holder.
    private static let longestStep: UInt64 = 50_000_000

    private var yields = 30
    private var pause: UInt64 = 20_000
    private var last = linux_monotonic_nanoseconds()
    private var waited: UInt64 = 0
    private var waitedWithoutProgress: UInt64 = 0
    private var progress: UInt64?

    public init() {}

    /// False at the end of the wait. `progress` changes with each transaction of other processes.
    public mutating func wait(while progress: @autoclosure () -> UInt64) -> Bool {
        guard yields == 0 else {
            yields -= 1
            linux_yield()
            return true
        }
        let progress = progress()
        let now = linux_monotonic_nanoseconds()
        let step = min(now &- last, LockBackoff.longestStep)
        last = now
        waited &+= step
        waitedWithoutProgress = progress == (self.progress ?? progress) ? waitedWithoutProgress &+ step : 0
        self.progress = progress
        guard waitedWithoutProgress < LockBackoff.second, waited < 10 * LockBackoff.second else { return false }
        // The pause depends on the clock, so that waiting processes wake at different moments.
        linux_sleep_nanoseconds(pause / 2 &+ now % pause)
        pause = min(pause * 2, LockBackoff.longestPause)
        return true
    }
}
