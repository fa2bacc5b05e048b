import CLinux
import LinuxSystem

/// With the log on, an alarm that is due when events are pending for two seconds and the program has fetched none. One
/// warning per session.
struct Reminder: ~Copyable {
    private let alarm = FileDescriptor(owning: Log.isEnabled ? linux_alarm_create() : -1)
    private var isSet = false
    private var hasRung = false

    static let patience: Int32 = 2

    /// -1 without the log.
    var descriptor: Int32 { alarm.number }

    /// Events are pending.
    mutating func expectFetching(by audiences: [Audience]) {
        guard alarm.number >= 0, !isSet, !hasRung else { return }
        for audience in audiences { audience.expectFetching() }
        isSet = linux_alarm_set(alarm.number, Reminder.patience) >= 0
    }

    /// The alarm is due.
    mutating func remind(_ audiences: [Audience]) {
        linux_alarm_take(alarm.number)
        isSet = false
        for audience in audiences where audience.remindOfFetching() { hasRung = true }
        if audiences.contains(where: { $0.hasWaitingEvents }) { expectFetching(by: audiences) }
    }
}
