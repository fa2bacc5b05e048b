// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLIOutput
import CLinux
import LinuxSystem

/// Shows the monitor on the whole terminal until q, a signal, or the end of the terminal.
func showMonitorScreen() -> Int32 {
    let state = SystemState.read()
    guard let directory = state.directory, state.hasSharedSessions else { return ExitCode.failure }
    let signals = FileDescriptor(owning: linux_screen_signals())
    let observer = TableObserver(of: directory)
    let poller = Poller(observer.descriptor, state.hardware.descriptor, signals.number, Terminal.keys)
    var view = MonitorView(of: observer.report(of: state))
    var terminal = Terminal()
    while terminal.show(view) {
        let ready = poller.next()
        switch ready {
        case ..<0: return ExitCode.failure
        case signals.number: if !handleSignal(signals.number, &terminal) { return ExitCode.success }
        case Terminal.keys: if !handleKeys(&terminal) { return ExitCode.success }
        default:
            if ready == state.hardware.descriptor { _ = state.hardware.processEvents() }
            view.advance(to: observer.report(of: state), at: TimeOfDay(milliseconds: linux_milliseconds_of_day()))
        }
    }
    return ExitCode.success
}

/// False if the program has to end.
private func handleSignal(_ signals: Int32, _ terminal: inout Terminal) -> Bool {
    switch Int(linux_next_screen_signal(signals)) {
    case LINUX_SCREEN_ENDED: return false
    case LINUX_SCREEN_RESIZED: terminal.resize()
    case LINUX_SCREEN_STOPPED:
        terminal.restore()
        linux_stop_process()
    case LINUX_SCREEN_CONTINUED: terminal.reacquire()
    default: break
    }
    return true
}

/// False after q, and at the end of the input. Any other key redraws the screen.
private func handleKeys(_ terminal: inout Terminal) -> Bool {
    var keys = [UInt8](repeating: 0, count: 64)
    let count = linux_read(Terminal.keys, &keys, keys.count)
    terminal.invalidate()
    return count > 0 && !keys.prefix(count).contains { $0 | 0x20 == UInt8(ascii: "q") }
}
