// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The commands of the tool in processes of their own.
@Suite struct ToolTests {
    private let tool: Tool
    private var shared: String { tool.folder + "/run" }

    init() throws { tool = try Tool() }

    private static let changes = [
        "interrupt begin --detach", "interrupt begin", "interrupt end", "interrupt confirm", "silent on", "lock off",
        "simulate plug usb",
    ]

    @Test("A change that no session could notice is refused: the exit status is 1, and one line says why", arguments: changes)
    func unseen(change: String) throws {
        try FileManager.default.createDirectory(atPath: tool.folder + "/open", withIntermediateDirectories: false)
        #expect(chmod(tool.folder + "/open", 0o777) == 0)
        #expect(FileManager.default.createFile(atPath: tool.folder + "/file", contents: nil))
        let own = "set AUDIOSESSION_RUNTIME_DIR to a folder of your own, mode 0700"
        for (path, reason, remedy) in [
            ("\(tool.folder)/open", "others may write into it", own), ("\(tool.folder)/file", "is not a folder", own),
            ("\(tool.folder)/no/parent", "the folder \(tool.folder)/no does not exist", "create that folder first"),
            ("/proc/none", "cannot be created in /proc: No such file or directory", own),
        ] {
            let end = try tool.run(change, meetingIn: path)
            #expect(end.status == 1 && end.output == "")
            #expect(end.errors == "audiosessionctl: \(path): \(reason); no session would notice: \(remedy)\n")
        }
    }

    @Test(
        "A change is refused where the table has no room",
        arguments: changes.filter { !$0.hasPrefix("simulate") })
    func noRoom(change: String) throws {
        let end = try tool.run(change, prelude: Tool.noFileMayGrow)
        #expect(end.status == 1 && end.output == "")
        let reason = "audiosessionctl: \(shared): File too large; no session would notice: free some space there, "
        #expect(end.errors.hasPrefix(reason) && end.errors.components(separatedBy: "\n").count == 2)
    }

    @Test(
        "A change is refused where the table can be read but not written",
        arguments: ["silent off", "lock on", "interrupt begin --detach"])
    func unwritable(change: String) throws {
        #expect(try tool.run("silent on").status == 0)
        let end = try tool.run(change, prelude: Tool.noFileMayGrow)
        #expect(end.status == 1 && end.output == "")
        #expect(end.errors.contains("File too large; no session would notice"), "\(end.errors)")
        #expect(try tool.run("status").output.contains("silent on, screen unlocked, no call"))
    }

    @Test("A simulated machine with a file of its own changes without a runtime directory")
    func ownSimulation() throws {
        let file = tool.folder + "/machine"
        let end = try tool.run(
            "simulate plug usb",
            setting: ["AUDIOSESSION_RUNTIME_DIR": "/no/where", "AUDIOSESSION_SIMULATION": file])
        #expect(end.status == 0 && end.errors == "")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("plug usb"))
    }

    @Test("A trace whose file cannot be opened ends before it begins", arguments: ["/no/where", "trace --svg /no/where"])
    func nowhere(arguments: String) throws {
        let end = try tool.run("trace \(arguments)")
        #expect(end.status == 1 && end.errors == "audiosessionctl: /no/where: No such file or directory\n")
    }

    @Test("A trace and its picture replace the content of their files when the recording ends")
    func traced() throws {
        let old = String(repeating: "old ", count: 10_000)
        for file in ["/trace", "/picture"] { try old.write(toFile: tool.folder + file, atomically: false, encoding: .utf8) }
        let recording = try tool.start("trace trace --svg picture")
        try recording.error(with: "watching")
        #expect(try String(contentsOfFile: tool.folder + "/trace", encoding: .utf8) == old)
        #expect(try tool.run("silent on").status == 0)
        kill(recording.pid, SIGTERM)
        #expect(try recording.end().status == 0)
        let trace = try String(contentsOfFile: tool.folder + "/trace", encoding: .utf8)
        #expect(trace.contains("the silent switch is on") && trace.hasSuffix("\"displayTimeUnit\":\"ms\"}\n"))
        #expect(try String(contentsOfFile: tool.folder + "/picture", encoding: .utf8).hasSuffix("</svg>\n"))
    }

    @Test(
        "The commands for sound files need the companion library, and name its package where it is missing",
        arguments: ["play a.wav", "record a.wav", "convert a.wav b.wav", "info a.wav"])
    func withoutToolbox(command: String) throws {
        let end = try tool.run(command)
        #expect(end.status == 1 && end.output == "")
        let text = "audiosessionctl: this command needs libAudioToolbox.so.0: install the package libaudiotoolbox0 ("
        #expect(end.errors.hasPrefix(text), "\(end.errors)")
    }

    @Test("status fails where sessions cannot meet, and prints nothing", arguments: ["status", "status --json"])
    func unreadable(command: String) throws {
        let end = try tool.run(command, meetingIn: tool.folder + "/no/parent")
        #expect(end.status == 1 && end.output == "")
        let reason = "\(tool.folder)/no/parent: the folder \(tool.folder)/no does not exist"
        #expect(end.errors == "audiosessionctl: \(reason); the sessions cannot be read: create that folder first\n")
        #expect(try tool.run(command, prelude: Tool.noFileMayGrow).status == 1)
    }

    @Test("A mistake in the simulation file is reported once, with its line, and no command overwrites the file")
    func simulationMistake() throws {
        let text = "plug headphones\nplug toaster\n"
        let file = tool.folder + "/machine"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        let variables = ["AUDIOSESSION_SIMULATION": file]
        let mistake = "\(file):2: expected a port"
        let rows = [("simulate unplug headphones", 1), ("status", 0), ("status --json", 0), ("routes", 0), ("routes --json", 0)]
        for (command, status) in rows {
            let end = try tool.run(command, setting: variables)
            #expect(end.status == status && end.errors.components(separatedBy: mistake).count == 2, "\(command)")
            #expect(!end.output.contains(mistake), "\(command)")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        let doctor = try tool.run("doctor", setting: variables)
        #expect(doctor.status == 1 && doctor.output.contains("wrong \(mistake)") && doctor.errors == "")
    }

    @Test("routes names the device of each route")
    func routes() throws {
        let end = try tool.run("routes")
        #expect(end.status == 0)
        #expect(end.output.contains("MediaPlayback: out Speaker, in none, device null\n"))
        #expect(end.output.contains("PlayAndRecord: out Receiver, in MicrophoneBuiltIn, device null\n"))
        #expect(end.output.contains("AudioProcessing: out none, in none\n"))
    }

    @Test("A usage error prints the usage of the command, exits with 2 and does nothing; --help exits with 0")
    func usage() throws {
        let error = try tool.run("stauts")
        #expect(error.status == 2 && error.output == "")
        #expect(error.errors.hasPrefix("audiosessionctl: unknown command \"stauts\"; did you mean status?\nusage: "))
        let help = try tool.run("trace --help")
        #expect(help.status == 0 && help.output.hasPrefix("usage: audiosessionctl trace") && help.errors == "")
        #expect(try tool.run("trace -x").status == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder) == [])
    }

    @Test("The doctor opens the device audiosession, and names the remedy where it cannot")
    func device() throws {
        let missing = try tool.run("doctor", setting: ["ALSA_CONFIG_PATH": tool.configuration])
        #expect(missing.output.hasSuffix("need the package libaudiotoolbox0\n"))
        #expect(missing.status == 1)
        #expect(
            missing.output.contains(
                "wrong the ALSA device audiosession cannot be opened: No such file or directory; install libasound2-plugin-audiosession\n"
            ))
        #expect(missing.errors == "")
        let file = tool.folder + "/asound.conf"
        try "pcm.audiosession { type null }\n".write(toFile: file, atomically: false, encoding: .utf8)
        let found = try tool.run("doctor", setting: ["ALSA_CONFIG_PATH": "\(tool.configuration):\(file)"])
        #expect(found.output.contains("ok    the ALSA device audiosession can be opened\n"))
    }

    @Test("The doctor states the reason of the loader where libAudioToolbox is there and does not load")
    func brokenToolbox() throws {
        let file = tool.folder + "/libAudioToolbox.so.0"
        try "no library".write(toFile: file, atomically: false, encoding: .utf8)
        let end = try tool.run("doctor", prelude: "export LD_LIBRARY_PATH='\(tool.folder)':$LD_LIBRARY_PATH")
        #expect(end.status == 1 && end.errors == "")
        #expect(end.output.contains("\nwrong libAudioToolbox does not load: \(file): "), "\(end.output)")
        #expect(end.output.hasSuffix("; reinstall the package libaudiotoolbox0 and those that it needs\n"))
        #expect(!end.output.contains("is not installed: units"))
    }

    @Test("The doctor names one defect of the runtime directory, and its remedy")
    func remedies() throws {
        let full = try tool.run("doctor", prelude: Tool.noFileMayGrow)
        #expect(full.status == 1 && full.output.contains("File too large; sessions cannot meet: free some space there"))
        #expect(!full.output.contains("sessions meet in"))
        let nowhere = try tool.run("doctor", meetingIn: tool.folder + "/no/parent")
        #expect(nowhere.status == 1 && nowhere.output.contains("sessions cannot meet: create that folder first"))
        #expect(chmod(tool.folder, 0o777) == 0)
        let open = try tool.run("doctor", meetingIn: tool.folder)
        #expect(open.status == 1 && open.output.contains("a folder of your own, mode 0700"))
        #expect(try tool.run("doctor").output.contains("ok    sessions meet in \(shared)\n"))
    }

    @Test("The doctor counts the sessions of programs, and not those of their system sounds")
    func countedSessions() throws {
        var peers: [Program] = []
        for (kind, text) in [
            ("sounds", "0 sessions"), ("media", "1 session"), ("sounds", "1 session"), ("ambient", "2 sessions"),
        ] {
            let peer = try tool.peer()
            try peer.obey("enter \(kind)")
            peers.append(peer)
            let output = try tool.run("doctor").output
            #expect(output.contains("ok    its table can be read and written; it has \(text)\n"), "\(output)")
        }
        for (peer, text) in zip(peers, ["2 sessions", "1 session", "1 session", "0 sessions"]) {
            try peer.obey("leave")
            #expect(try tool.run("doctor").output.contains("it has \(text)\n"))
        }
    }

    @Test("The holder of a call ends when another process ends the call")
    func endedByOthers() throws {
        let holder = try tool.start("interrupt begin --name Ada")
        try holder.line(with: "Ada began")
        #expect(try tool.run("status").output.contains("Ada ringing, held by audiosessionctl (\(holder.pid))"))
        #expect(try tool.run("interrupt end").status == 0)
        let end = try holder.end()
        #expect(end.status == 0 && end.errors == "")
    }

    @Test("The holder of a call keeps the call when another process confirms it")
    func confirmedByOthers() throws {
        let holder = try tool.start("interrupt begin --name Ada")
        try holder.line(with: "Ada began")
        #expect(try tool.run("interrupt confirm").status == 0)
        // A new session wakes the holder, which looks at the table.
        let peer = try tool.peer()
        try peer.obey("enter media")
        #expect(try tool.run("status").output.contains("Ada taken, held by audiosessionctl (\(holder.pid))"))
        kill(holder.pid, SIGTERM)
        #expect(try holder.end().status == 0)
    }

    @Test(
        "A call ends with its holder, and the interrupted session should resume", arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL])
    func holderEnds(signal: Int32) throws {
        let peer = try tool.peer()
        for line in ["enter media", "activate"] { try peer.obey(line) }
        let holder = try tool.start("interrupt begin")
        try peer.line(with: "begin")
        kill(holder.pid, signal)
        try peer.line(with: "shouldResume")
        #expect(try holder.end().status == (signal == SIGKILL ? -1 : 0))
        #expect(try tool.run("status").output.contains("no call"))
    }

    @Test(
        "interrupt end says whether the interrupted sessions should resume",
        arguments: [("interrupt end", "shouldResume"), ("interrupt end --should-not-resume", "shouldNotResume")])
    func resuming(command: String, type: String) throws {
        let peer = try tool.peer()
        for line in ["enter media", "activate"] { try peer.obey(line) }
        #expect(try tool.run("interrupt begin --detach").status == 0)
        try peer.line(with: "begin")
        #expect(try tool.run(command).status == 0)
        try peer.line(with: type)
    }

    @Test("status shows a change as soon as the command that made it has ended")
    func together() throws {
        #expect(try tool.run("interrupt end").errors == "audiosessionctl: there is no call\n")
        #expect(try tool.run("interrupt confirm").errors == "audiosessionctl: there is no call\n")
        #expect(try tool.run("interrupt begin --detach --name Ada").status == 0)
        #expect(try tool.run("interrupt begin").errors == "audiosessionctl: there is a call already\n")
        #expect(try tool.run("status").output.contains("Ada ringing"))
        #expect(try tool.run("interrupt end").status == 0)
        #expect(try tool.run("silent on").status == 0 && tool.run("lock on").status == 0)
        #expect(try tool.run("status").output.contains("silent on, screen locked, no call"))
        #expect(try tool.run("silent off").status == 0 && tool.run("lock off").status == 0)
        #expect(try tool.run("status").output.contains("silent off, screen unlocked, no call"))
    }
}
