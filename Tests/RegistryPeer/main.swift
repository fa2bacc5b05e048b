// A process with one session in the shared table, for the registry's tests: does what its standard
// input says, one or two words a line, and says what it was answered and what happened to it.
import Foundation
import SessionArbiter
import SessionModel

@testable import SessionRegistry

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

struct Member {
    let registry: SharedRegistry
    var slot: Slot = -1
    var lastGain: Float = 1

    /// What has happened since the last look, and how loud the session may be, when that has changed.
    mutating func look() {
        guard slot >= 0 else { return }
        let view = registry.look(slot)
        for interruption in view.interruptions { say(interruption == .begin ? "begin" : "\(interruption)") }
        if view.isActive, view.effect.gain != lastGain {
            lastGain = view.effect.gain
            say("gain \(lastGain)")
        }
    }

    mutating func perform(_ words: [String]) {
        switch words[0] {
        case "enter": enter(words[1])
        case "activate": ask(.activate(slot))
        case "deactivate": ask(.deactivate(slot, notifyingOthers: words.last == "notify"))
        case "adopt": ask(.adopt(slot, policy(words[1])))
        case "call": ask(.beginCall(SessionName("call"), holder: slot))
        case "end": ask(.endCall(shouldResume: words.last != "rest"))
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
            slot = try registry.enter(name: SessionName("peer"), policy: policy(kind))
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
        let view = registry.look(slot)
        for interruption in view.interruptions { say(interruption == .begin ? "begin" : "\(interruption)") }
        say(view.isActive ? "yes" : "no")
    }

    private func sayTable() {
        let lines = registry.table().entries.compactMap { $0 }
        say("table \(lines.count) active \(lines.count { $0.isActive }) interrupted \(lines.count { $0.isInterrupted })")
    }

    private func policy(_ word: String) -> SessionPolicy {
        switch word {
        case "ambient": SessionPolicy(category: .ambientSound, mixes: true)
        case "ducker": SessionPolicy(category: .mediaPlayback, mixes: true, ducks: true)
        case "record": SessionPolicy(category: .recordAudio, mixes: false)
        default: SessionPolicy(category: .mediaPlayback, mixes: false)
        }
    }

    /// Ends or stops this process when a transaction comes to a point for the n-th time.
    private func halt(_ words: [String], with signal: Int32) {
        let points: [String: Halt.Point] = ["locked": .locked, "committed": .committed, "applying": .applying]
        var left = Int(words[2]) ?? 1
        Halt.at = { here in
            guard here == points[words[1]] else { return }
            left -= 1
            if left == 0 { kill(getpid(), signal) }
        }
    }

    /// The child keeps whatever a child keeps, and lives on.
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

var member = Member(registry: try SharedRegistry(in: RuntimeDirectory.find()))
var pending: [UInt8] = []
say("ready")
while true {
    var waiting = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
        pollfd(fd: member.registry.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&waiting, 2, -1)
    if waiting[1].revents != 0 {
        member.registry.heed()
        member.look()
        member.registry.keepWatch()
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
