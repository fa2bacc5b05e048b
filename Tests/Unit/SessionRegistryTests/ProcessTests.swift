// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import SessionArbiter
import SessionModel
import Testing

@testable import SessionRegistry

/// Processes that interrupt each other, and that are killed, stopped and replaced.
@Suite(.serialized) struct ProcessTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func peer(_ kind: String = "media", active: Bool = true) throws -> Peer {
        let peer = try Peer(in: folder.path)
        try peer.enter(kind, active: active)
        return peer
    }

    @Test("A session interrupts the session of another process, and lets it resume")
    func interruption() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        #expect(try second.ask("deactivate notify") == "ok")
        try first.expect("end shouldResume")
        #expect(try first.ask("activate") == "ok")
        try second.enter()
        try first.expect("begin")
    }

    @Test("While a mixing session that ducks is active, others have gain 0.2. Its death restores them")
    func ducking() throws {
        let music = try peer()
        let prompt = try peer("ducker")
        try music.expect("gain 0.2")
        prompt.die()
        try music.expect("gain 1.0")
    }

    @Test("The death of an interrupter ends the interruption with should-resume")
    func death() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        second.die()
        try first.expect("end shouldResume")
        #expect(try first.ask("table") == "table 1 active 0 interrupted 0")
    }

    @Test("The death of its holder ends a call with should-resume")
    func callHolder() throws {
        let (music, phone) = (try peer(), try peer(active: false))
        #expect(try phone.ask("call") == "ok")
        try music.expect("begin")
        #expect(try music.ask("activate") == "refused notActive")
        phone.die()
        try music.expect("end shouldResume")
    }

    @Test("A confirmed call leaves without an end, and keeps sessions that do not mix from activating until it ends")
    func confirmedCall() throws {
        let (music, phone) = (try peer(), try peer("ambient"))
        let other = try FileRegistry(in: RuntimeDirectory(folder.path))
        #expect(try phone.ask("call") == "ok")
        try music.expect("begin")
        #expect(other.table().call?.isConfirmed == false)
        #expect(try phone.ask("confirm") == "ok")
        #expect(other.table().call?.isConfirmed == true)
        #expect(try music.ask("table") == "table 2 active 0 interrupted 0")
        #expect(try music.ask("activate") == "refused notActive")
        #expect(try phone.ask("end") == "ok")
        let (events, answer) = try music.exchange("activate")
        #expect(events.isEmpty && answer == "ok")
    }

    @Test(
        "A process that is killed anywhere in a transaction leaves the old table or the new one",
        arguments: ["locked", "committed", "applying"], 1...3)
    func killedInside(point: String, count: Int) throws {
        let (first, second) = (try peer(), try peer(active: false))
        second.send("killed \(point) \(count)")
        for _ in 0..<4 {
            second.send("activate")
            second.send("deactivate notify")
        }
        try second.waitUntilExit()
        // Nothing of it is left.
        #expect(try first.ask("table").hasPrefix("table 1 active"))
        #expect(try first.ask("activate") == "ok")
        #expect(try first.ask("active") == "yes")
        let third = try peer()
        try first.expect("begin")
        #expect(third.isRunning)
    }

    @Test("A request that is stopped before its commit is committed when its process continues, after those of others")
    func stoppedBeforeCommit() throws {
        let (first, second) = (try peer(), try peer(active: false))
        second.send("stopped locked 1")
        second.send("activate")
        try second.waitUntilStopped()
        let third = try peer()
        try first.expect("begin")
        kill(second.pid, SIGCONT)
        try second.expect("ok")
        try third.expect("begin")
        #expect(try second.ask("active") == "yes")
        #expect(try first.ask("table") == "table 3 active 1 interrupted 2")
    }

    @Test(
        "A request that is stopped after its commit counts once, before what others asked",
        arguments: ["committed", "applying"])
    func stoppedAfterCommit(point: String) throws {
        let (first, second) = (try peer(), try peer(active: false))
        second.send("stopped \(point) 1")
        second.send("activate")
        try second.waitUntilStopped()
        let third = try peer()
        try first.expect("begin")
        kill(second.pid, SIGCONT)
        // The third session has interrupted it meanwhile.
        #expect(try [second.nextLine(), second.nextLine()] == ["ok", "begin"])
        #expect(try second.ask("active") == "no")
        #expect(try third.exchange("active") == ([], "yes"))
        #expect(try first.ask("table") == "table 3 active 1 interrupted 2")
    }

    @Test("A process that is stopped outside the lock blocks no other process")
    func stoppedOutside() throws {
        let stopped = try peer()
        kill(stopped.pid, SIGSTOP)
        try stopped.waitUntilStopped()
        let other = try peer()
        for _ in 0..<200 {
            #expect(try other.ask("deactivate notify") == "ok")
            #expect(try other.ask("activate") == "ok")
        }
        kill(stopped.pid, SIGCONT)
        try stopped.expect("begin")
    }

    @Test("exec ends a session as death does, although the pid stays")
    func exec() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        second.send("exec")
        try first.expect("end shouldResume")
        #expect(second.isRunning)
    }

    @Test("The death of a process that has forked ends its session, although the child runs on")
    func forked() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        second.send("fork")
        var line = try second.nextLine()
        while !line.hasPrefix("child") { line = try second.nextLine() }
        let child = pid_t(line.split(separator: " ")[1]) ?? 0
        defer { kill(child, SIGKILL) }
        second.die()
        try first.expect("end shouldResume")
        #expect(kill(child, 0) == 0)
        #expect(try first.ask("table") == "table 1 active 0 interrupted 0")
    }

    @Test("The next process that enters removes what dead processes left")
    func everybodyDies() throws {
        var peers = try (0..<4).map { _ in try peer("ambient") }
        for peer in peers { kill(peer.pid, SIGKILL) }
        peers.removeAll()
        let last = try peer()
        #expect(try last.ask("table") == "table 1 active 1 interrupted 0")
        let names = try folder.names()
        #expect(names.count == 3, "the table and two FIFOs, not \(names)")
    }

    @Test("A death that affects no session removes the process's FIFOs")
    func unaffected() throws {
        let (bystander, other) = (try peer("ambient", active: false), try peer("ambient", active: false))
        // The bystander watches the other process when it answers: it reads no table for this answer.
        _ = try bystander.ask("wakes")
        #expect(try folder.fifos().count == 4)
        other.die()
        try folder.waitUntil("the FIFOs of one process") { try $0.fifos().count == 2 }
    }

    /// An effect of one session on another that is active: the lines that the other prints for it, and for its end.
    struct Effect: Sendable, CustomTestStringConvertible {
        let other: String
        let kind: String
        var requests = ["activate"]
        let printed: String
        let printedAtDeath: String
        var testDescription: String { kind }
    }
    private static let effects = [
        Effect(other: "ambient", kind: "ducker", printed: "gain 0.2", printedAtDeath: "gain 1.0"),
        Effect(other: "ambient", kind: "record", printed: "silenced", printedAtDeath: "audible"),
        Effect(other: "media", kind: "media", printed: "begin", printedAtDeath: "end shouldResume"),
        Effect(other: "media", kind: "ambient", requests: ["call"], printed: "begin", printedAtDeath: "end shouldResume"),
    ]

    @Test(
        "A session that another session affects notices the death of that session's process by itself",
        arguments: effects)
    func watchedByAffected(effect: Effect) throws {
        let affected = try peer(effect.other)
        // The two processes that watch the other in any case are stopped.
        let between = try (0..<2).map { _ in try peer("ambient", active: false) }
        let other = try peer(effect.kind, active: false)
        for peer in between {
            kill(peer.pid, SIGSTOP)
            try peer.waitUntilStopped()
        }
        for request in effect.requests { #expect(try other.ask(request) == "ok") }
        try affected.expect(effect.printed)
        other.die()
        try affected.expect(effect.printedAtDeath)
        // A peer continues and ends with its object, which an optimized build frees after its last use.
        withExtendedLifetime(between) {}
    }

    @Test("A session in a pid namespace of its own meets the others in the same folder", .enabled(if: mayUnshare))
    func namespace() throws {
        let first = try peer()
        let inside = try Peer(in: folder.path, through: ["/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc"])
        try inside.enter()
        try first.expect("begin")
        inside.die()
        try first.expect("end shouldResume")
    }
    private static let mayUnshare = getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")

    @Test("Requests that do not affect a session do not wake its process")
    func unaffectedSessionsSleep() throws {
        let bystanders = [try peer(), try peer("ambient"), try peer(active: false)]
        let others = [try peer("ambient", active: false), try peer("ambient", active: false)]
        _ = try bystanders.map { try $0.ask("active") }
        let before = try bystanders.map { try $0.ask("wakes") }
        for _ in 0..<50 {
            for other in others {
                #expect(try ["activate", "active", "deactivate notify"].map(other.ask) == ["ok", "yes", "ok"])
            }
        }
        let after = try bystanders.map { try $0.ask("wakes") }
        #expect(after == before)
        // A peer dies with its object, which an optimized build frees after its last use.
        withExtendedLifetime(others) {}
    }
}

/// A table that is damaged.
@Suite(.serialized) struct DamageTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func recovers(from damage: () throws -> Void) throws {
        let (first, second) = (try Peer(in: folder.path), try Peer(in: folder.path))
        try first.enter()
        try second.enter()
        try first.expect("begin")
        try damage()
        // The first session is still interrupted by the second.
        _ = try second.ask("change media")
        _ = try first.ask("active")
        #expect(try second.ask("active") == "yes")
        let table = try first.ask("table")
        #expect(table == "table 2 active 1 interrupted 1")
        _ = try second.ask("deactivate notify")
        try first.expect("end shouldResume")
        #expect(try first.ask("activate") == "ok")
        #expect(try second.ask("activate") == "ok")
        try first.expect("begin")
    }

    @Test("The sessions go on after a truncation of the table", arguments: [0, 1, 100, 1024, 1600, 5000, 400_000])
    func truncated(length: Int) throws {
        try recovers { truncate(folder.table, off_t(length)) }
    }

    @Test("The sessions go on after the table is overwritten", arguments: [0x00, 0xFF, 0x5A] as [UInt8])
    func overwritten(byte: UInt8) throws {
        try recovers {
            let size = try FileManager.default.attributesOfItem(atPath: folder.table)[.size] as? Int ?? 0
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.table))
            try file.write(contentsOf: Data(repeating: byte, count: size))
            try file.close()
        }
    }

    @Test(
        "The sessions go on after bits of the header, the redo record and an entry are flipped",
        arguments: [0, 9, 25, 500, 1023])
    func flipped(offset: Int) throws {
        try recovers {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.table))
            for place in [offset, 1536 + offset] {
                try file.seek(toOffset: UInt64(place))
                let byte = try file.read(upToCount: 1)?.first ?? 0
                try file.seek(toOffset: UInt64(place))
                try file.write(contentsOf: Data([byte ^ 0x10]))
            }
            try file.close()
        }
    }

    @Test("The sessions go on after the table, or the whole folder, is removed", arguments: [false, true])
    func removed(everything: Bool) throws {
        try recovers {
            // The folder is renamed first. A folder that is being emptied gets new files of the running processes.
            let away = folder.path + ".away"
            try FileManager.default.moveItem(atPath: everything ? folder.path : folder.table, toPath: away)
            try FileManager.default.removeItem(atPath: away)
        }
    }
}

/// Many processes that are killed at random points.
@Suite(.serialized) struct StormTests {
    @Test("After many deaths nothing of the dead is left, and the witness got begins and ends in turn")
    func storm() throws {
        // STORM_PEERS=50 STORM_KILLS=2000 for the long test.
        let environment = ProcessInfo.processInfo.environment
        let count = Int(environment["STORM_PEERS"] ?? "") ?? 8
        let kills = Int(environment["STORM_KILLS"] ?? "") ?? 60
        let folder = try Folder()
        let witness = try Peer(in: folder.path)
        try witness.enter()
        var peers: [Peer] = []
        let kinds = ["media", "ambient", "ducker", "record"]
        for kill in 0..<kills {
            while peers.count < count {
                let peer = try Peer(in: folder.path)
                peer.send("enter \(kinds[kill % kinds.count])")
                let point = ["locked", "committed", "applying"][kill % 9 / 3]
                if kill % 3 == 0 { peer.send("killed \(point) \(2 + kill % 5)") }
                for _ in 0..<10 {
                    peer.send("activate")
                    peer.send("deactivate notify")
                }
                peer.send("activate")
                peers.append(peer)
            }
            peers.remove(at: (kill * 7) % peers.count).die()
        }
        for peer in peers { peer.die() }
        peers.removeAll()
        var isInterrupted = false
        witness.send("table")
        while true {
            let line = try witness.nextLine()
            if line.hasPrefix("table") {
                #expect(line.hasPrefix("table 1 "), "\(line)")
                break
            }
            guard line == "begin" || line.hasPrefix("end") else { continue }
            #expect((line == "begin") != isInterrupted, "\(line) twice")
            isInterrupted = line == "begin"
        }
        #expect(try witness.ask("activate") == "ok")
        #expect(try folder.fifos().count == 2)
    }
}
