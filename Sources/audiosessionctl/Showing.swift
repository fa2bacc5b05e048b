import AudioHardware
import CLinux
import LinuxSystem
import SessionReports

/// Shows how things are on the whole terminal until the user has seen enough.
func showMonitor() -> Int32 {
    let world = World.find()
    guard let directory = world.directory, world.sessions != nil else { return ExitCode.failed }
    let signals = FileDescriptor(owning: linux_screen_signals())
    let observer = Observer(of: directory)
    let watch = Watch(observer.descriptor, world.hardware.descriptor, signals.number, Terminal.keys)
    var view = LiveView(of: observer.report(of: world))
    var terminal = Terminal()
    while terminal.show(view) {
        let ready = watch.next()
        switch ready {
        case ..<0: return ExitCode.failed
        case signals.number: if !heed(signals.number, &terminal) { return ExitCode.done }
        case Terminal.keys: if !heedKeys(&terminal) { return ExitCode.done }
        default:
            if ready == world.hardware.descriptor { _ = world.hardware.heed() }
            view.advance(to: observer.report(of: world), at: TimeOfDay(milliseconds: linux_milliseconds_of_day()))
        }
    }
    return ExitCode.done
}

/// False when the program is to end.
private func heed(_ signals: Int32, _ terminal: inout Terminal) -> Bool {
    switch Int(linux_next_screen_signal(signals)) {
    case LINUX_SCREEN_ENDED: return false
    case LINUX_SCREEN_RESIZED: terminal.forget()
    case LINUX_SCREEN_STOPPED:
        terminal.giveBack()
        linux_stop_itself()
    case LINUX_SCREEN_CONTINUED: terminal.retake()
    default: break
    }
    return true
}

/// False when the user has seen enough, or is gone. Any other key paints the screen anew.
private func heedKeys(_ terminal: inout Terminal) -> Bool {
    var keys = [UInt8](repeating: 0, count: 64)
    let count = linux_read(Terminal.keys, &keys, keys.count)
    terminal.forget()
    return count > 0 && !keys.prefix(count).contains { $0 | 0x20 == UInt8(ascii: "q") }
}
