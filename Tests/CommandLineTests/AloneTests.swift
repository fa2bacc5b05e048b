import Foundation
import Testing

/// What the tool says and does where no other process would see it.
@Suite struct AloneTests {
    private let tool: Tool
    private var shared: String { tool.folder + "/run" }

    init() throws { tool = try Tool() }

    private static let changes = [
        "interrupt begin --detach", "interrupt begin", "interrupt end", "interrupt confirm", "silent on", "lock off",
        "simulate plug usb",
    ]

    @Test("What nobody would see is not done: the exit status is 1, and one line says why", arguments: changes)
    func unseen(change: String) throws {
        try FileManager.default.createDirectory(atPath: tool.folder + "/open", withIntermediateDirectories: false)
        #expect(chmod(tool.folder + "/open", 0o777) == 0)
        #expect(FileManager.default.createFile(atPath: tool.folder + "/file", contents: nil))
        for (place, reason) in [
            ("/open", "others may write into it"), ("/file", "is not a folder"), ("/no/parent", "No such file or directory"),
        ] {
            let end = try tool.run(change, meetingIn: tool.folder + place)
            #expect(end.status == 1 && end.output == "")
            #expect(end.errors == "audiosessionctl: \(tool.folder)\(place): \(reason); no session would notice\n")
        }
    }

    @Test("The same where there is no room for the table", arguments: changes.filter { !$0.hasPrefix("simulate") })
    func noRoom(change: String) throws {
        let end = try tool.run(change, meetingIn: shared, prelude: Tool.noFileMayGrow)
        #expect(end.status == 1 && end.output == "")
        #expect(end.errors == "audiosessionctl: \(shared): File too large; no session would notice\n")
    }

    @Test("A simulated machine in a file of its own is changed wherever sessions meet")
    func ownSimulation() throws {
        let file = tool.folder + "/machine"
        let end = try tool.run("simulate plug usb", meetingIn: "/no/where", simulation: file)
        #expect(end.status == 0 && end.errors == "")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("plug usb"))
    }

    @Test("A trace that has nowhere to go ends before it begins", arguments: ["/no/where", "trace --svg /no/where"])
    func nowhere(arguments: String) throws {
        let end = try tool.run("trace \(arguments)", meetingIn: shared)
        #expect(end.status == 1 && end.errors == "audiosessionctl: /no/where: No such file or directory\n")
    }

    @Test("A trace and its picture are written when the recording ends, over what was there")
    func traced() throws {
        let old = String(repeating: "old ", count: 10_000)
        for file in ["/trace", "/picture"] { try old.write(toFile: tool.folder + file, atomically: false, encoding: .utf8) }
        // By SIGTERM, once it has said that it watches.
        let end = try tool.run(
            "trace trace --svg picture", meetingIn: shared,
            prelude: "mkfifo said; me=$$; (read line <said; kill $me) & exec 2>said")
        #expect(end.status == 0)
        #expect(try String(contentsOfFile: tool.folder + "/trace", encoding: .utf8).hasSuffix("\"displayTimeUnit\":\"ms\"}\n"))
        #expect(try String(contentsOfFile: tool.folder + "/picture", encoding: .utf8).hasSuffix("</svg>\n"))
    }

    @Test("The doctor says one thing of the folder that sessions meet in, and how to mend what is wrong with it")
    func remedies() throws {
        let full = try tool.run("doctor", meetingIn: shared, prelude: Tool.noFileMayGrow)
        #expect(full.status == 1 && full.output.contains("File too large; sessions cannot meet: make room there"))
        #expect(!full.output.contains("sessions meet in"))
        let nowhere = try tool.run("doctor", meetingIn: tool.folder + "/no/parent")
        #expect(nowhere.status == 1 && nowhere.output.contains("sessions cannot meet: make the folder that it is to lie in"))
        #expect(chmod(tool.folder, 0o777) == 0)
        let open = try tool.run("doctor", meetingIn: tool.folder)
        #expect(open.status == 1 && open.output.contains("a folder of your own, mode 0700"))
        #expect(try tool.run("doctor", meetingIn: shared).output.contains("ok    sessions meet in \(shared)\n"))
    }

    @Test("Who holds a call ends when somebody else ends the call")
    func endedByOthers() throws {
        let other = "mkfifo said; me=$$; (read line <said; '\(Tool.path)' interrupt end; sleep 20; kill $me) >other 2>&1 &"
        let end = try tool.run("interrupt begin", meetingIn: shared, prelude: other + " exec >said")
        #expect(end.status == 0 && end.errors == "")
    }

    @Test("What is done is seen by who asks next, and what cannot be is refused")
    func together() throws {
        #expect(try tool.run("interrupt end", meetingIn: shared).errors == "audiosessionctl: there is no call\n")
        #expect(try tool.run("interrupt begin --detach --name Ada", meetingIn: shared).status == 0)
        #expect(try tool.run("interrupt begin", meetingIn: shared).errors == "audiosessionctl: there is a call already\n")
        #expect(try tool.run("status", meetingIn: shared).output.contains("Ada ringing"))
        #expect(try tool.run("interrupt end", meetingIn: shared).status == 0)
    }
}
