// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// Counts how often the machine has woken from system sleep.
final class SleepWatch {
    private let timer: FileDescriptor
    private var asleep = linux_nanoseconds_asleep()
    private(set) var wakes: UInt32 = 0

    init() { timer = FileDescriptor(owning: linux_wake_timer_create()) }

    var descriptor: Int32 { timer.number }

    /// True when the machine has woken. The timer also expires when a program sets the clock.
    func processEvents() -> Bool {
        _ = linux_wake_timer_await(timer.number)
        let now = linux_nanoseconds_asleep()
        // The difference of two clocks that are read one after the other is a few microseconds without sleep.
        let shortestSleep: UInt64 = 10_000_000
        guard now > asleep &+ shortestSleep else { return false }
        asleep = now
        wakes &+= 1
        return true
    }
}
