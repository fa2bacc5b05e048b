import SessionArbiter
import SessionModel
import Testing

/// A table that was lost, put together from what each process remembers of it.
@Suite struct RestoringTests {
    private var table = SessionTable()
    private let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
    private let other = ProcessIdentity(pid: 2, startTime: 1, pidNamespace: 1)

    private mutating func enter(_ kind: Kind = .solo, active: Bool = true) throws -> Slot {
        let slot = try #require(table.decide(.enter(process: process, name: SessionName("x"), policy: kind.policy)).slot)
        if active { #expect(table.decide(.activate(slot)).refusal == nil) }
        return slot
    }

    /// As its process remembers it.
    private func known(_ slot: Slot) throws -> SessionEntry { try #require(table[slot]) }

    @Test("A session comes back to its place, or to another where that is taken or is none")
    mutating func place() throws {
        let slot = try enter()
        let entry = try known(slot)
        table = SessionTable()
        #expect(table.restore(entry, preferring: slot)?.slot == slot)
        #expect(table.restore(entry, preferring: slot)?.slot == slot + 1)
        #expect(table.restore(entry, preferring: -1)?.slot == slot + 2)
        #expect(table.restore(entry, preferring: SessionTable.capacity)?.slot == slot + 3)
        table.entries = [SessionEntry?](repeating: entry, count: SessionTable.capacity)
        #expect(table.restore(entry, preferring: slot) == nil)
    }

    @Test("Streams come back as those of their session, and as nobody's where another process is in its place")
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

    @Test("What a process cannot have missed is only that it became active or not, other than by a call")
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

    @Test("Who waits for a session that is not active, and was never seen to leave, may resume")
    mutating func released() throws {
        let first = try enter()
        let second = try enter()
        _ = table.decide(.interruptionsFetched(first))
        #expect(table[first]?.isInterrupted == true)
        #expect(table.release(second).affected.contains(first))
        #expect(table[first]?.isInterrupted == false)
        #expect(table[first]?.waiting == .end(.shouldResume))
    }

    @Test("A call whose holder is gone has ended; one that goes on holds whoever plays without mixing")
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

    @Test("Of two that were active at once the later stays; who waits for one that has left waits no more")
    mutating func rivals() throws {
        let first = try enter()
        let second = try enter()
        table.entries[first]?.isActive = true
        _ = table.reconcile { UInt64($0 == first ? 2 : 1) }
        #expect(table[first]?.isActive == true)
        #expect(table[second]?.isActive == false)
        #expect(table[second]?.isInterrupted == true)
        table.entries[first] = nil
        _ = table.reconcile { _ in 0 }
        #expect(table[second]?.isInterrupted == false)
    }

    @Test("What waits for a session follows what its program was told last")
    mutating func told() throws {
        let slot = try enter()
        let untold = try known(slot)
        var told = untold
        told.isInterrupted = true
        var toldOfTheEnd = untold
        toldOfTheEnd.waiting = .end(.shouldResume)
        typealias Case = (waiting: WaitingInterruptions, known: SessionEntry, left: WaitingInterruptions)
        let cases: [Case] = [
            (.none, untold, .none), (.begin, untold, .begin), (.begin, told, .none), (.end(.shouldResume), untold, .none),
            (.end(.shouldResume), told, .end(.shouldResume)), (.end(.shouldResume), toldOfTheEnd, .end(.shouldResume)),
            (.beginAndEnd(.shouldResume), untold, .beginAndEnd(.shouldResume)),
            (.beginAndEnd(.shouldNotResume), told, .end(.shouldNotResume)),
        ]
        for each in cases {
            table.entries[slot]?.waiting = each.waiting
            _ = table.reconcileInterruptions(of: slot, knowing: each.known)
            #expect(table[slot]?.waiting == each.left)
        }
    }
}
