// SPDX-License-Identifier: Apache-2.0
import CStatusPage
import SessionArbiter
import SessionModel
import StatusPages
import Testing

@testable import CLIOutput

/// The code of four characters.
private func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

/// Each row of the tables of words, marks and colours.
@Suite("What the tool calls")
struct WordTableTests {
    // MARK: Sounds

    private static let kinds: [(code: UInt32, name: String, isRendered: Bool)] = [
        (code("rioc"), "RemoteIO", false), (code("vpio"), "VoiceProcessingIO", false), (code("genr"), "GenericOutput", false),
        (code("conv"), "AUConverter", true), (code("vari"), "Varispeed", true), (code("nutp"), "NewTimePitch", true),
        (code("mcmx"), "MultiChannelMixer", true), (code("sspl"), "ScheduledSoundPlayer", true),
        (code("afpl"), "AudioFilePlayer", true), (code("xxxx"), "unit 'xxxx'", true), (7, "unit 7", true),
        (UInt32(STATUS_OUTPUT_QUEUE), "output queue", false), (UInt32(STATUS_INPUT_QUEUE), "input queue", false),
        (UInt32(STATUS_GRAPH), "AUGraph", false),
    ]

    @Test("a unit, a queue and a graph; a unit that another one renders is neither started nor stopped", arguments: kinds.indices)
    func kind(row: Int) throws {
        let (code, name, isRendered) = Self.kinds[row]
        let kind = try #require(SoundObject.Kind(code))
        #expect(kind.name == name && kind.isRendered == isRendered)
        #expect(kind.isUnit == (code != UInt32(STATUS_GRAPH) && !kind.isQueue))
        for none in [0, UInt32(STATUS_OUTPUT_MIX), UInt32(STATUS_INPUT_MIX)] { #expect(SoundObject.Kind(none) == nil) }
    }

    @Test("the state of a unit or queue: what stops before what runs, and what runs before what is paused")
    func states() {
        let (running, paused, stopping) = (UInt32(STATUS_IS_RUNNING), UInt32(STATUS_IS_PAUSED), UInt32(STATUS_IS_STOPPING))
        for (bits, state) in [
            (0, .stopped), (running, .running), (paused, .paused), (stopping, .stopping), (running | paused, .running),
            (running | stopping, .stopping), (paused | stopping, .stopping), (UInt32(STATUS_HAS_OUTPUT), .stopped),
        ] as [(UInt32, SoundObject.State)] {
            #expect(SoundObject.State(bits) == state)
        }
        let names: [(SoundObject.State, String)] = [
            (.running, "running"), (.paused, "paused"), (.stopping, "stopping"), (.stopped, "stopped"),
            (.initialized, "initialized"), (.open, "open"), (.closed, "closed"),
        ]
        for (state, name) in names { #expect(state.name == name) }
    }

    @Test(
        "a format of samples",
        arguments: [
            ("ulaw", 0, 8, "ulaw"), ("alaw", 0, 8, "alaw"), ("ima4", 0, 0, "ima4"), ("aac ", 0, 0, "aac"), ("alac", 0, 0, "alac"),
            ("flac", 0, 0, "flac"), (".mp1", 0, 0, "mp1"), (".mp2", 0, 0, "mp2"), (".mp3", 0, 0, "mp3"),
            ("lpcm", 0x9, 32, "float32"),
            ("lpcm", 0x9, 64, "float64"), ("lpcm", 0xC, 16, "int16"), ("lpcm", 0xE, 24, "int24"), ("lpcm", 0x8, 8, "uint8"),
            ("lpcm", 0xC | 24 << 7, 32, "fixed8.24"), ("lpcm", 0xC | 32 << 7, 32, "fixed0.32"),
            ("lpcm", 0xC | 33 << 7, 32, "int32"),
            ("lpcm", 0xC | 63 << 7, 64, "fixed1.63"),
        ] as [(String, UInt32, UInt32, String)])
    func sample(id: String, flags: UInt32, bits: UInt32, text: String) {
        for (layout, channels, end) in [(0, 2, ""), (0x20, 2, ", non-interleaved"), (0x20, 1, "")] as [(UInt32, UInt32, String)] {
            let format = SoundObject.Format(rate: 8_000, id: code(id), flags: flags | layout, channels: channels, bits: bits)
            #expect(format.sample == text && format.text == "8000 Hz, \(channels) ch, \(text)\(end)")
            #expect(format.isInterleaved == (layout == 0))
        }
    }

    @Test("a rate that is no rate: 0, and one without end: 10 MHz")
    func rates() {
        for (rate, kept) in [(-1.0, 0.0), (.nan, 0), (.infinity, 0), (1e7, 1e7), (1e9, 1e7), (44_100.5, 44_100.5)] {
            #expect(SoundObject.Format(rate: rate, id: 0, flags: 0, channels: 1, bits: 0).rate == kept)
        }
    }

    @Test(
        "a type of sound files",
        arguments: [
            ("AIFF", "AIFF"), ("AIFC", "AIFC"), ("WAVE", "WAVE"), ("NeXT", "AU"), ("caff", "CAF"), ("MPG1", "MPEG layer 1"),
            ("MPG2", "MPEG layer 2"), ("MPG3", "MPEG layer 3"), ("adts", "ADTS"), ("m4af", "M4A"), ("mp4f", "MPEG-4"),
            ("abcd", "'abcd'"),
        ])
    func fileType(type: String, name: String) {
        let format = SoundObject.Format(rate: 8_000, id: 0, flags: 0, channels: 1, bits: 0)
        let report = SoundFileReport(
            name: "a", type: code(type), format: format, frames: -5, packets: 1, bytes: 2, bitRate: 1_999, isDecodable: false,
            missingPackages: [])
        #expect(report.text.contains("  type      \(name)\n") && report.json.text.contains("\"type\":\"\(name)\""))
        #expect(report.text.contains("0:00.0, 0 frames") && report.text.contains("2 bytes, 1 packets, 1 kbit/s"))
        #expect(report.text.hasSuffix("  decoder   none\n"))
    }

    // MARK: Sessions

    @Test("the state of a session, which a mark and a style distinguish")
    func sessionStates() {
        let rows: [(state: History.Span.State, name: String, mark: String, style: ScreenLine.Style)] = [
            (.inactive, "inactive", "○", .dim), (.active, "active", "●", .active), (.ducked, "ducked", "◐", .ducked),
            (.silenced, "silenced", "⊘", .silenced), (.interrupted, "interrupted", "‖", .interrupted),
        ]
        for row in rows {
            #expect(row.state.name == row.name && row.state.mark == row.mark && row.state.style == row.style)
        }
    }

    @Test("a session whose sound others change, or that changes the sound of others")
    func stateTexts() {
        func text(
            _ settings: SessionSettings, active: Bool = true, interrupted: Bool = false,
            _ effect: Effect = Effect(gain: 1, isSilenced: false),
            by names: [String] = []
        ) -> String {
            let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
            var entry = SessionEntry(serial: 1, process: process, name: SessionName("a"), settings: settings)
            (entry.isActive, entry.isInterrupted) = (active, interrupted)
            return Report.Line(slot: 0, entry: entry, effect: effect, interruptedBy: names).stateText
        }
        let solo = SessionSettings(category: .mediaPlayback, mixes: false)
        let mixing = SessionSettings(category: .mediaPlayback, mixes: true)
        let ducking = SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)
        #expect(text(solo) == "active" && text(solo, active: false) == "inactive")
        #expect(text(mixing) == "active, mixes" && text(ducking) == "active, ducks others")
        #expect(text(mixing, Effect(gain: 0.2, isSilenced: false)) == "active, ducked, mixes")
        #expect(text(mixing, Effect(gain: 0.2, isSilenced: true)) == "active, silenced, ducked, mixes")
        #expect(text(solo, active: false, interrupted: true) == "interrupted")
        #expect(text(solo, active: false, interrupted: true, by: ["Ada", "B\n"]) == "interrupted by Ada, B\u{FFFD}")
    }

    @Test("system sounds: a session while they play, and none before and after")
    func systemSounds() {
        var table = SessionTable()
        let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
        let slot = table.decide(.enter(process: process, name: SessionName("Clock"), settings: .ofSystemSounds)).slot ?? -1
        func names() -> [String] { Report(table: table, hardware: HardwareSnapshot()).lines.map { $0.entry.name.text } }
        for _ in 0..<2 {
            #expect(names() == [])
            _ = table.decide(.activate(slot))
            #expect(names() == ["Clock"])
            _ = table.decide(.deactivate(slot, notifyingOthers: false))
        }
    }

    @Test("several routes: each by its own line with its sessions")
    func routes() {
        var table = SessionTable()
        func enter(_ name: String, _ category: SessionModel.Category) {
            let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
            let settings = SessionSettings(category: category, mixes: true)
            let slot = table.decide(.enter(process: process, name: SessionName(name), settings: settings)).slot ?? -1
            _ = table.decide(.activate(slot))
        }
        func port(_ kind: PortKind, _ device: UInt32) -> SessionModel.Port {
            SessionModel.Port(kind: kind, device: device, uid: "\(kind)", name: "", alsaDevice: "", channels: 2)
        }
        let hardware = HardwareSnapshot(ports: [port(.builtInReceiver, 1), port(.builtInSpeaker, 2), port(.builtInMicrophone, 3)])
        func lines() -> [String] {
            Report(table: table, hardware: hardware).text.split(separator: "\n").filter { $0.hasPrefix("route") }.map(String.init)
        }
        #expect(lines() == ["route    Speaker   input MicrophoneBuiltIn"])
        enter("Music", .mediaPlayback)
        enter("Radio", .ambientSound)
        #expect(lines() == ["route    Speaker   input none"])
        enter("Phone", .playAndRecord)
        #expect(
            lines() == [
                "route    Speaker   input none   (Music, Radio)", "route    Receiver   input MicrophoneBuiltIn   (Phone)",
            ])
    }

    // MARK: Events

    private static let styles: [(kind: Event.Kind, style: ScreenLine.Style)] = [
        (.activated, .active), (.ended(nil), .active), (.silenced(false), .active), (.server(alive: true), .active),
        (.gain(0.2), .ducked), (.gain(1), .active), (.silenced(true), .silenced), (.interrupted(by: []), .interrupted),
        (.callBegan("a"), .alert), (.callConfirmed, .alert), (.server(alive: false), .alert), (.left, .dim), (.deactivated, .dim),
        (.entered, .plain), (.category(.recordAudio), .plain), (.callEnded, .plain), (.silent(true), .plain),
        (.locked(true), .plain),
        (.route(inputs: [], outputs: []), .plain), (.level(.hdmi, 1), .plain), (.selected(.hdmi, "a"), .plain), (.woken, .plain),
    ]

    @Test("an event: in the style of what has happened", arguments: styles.indices)
    func eventStyle(row: Int) {
        let (kind, style) = Self.styles[row]
        #expect(Event(session: nil, kind: kind).style == style)
    }

    // MARK: The terminal

    private static let codes: [(style: ScreenLine.Style, code: String, colour: String)] = [
        (.plain, "", "#cdd9e5"), (.dim, "2", "#768390"), (.heading, "1", "#f0f6fc"), (.notice, "1;33", "#e3b341"),
        (.alert, "1;31", "#ff7b72"), (.level, "34", "#6cb6ff"), (.active, "32", "#57ab5a"), (.ducked, "36", "#76c7d8"),
        (.silenced, "2", "#8d96a0"), (.interrupted, "33", "#e0a03c"),
    ]

    @Test("a style: by a code of the terminal, and by a colour of the picture", arguments: codes.indices)
    func style(row: Int) {
        let (style, code, colour) = Self.codes[row]
        #expect(Self.codes.count == ScreenLine.Style.allCases.count)
        let line = ScreenLine("abc", style)
        #expect(
            TerminalEncoder(isColoured: true, isUnicode: true).painted(line)
                == (code.isEmpty ? "abc" : "\u{1B}[\(code)mabc\u{1B}[0m"))
        #expect(TerminalEncoder(isColoured: false, isUnicode: true).painted(line) == "abc")
        let size = MonitorView.Size(columns: 10, rows: 1)
        let isBold = [.heading, .notice, .alert].contains(style)
        let svg = ScreenDrawing(of: [line], in: size, title: "").svg
        #expect(svg.contains("fill=\"\(colour)\"\(isBold ? " font-weight=\"bold\"" : "") textLength=\"24\""))
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"112\" height=\"77\""))
    }

    @Test(
        "a mark, on a terminal without Unicode",
        arguments: [
            ("━", "="), ("╾", "-"), ("─", "."), ("●", "*"), ("◐", "~"), ("⊘", "x"), ("○", "o"), ("‖", "!"), ("▶", ">"),
            ("…", "."),
            ("·", "-"), ("é", "?"), ("音", "??"), ("a", "a"),
        ])
    func plain(mark: String, text: String) {
        #expect(TerminalEncoder(isColoured: false, isUnicode: false).painted(ScreenLine(mark)) == text)
        #expect(TerminalEncoder(isColoured: false, isUnicode: true).painted(ScreenLine(mark)) == mark)
    }

    @Test("characters that a terminal interprets or hides: by a mark of replacement")
    func hidden() {
        let hidden: [ClosedRange<UInt32>] = [
            0...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE0FFF, 0x10FF80...0x10FFFF,
        ]
        func isHidden(_ code: UInt32) -> Bool? {
            Unicode.Scalar(code).map { printable("a\(Character($0))b") == "a\u{FFFD}b" && $0 != "\u{FFFD}" }
        }
        for range in hidden {
            #expect(isHidden(range.lowerBound) == true && isHidden(range.upperBound) == true, "\(range)")
            if range.lowerBound > 0 { #expect(isHidden(range.lowerBound - 1) == false, "before \(range)") }
            #expect(isHidden(range.upperBound + 1) ?? false == false, "after \(range)")
        }
    }

    @Test("the width of a character: of ideographs and emoji two columns, of combining characters none")
    func widths() {
        let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2E80...0x3029, 0x3041...0x3098, 0x309B...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
        ]
        let marks: [ClosedRange<UInt32>] = [
            0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x900...0x902, 0x93C...0x93C,
            0x941...0x948,
            0xE31...0xE31, 0xE34...0xE3A, 0xE47...0xE4E, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x302A...0x302D,
            0x3099...0x309A, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
        ]
        for (ranges, width) in [(wide, 2), (marks, 0)] {
            for range in ranges {
                for (code, isInside) in [
                    (range.lowerBound, true), (range.upperBound, true), (range.lowerBound - 1, false),
                    (range.upperBound + 1, false),
                ] {
                    guard let character = Unicode.Scalar(code) else { continue }
                    #expect((columns(of: character) == width) == isInside, "\(String(code, radix: 16))")
                }
            }
        }
        #expect(
            columns(of: "a" as Unicode.Scalar) == 1 && columns(of: "é" as Unicode.Scalar) == 1
                && columns(of: "—" as Unicode.Scalar) == 1)
    }

    @Test("a text that does not fit: its beginning and an ellipsis, in no more columns")
    func shortening() {
        for (text, columns, short) in [
            ("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("abcde", 1, "…"), ("abcde", 0, ""), ("音楽", 4, "音楽"), ("音楽x", 4, "音…"),
            ("音楽", 3, "音…"), ("音楽", 2, "…"), ("", 0, ""),
        ] {
            #expect(shortened(text, to: columns) == short)
        }
    }
}

@Suite("What a narrow screen leaves out")
struct NarrowScreenTests {
    private let lines: [Report.Line] = {
        var table = SessionTable()
        let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
        let settings = SessionSettings(category: .mediaPlayback, mode: .moviePlayback, mixes: true)
        _ = table.decide(.enter(process: process, name: SessionName("Film"), settings: settings))
        return Report(table: table, hardware: HardwareSnapshot()).lines
    }()

    @Test("The columns of a session go one by one, the least important first; its name and its state stay")
    func columns() {
        var left: [SessionColumns.Column] = [.pid, .name, .category, .mode, .bar, .gain, .streams, .state]
        var gone: [SessionColumns.Column] = []
        for width in stride(from: 140, through: 0, by: -1) {
            let layout = SessionColumns(width, for: lines)
            let shown = layout.shown.map { $0.column }
            #expect(shown.count >= left.count - 1, "\(width)")
            gone += left.filter { !shown.contains($0) }
            left = shown
            let sum = layout.shown.reduce(3) { $0 + $1.width }
            if shown.count > 2 { #expect(sum <= width, "\(width)") }
        }
        #expect(gone == [.bar, .streams, .mode, .category, .pid, .gain] && left == [.name, .state])
    }

    @Test("A column is as wide as its longest content, and name and bar share the room of a wide screen")
    func widths() {
        let wide = Dictionary(uniqueKeysWithValues: SessionColumns(200, for: lines).shown.map { ($0.column, $0.width) })
        #expect(
            wide == [.pid: 8, .name: 22, .category: 15, .mode: 15, .bar: 17, .gain: 6, .streams: 9, .state: 24])
        for (columns, sum) in [(100, 94), (101, 101), (105, 101), (107, 102), (108, 103), (109, 104)] {
            #expect(SessionColumns(columns, for: lines).shown.reduce(3) { $0 + $1.width } == sum, "\(columns)")
        }
    }

    @Test("The heading of a section is not alone: sections that would have no row are left out, the last first")
    func sections() {
        let view = MonitorView(of: Report(table: SessionTable(), hardware: HardwareSnapshot()))
        func headings(_ rows: Int) -> [String] {
            let words = ["SESSIONS", "OUTPUT", "EVENTS"]
            let lines = view.lines(in: MonitorView.Size(columns: 110, rows: rows)).map { $0.text }
            return words.filter { word in lines.contains { $0.contains(word) } }
        }
        for (rows, words) in [
            (1, []), (2, []), (3, ["SESSIONS"]), (4, ["SESSIONS"]), (5, ["SESSIONS", "OUTPUT"]), (6, ["SESSIONS", "OUTPUT"]),
            (7, ["SESSIONS", "OUTPUT", "EVENTS"]), (9, ["SESSIONS", "OUTPUT", "EVENTS"]), (16, ["SESSIONS", "OUTPUT", "EVENTS"]),
        ] as [(Int, [String])] {
            #expect(headings(rows) == words, "\(rows)")
        }
    }

    @Test("A section that does not fit says how many rows are missing, or keeps the last")
    func rows() {
        let rows = (1...5).map { ScreenLine("\($0)") }
        func lines(_ kept: Section.Kept, _ height: Int) -> [String] {
            Section(heading: ScreenLine("H"), rows: rows, kept: kept).lines(in: height).map { $0.text }
        }
        #expect(lines(.first, 6) == ["H", "1", "2", "3", "4", "5"] && lines(.last, 6) == ["H", "1", "2", "3", "4", "5"])
        #expect(lines(.first, 5) == ["H", "1", "2", "3", "   … 2 more"] && lines(.last, 5) == ["H", "2", "3", "4", "5"])
        #expect(
            lines(.first, 3) == ["H", "1", "   … 4 more"] && lines(.first, 2) == ["H", "1"] && lines(.last, 2) == ["H", "5"])
    }
}

@Suite("The changes of a unit or a queue")
struct SoundChangeTests {
    private func object(_ state: Int, starts: UInt32 = 1, underruns: UInt64 = 0, overruns: UInt64 = 0, late: UInt32 = 0)
        -> SoundObject
    {
        var description = status_description()
        description.kind = UInt32(STATUS_INPUT_QUEUE)
        (description.state, description.starts, description.late) = (UInt32(state), starts, late)
        var counters = status_counters()
        (counters.underruns, counters.overruns) = (underruns, overruns)
        let status = ProcessStatus(process: 7, name: "a", slots: [ProcessStatus.Slot(0, description, counters)])
        return SoundObject.all(of: [status])[0]
    }

    @Test("A queue that was paused starts or stops; one that stops is still on")
    func states() {
        let (on, paused, stopping) = (STATUS_IS_RUNNING, STATUS_IS_PAUSED, STATUS_IS_STOPPING)
        for (before, after, changes) in [
            (on, paused, [.paused]), (paused, on, [.started]), (paused, 0, [.stopped]), (0, paused, []), (on, stopping, []),
            (stopping, 0, [.stopped]), (0, on, [.started]), (0, stopping, [.started]), (paused, paused, []),
        ] as [(Int, Int, [SoundChange])] {
            #expect(object(after).changes(since: object(before)) == changes, "\(before) \(after)")
        }
        #expect(object(on, starts: 2).changes(since: object(on)) == [.started])
        #expect(object(paused, starts: 2).changes(since: object(0)) == [.started, .paused])
        #expect(object(0, starts: 0).changes(since: nil) == [] && object(0).changes(since: nil) == [.started, .stopped])
    }

    @Test("Lost samples of both directions count, and the counters begin again with a start")
    func counters() {
        let on = STATUS_IS_RUNNING
        let before = object(on, underruns: 3, overruns: 2, late: 4)
        #expect(object(on, underruns: 3, overruns: 3, late: 4).changes(since: before) == [.underruns(1)])
        #expect(object(on, underruns: 4, overruns: 2, late: 6).changes(since: before) == [.underruns(1), .lateCalls(2)])
        #expect(object(on, underruns: 0, overruns: 0).changes(since: before) == [])
        #expect(
            object(on, starts: 2, underruns: 1, overruns: 1, late: 1).changes(since: before) == [
                .started, .underruns(2), .lateCalls(1),
            ])
        #expect(object(on, underruns: 1).changes(since: nil) == [.started, .underruns(1)])
    }
}
