// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import SessionArbiter
import SessionModel
import TestSupport
import Testing

@testable import SessionRegistry

/// Processes that hold locks, write into the table, or are very many.
@Suite(.serialized) struct HostileTests {
    private let folder: Folder
    private let media = SessionSettings(category: .mediaPlayback, mixes: false)

    init() throws { folder = try Folder() }

    private func registry() throws -> FileRegistry { try FileRegistry(in: RuntimeDirectory(folder.path)) }

    /// F_OFD_SETLK, which Glibc's module does not have.
    private static let setLock: Int32 = 37

    /// A descriptor that holds the lock of a file of the folder. It is closed on exec: the programs of other tests do not hold
    /// the lock.
    private func locked(_ name: String) -> Int32 { HostileTests.locked(folder.path + "/" + name) }

    static func locked(_ path: String) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        #expect(fcntl(file, HostileTests.setLock, &lock) == 0)
        return file
    }

    private func inode(_ name: String) -> UInt64? {
        var status = stat()
        return stat(folder.path + "/" + name, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private func names(_ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }
    }

    @Test("A request waits longer than a second for the lock of a table that others change, and does not replace the table")
    func busy() throws {
        let registry = try registry()
        let slot = try registry.enter(name: SessionName("x"), settings: media)
        let before = inode(Folder.tableName)
        let holder = locked(Folder.tableName)
        // The generation grows, as with transactions of other processes.
        let others = Thread {
            var generation: UInt64 = 0
            pread(holder, &generation, 8, 24)
            let end = ContinuousClock.now + .milliseconds(1500)
            var next = generation
            while ContinuousClock.now < end {
                usleep(10_000)
                next += 1
                pwrite(holder, &next, 8, 24)
            }
            pwrite(holder, &generation, 8, 24)
            close(holder)
        }
        others.start()
        try registry.submit(.activate(slot))
        #expect(inode(Folder.tableName) == before)
        #expect(registry.view(of: slot).isActive)
    }

    @Test("A table whose holder has stopped is replaced, also when the process that replaced it has stopped as well")
    func stoppedTwice() throws {
        let registry = try registry()
        let slot = try registry.enter(name: SessionName("x"), settings: media)
        let before = inode(Folder.tableName)
        let (holder, replacing) = (locked(Folder.tableName), locked(Folder.tableName + ".replacing"))
        try registry.submit(.activate(slot))
        #expect(inode(Folder.tableName) != before)
        try registry.submit(.deactivate(slot, notifyingOthers: true))
        close(holder)
        close(replacing)
        #expect(!registry.view(of: slot).isActive)
        #expect(try names(".new").isEmpty)
    }

    @Test("A table that is replaced is marked, so that its holder repeats its change in the new one, which has no mark")
    func replacedTableIsMarked() throws {
        let registry = try registry()
        let slot = try registry.enter(name: SessionName("x"), settings: media)
        func mark(of file: Int32) -> UInt64? {
            var mark: UInt64 = 0
            return pread(file, &mark, 8, off_t(TableHeader.replacedOffset)) == 8 ? mark : nil
        }
        for life in 1...2 {
            let before = inode(Folder.tableName)
            let holder = locked(Folder.tableName)
            defer { close(holder) }
            #expect(mark(of: holder) == 0, "life \(life)")
            try registry.submit(life == 1 ? .activate(slot) : .deactivate(slot, notifyingOthers: true))
            #expect(inode(Folder.tableName) != before, "life \(life)")
            #expect(mark(of: holder) == 1, "life \(life)")
        }
    }

    @Test("No request of a crowd is refused while the holder of the table and the process that replaces it have stopped")
    func crowd() throws {
        let sessions = try (0..<16).map { _ in
            let registry = try registry()
            return (registry: registry, slot: try registry.enter(name: SessionName("x"), settings: media))
        }
        let (holder, replacing) = (locked(Folder.tableName), locked(Folder.tableName + ".replacing"))
        let done = DispatchSemaphore(value: 0)
        for session in sessions {
            Thread {
                try? session.registry.submit(.activate(session.slot))
                done.signal()
            }.start()
        }
        for index in sessions.indices {
            guard done.wait(timeout: .now() + waitLimit) == .success else {
                throw Missing(awaited: "\(sessions.count) activations", seen: "\(index) of them")
            }
        }
        close(holder)
        close(replacing)
        // Each session was active, and the next one interrupted it.
        let views = sessions.map { $0.registry.view(of: $0.slot) }
        #expect(views.filter { $0.isActive }.count == 1)
        #expect(views.filter { $0.interruptions == [.begin] }.count == sessions.count - 1)
        #expect(try names(".new").isEmpty)
    }

    @Test("The file of a process that was killed while it replaced the table is removed")
    func leftover() throws {
        let registry = try registry()
        let slot = try registry.enter(name: SessionName("x"), settings: media)
        _ = FileManager.default.createFile(atPath: folder.path + "/77.\(TableHeader.version).new", contents: Data(count: 100))
        let holder = locked(Folder.tableName)
        try registry.submit(.activate(slot))
        close(holder)
        #expect(try names(".new").isEmpty)
    }

    /// Makes the table unreadable.
    private func garble() {
        let file = open(folder.table, O_RDWR)
        let noise = [UInt8](repeating: 0xA5, count: 4096)
        pwrite(file, noise, noise.count, 0)
        close(file)
    }

    @Test("An activation survives the loss of the table that it was written to: the interrupted session gets its begin")
    func activationKept() throws {
        let (first, second) = (try registry(), try registry())
        let music = try first.enter(name: SessionName("music"), settings: media)
        try first.submit(.activate(music))
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        _ = first.view(of: music)
        try second.submit(.activate(prompt))
        garble()
        // The first process creates the table again from its snapshot, in which it alone is active.
        #expect(first.view(of: music).interruptions.isEmpty)
        #expect(second.view(of: prompt).isActive)
        let view = first.view(of: music)
        #expect(view.interruptions == [.begin])
        #expect(!view.isActive)
        try second.submit(.deactivate(prompt, notifyingOthers: true))
        #expect(first.view(of: music).interruptions == [.end(.shouldResume)])
    }

    @Test("A deactivation survives the loss of the table that it was written to: the interrupted session gets its end")
    func deactivationKept() throws {
        let (first, second) = (try registry(), try registry())
        let music = try first.enter(name: SessionName("music"), settings: media)
        try first.submit(.activate(music))
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        try second.submit(.activate(prompt))
        #expect(first.view(of: music).interruptions == [.begin])
        try second.submit(.deactivate(prompt, notifyingOthers: true))
        garble()
        // The first process creates the table again from a snapshot in which it was interrupted.
        #expect(first.view(of: music).interruptions.isEmpty)
        #expect(!second.view(of: prompt).isActive)
        #expect(first.view(of: music).interruptions == [.end(.shouldResume)])
    }

    @Test("A new process changes nothing of the others: an interrupter that a confirmed call interrupted still interrupts")
    func newcomer() throws {
        let (first, second) = (try registry(), try registry())
        let music = try first.enter(name: SessionName("music"), settings: media)
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        try first.submit(.activate(music))
        try second.submit(.activate(prompt))
        #expect(first.view(of: music).interruptions == [.begin])
        try first.submit(.beginCall(SessionName("call"), holder: nil))
        try first.submit(.confirmCall)
        let third = try registry()
        _ = try third.enter(name: SessionName("new"), settings: media)
        #expect(first.view(of: music).interruptions.isEmpty)
        try second.submit(.deactivate(prompt, notifyingOthers: true))
        #expect(first.view(of: music).interruptions == [.end(.shouldResume)])
    }

    @Test("Of two sessions that were active when the table was lost, the later to activate stays active")
    func laterKept() throws {
        let (first, second) = (try registry(), try registry())
        let music = try first.enter(name: SessionName("music"), settings: media)
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        try first.submit(.activate(music))
        _ = second.view(of: prompt)
        try second.submit(.activate(prompt))
        // The first process has not read the table since. The second creates it again.
        garble()
        #expect(second.view(of: prompt).isActive)
        #expect(first.view(of: music).interruptions == [.begin])
        #expect(second.view(of: prompt).isActive)
    }

    /// One of the things that any process of the same user can do to the table.
    private func damage(_ random: inout some RandomNumberGenerator) -> String {
        let file = open(folder.table, O_RDWR)
        defer { close(file) }
        let noise = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
        let kind = Int.random(in: 0..<8, using: &random)
        switch kind {
        case 0: unlink(folder.table)
        case 1: ftruncate(file, off_t.random(in: 0..<400_000, using: &random))
        case 2: pwrite(file, noise, noise.count, off_t.random(in: 0..<1100, using: &random))
        case 3: pwrite(file, noise, noise.count, off_t.random(in: 1500..<3500, using: &random))
        case 4: pwrite(file, noise, noise.count, off_t(TableHeader.entriesOffset) + off_t.random(in: 0..<640, using: &random))
        default: break
        }
        return "damage \(kind)"
    }

    @Test("Damage to the table at any moment loses no interruption, and begins and ends come in turn", arguments: 1...8)
    func damagedAnywhere(seed: Int) throws {
        var random = SeededGenerator(seed)
        let (first, second) = (try registry(), try registry())
        let music = try first.enter(name: SessionName("music"), settings: media)
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        try first.submit(.activate(music))
        var history: [String] = []
        /// Looks until events come. First one process, then the other may have to restore what was lost.
        func gets(_ wanted: [Interruption]) -> Bool {
            for _ in 0..<8 {
                let events = first.view(of: music).interruptions
                history.append("got \(events)")
                if !events.isEmpty { return events == wanted }
                history.append(damage(&random))
                _ = second.view(of: prompt)
            }
            return false
        }
        for round in 0..<200 {
            history.append("round \(round)")
            if history.count > 30 { history.removeFirst(history.count - 30) }
            history.append(damage(&random))
            try second.submit(.activate(prompt))
            history.append(damage(&random))
            try #require(gets([.begin]), "\(history)")
            history.append(damage(&random))
            try second.submit(.deactivate(prompt, notifyingOthers: true))
            history.append(damage(&random))
            try #require(gets([.end(.shouldResume)]), "\(history)")
            history.append(damage(&random))
            try #require(try first.submit(.activate(music), viewing: music).interruptions.isEmpty, "\(history)")
        }
    }

    @Test("A session that finds the table full works for its process alone")
    func exhausted() throws {
        let filler = try registry()
        try filler.perform { transaction in
            for number in 0..<SessionTable.capacity {
                let process = ProcessIdentity(pid: Int32(number), startTime: 1, pidNamespace: 1)
                transaction.decide(.enter(process: process, name: SessionName("x"), settings: media))
            }
        }
        let newcomer = try registry()
        let slot = try newcomer.enter(name: SessionName("late"), settings: media)
        try newcomer.submit(.activate(slot))
        #expect(newcomer.view(of: slot).isActive)
        #expect(filler.table().entries.count == SessionTable.capacity)
    }

    @Test("The seventeenth session of a process is refused")
    func sixteen() throws {
        let registry = try registry()
        for _ in 0..<16 { _ = try registry.enter(name: SessionName("x"), settings: media) }
        #expect(throws: ResultCode.initializationError) { try registry.enter(name: SessionName("x"), settings: media) }
    }
}
