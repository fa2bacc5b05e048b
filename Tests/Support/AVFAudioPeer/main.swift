// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import CHalf
import Foundation

// A program of Swift and C parts, in a separate process, since a process has one session. The argument selects the
// scenario; every step prints a line.

func code(_ text: StaticString) -> UInt32 {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
}

func text(_ status: Int32) -> String {
    let code = UInt32(bitPattern: status)
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return status == 0 || status == -50 ? "\(status)" : String(decoding: bytes, as: UTF8.self)
}

/// The number that C reads, or the result code.
func c(_ property: StaticString) -> String {
    var value: UInt32 = 0
    let status = c_get(code(property), &value)
    guard status == 0 else { return text(status) }
    return value > 0xFFFF ? text(Int32(bitPattern: value)) : "\(value)"
}

func swift(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "0"
    } catch {
        return "\(AVAudioSession.ErrorCode(error).map { "\($0)" } ?? "\(error)")"
    }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

@MainActor func run(_ scenario: String) {
    switch scenario {
    case "c-first":
        say("C before: \(c("acat"))")
        say("C initialize: \(text(c_initialize()))")
        say("C sets playback: \(text(c_set(code("acat"), code("medi"))))")
        say("Swift reads \(AVAudioSession.sharedInstance().category.rawValue)")
        say("C initialize: \(text(c_initialize()))")
    case "swift-first":
        let session = AVAudioSession.sharedInstance()
        say("C reads \(c("acat"))")
        say("Swift sets playback: \(swift { try session.setCategory(.playback) })")
        say("C reads \(c("acat"))")
        say("C initialize: \(text(c_initialize()))")
        say("C initialize: \(text(c_initialize()))")
        say("C reads \(c("acat"))")
    case "turns": takeTurns()
    case "listeners": listen()
    case "listing":
        configureAsInTheDocument()
        let session = AVAudioSession.sharedInstance()
        say("\(session.category.rawValue) \(session.mode.rawValue) \(session.categoryOptions.rawValue)")
    case "player": play()
    case "streams": playThroughALSA()
    default: exit(2)
    }
}

/// Both change one session alternately.
@MainActor func takeTurns() {
    let session = AVAudioSession.sharedInstance()
    say("C initialize: \(text(c_initialize()))")
    say("C sets playAndRecord: \(text(c_set(code("acat"), code("plar"))))")
    say("C sets speaker: \(text(c_set(code("cspk"), 1)))")
    say("Swift reads \(session.category.rawValue) \(session.categoryOptions.rawValue)")
    say("Swift sets Bluetooth: \(swift { try session.setCategory(.playAndRecord, options: .allowBluetooth) })")
    say("C reads \(c("cspk")) \(c("cblu"))")
    say("Swift activates: \(swift { try session.setActive(true) })")
    say("C sets voice chat: \(text(c_set(code("mode"), code("vcct"))))")
    say("Swift sets voice chat: \(swift { try session.setMode(.voiceChat) })")
    say("C reads \(c("mode"))")
    say("C deactivates: \(text(c_set_active(0)))")
    say("C sets default: \(text(c_set(code("mode"), code("dflt"))))")
    say("Swift reads \(session.mode.rawValue) \(session.categoryOptions.rawValue)")
    say("Swift sets live: \(swift { try session.setCategory("live") })")
    say("C sets live: \(text(c_set(code("acat"), code("live"))))")
    say("Swift reads \(session.category.rawValue)")
    say("Swift ducks: \(swift { try session.setCategory(.playback, options: .duckOthers) })")
    say("C reads \(c("duck")) \(c("cmix"))")
    say("Swift sets a duration: \(swift { try session.setPreferredIOBufferDuration(0.005) })")
    var duration: Float = 0
    say("C reads \(text(c_get_float(code("iobd"), &duration))) \(duration == 0.005)")
    say("Swift sets multiRoute: \(swift { try session.setCategory(.multiRoute) })")
    say("C reads \(c("acat"))")
    say("C listens to the rate: \(text(c_listen(code("chsr"))))")
}

/// Both receive the same events, on the main thread.
@MainActor func listen() {
    let session = AVAudioSession.sharedInstance()
    nonisolated(unsafe) var received = ""
    for name in [AVAudioSession.routeChangeNotification, AVAudioSession.interruptionNotification] {
        _ = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
            let type = $0.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            received += type.map { $0 == 1 ? "begin" : "end" } ?? "route"
            received += Thread.isMainThread ? ";" : " elsewhere;"
        }
    }
    // C receives this event before it gives its run loop.
    say("C listens: \(text(c_listen(code("roch"))))")
    say("C plugs: \(text(c_simulate("plug headphones")))")
    wait(for: "route;", "roch;") { received }
    received = ""
    say("C initialize: \(text(c_initialize()))")
    say("Swift activates: \(swift { try session.setActive(true) })")
    say("C interrupts: \(text(c_simulate("interrupt begin")))")
    wait(for: "begin;", "begin;") { received }
    received = ""
    say("C ends it: \(text(c_simulate("interrupt end")))")
    wait(for: "end;", "end;") { received }
}

/// Runs the main run loop until both have received something, or the time limit is over. Prints what they
/// received when it was not this.
@MainActor func wait(for swift: String, _ c: String, _ received: () -> String) {
    let timeLimit = Date(timeIntervalSinceNow: 60)
    var receivedByC = ""
    while timeLimit.timeIntervalSinceNow > 0 {
        receivedByC += String(cString: c_received())
        if !received().isEmpty, !receivedByC.isEmpty { break }
        _ = RunLoop.main.run(mode: .default, before: timeLimit)
    }
    say(received() == swift && receivedByC == c ? "both received it" : "Swift received \(received()) and C \(receivedByC)")
}

/// A stream of the ALSA plug-in, whose own library has a second engine, belongs to the session of this process.
@MainActor func playThroughALSA() {
    let session = AVAudioSession.sharedInstance()
    say("Swift sets record: \(swift { try session.setCategory(.record) })")
    say("ALSA plays: \(c_play())")
    say("Swift sets playback: \(swift { try session.setCategory(.playback) })")
    say("ALSA plays: \(c_play())")
    // The caller looks at the sessions.
    _ = readLine()
    say("Swift deactivates: \(swift { try session.setActive(false) })")
    c_stop()
    say("Swift deactivates: \(swift { try session.setActive(false) })")
}

/// Plays, and prints the events, until standard input ends.
@MainActor func play() {
    let session = AVAudioSession.sharedInstance()
    _ = NotificationCenter.default.addObserver(forName: AVAudioSession.interruptionNotification, object: session, queue: nil) {
        let ended = $0.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt == 0
        let options = ($0.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt).map(AVAudioSession.InterruptionOptions.init)
        say(ended ? "ended\(options?.contains(.shouldResume) == true ? ", should resume" : "")" : "began")
    }
    say("category: \(swift { try session.setCategory(.playback) })")
    Thread.detachNewThread {
        while let word = readLine() {
            DispatchQueue.main.async {
                switch word {
                case "activate": say("activate: \(swift { try session.setActive(true) })")
                case "leave": say("leave: \(swift { try session.setActive(false, options: .notifyOthersOnDeactivation) })")
                case "deactivate": say("deactivate: \(swift { try session.setActive(false) })")
                default: say("\(word)?")
                }
            }
        }
        // No cleanup: other threads are running.
        _exit(0)
    }
    RunLoop.main.run()
}

run(CommandLine.arguments.dropFirst().first ?? "")
