// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The monitor, and other processes that change the sessions.
@Suite struct MonitorTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    private func monitor(_ options: String) throws -> Program {
        let monitor = try tool.start("monitor \(options)")
        try monitor.error(with: "watching")
        return monitor
    }

    private func event(of line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("Every command that changes something causes one event, and the event has its word and its time")
    func commands() throws {
        let monitor = try monitor("--json")
        var last = 0
        for (command, word) in [
            ("silent on", "silent-on"), ("silent off", "silent-off"), ("lock on", "locked"), ("lock off", "unlocked"),
            ("interrupt begin --detach --name Ada", "call-began"), ("interrupt confirm", "call-confirmed"),
            ("interrupt end", "call-ended"), ("simulate plug usb", "route"), ("simulate volume 0.25", "output-volume"),
            ("simulate server die", "server-died"), ("simulate server restart", "server-restarted"), ("simulate wake", "woken"),
        ] {
            #expect(try tool.run(command).status == 0)
            let lines = try monitor.line(with: "\"event\":\"\(word)\"")
            #expect(lines.count == 1, "\(command): \(lines)")
            let event = try event(of: lines[lines.count - 1])
            let time = try #require(event["time"] as? Int)
            #expect(time >= last)
            last = time
            if word == "output-volume" {
                #expect(event["port"] as? String == "USBOutput" && event["volume"] as? Double == 0.25)
            }
        }
        kill(monitor.pid, SIGTERM)
        #expect(try monitor.end().status == 0)
    }

    @Test("The monitor notices a session that is killed when no other process is there")
    func death() throws {
        let monitor = try monitor("--lines")
        let peer = try tool.peer()
        for line in ["enter media", "activate"] { try peer.obey(line) }
        try monitor.line(with: "peer (\(peer.pid)) has a session")
        try monitor.line(with: "peer (\(peer.pid)) is active")
        kill(peer.pid, SIGKILL)
        try monitor.line(with: "peer (\(peer.pid)) is gone")
    }

    @Test("The monitor has as many descriptors after each group of processes that came and went")
    func descriptors() throws {
        let monitor = try monitor("--lines")
        var counts: [Int] = []
        for _ in 1...3 {
            let peers = try (0..<4).map { _ in try tool.peer() }
            for peer in peers { try peer.obey("enter media") }
            for peer in peers { kill(peer.pid, SIGKILL) }
            for peer in peers { _ = try? peer.end() }
            // The report of the last exit follows all others: the monitor reads the table again for each line.
            #expect(try tool.run("silent on").status == 0 && tool.run("silent off").status == 0)
            try monitor.line(with: "the silent switch is off")
            counts.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(monitor.pid)/fd").count)
        }
        #expect(Set(counts).count == 1, "\(counts)")
    }

    @Test("The event of an end has its type, also when the session fetches the end at once")
    func ends() throws {
        let peer = try tool.peer()
        try peer.obey("enter media")
        let monitor = try monitor("--json")
        for (command, type) in [("interrupt end", "ShouldResume"), ("interrupt end --should-not-resume", "ShouldNotResume")] {
            for _ in 0..<5 {
                try peer.obey("activate")
                #expect(try tool.run("interrupt begin --detach").status == 0)
                try peer.line(with: "begin")
                #expect(try tool.run(command).status == 0)
                try peer.line(with: "should")
                let line = try #require(try monitor.line(with: "interruption-ended").last)
                #expect(try event(of: line)["type"] as? String == type)
            }
        }
    }

    @Test("The monitor follows the table that takes the place of a removed one")
    func replaced() throws {
        let monitor = try monitor("--json")
        #expect(try tool.run("silent on").status == 0)
        try monitor.line(with: "silent-on")
        for name in try FileManager.default.contentsOfDirectory(atPath: tool.folder + "/run") where name.hasPrefix("sessions.") {
            try FileManager.default.removeItem(atPath: tool.folder + "/run/" + name)
        }
        #expect(try tool.run("lock on").status == 0)
        try monitor.line(with: "\"event\":\"locked\"")
        // The second change is written into the file that the first has made.
        #expect(try tool.run("lock off").status == 0)
        try monitor.line(with: "\"event\":\"unlocked\"")
    }

    @Test("The monitor ends when its reader has gone, by SIGPIPE or, where that is ignored, with 0", arguments: [false, true])
    func unread(ignoresSignal: Bool) throws {
        let monitor = try tool.start("monitor --lines", prelude: ignoresSignal ? "trap '' PIPE" : "")
        try monitor.error(with: "watching")
        monitor.stopReading()
        #expect(try tool.run("silent on").status == 0)
        #expect(try monitor.end().status == (ignoresSignal ? 0 : -1))
    }

    @Test("The monitor fails where sessions cannot meet")
    func nowhere() throws {
        let end = try tool.run("monitor", meetingIn: tool.folder + "/no/parent")
        #expect(end.status == 1 && end.output == "")
        #expect(end.errors.contains("the sessions cannot be read"))
    }
}
