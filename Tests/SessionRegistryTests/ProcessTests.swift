import Foundation
import Testing

/// Real processes, killed, stopped and replaced for real.
@Suite(.serialized) struct ProcessTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func peer(_ kind: String = "media", active: Bool = true) throws -> Peer {
        let peer = try Peer(in: folder.path)
        try peer.enter(kind, active: active)
        return peer
    }

    @Test("One process interrupts another, and lets it resume")
    func interruption() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        _ = try second.ask("deactivate notify")
        #expect(try first.hear().hasPrefix("end") && first.ask("activate") == "ok")
        try second.enter()
    }

    @Test("While a mixing session that ducks is active, others are at a fifth; its death restores them")
    func ducking() throws {
        let music = try peer()
        let prompt = try peer("ducker")
        try music.expect("gain 0.2")
        prompt.die()
        try music.expect("gain 1.0")
    }

    @Test("A killed interrupter lets the interrupted resume")
    func death() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        second.die()
        #expect(try first.hear().contains("shouldResume"))
        #expect(try first.ask("table") == "table 1 active 0 interrupted 0")
    }

    @Test("A call ends with its holder, wherever that dies")
    func callHolder() throws {
        let (music, phone) = (try peer(), try peer(active: false))
        _ = try phone.ask("call")
        try music.expect("begin")
        #expect(try music.ask("activate") == "refused notActive")
        phone.die()
        #expect(try music.hear().contains("shouldResume"))
    }

    @Test(
        "Killed anywhere in a transaction, a process leaves the old table or the new one",
        arguments: ["locked", "committed", "applying"], 1...3)
    func killedInside(point: String, count: Int) throws {
        let (first, second) = (try peer(), try peer(active: false))
        second.say("killed \(point) \(count)")
        for _ in 0..<4 {
            second.say("activate")
            second.say("deactivate notify")
        }
        second.waitUntilExit()
        #expect(try first.ask("table").hasPrefix("table 1 active"))
        // Whatever it had done, nothing of it is left: the first may play.
        #expect(try first.ask("activate") == "ok")
        let third = try peer()
        try first.expect("begin")
        _ = third
    }

    @Test(
        "Stopped inside the lock, a process is left behind, and what it asked counts once when it wakes",
        arguments: ["locked", "committed", "applying"])
    func stoppedInside(point: String) throws {
        let (first, second) = (try peer(), try peer(active: false))
        second.say("stopped \(point) 1")
        second.say("activate")
        try second.waitUntilStopped()
        let third = try peer(active: false)
        #expect(try third.ask("activate") == "ok")
        #expect(try first.ask("table").hasPrefix("table 3"))
        kill(second.pid, SIGCONT)
        #expect(try second.ask("active") != "refused")
        // Two that do not mix are never active at once, whoever came first.
        let table = try first.ask("table")
        #expect(table.contains("active 1"), "\(table)")
    }

    @Test("Stopped outside the lock, a process keeps nobody waiting")
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

    @Test("exec ends a session as death does, although the process lives on")
    func exec() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        second.say("exec")
        #expect(try first.hear().contains("shouldResume"))
        #expect(second.isRunning)
    }

    @Test("A process that has forked and dies is dead, although its child lives on")
    func forked() throws {
        let (first, second) = (try peer(), try peer())
        try first.expect("begin")
        second.say("fork")
        var line = try second.hear()
        while !line.hasPrefix("child") { line = try second.hear() }
        let child = pid_t(line.split(separator: " ")[1]) ?? 0
        defer { kill(child, SIGKILL) }
        second.die()
        #expect(try first.hear().contains("shouldResume"))
        #expect(kill(child, 0) == 0)
        #expect(try first.ask("table") == "table 1 active 0 interrupted 0")
    }

    @Test("What the dead leave behind is cleared away by the next who comes")
    func everybodyDies() throws {
        var peers = try (0..<4).map { _ in try peer("ambient") }
        for peer in peers { kill(peer.pid, SIGKILL) }
        peers.removeAll()
        let last = try peer()
        #expect(try last.ask("table") == "table 1 active 1 interrupted 0")
        let names = try folder.names()
        #expect(names.count == 3, "the table, a bell and a life, not \(names)")
    }

    @Test("A death that concerns nobody who waits is noticed all the same")
    func unconcerned() throws {
        let (watcher, other) = (try peer("ambient"), try peer("ambient"))
        let bystander = try peer("ambient")
        other.die()
        #expect(try watcher.ask("table") == "table 2 active 2 interrupted 0")
        _ = bystander
    }

    @Test("In a pid namespace of its own, sharing the folder, a session meets the others")
    func namespace() throws {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else { return }
        let first = try peer()
        let inside = try Peer(in: folder.path, through: ["/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc"])
        try inside.enter()
        try first.expect("begin")
        inside.die()
        #expect(try first.hear().contains("shouldResume"))
    }

    @Test("An idle session does not wake")
    func idle() throws {
        let (first, second) = (try peer(), try peer("ambient"))
        _ = try first.ask("table")
        _ = try second.ask("active")
        for peer in [first, second] { try peer.waitUntilAsleep() }
        let before = try switches(of: first) + switches(of: second)
        sleep(2)
        #expect(try switches(of: first) + switches(of: second) == before)
    }

    private func switches(of peer: Peer) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(peer.pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") } ?? ""
        return Int(line.split(separator: "\t").last ?? "") ?? -1
    }
}

/// The table in every state of ruin.
@Suite(.serialized) struct DamageTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func afterwards(_ ruin: (Peer, Peer) throws -> Void) throws {
        let (first, second) = (try Peer(in: folder.path), try Peer(in: folder.path))
        try first.enter()
        try second.enter()
        try first.expect("begin")
        try ruin(first, second)
        // The survivors go on where they were: the first is interrupted by the second.
        _ = try second.ask("adopt media")
        _ = try first.ask("active")
        #expect(try second.ask("active") == "yes")
        let table = try first.ask("table")
        #expect(table == "table 2 active 1 interrupted 1")
        _ = try second.ask("deactivate notify")
        #expect(try first.hear().contains("shouldResume"))
        #expect(try first.ask("activate") == "ok")
        #expect(try second.ask("activate") == "ok")
        try first.expect("begin")
    }

    @Test("Truncated, at any length", arguments: [0, 1, 100, 1024, 1600, 5000, 400_000])
    func truncated(length: Int) throws {
        try afterwards { _, _ in truncate(folder.table, off_t(length)) }
    }

    @Test("Overwritten with other bytes", arguments: [0x00, 0xFF, 0x5A] as [UInt8])
    func overwritten(byte: UInt8) throws {
        try afterwards { _, _ in
            let size = try FileManager.default.attributesOfItem(atPath: folder.table)[.size] as? Int ?? 0
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.table))
            try file.write(contentsOf: Data(repeating: byte, count: size))
            try file.close()
        }
    }

    @Test("Bits flipped in the header, in the record and in an entry", arguments: [0, 9, 25, 500, 1023])
    func flipped(offset: Int) throws {
        try afterwards { _, _ in
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

    @Test("Removed, the file alone or the folder with everything in it", arguments: [false, true])
    func removed(everything: Bool) throws {
        try afterwards { _, _ in
            // The folder is moved away first: while it is being emptied, its survivors move in again.
            let away = folder.path + ".away"
            try FileManager.default.moveItem(atPath: everything ? folder.path : folder.table, toPath: away)
            try FileManager.default.removeItem(atPath: away)
        }
    }
}

/// Many processes, many deaths.
@Suite(.serialized) struct StormTests {
    @Test("After a storm of deaths nothing is left of the dead, and the living hear begins and ends in turn")
    func storm() throws {
        // STORM_PEERS=50 STORM_KILLS=2000 for the long one.
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
                peer.say("enter \(kinds[kill % kinds.count])")
                if kill % 3 == 0 { peer.say("killed \(["locked", "committed", "applying"][kill % 9 / 3]) \(2 + kill % 5)") }
                for _ in 0..<10 {
                    peer.say("activate")
                    peer.say("deactivate notify")
                }
                peer.say("activate")
                peers.append(peer)
            }
            peers.remove(at: (kill * 7) % peers.count).die()
        }
        for peer in peers { peer.die() }
        peers.removeAll()
        var isInterrupted = false
        witness.say("table")
        while true {
            let line = try witness.hear()
            if line.hasPrefix("table") {
                #expect(line.hasPrefix("table 1 "), "\(line)")
                break
            }
            guard line == "begin" || line.hasPrefix("end") else { continue }
            #expect((line == "begin") != isInterrupted, "\(line) twice")
            isInterrupted = line == "begin"
        }
        #expect(try witness.ask("activate") == "ok")
        #expect(try folder.names().filter { $0.hasSuffix(".bell") || $0.hasSuffix(".life") }.count == 2)
    }
}
