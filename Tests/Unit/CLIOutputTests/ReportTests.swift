// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import Foundation
import SessionArbiter
import SessionModel
import Testing

private func port(_ kind: PortKind, _ device: UInt32) -> SessionModel.Port {
    SessionModel.Port(kind: kind, device: device, uid: "\(device)", name: "\(kind)", alsaDevice: "null", channels: 2)
}

private let machine = HardwareSnapshot(ports: [port(.builtInSpeaker, 1), port(.builtInMicrophone, 2)])

/// A table and its reports.
private struct Table {
    var table = SessionTable()

    mutating func enter(_ name: String, pid: Int32, _ settings: SessionSettings) -> TableSlot {
        let process = ProcessIdentity(pid: pid, startTime: 1, pidNamespace: 1)
        return table.decide(.enter(process: process, name: SessionName(name), settings: settings)).slot ?? -1
    }

    var report: Report { Report(table: table, hardware: machine) }
}

private let music = SessionSettings(category: .mediaPlayback, mixes: false)
private let prompt = SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)

@Suite struct StatusTests {
    @Test("The status as JSON has the agreed keys and types")
    func json() throws {
        var world = Table()
        let slot = world.enter("Music \"loud\" \\ \u{1}", pid: 7, music)
        _ = world.table.decide(.activate(slot))
        let data = Data(world.report.json.text.utf8)
        let status = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let session = try #require((status["sessions"] as? [[String: Any]])?.first)
        #expect(session["pid"] as? Int == 7)
        #expect(session["name"] as? String == "Music \"loud\" \\ \u{1}")
        #expect(session["category"] as? String == "medi" && session["mode"] as? String == "dflt")
        #expect(session["active"] as? Bool == true && session["interrupted"] as? Bool == false)
        #expect(session["mixes"] as? Bool == false && session["ducks"] as? Bool == false)
        #expect(session["gain"] as? Double == 1 && session["playing"] as? Bool == true)
        #expect(session["priority"] as? String == "app")
        let route = try #require(status["route"] as? [String: [String]])
        #expect(route == ["inputs": ["MicrophoneBuiltIn"], "outputs": ["Speaker"]])
        #expect(world.report.json.text.contains("\"gain\":1.0"), "a gain is always written as a fraction")
    }

    @Test("The holder of a call is no session; the call names it")
    func telephone() {
        var world = Table()
        let holder = world.enter("audiosessionctl", pid: 9, SessionSettings(category: .ambientSound, mixes: true))
        let before = world.report
        _ = world.table.decide(.beginCall(SessionName("Ada"), holder: holder))
        #expect(world.report.lines.isEmpty)
        #expect(world.report.text.contains("Ada ringing, held by audiosessionctl (9)\n"))
        #expect(world.report.events(since: before).map { $0.text } == ["Ada begins"])
        // A program that calls itself the same is seen all the same.
        _ = world.table.decide(.activate(world.enter("audiosessionctl", pid: 10, music)))
        #expect(world.report.lines.map { $0.entry.process.pid } == [10])
    }

    @Test("The status for people names the interrupters of a session")
    func text() {
        var world = Table()
        let first = world.enter("Music", pid: 7, music)
        let second = world.enter("Radio", pid: 8, music)
        _ = world.table.decide(.activate(first))
        _ = world.table.decide(.activate(second))
        let text = world.report.text
        #expect(text.contains("interrupted by Radio"))
        #expect(text.contains("no call"))
        #expect(Report(table: SessionTable(), hardware: HardwareSnapshot()).text.contains("no sessions"))
    }
}

@Suite struct TimelineTests {
    private func events(_ change: (inout SessionTable) -> Void, in world: inout Table) -> [String] {
        let before = world.report
        change(&world.table)
        return world.report.events(since: before).map { $0.text }
    }

    @Test("Each change of the sessions is a sentence")
    func sentences() {
        var world = Table()
        let player = world.enter("Music", pid: 7, music)
        let voice = world.enter("Voice", pid: 8, prompt)
        #expect(events({ _ = $0.decide(.activate(player)) }, in: &world) == ["Music (7) is active"])
        #expect(events({ _ = $0.decide(.activate(voice)) }, in: &world) == ["Music (7) is ducked", "Voice (8) is active"])
        #expect(
            events({ _ = $0.decide(.deactivate(voice, notifyingOthers: false)) }, in: &world)
                == ["Music (7) is at full level", "Voice (8) is inactive"])
        #expect(
            events({ _ = $0.decide(.beginCall(SessionName("Ada"), holder: nil)) }, in: &world)
                == ["Ada begins", "Music (7) is interrupted by Ada"])
        #expect(
            events({ _ = $0.decide(.confirmCall) }, in: &world) == ["the call is taken", "Music (7) is no longer interrupted"])
        #expect(events({ _ = $0.decide(.endCall(shouldResume: true)) }, in: &world) == ["the call is over"])
        #expect(events({ _ = $0.decide(.silent(true)) }, in: &world) == ["the silent switch is on"])
        #expect(events({ _ = $0.decide(.death(player)) }, in: &world) == ["Music (7) is gone"])
        #expect(events({ _ in }, in: &world) == [])
    }

    @Test("Each change of the machine is a sentence")
    func machineSentences() {
        let before = HardwareSnapshot(ports: [port(.builtInSpeaker, 1), port(.builtInMicrophone, 2)])
        func sentences(_ change: (inout HardwareSnapshot) -> Void) -> [String] {
            var after = before
            change(&after)
            return Report(table: SessionTable(), hardware: after)
                .events(since: Report(table: SessionTable(), hardware: before)).map { $0.text }
        }
        #expect(sentences { $0.ports[0].volume = 0.25 } == ["the volume of Speaker is 0.25"])
        #expect(sentences { $0.ports[1].gain = 0.5 } == ["the gain of MicrophoneBuiltIn is 0.50"])
        #expect(sentences { $0.wakes += 1 } == ["the machine has woken from sleep"])
        #expect(sentences { $0.ports[0].latency = 1 } == [])
        #expect(
            sentences { $0.ports.append(port(.headphones, 3)) } == ["sound goes to Headphones, comes from MicrophoneBuiltIn"])
        #expect(
            sentences {
                $0.ports[1].selectables = [Selectable(id: 1, name: "Mic"), Selectable(id: 2, name: "Line")]
                $0.ports[1].selected = 2
            } == ["MicrophoneBuiltIn uses Line"])
    }

    @Test("An override to the speaker while the session is active is an event")
    func overriding() throws {
        var settings = SessionSettings()
        settings.setCategory(.playAndRecord)
        var world = Table()
        let phone = world.enter("Phone", pid: 7, settings)
        _ = world.table.decide(.activate(phone))
        let ports = machine.ports + [port(.builtInReceiver, 3)]
        let before = Report(table: world.table, hardware: HardwareSnapshot(ports: ports))
        try settings.setOverridesToSpeaker(true)
        _ = world.table.decide(.change(phone, settings))
        let after = Report(table: world.table, hardware: HardwareSnapshot(ports: ports))
        #expect(
            after.events(since: before).map { $0.text } == ["Phone (7) plays to Speaker, records from MicrophoneBuiltIn"])
    }

    @Test("The trace and the picture of a history are well-formed with any name")
    func drawings() throws {
        var world = Table()
        let player = world.enter("<Music & \"more\">", pid: 7, music)
        var history = History(from: world.report, at: 1_000_000)
        for (time, request) in [
            Request.activate(player), .beginCall(SessionName("A<B"), holder: nil), .endCall(shouldResume: true),
            .activate(player),
        ].enumerated() {
            _ = world.table.decide(request)
            _ = history.advance(to: world.report, at: UInt64(time + 2) * 1_000_000)
        }
        let trace = try #require(try JSONSerialization.jsonObject(with: Data(history.trace.utf8)) as? [String: Any])
        let events = try #require(trace["traceEvents"] as? [[String: Any]])
        #expect(events.contains { $0["name"] as? String == "interrupted" && $0["ph"] as? String == "X" })
        #expect(events.allSatisfy { ($0["ts"] as? Int ?? 0) >= 0 && ($0["dur"] as? Int ?? 0) >= 0 })
        #expect(XMLCheck.isWellFormed(history.svg))
        #expect(history.svg.contains("interrupted"))
    }
}
