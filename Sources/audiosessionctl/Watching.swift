import AudioHardware
import CLinux
import LinuxSystem
import SessionReports

func monitor(_ telling: Command.Telling) -> Int32 {
    if telling == .asFits, Terminal.isFit { return showMonitor() }
    return tellMonitor(json: telling == .json)
}

private func tellMonitor(json: Bool) -> Int32 {
    let history = watch { history, happenings in
        for happening in happenings {
            let since = history.end &- history.start
            let isRead = Output.say(json ? line(happening, at: since) : Output.dimmed(stamp(since)) + " \(happening.text)\n")
            guard isRead else { return false }
        }
        return true
    }
    return history == nil ? ExitCode.failed : ExitCode.done
}

func record(to file: String, picture: String?) -> Int32 {
    guard let history = watch({ _, _ in true }) else { return ExitCode.failed }
    do throws(SystemError) {
        try TextFile.replace(file, with: history.trace)
        if let picture { try TextFile.replace(picture, with: history.svg) }
        return ExitCode.done
    } catch {
        Output.complain("\(file): \(error.text)")
        return ExitCode.failed
    }
}

/// Follows what happens until the tool is asked to end or nobody wants to hear more.
private func watch(_ tell: (History, [Happening]) -> Bool) -> History? {
    let world = World.find()
    guard let directory = world.directory, world.sessions != nil else { return nil }
    let signals = FileDescriptor(owning: linux_end_signals())
    let observer = Observer(of: directory)
    let watch = Watch(observer.descriptor, world.hardware.descriptor, signals.number)
    var report = observer.report(of: world)
    var history = History(from: report, at: linux_monotonic_nanoseconds())
    // Who reads along is to know that from now on nothing is missed.
    Output.complain("watching")
    while true {
        let ready = watch.next()
        guard ready >= 0 else { return nil }
        if ready == world.hardware.descriptor { _ = world.hardware.heed() }
        report = observer.report(of: world)
        let happenings = history.advance(to: report, at: linux_monotonic_nanoseconds())
        guard tell(history, happenings), ready != signals.number else { return history }
    }
}

/// Seconds since the beginning, to a millisecond.
private func stamp(_ nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    var rest = "\(milliseconds % 1000)"
    while rest.utf8.count < 3 { rest = "0" + rest }
    var whole = "\(milliseconds / 1000)"
    while whole.utf8.count < 4 { whole = " " + whole }
    return "[\(whole).\(rest)]"
}

private func line(_ happening: Happening, at nanoseconds: UInt64) -> String {
    JSON.object([("time", .integer(Int(clamping: nanoseconds / 1000)))] + happening.json).text + "\n"
}
