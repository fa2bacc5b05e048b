// SPDX-License-Identifier: Apache-2.0
import CLinux
import FaultPlan
import Foundation
import LinuxSystem
import SessionArbiter
import SessionModel
import TestSupport
import Testing

@testable import SessionRegistry

/// The notifications between processes, and the deaths that a registry notices. The tests act for the thread that waits for the
/// descriptor of each registry.
@Suite(.serialized) struct NotificationTests {
    private let folder: Folder
    private let ambient = SessionSettings(category: .ambientSound, mixes: true)
    private let media = SessionSettings(category: .mediaPlayback, mixes: false)

    init() throws { folder = try Folder() }

    private func registry() throws -> FileRegistry { try FileRegistry(in: RuntimeDirectory(folder.path)) }

    /// Its own FIFO is readable. Its descriptor becomes readable for the file watches of other tests as well.
    private func isNotified(_ registry: FileRegistry) -> Bool { isReadable(registry.peers.endpoint.descriptor, within: 0) }

    /// Processes the events of the descriptor, as the thread that waits for it does.
    private func process(_ registry: FileRegistry, _ slot: TableSlot? = nil) {
        registry.processEvents()
        if let slot { _ = registry.view(of: slot) }
        registry.updatePeerMonitors()
    }

    /// Waits for the descriptor, and then for the condition.
    private func process(_ registry: FileRegistry, until awaited: String, _ holds: () throws -> Bool) throws {
        while try !holds() {
            guard isReadable(registry.descriptor, within: waitLimit) else {
                throw Missing(awaited: awaited, seen: "\(try folder.names()), \(registry.storage.snapshot.table.entries)")
            }
            process(registry)
        }
    }

    @Test("A session that enters notifies the two processes before it, which watch it then")
    func entering() throws {
        let others = try (0..<3).map { _ in try registry() }
        for other in others { _ = try other.enter(name: SessionName("x"), settings: ambient) }
        for other in others { process(other) }
        let peer = try Peer(in: folder.path)
        try peer.enter("ambient", active: false)
        #expect(others.map(isNotified) == [false, true, true])
        for other in others[1...] { process(other) }
        peer.die()
        for other in others[1...] {
            try process(other, until: "the death of the peer") {
                other.storage.snapshot.table.entries.compactMap { $0 }.count == 3
            }
        }
    }

    @Test("An endpoint whose wake-up FIFO has no link has no name, also while the kernel still removes the name")
    func removedName() throws {
        let directory = try RuntimeDirectory(folder.path)
        for round in 1...8 {
            let endpoints = try (0..<64).map { _ in try ProcessEndpoint.create(in: directory) }
            let ids = endpoints.map(\.id)
            #expect(endpoints.filter(\.isNamed).count == ids.count, "round \(round)")
            Thread { for id in ids { ProcessEndpoint.remove(id, from: directory) } }.start()
            let named = endpoints.filter { endpoint in
                // An event of the kernel arrives here later than the moment that the test needs.
                var status = linux_file_status()
                repeat { linux_status_of_descriptor(endpoint.descriptor, &status) } while status.links > 0
                return endpoint.isNamed
            }
            #expect(named.isEmpty, "round \(round)")
        }
    }

    @Test("The end of a process is noticed once, also while a child of fork has copies of what watched it")
    func watchedOnce() throws {
        let first = try registry()
        _ = try first.enter(name: SessionName("first"), settings: ambient)
        for life in 1...2 {
            let peer = try Peer(in: folder.path)
            try peer.enter("ambient", active: false)
            process(first)
            let endpoint = try #require(first.storage.snapshot.endpointsInOrder.first { $0 != first.peers.endpoint.id })
            #expect(try watchedTokens(first.descriptor).contains(endpoint), "life \(life)")
            let copies = DescriptorCopies(ofFile: first.directory.liveness(of: endpoint))
            #expect(copies.count > 0, "life \(life)")
            peer.die()
            try process(first, until: "the death of the peer") {
                first.storage.snapshot.table.entries.compactMap { $0 }.count == 1
            }
            #expect(try !watchedTokens(first.descriptor).contains(endpoint), "life \(life)")
            withExtendedLifetime(copies) {}
        }
    }

    @Test("The last view of a session is that of the last transaction, and an event follows each later change")
    func lastView() throws {
        let (first, second) = (try registry(), try registry())
        try second.submit(.silent(true))
        let slot = try first.enter(name: SessionName("first"), settings: media)
        #expect(first.lastView(of: slot).isSilent && first.lastView(of: slot).settings == media)
        process(first, slot)
        #expect(!isNotified(first))
        try second.submit(.silent(false))
        #expect(first.lastView(of: slot).isSilent)
        #expect(isNotified(first))
        #expect(!first.view(of: slot).isSilent && !first.lastView(of: slot).isSilent)
        try first.submit(.activate(slot))
        let other = try second.enter(name: SessionName("second"), settings: media)
        try second.submit(.activate(other))
        // An interruption is fetched by `view` only.
        #expect(first.table()[slot]?.isActive == false)
        #expect(first.lastView(of: slot).interruptions.isEmpty)
        #expect(first.view(of: slot).interruptions.count == 1)
    }

    @Test("A session that a new table does not have restores itself, and notifies every process")
    func restoring() throws {
        let (first, second) = (try registry(), try registry())
        let slot = try first.enter(name: SessionName("first"), settings: ambient)
        try first.submit(.activate(slot))
        let ducker = try second.enter(name: SessionName("second"), settings: Kind.ducker)
        try second.submit(.activate(ducker))
        // The first process creates the new table before it reads of the second.
        try FileManager.default.removeItem(atPath: folder.table)
        process(first, slot)
        process(first, slot)
        #expect(first.storage.snapshot.table.entries.compactMap { $0 }.count == 1)
        #expect(first.view(of: slot).effect.gain == 1)
        #expect(!isNotified(first))
        #expect(isNotified(second))
        process(second, ducker)
        #expect(isNotified(first))
        #expect(first.view(of: slot).effect.gain == 0.2)
    }

    /// Changes of the state of the user, and whether a table has them.
    private static let userStates: [(request: Request, isIn: @Sendable (SessionTable) -> Bool)] = [
        (.silent(true), { $0.isSilent }), (.lock(true), { $0.isLocked }),
        (.beginCall(SessionName("call"), holder: nil), { $0.call != nil }),
    ]

    @Test("A table that a new process creates gets the user's state from a process that knows it", arguments: userStates.indices)
    func userState(row: Int) throws {
        let (request, isIn) = NotificationTests.userStates[row]
        let first = try registry()
        let slot = try first.enter(name: SessionName("first"), settings: media)
        try first.submit(request)
        for life in 1...2 {
            try FileManager.default.removeItem(atPath: folder.table)
            let newcomer = try registry()
            _ = try newcomer.enter(name: SessionName("new"), settings: ambient)
            #expect(!isIn(newcomer.table()), "life \(life)")
            process(first, slot)
            #expect(isIn(newcomer.table()) && isIn(first.table()), "life \(life)")
        }
    }

    @Test("A process that was killed before it notified any other is noticed at the next view")
    func killedBeforeNotification() throws {
        let first = try registry()
        let slot = try first.enter(name: SessionName("first"), settings: ambient)
        let peer = try Peer(in: folder.path)
        try peer.enter("ambient")
        // The first process creates the new table before it reads of the peer, which restores itself and is killed.
        peer.send("killed committed 1")
        _ = try peer.ask("wakes")
        try FileManager.default.removeItem(atPath: folder.table)
        process(first, slot)
        try peer.waitUntilExit()
        while isNotified(first) { process(first) }
        _ = first.othersArePlaying()
        try process(first, until: "the death of the peer") { !first.othersArePlaying() }
        #expect(try folder.fifos().count == 2)
    }

    @Test("The next holder of the lock notifies the processes that a killed holder did not notify")
    func killedAfterCommit() throws {
        let (first, third) = (try registry(), try registry())
        let slot = try first.enter(name: SessionName("first"), settings: media)
        try first.submit(.activate(slot))
        let peer = try Peer(in: folder.path)
        try peer.enter(active: false)
        while isNotified(first) { process(first, slot) }
        peer.send("stopped committed 1")
        peer.send("activate")
        try peer.waitUntilStopped()
        #expect(!isNotified(first))
        #expect(third.table().entries.compactMap { $0 }.count == 2)
        #expect(isNotified(first))
        #expect(first.view(of: slot).interruptions == [.begin])
    }

    @Test(
        "The input gains of a process that begins private fallback are restored by another process; without one by itself",
        arguments: [true, false])
    func gainsOfPrivateFallback(hasPeer: Bool) throws {
        let (first, second) = (try registry(), try registry())
        let slot = try first.enter(name: SessionName("first"), settings: media)
        try first.submit(.activate(slot))
        if hasPeer { _ = try second.enter(name: SessionName("second"), settings: ambient) }
        try first.submit(.changeGain(slot, SavedGain(input: 5, level: 0.5)))
        fault_plan_enter(EIO, 1, true)
        #expect(first.view(of: slot).isActive)
        #expect(fault_plan_leave())
        #expect(first.privateFallbackReason != nil)
        if hasPeer {
            try process(second, until: "the gain without a user") {
                second.storage.snapshot.table.gainsToRestore.gain(of: 5)?.level == 0.5
            }
        }
        try first.submit(.deactivate(slot, notifyingOthers: true))
        #expect(first.view(of: slot).gainsToRestore.isEmpty == hasPeer)
    }

    @Test("The sessions of a process in private fallback leave the others, and notify each other")
    func alone() throws {
        let (first, second) = (try registry(), try registry())
        let slots = try (0..<2).map { _ in try first.enter(name: SessionName("first"), settings: media) }
        try first.submit(.activate(slots[0]))
        let other = try second.enter(name: SessionName("second"), settings: media)
        process(second, other)
        process(first, slots[0])
        #expect(first.privateFallbackReason == nil)
        fault_plan_enter(EIO, 1, true)
        #expect(first.view(of: slots[0]).isActive)
        #expect(fault_plan_leave())
        #expect(first.privateFallbackReason != nil)
        try process(second, until: "the sessions that went") {
            second.storage.snapshot.table.entries.compactMap { $0 }.count == 1
        }
        try first.submit(.activate(slots[1]))
        #expect(isNotified(first))
        first.processEvents()
        #expect(first.view(of: slots[0]).interruptions == [.begin])
        #expect(!isNotified(first))
    }

    @Test("A notification that the system refuses is sent with the next request")
    func refused() throws {
        let (first, second) = (try registry(), try registry())
        let music = try first.enter(name: SessionName("music"), settings: media)
        try first.submit(.activate(music))
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        process(first, music)
        second.peers.notifier = PeerNotifier()
        fault_plan_enter(EMFILE, 1, true)
        let refusal = Result { try second.submit(.activate(prompt)) }
        #expect(fault_plan_leave())
        try refusal.get()
        #expect(!isNotified(first))
        _ = second.othersArePlaying()
        #expect(isNotified(first))
        #expect(first.view(of: music).interruptions == [.begin])
        process(first)
        // Once.
        _ = second.othersArePlaying()
        #expect(!isNotified(first))
    }

    /// The descriptors of this process that are open for files of the folder.
    private func descriptorsInFolder() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return target?.hasPrefix(folder.path) == true
        }
    }

    @Test("All of many processes are notified, and the FIFOs of the last eight stay open")
    func manyPeers() throws {
        let directory = try RuntimeDirectory(folder.path)
        let endpoints = Array(1...20 as ClosedRange<UInt64>)
        var readers: [Int32] = []
        defer { for reader in readers { close(reader) } }
        for endpoint in endpoints {
            try #require(mkfifo(directory.wakeUp(of: endpoint), 0o600) == 0)
            readers.append(open(directory.wakeUp(of: endpoint), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        }
        var notifier = PeerNotifier()
        for life in 1...2 {
            for (first, last) in [(0, 20), (0, 7), (12, 20), (3, 4)] {
                notifier.wake(Array(endpoints[first..<last]), in: directory)
                #expect(try descriptorsInFolder() == readers.count + 8, "\(first) to \(last), life \(life)")
                for (index, reader) in readers.enumerated() {
                    var bytes = [UInt8](repeating: 0, count: 8)
                    #expect((read(reader, &bytes, 8) > 0) == (first..<last ~= index), "\(index), life \(life)")
                }
            }
        }
        notifier = PeerNotifier()
        #expect(try descriptorsInFolder() == readers.count)
    }

    private enum Kind {
        static let ducker = SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)
    }
}

/// The first page of the table's file.
@Suite struct HeaderTests {
    /// Each sets one fact that the header holds.
    private static let facts: [@Sendable (inout SessionTable) -> Void] = [
        { $0.isSilent = true }, { $0.isLocked = true }, { $0.call = Call(name: SessionName("a call"), holder: nil) },
        { $0.call = Call(name: SessionName("a call"), holder: 1023) },
        {
            $0.call = Call(name: SessionName("a call"), holder: 3)
            $0.call?.isConfirmed = true
        },
        { $0.gainsToRestore[2] = SavedGain(input: 5, level: 0.5) }, { $0.nextSerial = 9 },
        { $0.lastNotResumed = 7 },
        { $0.resize(to: 3) },
    ]

    private func written(_ table: SessionTable) -> TableHeader {
        var header = TableHeader()
        header.advance(to: table, 1, changing: SlotList())
        return header
    }

    @Test("The header reads back every fact that it writes, and no other", arguments: facts.indices)
    func whole(fact: Int) throws {
        var table = SessionTable()
        HeaderTests.facts[fact](&table)
        let header = try TableHeader(ChecksummedBuffer(bytes: written(table).bytes))
        var snapshot = TableSnapshot()
        snapshot.apply(header)
        #expect(snapshot.table == table)
        #expect(header.describesUserState(of: table))
        #expect(header.usedSlots == table.entries.count)
    }

    @Test("A fact that is withdrawn is gone from the header", arguments: facts.indices)
    func withdrawn(fact: Int) throws {
        var table = SessionTable()
        HeaderTests.facts[fact](&table)
        var header = written(table)
        header.advance(to: SessionTable(), 2, changing: SlotList())
        var snapshot = TableSnapshot()
        snapshot.apply(try TableHeader(ChecksummedBuffer(bytes: header.bytes)))
        #expect(snapshot.table == SessionTable())
    }

    @Test("The state of the user is restored whole from another snapshot, and is withdrawn as a whole", arguments: 0..<6)
    func restored(fact: Int) {
        var known = TableSnapshot()
        HeaderTests.facts[fact](&known.table)
        var snapshot = TableSnapshot()
        snapshot.restoreUserState(of: known)
        #expect(snapshot.table == known.table)
        snapshot.restoreUserState(of: TableSnapshot())
        #expect(snapshot.table == SessionTable())
    }
}
