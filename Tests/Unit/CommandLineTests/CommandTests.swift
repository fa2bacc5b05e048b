// SPDX-License-Identifier: Apache-2.0
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
        #expect(parsed("monitor") == .monitor(.automatic))
        #expect(parsed("monitor --json") == .monitor(.json))
        #expect(parsed("monitor --lines") == .monitor(.lines))
        #expect(parsed("routes") == .routes(json: false))
        #expect(parsed("doctor") == .doctor)
        #expect(parsed("interrupt begin") == .beginInterruption(name: "call", detached: false))
        #expect(parsed("interrupt begin --detach --name Ada") == .beginInterruption(name: "Ada", detached: true))
        #expect(parsed("interrupt end") == .change(.endInterruption(shouldResume: true)))
        #expect(parsed("interrupt end --should-not-resume") == .change(.endInterruption(shouldResume: false)))
        #expect(parsed("interrupt confirm") == .change(.confirmInterruption))
        #expect(parsed("silent on") == .change(.silent(true)))
        #expect(parsed("lock off") == .change(.lock(false)))
        #expect(parsed("simulate plug usb") == .change(.hardware(.plug(.usb))))
        #expect(parsed("simulate volume 0.25") == .change(.hardware(.volume(0.25))))
        #expect(parsed("trace a.json --svg b.svg") == .trace("a.json", picture: "b.svg"))
        #expect(parsed("play a.wav b.caf") == .play(["a.wav", "b.caf"]) && parsed("play -- -a --") == .play(["-a", "--"]))
        #expect(parsed("info a.wav") == .info(["a.wav"], json: false) && parsed("info --json -- -a") == .info(["-a"], json: true))
        guard case .record(let memo)? = parsed("record a.wav"), case .convert("a.wav", let copy)? = parsed("convert a.wav b.caf")
        else {
            Issue.record("record or convert is not understood")
            return
        }
        #expect(memo.file == "a.wav" && memo.container == .wave && copy.file == "b.caf" && copy.container == .caf)
        #expect(parsed("help interrupt") == .help("interrupt"))
        #expect(parsed("--version") == .version)
    }

    @Test(
        "Anything else is a mistake",
        arguments: [
            "", "bogus", "help bogus", "version 2", "doctor x", "status --yaml", "status extra", "monitor --json --lines",
            "interrupt", "interrupt begin --name",
            "interrupt begin now", "silent",
            "silent maybe", "lock on off", "simulate plug", "simulate plug toaster", "simulate volume loud", "simulate volume 2",
            "trace",
            "trace a.json --svg", "help a b", "interrupt end later", "run", "run --", "run --name", "run --bogus true",
            "run --category Nonsense true", "run --category AmbientSound --mode VoiceChat true",
            "run --category RecordAudio --mix true", "run --on-interrupt later true",
            "play", "play --", "play -a", "play a -b", "info", "info --json", "info a --json", "record", "record a.wav b.wav",
            "record a", "record .wav", "record --seconds a.wav", "record --seconds 0 a.wav", "record --rate 3999 a.wav",
            "record --rate nan a.wav", "record --channels 9 a.wav", "record --channels 1.5 a.wav", "record --format mp3 a.caf",
            "record --format aac a.wav", "record --format ima4 a.au", "record --format int16 a.m4a", "record --", "record -x.wav",
            "convert a.wav", "convert a.wav b.wav c.wav", "convert a.wav --seconds 1 b.wav", "convert a.wav b.mp3",
        ])
    func mistakes(line: String) {
        #expect(throws: UsageError.self) { try Command(line.split(separator: " ").map(String.init)) }
    }

    @Test("The options of record and convert stand before, between and after the files; all words after -- are files")
    func soundOptions() throws {
        guard case .record(let memo) = try #require(parsed("record --seconds 2.5 --force a/B.CAF --format ima4")) else { return }
        #expect(memo.file == "a/B.CAF" && memo.container == .caf && memo.encoding == .ima4)
        #expect(memo.seconds == 2.5 && memo.replaces && memo.rate == nil && memo.channels == nil)
        guard case .convert(let source, let copy) = try #require(parsed("convert --rate 8000 in --channels 1 -- -out.au")) else {
            return
        }
        #expect(source == "in" && copy.file == "-out.au" && copy.rate == 8000 && copy.channels == 1 && !copy.replaces)
        #expect(parsed("convert -- a.wav --force.wav") != nil)
    }

    @Test("Each type of file has the formats that it can hold, in its byte order; an AIFF file of other than integers is AIFC")
    func containers() throws {
        let held: [(String, [TargetEncoding])] = [
            ("a.wav", [.ulaw, .alaw]), ("a.au", [.ulaw, .alaw]), ("a.aif", [.ulaw, .alaw, .ima4]),
            ("a.aifc", [.ulaw, .alaw, .ima4]), ("a.caf", [.ulaw, .alaw, .ima4, .aac, .alac]), ("a.m4a", [.aac, .alac]),
        ]
        for (file, encodings) in held {
            let container = try Container(file)
            for encoding in TargetEncoding.allCases {
                let isHeld = encoding.bits != nil ? container != .m4a : encodings.contains(encoding)
                #expect(container.holds(encoding) == isHeld, "\(file) \(encoding.word)")
            }
        }
        let (aiff, wave) = (try Container("a.AIFF"), try Container("a.wav"))
        #expect(aiff.type(for: .int24) == 0x4149_4646 && aiff.type(for: .float32) == 0x4149_4643)
        #expect(aiff.type(for: .ima4) == 0x4149_4643)
        let int16 = aiff.description(.int16, rate: 44_100, channels: 2)
        #expect(int16.formatFlags == [.signedInteger, .packed, .bigEndian] && int16.bytesPerFrame == 4)
        #expect(wave.description(.int8, rate: 8_000, channels: 1).formatFlags == [.packed])
        #expect(aiff.description(.int8, rate: 8_000, channels: 1).formatFlags == [.packed, .signedInteger])
        #expect(wave.description(.float64, rate: 8_000, channels: 3).bytesPerPacket == 24)
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
            .deletingLastPathComponent().deletingLastPathComponent()
        let version = try String(contentsOf: root.appendingPathComponent("VERSION"), encoding: .utf8)
        #expect(Version.text == version.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test("Every command has help, and the manual explains each of its words")
    func help() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let manual = try String(contentsOf: root.appendingPathComponent("docs/man/audiosessionctl.1"), encoding: .utf8)
            .replacing("Fl -", with: "--").replacing("\\-", with: "-")
        for usage in Usage.all {
            #expect(Usage.help(usage.name).hasPrefix("usage: audiosessionctl \(usage.name)"))
            #expect(usage.summary.utf8.count <= 65)
            for word in usage.words + [usage.name] {
                #expect(usage.name == "run" && word == "--" || manual.contains(word), "\(usage.name) \(word)")
                #expect(word == usage.name || Usage.help(usage.name).contains(word), "\(usage.name) \(word)")
            }
        }
    }

    @Test("The list of the commands has one line for each")
    func list() {
        let lines = Usage.help(nil).split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        #expect(lines.count == Usage.all.count)
        for (line, usage) in zip(lines, Usage.all) {
            #expect(line.hasPrefix("  \(usage.name) ") && line.hasSuffix(" \(usage.summary)"))
        }
    }

    @Test("A format that the type of a file cannot hold is an error that names those that it holds")
    func heldFormats() {
        func message(_ line: String) -> String? {
            do throws(UsageError) { _ = try Command(line.split(separator: " ").map(String.init)) } catch { return error.text }
            return nil
        }
        #expect(
            message("record --format aac memo.wav")
                == "the type of \"memo.wav\" does not hold aac, only int8 int16 int24 int32 float32 float64 ulaw alaw")
        #expect(message("convert --format ulaw in.wav out.m4a") == "the type of \"out.m4a\" does not hold ulaw, only aac alac")
    }

    @Test("The name - stands for standard input where files are read")
    func standardInput() {
        #expect(parsed("play -") == .play(["-"]) && parsed("play a.wav - b.wav") == .play(["a.wav", "-", "b.wav"]))
        #expect(parsed("info --json -") == .info(["-"], json: true))
        guard case .convert("-", _)? = parsed("convert --rate 8000 - out.wav") else {
            Issue.record("convert reads no standard input")
            return
        }
        for line in ["trace -", "record -", "convert in.wav -", "play -x"] { #expect(parsed(line) == nil, "\(line)") }
    }

    @Test("A line of the usage that continues another one does not repeat the name of the tool")
    func continuation() {
        #expect(Usage.help("run").contains("\n                           [--on-interrupt hold|xrun|silence]"))
    }

    @Test("Every command answers --help and -h, wherever they stand before --")
    func helpOptions() {
        for usage in Usage.all where usage.name != "run" {
            for line in ["--help", "-h", "extra --help", "--bogus -h"] {
                #expect(parsed("\(usage.name) \(line)") == .help(usage.name))
            }
        }
        #expect(parsed("run --help") == .help("run") && parsed("run -h") == .help("run"))
        #expect(parsed("--help") == .help(nil) && parsed("-h") == .help(nil) && parsed("help") == .help(nil))
        // The options of the command are its own.
        #expect(parsed("run ls --help") != .help("run") && parsed("run -- --help") != .help("run"))
        #expect(parsed("trace -- --help") == .trace("--help", picture: nil))
    }

    @Test("A file name that begins with a hyphen follows two hyphens")
    func fileNames() {
        #expect(parsed("trace -- -a") == .trace("-a", picture: nil))
        #expect(parsed("trace --svg -- -b -- -a") == .trace("-a", picture: "-b"))
        #expect(parsed("trace --svg b.svg a.json") == .trace("a.json", picture: "b.svg"))
        for line in ["trace -a", "trace --svg -b a", "trace --", "trace a b", "trace a --svg b --svg c"] {
            #expect(parsed(line) == nil, "\(line)")
        }
    }

    private static let wrongLines: [(line: String, text: String, usage: String)] = [
        ("stauts", "unknown command \"stauts\"; did you mean status?", "usage: audiosessionctl COMMAND"),
        ("bogus", "unknown command \"bogus\"\n", "usage: audiosessionctl COMMAND"),
        ("help monitr", "unknown command \"monitr\"; did you mean monitor?", "usage: audiosessionctl help [COMMAND]"),
        ("status --jsn", "unknown word \"--jsn\"; did you mean --json?", "usage: audiosessionctl status [--json]"),
        ("doctor now", "unknown word \"now\"\n", "usage: audiosessionctl doctor"),
        (
            "simulate plug hedphones", "unknown word \"hedphones\"; did you mean headphones?",
            "usage: audiosessionctl simulate plug"
        ),
        (
            "simulate volume loud", "expected a number from 0 to 1 instead of \"loud\"\n",
            "usage: audiosessionctl simulate plug"
        ),
        ("simulate volume 2", "expected a number from 0 to 1 instead of \"2\"\n", "usage: audiosessionctl simulate plug"),
        ("simulate volume", "expected a number from 0 to 1\n", "usage: audiosessionctl simulate plug"),
        ("silent no", "unknown word \"no\"; did you mean on?", "usage: audiosessionctl silent on | off"),
        ("interrupt begn", "unknown word \"begn\"; did you mean begin?", "usage: audiosessionctl interrupt begin"),
        (
            "interrupt begin --detatch", "unknown word \"--detatch\"; did you mean --detach?",
            "usage: audiosessionctl interrupt begin"
        ),
        ("convert --foce a b.wav", "unknown option \"--foce\"; did you mean --force?", "usage: audiosessionctl convert"),
        ("record --format imp4 a.caf", "unknown format \"imp4\"; did you mean ima4?", "usage: audiosessionctl record"),
        ("record a.mp3", "the name \"a.mp3\" does not say the type of the file; it ends with", "usage: audiosessionctl record"),
        ("record --rate 1 a.wav", "the rate \"1\" is not in 4000 to 192000\n", "usage: audiosessionctl record"),
        (
            "run --mode VoiceChat true", "mode is \"VoiceChat\": category MediaPlayback does not allow it, only PlayAndRecord\n",
            "usage: audiosessionctl run"
        ),
        (
            "run --category RecordAudio --mix true", "options has \"mix\": category RecordAudio does not allow it, only ",
            "usage: audiosessionctl run"
        ),
        ("run --categroy x y", "unknown option \"--categroy\"; did you mean --category?", "usage: audiosessionctl run"),
    ]

    @Test(
        "An error names the wrong word, suggests the nearest right one, and shows the usage of that command",
        arguments: wrongLines)
    func suggestions(line: String, text: String, usage: String) throws {
        let error = try #require(throws: UsageError.self) { try Command(line.split(separator: " ").map(String.init)) }
        #expect((error.message + "\n").hasPrefix(text), "\(error.message)")
        #expect(error.message.contains("\n\(usage)"), "\(error.message)")
    }

    @Test("The nearest word is at most a third of its letters away, or one")
    func distances() {
        #expect(nearest(to: "on", among: ["on", "off"]) == "on" && nearest(to: "no", among: ["off", "on"]) == "on")
        #expect(nearest(to: "unplugged", among: ["plug", "unplug"]) == nil)
        #expect(nearest(to: "plg", among: ["unplug", "plug"]) == "plug" && nearest(to: "", among: ["silent"]) == nil)
        #expect(nearest(to: "sielnt", among: ["silent"]) == "silent" && nearest(to: "tnelis", among: ["silent"]) == nil)
        #expect(nearest(to: String(repeating: "a", count: 1_000_000), among: ["silent"]) == nil)
    }
}
