// SPDX-License-Identifier: Apache-2.0
import Foundation
// A process with one session in the shared table, for the tests of the registry. It performs each line of its standard
// input, one or two words, and prints the answer and the events of its session.
import LinuxSystem
import SessionArbiter
import SessionModel

@testable import SessionRegistry

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

struct Member {
    let registry: FileRegistry
    var slot: TableSlot = -1
    var lastEffect = Effect(gain: 1, isSilenced: false)
    /// How often the registry's descriptor became readable.
    var wakes = 0

    /// Prints what has happened since the last look, and how an active session sounds, when that has changed.
    mutating func look() {
        guard slot >= 0 else { return }
        let view = registry.view(of: slot)
        sayInterruptions(of: view)
        guard view.isActive else { return }
        if view.effect.gain != lastEffect.gain { say("gain \(view.effect.gain)") }
        if view.effect.isSilenced != lastEffect.isSilenced { say(view.effect.isSilenced ? "silenced" : "audible") }
        lastEffect = view.effect
    }

    private func sayInterruptions(of view: SessionView) {
        for interruption in view.interruptions {
            switch interruption {
            case .begin: say("begin")
            case .end(let type): say("end \(type)")
            }
        }
    }

    mutating func perform(_ words: [String]) {
        switch words[0] {
        case "enter": enter(words[1])
        case "activate": ask(.activate(slot))
        case "deactivate": ask(.deactivate(slot, notifyingOthers: words.last == "notify"))
        case "change": ask(.change(slot, settings(words[1])))
        case "call": ask(.beginCall(SessionName("call"), holder: slot))
        case "confirm": ask(.confirmCall)
        case "end": ask(.endCall(shouldResume: words.last != "rest"))
        case "wakes": say("wakes \(wakes)")
        case "active": sayIfActive()
        case "table": sayTable()
        case "killed": halt(words, with: SIGKILL)
        case "stopped": halt(words, with: SIGSTOP)
        case "fork": fork()
        case "exec": become("/bin/sleep", "1000")
        case "leave":
            registry.leave(slot)
            slot = -1
            say("ok")
        default: say("what?")
        }
    }

    private mutating func enter(_ kind: String) {
        do {
            slot = try registry.enter(name: SessionName("peer"), settings: settings(kind))
            say("ok")
        } catch { say("refused \(error)") }
    }

    private func ask(_ request: Request) {
        do {
            try registry.submit(request)
            say("ok")
        } catch { say("refused \(error)") }
    }

    private mutating func sayIfActive() {
        let view = registry.view(of: slot)
        sayInterruptions(of: view)
        say(view.isActive ? "yes" : "no")
    }

    private func sayTable() {
        let lines = registry.table().entries.compactMap { $0 }
        say("table \(lines.count) active \(lines.count { $0.isActive }) interrupted \(lines.count { $0.isInterrupted })")
    }

    private func settings(_ word: String) -> SessionSettings {
        switch word {
        case "ambient": SessionSettings(category: .ambientSound, mixes: true)
        case "ducker": SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)
        case "sounds": .ofSystemSounds
        case "record": SessionSettings(category: .recordAudio, mixes: false)
        default: SessionSettings(category: .mediaPlayback, mixes: false)
        }
    }

    /// Sends itself the signal when a transaction reaches a point for the n-th time.
    private func halt(_ words: [String], with signal: Int32) {
        let points: [String: TransactionHook.Point] = ["locked": .locked, "committed": .committed, "applying": .applying]
        var left = Int(words[2]) ?? 1
        TransactionHook.at = { here in
            guard here == points[words[1]] else { return }
            left -= 1
            if left == 0 { kill(getpid(), signal) }
        }
    }

    /// The child keeps the descriptors that a child inherits, and does not end.
    private func fork() {
        let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 { while true { pause() } }
        say("child \(child)")
    }

    private func become(_ program: String, _ argument: String) {
        var arguments = [strdup(program), strdup(argument), nil]
        execv(program, &arguments)
    }
}

var member = Member(registry: try FileRegistry(in: RuntimeDirectory.find()))
var pending: [UInt8] = []
say("ready")
while true {
    var waiting = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
        pollfd(fd: member.registry.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&waiting, 2, -1)
    if waiting[1].revents != 0 {
        member.wakes += 1
        member.registry.processEvents()
        member.look()
        member.registry.updatePeerMonitors()
    }
    guard waiting[0].revents != 0 else { continue }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(0, &buffer, 256)
    guard count > 0 else { exit(0) }
    pending += buffer[0..<count]
    while let end = pending.firstIndex(of: 0x0A) {
        let words = String(decoding: pending[0..<end], as: UTF8.self).split(separator: " ").map(String.init)
        pending.removeSubrange(0...end)
        if !words.isEmpty { member.perform(words) }
        member.look()
    }
}
