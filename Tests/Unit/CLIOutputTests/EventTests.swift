// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionArbiter
import SessionModel
import Testing

@testable import CLIOutput

/// Sessions of processes whose number is their slot plus 100.
private struct Scene {
    var table = SessionTable()
    var hardware = HardwareSnapshot()

    var report: Report { Report(table: table, hardware: hardware) }

    mutating func enter(_ name: String, _ category: SessionModel.Category = .mediaPlayback, mixes: Bool = false) -> TableSlot {
        let process = ProcessIdentity(pid: 100 + Int32(table.entries.count { $0 != nil }), startTime: 1, pidNamespace: 1)
        let settings = SessionSettings(category: category, mixes: mixes)
        return table.decide(.enter(process: process, name: SessionName(name), settings: settings)).slot ?? -1
    }

    @discardableResult
    mutating func events(_ requests: Request...) -> [Event.Kind] {
        let before = report
        for request in requests {
            let refusal = table.decide(request).refusal
            #expect(refusal == nil, "\(request)")
        }
        return report.events(since: before).map(\.kind)
    }
}

private func member(_ key: String, of event: Event) -> String? {
    event.json.first { $0.key == key }?.value.text
}

@Suite struct EventTests {
    private static let words: [(kind: Event.Kind, word: String, sentence: String)] = [
        (.entered, "entered", "has a session"), (.left, "left", "is gone"),
        (.activated, "active", "is active"), (.deactivated, "inactive", "is inactive"),
        (.interrupted(by: ["Ada", "Radio"]), "interrupted", "is interrupted by Ada, Radio"),
        (.interrupted(by: []), "interrupted", "is interrupted by a session that has left"),
        (.ended(.shouldResume), "interruption-ended", "is no longer interrupted, and should resume"),
        (.ended(.shouldNotResume), "interruption-ended", "is no longer interrupted, and should not resume"),
        (.ended(nil), "interruption-ended", "is no longer interrupted"),
        (.category(.recordAudio), "category", "changes to RecordAudio"),
        (.gain(0.2), "gain", "is ducked"), (.gain(1), "gain", "is at full level"),
        (.silenced(true), "silenced", "is silenced"), (.silenced(false), "audible", "is audible"),
        (.callBegan("Ada"), "call-began", "Ada begins"), (.callConfirmed, "call-confirmed", "the call is taken"),
        (.callEnded, "call-ended", "the call is over"),
        (.silent(true), "silent-on", "the silent switch is on"), (.silent(false), "silent-off", "the silent switch is off"),
        (.locked(true), "locked", "the screen is locked"), (.locked(false), "unlocked", "the screen is unlocked"),
        (.level(.headphones, 0.25), "output-volume", "the volume of Headphones is 0.25"),
        (.level(.builtInMicrophone, 0.5), "input-gain", "the gain of MicrophoneBuiltIn is 0.50"),
        (.selected(.usbInput, "Line"), "selection", "USBInput uses Line"),
        (.woken, "woken", "the machine has woken from sleep"),
        (.server(alive: false), "server-died", "the audio server has died"),
        (.server(alive: true), "server-restarted", "the audio server is back"),
    ]

    @Test("Every kind of event has its word for programs and its sentence for people", arguments: words)
    func vocabulary(kind: Event.Kind, word: String, sentence: String) {
        let session = Event.SessionLine(slot: 3, serial: 9, pid: 42, name: "Music")
        let event = Event(session: session, kind: kind)
        #expect(event.text == "Music (42) \(sentence)")
        #expect(member("event", of: event) == "\"\(word)\"" && member("text", of: event) == "\"Music (42) \(sentence)\"")
        #expect(member("pid", of: event) == "42" && member("name", of: event) == "\"Music\"")
        let common = Event(session: nil, kind: kind)
        #expect(common.text == sentence)
        #expect(member("event", of: common) == "\"\(word)\"")
        #expect(member("pid", of: common) == nil && member("name", of: common) == nil)
    }

    @Test("A route names its outputs and inputs, also where it has none")
    func routes() {
        let session = Event.SessionLine(slot: 0, serial: 1, pid: 7, name: "Phone")
        func text(_ inputs: [PortKind], _ outputs: [PortKind], of session: Event.SessionLine?) -> String {
            Event(session: session, kind: .route(inputs: inputs, outputs: outputs)).text
        }
        #expect(text([], [.hdmi, .usbOutput], of: nil) == "sound goes to HDMIOutput, USBOutput, comes from nowhere")
        #expect(text([.lineIn], [], of: nil) == "sound goes to nowhere, comes from LineIn")
        #expect(text([], [.headphones], of: session) == "Phone (7) plays to Headphones")
        #expect(text([.lineIn], [], of: session) == "Phone (7) records from LineIn")
        #expect(text([], [], of: session) == "Phone (7) has no route")
        #expect(member("event", of: Event(session: nil, kind: .route(inputs: [], outputs: []))) == "\"route\"")
    }

    @Test("An event has the gain of a session, or the port and its level")
    func levels() {
        let gain = Event(session: nil, kind: .gain(0.2))
        #expect(member("gain", of: gain) == "0.2" && member("port", of: gain) == nil)
        let volume = Event(session: nil, kind: .level(.headphones, 1))
        #expect(member("port", of: volume) == "\"Headphones\"" && member("volume", of: volume) == "1.0")
        #expect(member("gain", of: volume) == nil)
        let input = Event(session: nil, kind: .level(.lineIn, 0.5))
        #expect(member("port", of: input) == "\"LineIn\"" && member("gain", of: input) == "0.5")
        #expect(member("volume", of: input) == nil)
    }

    @Test("A session in the slot of one that has left is another session")
    func reusedSlot() {
        var scene = Scene()
        let first = scene.enter("First")
        _ = scene.table.decide(.activate(first))
        let before = scene.report
        _ = scene.table.decide(.death(first))
        #expect(scene.enter("Second") == first)
        #expect(scene.report.events(since: before).map(\.text) == ["First (100) is gone", "Second (100) has a session"])
        // The same name and process: still another session.
        let second = scene.report
        _ = scene.table.decide(.death(first))
        _ = scene.enter("Second")
        #expect(scene.report.events(since: second).map(\.kind) == [.left, .entered])
    }

    @Test("A switch of the user silences the sessions that obey it, while they are active")
    func silence() {
        var scene = Scene()
        let game = scene.enter("Game", .ambientSound, mixes: true)
        let music = scene.enter("Music")
        scene.events(.activate(game), .activate(music))
        #expect(scene.events(.silent(true)) == [.silent(true), .silenced(true)])
        #expect(scene.events(.lock(true)) == [.locked(true)])
        #expect(scene.events(.silent(false)) == [.silent(false)])
        #expect(scene.events(.lock(false)) == [.locked(false), .silenced(false)])
        scene.events(.silent(true))
        #expect(scene.events(.deactivate(game, notifyingOthers: false)) == [.deactivated, .silenced(false)])
        #expect(scene.events(.silent(false)) == [.silent(false)])
    }

    @Test("The end of an interruption has its type, whether the session has fetched it or not")
    func ends() {
        var scene = Scene()
        let music = scene.enter("Music")
        for (shouldResume, type) in [(false, InterruptionType.shouldNotResume), (true, .shouldResume)] {
            for fetched in [[], [Request.interruptionsFetched(music)]] {
                scene.events(.activate(music), .beginCall(SessionName("Ada"), holder: nil), .interruptionsFetched(music))
                let before = scene.report
                for request in [Request.endCall(shouldResume: shouldResume)] + fetched { _ = scene.table.decide(request) }
                #expect(scene.report.events(since: before).map(\.kind) == [.callEnded, .ended(type)])
                // A session that activates itself at once has had its end all the same.
                _ = scene.table.decide(.activate(music))
                #expect(scene.report.events(since: before).map(\.kind) == [.callEnded, .ended(type), .activated])
            }
        }
    }

    @Test("An interruption that ends by a confirmed call, or by the activation of the session, has no end")
    func endless() {
        var scene = Scene()
        let music = scene.enter("Music")
        scene.events(.activate(music), .beginCall(SessionName("Ada"), holder: nil), .endCall(shouldResume: true))
        scene.events(.activate(music), .beginCall(SessionName("Ada"), holder: nil), .interruptionsFetched(music))
        #expect(scene.events(.confirmCall) == [.callConfirmed, .ended(nil)])
        scene.events(.endCall(shouldResume: true))
        let radio = scene.enter("Radio")
        scene.events(.activate(music), .activate(radio))
        #expect(scene.events(.activate(music)) == [.activated, .interrupted(by: ["Music"])])
    }

    @Test("The end of an interruption has its type in a field of its own")
    func typeOfEnd() {
        for (type, text) in [
            (InterruptionType?.some(.shouldResume), "ShouldResume"), (.shouldNotResume, "ShouldNotResume"), (nil, "none"),
        ] {
            #expect(member("type", of: Event(session: nil, kind: .ended(type))) == "\"\(text)\"")
        }
        #expect(member("type", of: Event(session: nil, kind: .activated)) == nil)
    }

    @Test("An interrupted session names the call before the sessions that interrupt it")
    func interrupters() {
        var scene = Scene()
        let music = scene.enter("Music")
        let radio = scene.enter("Radio")
        scene.events(.activate(music), .activate(radio), .beginCall(SessionName("Ada"), holder: nil))
        #expect(scene.report.lines.map(\.interruptedBy) == [["Ada", "Radio"], ["Ada"]])
    }

    @Test("A change of the category is an event, and its route is none")
    func category() {
        var scene = Scene()
        scene.hardware.ports = [
            SessionModel.Port(kind: .builtInSpeaker, device: 1, uid: "1", name: "1", alsaDevice: "null", channels: 2),
            SessionModel.Port(kind: .builtInMicrophone, device: 2, uid: "2", name: "2", alsaDevice: "null", channels: 2),
        ]
        let music = scene.enter("Music")
        scene.events(.activate(music))
        let settings = SessionSettings(category: .recordAudio, mixes: false)
        #expect(scene.events(.change(music, settings)) == [.category(.recordAudio)])
    }
}

@Suite struct StatusKeysTests {
    private func status(_ scene: Scene) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(scene.report.json.text.utf8)) as? [String: Any])
    }

    @Test("The status has the call, the switches of the user, the ports and the state of the server")
    func machine() throws {
        var scene = Scene()
        var found = try status(scene)
        #expect(found["call"] as? Bool == false && found["server"] as? Bool == true)
        #expect(found["silent"] as? Bool == false && found["locked"] as? Bool == false)
        #expect(scene.report.text.hasPrefix("route    none   input none\nuser     silent off, screen unlocked, no call\nno sess"))
        scene.events(.silent(true), .beginCall(SessionName("Ada"), holder: nil))
        scene.hardware = HardwareSnapshot(
            ports: [SessionModel.Port(kind: .lineIn, device: 1, uid: "1", name: "1", alsaDevice: "null", channels: 2)],
            serverIsAlive: false)
        found = try status(scene)
        #expect(found["silent"] as? Bool == true && found["locked"] as? Bool == false && found["server"] as? Bool == false)
        #expect(found["ports"] as? [String] == ["LineIn"])
        #expect((found["call"] as? [String: Any])?["name"] as? String == "Ada")
        #expect((found["call"] as? [String: Any])?["confirmed"] as? Bool == false)
        #expect(scene.report.text.contains("silent on, screen unlocked, Ada ringing\nserver   dead\n"))
        scene.events(.silent(false), .lock(true), .confirmCall)
        found = try status(scene)
        #expect(found["silent"] as? Bool == false && found["locked"] as? Bool == true)
        #expect((found["call"] as? [String: Any])?["confirmed"] as? Bool == true)
        #expect(scene.report.text.contains("silent off, screen locked, Ada taken\n"))
    }

    @Test("A session has its interrupters, and says whether it is silenced and whether it plays")
    func sessions() throws {
        var scene = Scene()
        let game = scene.enter("Game", .ambientSound, mixes: true)
        let music = scene.enter("Music")
        let radio = scene.enter("Radio")
        let recorder = scene.enter("Recorder", .recordAudio)
        func session(_ index: Int) throws -> [String: Any] {
            try #require((try status(scene)["sessions"] as? [[String: Any]])?[index])
        }
        scene.events(.activate(game), .activate(music), .activate(radio), .silent(true))
        #expect(try session(0)["silenced"] as? Bool == true && session(2)["silenced"] as? Bool == false)
        #expect(try session(1)["interruptedBy"] as? [String] == ["Radio"] && session(2)["interruptedBy"] as? [String] == [])
        #expect(try session(1)["interrupted"] as? Bool == true && session(1)["silenced"] as? Bool == false)
        #expect(try session(1)["playing"] as? Bool == false && session(2)["playing"] as? Bool == true)
        scene.events(.playback(radio, .stopped))
        #expect(try session(2)["active"] as? Bool == true && session(2)["playing"] as? Bool == false)
        scene.events(.activate(recorder))
        #expect(try session(3)["active"] as? Bool == true && session(3)["playing"] as? Bool == false)
    }

    @Test("The route is that of a session that plays to the speaker, and records, by Bluetooth as well")
    func route() throws {
        var scene = Scene()
        func port(_ kind: PortKind, _ device: UInt32) -> SessionModel.Port {
            SessionModel.Port(kind: kind, device: device, uid: "\(device)", name: "\(kind)", alsaDevice: "null", channels: 2)
        }
        scene.hardware.ports = [port(.builtInReceiver, 1), port(.builtInSpeaker, 2), port(.builtInMicrophone, 3)]
        #expect(try status(scene)["route"] as? [String: [String]] == ["inputs": ["MicrophoneBuiltIn"], "outputs": ["Speaker"]])
        scene.hardware.ports += [port(.bluetoothHFPInput, 4), port(.bluetoothHFPOutput, 4)]
        #expect(
            try status(scene)["route"] as? [String: [String]] == [
                "inputs": ["MicrophoneBluetooth"], "outputs": ["BluetoothHFPOutput"],
            ])
    }

    @Test("Text is quoted so that every reader of JSON gets it back, and a number is finite")
    func quoting() throws {
        let text = String(String.UnicodeScalarView((0..<0x30).compactMap(Unicode.Scalar.init) + ["\\", "\u{7F}", "é", "音", "🎵"]))
        let json = JSON.object([("text", .string(text)), ("list", .array([.integer(-1), .bool(true), .number(0.5)]))]).text
        let read = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(read["text"] as? String == text)
        #expect(json.hasSuffix(",\"list\":[-1,true,0.5]}"))
        #expect(JSON.number(.nan).text == "0.0" && JSON.number(-.infinity).text == "0.0" && JSON.number(-2).text == "-2.0")
        #expect(JSON.double(.nan).text == "0.0" && JSON.double(7).text == "7.0" && JSON.double(0.1).text == "0.1")
        #expect(JSON.double(2_147_483.647).text == "2147483.647")
        #expect(JSON.array([]).text == "[]" && JSON.object([]).text == "{}")
    }
}

@Suite struct HistoryTests {
    @Test("A session's sound is one span from one change of its state or gain to the next")
    func spans() {
        var scene = Scene()
        let music = scene.enter("Music")
        let guide = scene.enter("Guide", mixes: true)
        var history = History(from: scene.report, at: 100)
        func advance(_ time: UInt64, _ requests: Request...) {
            for request in requests { _ = scene.table.decide(request) }
            _ = history.advance(to: scene.report, at: time)
        }
        advance(200, .activate(music))
        advance(250)
        let ducker = SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)
        advance(300, .change(guide, ducker), .activate(guide))
        advance(400, .beginCall(SessionName("Ada"), holder: nil))
        advance(450, .endCall(shouldResume: true))
        advance(500, .death(music))
        typealias Span = History.Span
        #expect(history.start == 100 && history.end == 500)
        #expect(
            history.tracks[0].spans == [
                Span(state: .inactive, gain: 0, start: 100, end: 200), Span(state: .active, gain: 1, start: 200, end: 300),
                Span(state: .ducked, gain: 0.2, start: 300, end: 400), Span(state: .interrupted, gain: 0, start: 400, end: 450),
                Span(state: .inactive, gain: 0, start: 450, end: 450),
            ])
        #expect(history.events.first?.time == 200 && history.events.last?.time == 500)
    }

    @Test("A session in the slot of one that has left has a track of its own")
    func tracks() {
        var scene = Scene()
        let first = scene.enter("First")
        var history = History(from: scene.report, at: 0)
        _ = scene.table.decide(.death(first))
        _ = scene.enter("Second")
        _ = history.advance(to: scene.report, at: 10)
        #expect(history.tracks.map(\.session.name) == ["First", "Second"])
        _ = scene.table.decide(.rename(first, SessionName("Renamed")))
        _ = history.advance(to: scene.report, at: 20)
        #expect(history.tracks.map(\.session.name) == ["First", "Renamed"])
    }

    @Test("A trace has microseconds since its beginning, a thread for each session, and all states but inactive")
    func trace() throws {
        var scene = Scene()
        let music = scene.enter("Music")
        var history = History(from: scene.report, at: 5_000_000)
        _ = scene.table.decide(.activate(music))
        _ = history.advance(to: scene.report, at: 7_000_000)
        _ = scene.table.decide(.silent(true))
        _ = history.advance(to: scene.report, at: 10_000_000)
        let trace = try #require(try JSONSerialization.jsonObject(with: Data(history.trace.utf8)) as? [String: Any])
        let events = try #require(trace["traceEvents"] as? [[String: Any]])
        func find(_ phase: String, _ name: String) throws -> [String: Any] {
            try #require(events.first { $0["ph"] as? String == phase && $0["name"] as? String == name })
        }
        let span = try find("X", "active")
        #expect(events.count { $0["ph"] as? String == "X" } == 1)
        #expect(span["ts"] as? Int == 2000 && span["dur"] as? Int == 3000 && span["tid"] as? Int == 1)
        #expect((span["args"] as? [String: Any])?["gain"] as? Double == 1)
        let own = try find("i", "Music (100) is active")
        #expect(own["ts"] as? Int == 2000 && own["tid"] as? Int == 1 && own["s"] as? String == "t")
        let common = try find("i", "the silent switch is on")
        #expect(common["ts"] as? Int == 5000 && common["tid"] as? Int == 0 && common["s"] as? String == "g")
        let names = events.filter { $0["name"] as? String == "thread_name" }.map {
            ($0["args"] as? [String: Any])?["name"] as? String
        }
        #expect(names == ["Music (100)"])
    }

    @Test("In the picture, time goes to the right and gain is height")
    func picture() {
        var scene = Scene()
        let music = scene.enter("Music")
        let guide = scene.enter("Guide", mixes: true)
        _ = scene.table.decide(.change(guide, SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)))
        _ = scene.table.decide(.activate(music))
        var history = History(from: scene.report, at: 0)
        _ = scene.table.decide(.activate(guide))
        _ = history.advance(to: scene.report, at: 1_000_000_000)
        _ = history.advance(to: scene.report, at: 2_000_000_000)
        // The drawing is 786 wide from 150 on; a track's base is 44 below its top.
        #expect(history.svg.contains("<rect x=\"150\" y=\"56\" width=\"393\" height=\"44\" fill=\"#2a7de1\">"))
        #expect(history.svg.contains("<rect x=\"543\" y=\"92\" width=\"393\" height=\"8\" fill=\"#8ab6ea\">"))
        #expect(history.svg.contains("ducked, 1.00 s to 2.00 s") && history.svg.contains("Audio sessions, 2.00 s"))
        #expect(history.svg.contains(">ducked</text>") && !history.svg.contains(">interrupted</text>"))
    }
}

@Suite struct LevelTests {
    @Test("A level is rounded to hundredths, and lies from 0 to 1")
    func hundredthsOfLevels() {
        #expect(
            hundredths(0.2) == "0.20" && hundredths(1) == "1.00" && hundredths(0.996) == "1.00" && hundredths(0.004) == "0.00")
        #expect(hundredths(-1) == "0.00" && hundredths(7) == "1.00")
    }

    @Test(
        "A bar is heavy up to its level, to half a column; without a level it is empty",
        arguments: [
            (0, "────    "), (0.125, "╾───    "), (0.5, "━━──    "), (0.6, "━━╾─    "), (1, "━━━━    "),
        ])
    func bars(level: Float, text: String) {
        var line = ScreenLine()
        line.addBar(level, of: 4, .level)
        line.pad(to: 8)
        #expect(line.text == text)
        var empty = ScreenLine()
        empty.addBar(nil, of: 4, .level)
        #expect(empty.text == "     ")
    }
}
