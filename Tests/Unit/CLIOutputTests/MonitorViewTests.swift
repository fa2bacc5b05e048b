// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import Testing

@testable import CLIOutput

private func port(_ kind: PortKind, _ device: UInt32, _ level: Float?) -> SessionModel.Port {
    SessionModel.Port(
        kind: kind, device: device, uid: "\(kind)", name: "\(kind)", alsaDevice: "null", channels: 2,
        volume: kind.isInput ? nil : level, gain: kind.isInput ? level : nil)
}

/// A machine with sessions on it, and a view of it.
private struct Stage {
    var table = SessionTable()
    var hardware = HardwareSnapshot(ports: [port(.builtInSpeaker, 1, 0.5), port(.builtInMicrophone, 2, 0.75)])
    var view = MonitorView(of: Report(table: SessionTable(), hardware: HardwareSnapshot()))

    @discardableResult
    mutating func enter(_ name: String, _ category: Category, mixes: Bool = false, ducks: Bool = false) -> TableSlot {
        let process = ProcessIdentity(pid: 100 + Int32(table.entries.count), startTime: 1, pidNamespace: 1)
        let settings = SessionSettings(category: category, mixes: mixes, ducks: ducks)
        let slot = table.decide(.enter(process: process, name: SessionName(name), settings: settings)).slot ?? -1
        look()
        return slot
    }

    mutating func decide(_ request: Request) {
        _ = table.decide(request)
        look()
    }

    mutating func look() {
        view.advance(to: Report(table: table, hardware: hardware), at: TimeOfDay(milliseconds: 45_296_007))
    }

    func text(_ columns: Int = 110, _ rows: Int = 30) -> [String] {
        view.lines(in: MonitorView.Size(columns: columns, rows: rows)).map(\.text)
    }

    /// The one line that has all of these words.
    func line(with words: String..., in columns: Int = 110) -> String? {
        let found = text(columns).filter { line in words.allSatisfy(line.contains) }
        return found.count == 1 ? found.first : nil
    }
}

@Suite struct MonitorViewTests {
    @Test("The gain of a session and of an input has the heading GAIN, with and without a bar, and one heading only")
    func headings() {
        var stage = Stage()
        stage.enter("Music", .mediaPlayback)
        for columns in [110, 60, 50] {
            let heading = stage.text(columns).first { $0.contains("NAME") } ?? ""
            #expect(heading.components(separatedBy: "GAIN").count == 2 && !heading.contains("LEVEL"), "\(columns): \(heading)")
        }
        for columns in [110, 73, 35] {
            let heading = stage.text(columns).first { $0.contains("INPUT") } ?? ""
            #expect(heading.drop { $0 != "I" }.contains("GAIN"), "\(columns): \(heading)")
        }
    }

    @Test("The row of a session has its settings, its gain and its state")
    func sessions() {
        var stage = Stage()
        let music = stage.enter("Music", .mediaPlayback)
        let guide = stage.enter("Guide", .mediaPlayback, mixes: true, ducks: true)
        #expect(stage.line(with: "○", "Music", "MediaPlayback", "Default", "inactive") != nil)
        stage.decide(.activate(music))
        #expect(stage.line(with: "●", "Music", "━━━━━━━━ 1.00", "active") != nil)
        stage.decide(.activate(guide))
        #expect(stage.line(with: "◐", "Music", "──── 0.20", "ducked") != nil)
        #expect(stage.line(with: "●", "Guide", "1.00", "active, ducks others") != nil)
        stage.decide(.beginCall(SessionName("Ada"), holder: nil))
        #expect(stage.line(with: "‖", "Music", "MediaPlayback", "interrupted by Ada") != nil)
        #expect(stage.text().first?.contains("Ada ringing") == true)
        stage.decide(.confirmCall)
        #expect(stage.text().first?.contains("Ada taken") == true)
    }

    @Test("Silence is shown as no level, and the switch in the title")
    func silence() {
        var stage = Stage()
        let game = stage.enter("Game", .ambientSound, mixes: true)
        stage.decide(.activate(game))
        stage.decide(.silent(true))
        #expect(stage.line(with: "⊘", "Game", "0.00", "silenced, mixes") != nil)
        #expect(stage.text().first?.contains("1 session, 1 active") == true)
        #expect(stage.text().first?.contains("silent switch on") == true)
    }

    @Test("The row of a session has the state of its streams, and streams have no row")
    func streams() throws {
        var stage = Stage()
        let music = stage.enter("Music", .mediaPlayback)
        let process = try #require(stage.table[music]?.process)
        let streams = try #require(stage.table.decide(.enterStreams(process: process, of: music)).slot)
        stage.look()
        #expect(stage.line(with: "Music", "stopped") != nil)
        stage.decide(.activate(music))
        stage.decide(.playback(streams, .running))
        #expect(stage.line(with: "Music", "running") != nil)
        #expect(stage.text().first?.contains("1 session,") == true)
    }

    @Test("The ports of the route are marked; each port has its level and its users")
    func ports() {
        var stage = Stage()
        stage.decide(.activate(stage.enter("Music", .mediaPlayback)))
        #expect(stage.line(with: "▶ Speaker", "0.50", "Music", "▶ MicrophoneBuiltIn", "0.75") != nil)
        stage.hardware.ports.append(port(.headphones, 3, 0.25))
        stage.hardware.ports.append(port(.lineIn, 4, nil))
        stage.look()
        #expect(stage.line(with: "▶ Headphones", "0.25", "Music", "▶ LineIn") != nil)
        #expect(stage.line(with: "▶ Speaker") == nil && stage.line(with: "Speaker", "0.50") != nil)
        // The ports of the route come first.
        let rows = stage.text()
        #expect(
            rows.firstIndex { $0.contains("▶ Headphones") } ?? 0 < rows.firstIndex { $0.contains("   Speaker") } ?? 0)
        stage.hardware = HardwareSnapshot(ports: [], serverIsAlive: false)
        stage.look()
        #expect(stage.line(with: "none", "none") != nil)
        #expect(stage.text().first?.contains("audio server dead") == true)
    }

    @Test("The recent events stand with their times, the latest at the bottom, as many as fit")
    func events() {
        var stage = Stage()
        #expect(stage.line(with: "no events yet") != nil)
        let music = stage.enter("Music", .mediaPlayback)
        for _ in 0..<150 {
            stage.decide(.activate(music))
            stage.decide(.deactivate(music, notifyingOthers: false))
        }
        #expect(stage.view.recent.count == 200)
        let shown = stage.text(80, 24).filter { $0.contains("12:34:56.007") }
        #expect(shown.count >= 5 && shown.last?.hasSuffix("Music (100) is inactive") == true)
        #expect(stage.text(80, 24).last == " q quits")
    }

    @Test("However large or small it is, nothing is outside the screen", arguments: [0, 1, 20])
    func sizes(sessions: Int) {
        var stage = Stage()
        for number in 0..<sessions {
            stage.decide(.activate(stage.enter("音楽 \(number) is a long name", .mediaPlayback, mixes: number % 2 == 0)))
        }
        stage.decide(.beginCall(SessionName("A call with a long name"), holder: nil))
        for columns in [0, 1, 2, 3, 4, 7, 11, 19, 29, 37, 40, 47, 59, 63, 72, 73, 79, 80, 88, 99, 100, 131] {
            for rows in [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 15, 16, 24, 45] {
                let lines = stage.view.lines(in: MonitorView.Size(columns: columns, rows: rows))
                let isInside = lines.allSatisfy { $0.width <= columns && CLIOutput.columns(of: $0.text) == $0.width }
                #expect(lines.count <= rows && isInside, "\(columns) by \(rows)")
            }
        }
    }

    @Test("A smaller screen shows less; the active and interrupted sessions remain")
    func small() {
        var stage = Stage()
        for number in 0..<20 { stage.enter("Idle \(number)", .soloAmbientSound) }
        stage.decide(.activate(stage.enter("Music", .mediaPlayback)))
        stage.decide(.beginCall(SessionName("Ada"), holder: nil))
        #expect(stage.line(with: "Music", "interrupted by Ada", in: 40) != nil)
        #expect(stage.line(with: "Music", "SoloAmbientSound", in: 80) == nil)
        #expect(stage.line(with: "Music", "MediaPlayback", "Default", "interrupted by Ada", in: 80) != nil)
        let small = stage.text(40, 8)
        #expect(small.first == " Audio sessions             Ada ringing")
        #expect(stage.text(20, 8).first == "        Ada ringing")
        #expect(small.contains { $0.contains("interrupted by Ada") })
        #expect(stage.text(80, 16).contains { $0.contains("more") })
        #expect(stage.text(80, 16).contains { $0.contains("▶ Speaker") && $0.contains("▶ MicrophoneBuiltIn") })
    }
}

@Suite struct ScreenTests {
    private func stage(_ name: String) -> Stage {
        var stage = Stage()
        stage.decide(.activate(stage.enter(name, .mediaPlayback)))
        return stage
    }

    private let size = MonitorView.Size(columns: 100, rows: 24)

    @Test("A name can neither command the terminal nor hide")
    func harmlessNames() {
        let stage = stage("\u{1B}[2J\u{9B}m\n\u{202E}x\u{200B}")
        let frame = TerminalEncoder(isColoured: false, isUnicode: true).frame(stage.view.lines(in: size), in: size)
        #expect(!frame.contains("\u{1B}[2J") && !frame.contains("\u{9B}") && !frame.contains("\n") && !frame.contains("\u{202E}"))
        #expect(frame.contains("\u{FFFD}[2J\u{FFFD}m\u{FFFD}\u{FFFD}x\u{FFFD}"))
        #expect(!stage.view.report.text.contains("\u{1B}"))
        #expect(stage.view.recent.allSatisfy { !$0.event.text.contains("\u{1B}") })
    }

    @Test(
        "Characters take the columns that a terminal gives them", arguments: [("abc", 3), ("音楽", 4), ("e\u{301}", 1), ("🎵", 2)])
    func widths(text: String, width: Int) {
        #expect(columns(of: text) == width)
        #expect(columns(of: shortened(text + text, to: width)) <= width)
    }

    @Test("Without colours there is no style, without Unicode nothing but ASCII, and every column stays where it is")
    func paints() {
        let lines = stage("Müsik 音").view.lines(in: size)
        let coloured = TerminalEncoder(isColoured: true, isUnicode: true).frame(lines, in: size)
        let plain = TerminalEncoder(isColoured: false, isUnicode: false).frame(lines, in: size)
        #expect(coloured.contains("\u{1B}[32m●") || coloured.contains("\u{1B}[32m ● "))
        #expect(plain.utf8.allSatisfy { $0 < 0x80 })
        #expect(!plain.contains("\u{1B}[0m") && plain.contains(" * ") && plain.contains("M?sik ??") && plain.contains("===="))
        #expect(TerminalEncoder(isColoured: false, isUnicode: true).frame(lines, in: size).contains("Müsik 音\u{1B}["))
    }

    @Test("A full row and a full screen are not followed by an erase")
    func fullRows() {
        let encoder = TerminalEncoder(isColoured: false, isUnicode: true)
        let lines = [ScreenLine("full"), ScreenLine("not")]
        #expect(encoder.frame(lines, in: MonitorView.Size(columns: 4, rows: 2)) == "\u{1B}[1;1Hfull\u{1B}[2;1Hnot\u{1B}[K")
        #expect(encoder.frame(lines, in: MonitorView.Size(columns: 4, rows: 3)).hasSuffix("not\u{1B}[K\u{1B}[3;1H\u{1B}[J"))
    }

    @Test("The picture of a screen is well-formed with any name")
    func picture() {
        let svg = ScreenDrawing(of: stage("<A & \u{1}>").view.lines(in: size), in: size, title: "a & b").svg
        #expect(XMLCheck.isWellFormed(svg))
        #expect(svg.contains("&lt;A &amp; \u{FFFD}&gt;") && svg.contains("a &amp; b"))
    }

    @Test("A time of day is printed as on a clock")
    func times() {
        #expect(TimeOfDay(milliseconds: 0).text == "00:00:00.000")
        #expect(TimeOfDay(milliseconds: 86_399_999).text == "23:59:59.999")
        #expect(TimeOfDay(milliseconds: 3_723_045).text == "01:02:03.045")
    }
}
