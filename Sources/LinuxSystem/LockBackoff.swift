import CLinux

/// Waiting for a lock that is held for microseconds by all who are well: awake at first, since the
/// shortest sleep is longer than that; then asleep, longer each time, so that a crowd of those who wait
/// leaves the processors to those who work. It ends when nothing has moved for
/// a second: then the holder is not at work, but stopped; in any case after ten.
public struct LockBackoff {
    private static let second: UInt64 = 1_000_000_000
    private static let longestPause: UInt64 = 8_000_000
    /// What is longer was not waited: this process had been stopped, maybe together with the holder.
    private static let longestStep: UInt64 = 50_000_000

    private var yields = 30
    private var pause: UInt64 = 20_000
    private var last = linux_monotonic_nanoseconds()
    private var waited: UInt64 = 0
    private var waitedInVain: UInt64 = 0
    private var progress: UInt64?

    public init() {}

    /// False when it is used up. `progress` is another number whenever others get something done.
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
        waitedInVain = progress == (self.progress ?? progress) ? waitedInVain &+ step : 0
        self.progress = progress
        guard waitedInVain < LockBackoff.second, waited < 10 * LockBackoff.second else { return false }
        // Not everybody at the same moments.
        linux_sleep_nanoseconds(pause / 2 &+ now % pause)
        pause = min(pause * 2, LockBackoff.longestPause)
        return true
    }
}
