// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// With the log on, an alarm that is due when events have been pending for two seconds and the program has fetched none. One
/// warning per session.
struct UndeliveredEventsWarning: ~Copyable {
    private let alarm = FileDescriptor(owning: Log.isEnabled ? linux_alarm_create() : -1)
    private var isSet = false
    private var hasWarned = false

    static let delayInSeconds: Int32 = 2

    /// -1 without the log.
    var descriptor: Int32 { alarm.number }

    /// Events are pending.
    mutating func expectFetching(by subscriptions: [EventSubscription]) {
        guard alarm.number >= 0, !isSet, !hasWarned else { return }
        for subscription in subscriptions { subscription.expectFetching() }
        isSet = linux_alarm_set(alarm.number, UndeliveredEventsWarning.delayInSeconds) >= 0
    }

    /// The alarm is due.
    mutating func warnOfUndeliveredEvents(_ subscriptions: [EventSubscription]) {
        linux_alarm_clear(alarm.number)
        isSet = false
        for subscription in subscriptions where subscription.warnUnlessFetched() { hasWarned = true }
        if subscriptions.contains(where: { $0.hasPendingEvents }) { expectFetching(by: subscriptions) }
    }
}
