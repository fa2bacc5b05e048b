// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import Testing

@Suite("Sound files on the terminal") struct TransportTests {
    @Test(
        "The time has minutes, seconds and tenths",
        arguments: [(0.0, "0:00.0"), (7.46, "0:07.5"), (59.96, "1:00.0"), (3661, "61:01.0")])
    func times(seconds: Double, text: String) {
        #expect(soundTime(seconds) == text)
    }

    @Test("A time that is no number, or not in range, has a text", arguments: [Double.nan, -1, .infinity])
    func strangeTimes(seconds: Double) {
        #expect(soundTime(seconds) == "0:00.0")
    }

    @Test("The line has the time, the progress, a meter for each of two channels, and the route")
    func whole() {
        let line = TransportLine(.playing, position: 5, duration: 10, levels: [-30, 0], route: "Speaker").line(in: 70)
        #expect(line.text == "▶ 0:05.0 / 0:10.0  ━━━━━━━───────  L ━━━━━───── R ━━━━━━━━━━  Speaker")
        #expect(line.width <= 70)
    }

    @Test("A recording without an end has no progress; an interruption has its own mark")
    func openEnd() {
        let line = TransportLine(.recording, position: 1.2, levels: [-60], route: "MicrophoneBuiltIn").line(in: 70)
        #expect(line.text == "● 0:01.2  ──────────  MicrophoneBuiltIn", "\(line.text)")
        #expect(TransportLine(.interrupted).line(in: 70).text == "‖ 0:00.0")
    }

    @Test("The line fits every width, with every level", arguments: 0...90)
    func fits(columns: Int) {
        for level in [Float.nan, -.infinity, .infinity, -200, 12] {
            let line = TransportLine(.converting, position: 20, duration: 10, levels: [level, level], route: "Headphones")
            #expect(line.line(in: columns).width <= columns)
        }
    }

    @Test("The line leaves room on every terminal for the two characters of an interruption", arguments: 0...90)
    func interruption(columns: Int) {
        let line = TransportLine(.playing, position: 20, duration: 3_000, levels: [0, 0], route: "Headphones")
        #expect(line.line(onTerminalOf: columns).width + "^C".count < max(columns, 3))
        if columns >= 70 { #expect(line.line(onTerminalOf: columns).text == line.line(in: columns - 3).text) }
    }

    @Test("The rate and the duration in JSON are exact")
    func exact() {
        let format = SoundObject.Format(rate: 44_100.001, id: 0x6C70_636D, flags: 0xC, channels: 1, bits: 16)
        let report = SoundFileReport(
            name: "a", type: 0x5741_5645, format: format, frames: 4_000_000_007, packets: 0, bytes: 0, bitRate: 0,
            isDecodable: true, missingPackages: [])
        #expect(report.json.text.contains("\"rate\":44100.001,"))
        #expect(report.json.text.contains("\"seconds\":\(4_000_000_007 / 44_100.001),"), "\(report.json.text)")
    }

    @Test("What a file contains is a block for people, and one object in JSON; a missing decoder names its packages")
    func report() {
        let format = SoundObject.Format(rate: 22_050, id: 0x6161_6320, flags: 0, channels: 1, bits: 0)
        let report = SoundFileReport(
            name: "a\u{1B}.m4a", type: 0x6D34_6166, format: format, frames: 11_025, packets: 11, bytes: 4_000, bitRate: 64_000,
            isDecodable: false, missingPackages: ["one", "two"])
        #expect(
            report.text == """
                a\u{FFFD}.m4a
                  type      M4A
                  format    22050 Hz, 1 ch, aac
                  duration  0:00.5, 11025 frames
                  data      4000 bytes, 11 packets, 64 kbit/s
                  decoder   not installed: one, two

                """)
        for (id, text): (UInt32, String) in [
            (0x6D73_0011, "ima-adpcm"), (0x6D73_0031, "gsm"), (0x6D73_0002, "ms-adpcm"), (0x6D73_00FA, "0x6D7300FA"),
        ] {
            let other = SoundObject.Format(rate: 8_000, id: id, flags: 0, channels: 1, bits: 0)
            #expect(other.text == "8000 Hz, 1 ch, \(text)")
        }
        let refused = SoundFileReport(
            name: "a", type: 0x6D34_6166, format: format, frames: 0, packets: 0, bytes: 0, bitRate: 0, isDecodable: false,
            isRefused: true, missingPackages: ["one"])
        #expect(refused.text.contains("  decoder   refuses the format\n") && refused.json.text.contains("\"packages\":[]"))
        #expect(
            report.json.text == """
                {"file":"a\\u001b.m4a","type":"M4A","rate":22050.0,"channels":1,"sample":"aac","interleaved":true,"frames":11025,\
                "seconds":0.5,"packets":11,"bytes":4000,"bitRate":64000,"decodable":false,"packages":["one","two"]}
                """)
    }
}

@Suite("A meter of a sound on the terminal") struct MeterTests {
    private func piece(_ level: Float, _ state: TransportLine.State = .playing) -> ScreenLine.Piece? {
        TransportLine(state, levels: [level]).line(in: 70).pieces.first { $0.text.contains("━") }
    }

    @Test(
        "A meter is empty at -60 dB and full at 0 dB; what is no number is silence",
        arguments: [
            (-60, 0), (-100, 0), (-30, 5), (-54, 1), (0, 10), (6, 10), (-.infinity, 0), (.infinity, 0), (.nan, 0),
        ] as [(Float, Int)])
    func meter(level: Float, columns: Int) { #expect(piece(level)?.text.count ?? 0 == columns) }

    @Test("A level above -1 dB is an alert") func loud() {
        #expect(piece(-1)?.style == .active && piece(-0.9)?.style == .alert && piece(0)?.style == .alert)
    }

    @Test("Each state has its mark and its style; one channel has no letter, and two have")
    func marks() {
        let marks: [(TransportLine.State, String, ScreenLine.Style)] = [
            (.playing, "▶ ", .active), (.recording, "● ", .alert), (.converting, "▶ ", .level),
            (.interrupted, "‖ ", .interrupted),
        ]
        for (state, text, style) in marks {
            let mark = TransportLine(state).line(in: 70).pieces.first
            #expect(mark?.text == text && mark?.style == style)
        }
        for (levels, letters) in [([-60], ""), ([-60, -60], "LR"), ([-60, -60, 0], "LR")] as [([Float], String)] {
            let line = TransportLine(.playing, levels: levels).line(in: 70).text
            #expect(line.filter { $0 == "L" || $0 == "R" } == letters && !line.contains("━"))
        }
    }

    @Test("The progress of a sound of no length is complete, and a position beyond the end is the end")
    func progress() {
        func bar(_ position: Double, _ duration: Double) -> String {
            String(
                TransportLine(.playing, position: position, duration: duration).line(in: 40).text.drop {
                    $0 != "━" && $0 != "─" && $0 != "╾"
                })
        }
        #expect(bar(0, 0) == bar(7, 5) && !bar(0, 0).contains("─"))
        #expect(!bar(0, 5).contains("━") && bar(0, 5).allSatisfy { $0 == "─" || $0 == " " })
        #expect(bar(5, 10).count { $0 == "━" } == bar(5, 10).count { $0 == "─" })
    }
}
