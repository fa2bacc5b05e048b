import AudioHardware
import Foundation
import SimulatedHardware
import Testing

@testable import audiosessionctl

private func parsed(_ line: String) -> Command? {
    try? Command(line.split(separator: " ").map(String.init))
}

@Suite struct CommandTests {
    @Test("Every command that the manual names is understood")
    func understood() {
        #expect(parsed("status") == .status(json: false))
        #expect(parsed("status --json") == .status(json: true))
        #expect(parsed("monitor") == .monitor(.asFits))
        #expect(parsed("monitor --json") == .monitor(.json))
        #expect(parsed("monitor --lines") == .monitor(.lines))
        #expect(parsed("routes") == .routes(json: false))
        #expect(parsed("doctor") == .doctor)
        #expect(parsed("interrupt begin") == .beginInterruption(name: "call", detached: false))
        #expect(parsed("interrupt begin --detach --name Ada") == .beginInterruption(name: "Ada", detached: true))
        #expect(parsed("interrupt end") == .simulate(.endInterruption(shouldResume: true)))
        #expect(parsed("interrupt end --should-not-resume") == .simulate(.endInterruption(shouldResume: false)))
        #expect(parsed("interrupt confirm") == .simulate(.confirmInterruption))
        #expect(parsed("silent on") == .simulate(.silent(true)))
        #expect(parsed("lock off") == .simulate(.lock(false)))
        #expect(parsed("simulate plug usb") == .simulate(.hardware(.plug(.usb))))
        #expect(parsed("simulate volume 0.25") == .simulate(.hardware(.volume(0.25))))
        #expect(parsed("trace a.json --svg b.svg") == .trace("a.json", picture: "b.svg"))
        #expect(parsed("help interrupt") == .help("interrupt"))
        #expect(parsed("--version") == .version)
    }

    @Test(
        "Anything else is a mistake",
        arguments: [
            "", "bogus", "status --yaml", "status extra", "monitor --json --lines", "interrupt", "interrupt begin --name",
            "interrupt begin now", "silent",
            "silent maybe", "lock on off", "simulate plug", "simulate plug toaster", "simulate volume loud", "simulate volume 2",
            "trace",
            "trace a.json --svg", "help a b", "interrupt end later", "run", "run --", "run --name", "run --bogus true",
            "run --category Nonsense true", "run --category AmbientSound --mode VoiceChat true",
            "run --category RecordAudio --mix true", "run --on-interrupt later true",
        ])
    func mistakes(line: String) {
        #expect(throws: Command.Mistake.self) { try Command(line.split(separator: " ").map(String.init)) }
    }

    @Test("An event is stamped with the seconds since the beginning, to a millisecond")
    func stamps() {
        #expect(stamp(0) == "[   0.000]")
        #expect(stamp(1_002_999_999) == "[   1.002]")
        #expect(stamp(12_345_098_000_000) == "[12345.098]")
    }

    @Test("The version is the project's")
    func version() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let version = try String(contentsOf: root.appendingPathComponent("VERSION"), encoding: .utf8)
        #expect(Version.text == version.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test("Every command has its help, and the manual names it")
    func help() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let manual = try String(contentsOf: root.appendingPathComponent("docs/man/audiosessionctl.1"), encoding: .utf8)
        for command in ["status", "monitor", "interrupt", "silent", "lock", "simulate", "routes", "trace", "doctor"] {
            #expect(Help.text(command) != nil)
            #expect(manual.contains(command))
        }
        #expect(Help.text("bogus") == nil)
        #expect(Help.text("simulate")?.contains("...") == false, "all that can be simulated is named")
    }

    @Test("The help on run explains every option, and says where more is")
    func runHelp() throws {
        let help = try #require(Help.text("run"))
        for option in ["category", "mode", "mix", "duck", "name", "on-interrupt"] {
            #expect(help.split(separator: "\n").contains { $0.hasPrefix("    --\(option) ") })
        }
        #expect(help.contains("audiosession-alsa(5)"))
    }
}
