// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLIOutput
import CLinux
import LinuxSystem

func monitor(_ format: Command.MonitorFormat) -> Int32 {
    if format == .automatic, Terminal.isUsable { return showMonitorScreen() }
    let history = followEvents { history, events in
        for event in events {
            let time = history.end &- history.start
            let line = format == .json ? json(event, at: time) : Output.dimmed(stamp(time)) + " \(event.text)"
            guard Output.print(line + "\n") else { return false }
        }
        return true
    }
    return history == nil ? ExitCode.failure : ExitCode.success
}

/// Reports the events until a signal ends the tool or `handle` returns false. Nil after an error.
func followEvents(_ handle: (History, [Event]) -> Bool) -> History? {
    let state = SystemState.read()
    guard let directory = state.directory, state.hasSharedSessions else { return nil }
    let signals = FileDescriptor(owning: linux_end_signals())
    let observer = TableObserver(of: directory)
    let poller = Poller(observer.descriptor, state.hardware.descriptor, signals.number)
    var history = History(from: observer.report(of: state), at: linux_monotonic_nanoseconds())
    // A reader can wait for this line: no event after it is missed.
    Output.error("watching")
    while true {
        let ready = poller.next()
        guard ready >= 0 else { return nil }
        if ready == state.hardware.descriptor { _ = state.hardware.processEvents() }
        let events = history.advance(to: observer.report(of: state), at: linux_monotonic_nanoseconds())
        guard handle(history, events), ready != signals.number else { return history }
    }
}

/// Seconds with milliseconds, in brackets.
func stamp(_ nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    var rest = "\(milliseconds % 1000)"
    while rest.utf8.count < 3 { rest = "0" + rest }
    var whole = "\(milliseconds / 1000)"
    while whole.utf8.count < 4 { whole = " " + whole }
    return "[\(whole).\(rest)]"
}

private func json(_ event: Event, at nanoseconds: UInt64) -> String {
    JSON.object([("time", .integer(Int(clamping: nanoseconds / 1000)))] + event.json).text
}
