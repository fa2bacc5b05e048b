// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import SessionArbiter
import SessionModel

/// A screen of `audiosessionctl monitor` with a session in each state.
func monitorPicture() -> String {
    var scene = Scene()
    let podcast = scene.enter("Podcast", 4107, SessionSettings(category: .mediaPlayback, mode: .spokenAudio, mixes: false))
    scene.decide(0, .activate(podcast))
    let game = scene.enter("Pinball", 4158, SessionSettings(category: .ambientSound, mixes: true))
    scene.decide(41_207, .activate(game))
    scene.decide(9_316, .silent(true))
    scene.plug(Port(.headphones, device: 4, level: 0.7), after: 14_850)
    let music = scene.enter("Music", 4212, SessionSettings(category: .mediaPlayback, mixes: false))
    scene.decide(73_058, .activate(music))
    _ = scene.enter("Telephone", 4260, SessionSettings(category: .playAndRecord, mode: .voiceChat, mixes: false))
    let guide = scene.enter(
        "Navigation", 4301, SessionSettings(category: .mediaPlayback, mode: .spokenAudio, mixes: true, ducks: true))
    scene.decide(12_480, .activate(guide))
    let size = MonitorView.Size(columns: 112, rows: 26)
    return ScreenDrawing(of: scene.view.lines(in: size), in: size, title: "audiosessionctl monitor").svg
}

/// A machine and its sessions, which change at given times.
private struct Scene {
    private var table = SessionTable()
    private var hardware = HardwareSnapshot(ports: [
        Port(.builtInReceiver, device: 1, level: 0.5), Port(.builtInSpeaker, device: 2, level: 0.4),
        Port(.builtInMicrophone, device: 3, level: 0.75),
    ])
    private(set) var view: MonitorView
    /// Milliseconds since midnight.
    private var time: UInt32 = 73_204_118

    init() { view = MonitorView(of: Report(table: table, hardware: hardware)) }

    mutating func enter(_ name: String, _ pid: Int32, _ settings: SessionSettings) -> TableSlot {
        let process = ProcessIdentity(pid: pid, startTime: 1, pidNamespace: 1)
        let slot = table.decide(.enter(process: process, name: SessionName(name), settings: settings)).slot ?? 0
        // Programs whose streams the library moves.
        if pid < 4250, let streams = table.decide(.enterStreams(process: process, of: slot)).slot {
            _ = table.decide(.playback(streams, .running))
        }
        advance(by: 0)
        return slot
    }

    mutating func decide(_ milliseconds: UInt32, _ request: Request) {
        _ = table.decide(request)
        for slot in table.entries.indices where table.entries[slot]?.isInterrupted == true {
            _ = table.decide(.playback(slot, .stopped))
        }
        advance(by: milliseconds)
    }

    mutating func plug(_ port: Port, after milliseconds: UInt32) {
        hardware.ports.append(port)
        advance(by: milliseconds)
    }

    private mutating func advance(by milliseconds: UInt32) {
        time += milliseconds
        view.advance(to: Report(table: table, hardware: hardware), at: TimeOfDay(milliseconds: time))
    }
}

extension Port {
    fileprivate init(_ kind: PortKind, device: UInt32, level: Float) {
        self.init(
            kind: kind, device: device, uid: "\(kind)", name: "\(kind)", alsaDevice: "null", channels: 2,
            volume: kind.isInput ? nil : level, gain: kind.isInput ? level : nil)
    }
}
