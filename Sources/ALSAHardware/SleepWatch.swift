import CLinux
import LinuxSystem

/// Counts how often the machine has woken from sleep.
final class SleepWatch {
    private let timer: FileDescriptor
    private var asleep = linux_nanoseconds_asleep()
    private(set) var wakes: UInt32 = 0

    init() { timer = FileDescriptor(owning: linux_wake_timer_create()) }

    var descriptor: Int32 { timer.number }

    /// True when it has woken; the timer also tells of a clock that somebody set.
    func heed() -> Bool {
        _ = linux_wake_timer_await(timer.number)
        let now = linux_nanoseconds_asleep()
        // Two clocks are read one after the other, which looks like a few microseconds of sleep.
        let shortestSleep: UInt64 = 10_000_000
        guard now > asleep &+ shortestSleep else { return false }
        asleep = now
        wakes &+= 1
        return true
    }
}
