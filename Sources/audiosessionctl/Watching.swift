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
    // First: what is recorded must have a place to go.
    guard let trace = Recording(file) else { return ExitCode.failed }
    guard let picture else {
        guard let history = watch({ _, _ in true }) else { return ExitCode.failed }
        return trace.take(history.trace) ? ExitCode.done : ExitCode.failed
    }
    guard let drawing = Recording(picture), let history = watch({ _, _ in true }) else { return ExitCode.failed }
    let isTaken = trace.take(history.trace)
    return drawing.take(history.svg) && isTaken ? ExitCode.done : ExitCode.failed
}

/// A file that will be written when all has been recorded; until then it keeps what it has.
private struct Recording: ~Copyable {
    private let path: String
    private let file: FileDescriptor

    init?(_ path: String) {
        self.path = path
        do throws(SystemError) { file = try FileDescriptor(opening: path, how: LINUX_WRITE | LINUX_CREATE) } catch {
            Output.complain("\(path): \(error.text)")
            return nil
        }
    }

    consuming func take(_ text: String) -> Bool {
        // What is no ordinary file has no length, and needs none.
        _ = linux_truncate(file.number, 0)
        do throws(SystemError) {
            try TextFile.write(text, to: file)
            return true
        } catch {
            Output.complain("\(path): \(error.text)")
            return false
        }
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
func stamp(_ nanoseconds: UInt64) -> String {
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
