// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import Testing

/// A lost table, restored from the snapshot of each process.
@Suite struct RestoringTests {
    private var table = SessionTable()
    private let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
    private let other = ProcessIdentity(pid: 2, startTime: 1, pidNamespace: 1)

    private mutating func enter(_ kind: Kind = .solo, active: Bool = true) throws -> TableSlot {
        let slot = try #require(table.decide(.enter(process: process, name: SessionName("x"), settings: kind.settings)).slot)
        if active { #expect(table.decide(.activate(slot)).refusal == nil) }
        return slot
    }

    /// The entry in the snapshot of its process.
    private func known(_ slot: TableSlot) throws -> SessionEntry { try #require(table[slot]) }

    @Test("A session is restored into its slot, or into another where that is not free or is no slot")
    mutating func place() throws {
        let slot = try enter()
        let entry = try known(slot)
        table = SessionTable()
        #expect(table.restore(entry, preferring: slot)?.slot == slot)
        #expect(table.restore(entry, preferring: slot)?.slot == slot + 1)
        #expect(table.restore(entry, preferring: -1)?.slot == slot + 2)
        #expect(table.restore(entry, preferring: SessionTable.capacity)?.slot == slot + 3)
        for slot in 0..<SessionTable.capacity { table.put(entry, in: slot) }
        #expect(table.restore(entry, preferring: slot) == nil)
    }

    @Test("A slot that is freed or removed has none of the kinds of its session")
    mutating func kinds() throws {
        let (first, second) = (try enter(.ambient), try enter(.solo))
        #expect(Array(table.slots(.active)) == [first, second] && Array(table.slots(.exclusive)) == [second])
        table.put(nil, in: second)
        #expect(table.slots(.exclusive).isEmpty && table.primaryAudioPlays(besides: first) == false)
        table.resize(to: 0)
        #expect(table.slots(.active).isEmpty)
    }

    @Test("Streams are restored with their session, or without one where its slot belongs to another process")
    mutating func streams() throws {
        let session = try enter()
        let slot = try #require(table.decide(.enterStreams(process: process, of: session)).slot)
        let (owner, entry) = (try known(session), try known(slot))
        table = SessionTable()
        _ = table.restore(owner, preferring: session)
        _ = table.restore(entry, preferring: slot)
        #expect(table[slot]?.role == .streams(of: session))
        var stranger = owner
        stranger.process = other
        table = SessionTable()
        _ = table.restore(stranger, preferring: session)
        _ = table.restore(entry, preferring: slot)
        #expect(table[slot]?.role == .streams(of: nil))
    }

    @Test("A process misses only a change of its activity by an interruption")
    mutating func missed() throws {
        let slot = try enter()
        let entry = try known(slot)
        #expect(!table.hasMissed(entry, in: slot))
        _ = table.decide(.deactivate(slot, notifyingOthers: false))
        #expect(table.hasMissed(entry, in: slot))
        _ = table.decide(.activate(slot))
        _ = table.decide(.beginCall(SessionName("call"), holder: nil))
        #expect(!table.hasMissed(entry, in: slot))
        table.call = nil
        #expect(table.hasMissed(entry, in: slot))
    }

    @Test("A session that is inactive interrupts no other")
    mutating func released() throws {
        let first = try enter()
        let second = try enter()
        _ = table.decide(.interruptionsFetched(first))
        #expect(table[first]?.isInterrupted == true)
        #expect(table.release(second).affected.contains(first))
        #expect(table[first]?.isInterrupted == false)
        #expect(table[first]?.waiting == .end(.shouldResume))
    }

    @Test("A call without its holder ends. A call that lasts interrupts a session that does not mix")
    mutating func call() throws {
        let slot = try enter()
        table.call = Call(name: SessionName("call"), holder: slot + 1)
        _ = table.reconcile { _ in 0 }
        #expect(table.call == nil)
        #expect(table[slot]?.isActive == true)
        table.call = Call(name: SessionName("call"), holder: nil)
        _ = table.reconcile { _ in 0 }
        #expect(table[slot]?.isActive == false)
        #expect(table[slot]?.isInterruptedByCall == true)
        table.call = nil
        _ = table.reconcile { _ in 0 }
        #expect(table[slot]?.isInterrupted == false)
    }

    @Test("Of two sessions that do not mix the later stays active. An interrupter that has left interrupts no more")
    mutating func rivals() throws {
        let first = try enter()
        let second = try enter()
        var revived = try known(first)
        revived.isActive = true
        table.put(revived, in: first)
        _ = table.reconcile { UInt64($0 == first ? 2 : 1) }
        #expect(table[first]?.isActive == true)
        #expect(table[second]?.isActive == false)
        #expect(table[second]?.isInterrupted == true)
        table.put(nil, in: first)
        _ = table.reconcile { _ in 0 }
        #expect(table[second]?.isInterrupted == false)
    }

    @Test("An interrupter that is itself interrupted still interrupts; one that is neither active nor interrupted does not")
    mutating func interruptedInterrupter() throws {
        for (isInterrupted, ofSpeech) in [(true, false), (false, false), (true, true), (false, true)] {
            table = SessionTable()
            let (first, second) = (try enter(active: false), try enter(active: false))
            var (waiting, interrupter) = (try known(first), try known(second))
            waiting.isInterrupted = true
            if ofSpeech { waiting.speechInterrupter = second } else { waiting.listedInterrupters.insert(second) }
            interrupter.isInterrupted = isInterrupted
            interrupter.isInterruptedByCall = isInterrupted
            table.put(waiting, in: first)
            table.put(interrupter, in: second)
            if isInterrupted { table.call = Call(name: SessionName("call"), holder: nil) }
            _ = table.reconcile { _ in 0 }
            #expect(table[first]?.isInterrupted == isInterrupted && table[second]?.isInterrupted == isInterrupted)
            #expect(table[first]?.lastEnd == (isInterrupted ? nil : .shouldResume))
        }
    }

    @Test("A session that is restored without the call that interrupted it is free, and is notified")
    mutating func restoredWithoutCall() throws {
        let slot = try enter()
        _ = table.decide(.beginCall(SessionName("call"), holder: nil))
        let entry = try known(slot)
        #expect(entry.isInterruptedByCall)
        table = SessionTable()
        #expect(table.restore(entry, preferring: slot)?.affected.contains(slot) == true)
        #expect(table[slot]?.isInterruptedByCall == false && table[slot]?.isInterrupted == false)
        table = SessionTable()
        table.call = Call(name: SessionName("call"), holder: nil)
        _ = table.restore(entry, preferring: slot)
        #expect(table[slot]?.isInterruptedByCall == true && table[slot]?.isInterrupted == true)
    }

    @Test("Waiting interruptions follow the last one that the program got")
    mutating func waiting() throws {
        let slot = try enter()
        let withoutBegin = try known(slot)
        var withBegin = withoutBegin
        withBegin.isInterrupted = true
        var withEnd = withoutBegin
        withEnd.waiting = .end(.shouldResume)
        typealias Case = (waiting: WaitingInterruptions, known: SessionEntry, left: WaitingInterruptions)
        let cases: [Case] = [
            (.none, withoutBegin, .none), (.begin, withoutBegin, .begin), (.begin, withBegin, .none),
            (.end(.shouldResume), withoutBegin, .none),
            (.end(.shouldResume), withBegin, .end(.shouldResume)), (.end(.shouldResume), withEnd, .end(.shouldResume)),
            (.beginAndEnd(.shouldResume), withoutBegin, .beginAndEnd(.shouldResume)),
            (.beginAndEnd(.shouldNotResume), withBegin, .end(.shouldNotResume)),
        ]
        for each in cases {
            var entry = try known(slot)
            entry.waiting = each.waiting
            table.put(entry, in: slot)
            _ = table.reconcileInterruptions(of: slot, knowing: each.known)
            #expect(table[slot]?.waiting == each.left)
        }
    }
}
