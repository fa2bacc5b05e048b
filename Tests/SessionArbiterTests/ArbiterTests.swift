import Foundation
import SessionArbiter
import SessionModel
import Testing

@Suite struct HistoryTests {
    @Test("Random histories keep every promise after every step")
    func random() {
        // Millions by: ARBITER_HISTORIES=1000000 swift test -c release -Xswiftc -enable-testing
        let count = UInt64(ProcessInfo.processInfo.environment["ARBITER_HISTORIES"] ?? "") ?? 3_000
        for seed in 0..<count {
            let history = randomHistory(seed, steps: 60)
            guard Promises.broken(by: history) != nil else { continue }
            let short = shrunk(history) { Promises.broken(by: $0) != nil }
            Issue.record("\(Promises.broken(by: short)?.description ?? ""): \(short)")
            return
        }
    }

    @Test("A failing history is shrunk to what makes it fail")
    func shrinking() {
        func fails(_ history: [Step]) -> Bool {
            guard let call = history.firstIndex(of: .call(holder: nil)) else { return false }
            return history[call...].contains(.activate(0))
        }
        var tried = 0
        for seed in 0..<200 {
            let history = randomHistory(UInt64(seed), steps: 200)
            guard fails(history) else { continue }
            tried += 1
            #expect(shrunk(history, stillFails: fails) == [.call(holder: nil), .activate(0)])
        }
        #expect(tried > 10)
    }

    @Test("Three sessions: every state that can be reached, whatever the order, keeps the promises")
    func exhaustive() throws {
        let kinds: [Kind] = [.solo, .ducker, .spokenInterrupter]
        var seen: Set<String> = []
        var frontier: [[Step]] = [[.enter(.solo), .enter(.solo), .enter(.solo)]]
        let depth = Int(ProcessInfo.processInfo.environment["ARBITER_DEPTH"] ?? "") ?? 5
        for _ in 0..<depth {
            var next: [[Step]] = []
            for history in frontier {
                for step in steps(kinds) {
                    let longer = history + [step]
                    if let broken = Promises.broken(by: longer) {
                        Issue.record("\(broken): \(longer)")
                        return
                    }
                    if seen.insert(state(after: longer)).inserted { next.append(longer) }
                }
            }
            frontier = next
        }
        #expect(seen.count > 100)
    }

    private func steps(_ kinds: [Kind]) -> [Step] {
        var steps: [Step] = [
            .call(holder: 0), .call(holder: nil), .endCall(shouldResume: true), .endCall(shouldResume: false), .confirmCall,
        ]
        for session in 0..<3 {
            steps += [
                .activate(session), .deactivate(session, notify: true), .deactivate(session, notify: false), .fetch(session),
                .die(session),
            ]
            steps += kinds.map { .adopt(session, $0) }
        }
        return steps
    }

    /// The table as it is, without what only tells one history from another; sessions in any order.
    private func state(after history: [Step]) -> String {
        var table = SessionTable()
        var slots: [Slot?] = []
        for step in history {
            switch step {
            case .enter(let kind):
                slots.append(
                    table.decide(
                        .enter(
                            process: ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1), name: SessionName(""),
                            policy: kind.policy)
                    ).slot)
            case .activate(let session): slots[session].map { _ = table.decide(.activate($0)) }
            case .deactivate(let session, let notify):
                slots[session].map { _ = table.decide(.deactivate($0, notifyingOthers: notify)) }
            case .adopt(let session, let kind): slots[session].map { _ = table.decide(.adopt($0, kind.policy)) }
            case .die(let session):
                slots[session].map { _ = table.decide(.death($0)) }
                slots[session] = nil
            case .reset(let session): slots[session].map { _ = table.decide(.reset($0)) }
            case .fetch(let session): slots[session].map { _ = table.decide(.fetched($0)) }
            case .call(let holder): _ = table.decide(.beginCall(SessionName(""), holder: holder.flatMap { slots[$0] }))
            case .endCall(let shouldResume): _ = table.decide(.endCall(shouldResume: shouldResume))
            case .confirmCall: _ = table.decide(.confirmCall)
            case .changeGain, .beginReturningGain, .endReturningGain: break
            }
        }
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        let pictures = orders.map { order -> String in
            var picture =
                "\(table.call.map { "\($0.isConfirmed) \($0.holder.flatMap { order.firstIndex(of: $0) } ?? -1)" } ?? "-")"
            for slot in order {
                guard let entry = table[slot] else {
                    picture += "|gone"
                    continue
                }
                let held = entry.interrupters.compactMap { order.firstIndex(of: $0) }.sorted()
                picture +=
                    "|\(entry.policy.mixes)\(entry.policy.ducks)\(entry.policy.interruptsSpokenAudio) \(entry.isActive) \(entry.isInterrupted)"
                picture +=
                    " \(held) \(entry.isInterruptedByCall) \(entry.mustNotResume) \(entry.interruptedSpokenAudioOnly) \(entry.waiting)"
            }
            return picture
        }
        return pictures.min() ?? ""
    }
}

/// The sentences of the contract, one by one.
@Suite struct SentenceTests {
    private var table = SessionTable()

    private mutating func enter(_ kind: Kind, pid: Int32 = 1) throws -> Slot {
        let process = ProcessIdentity(pid: pid, startTime: 1, pidNamespace: 1)
        return try #require(table.decide(.enter(process: process, name: SessionName("x"), policy: kind.policy)).slot)
    }

    @Test("An interruption of an interrupter that must not resume is passed on")
    mutating func cascade() throws {
        let (first, second, third) = (try enter(.solo), try enter(.solo), try enter(.solo))
        for slot in [first, second, third] { _ = table.decide(.activate(slot)) }
        #expect(table[first]?.interrupters.contains(third) == true)
        _ = table.decide(.deactivate(third, notifyingOthers: false))
        #expect(table[second]?.waiting == .beginAndEnd(.shouldNotResume))
        #expect(table[first]?.waiting == .beginAndEnd(.shouldNotResume))
    }

    @Test("Mixing sessions are left playing, and interrupt nobody")
    mutating func mixing() throws {
        let (solo, ambient) = (try enter(.solo), try enter(.ambient))
        _ = table.decide(.activate(ambient))
        _ = table.decide(.activate(solo))
        #expect(table[ambient]?.isActive == true && table[solo]?.isActive == true)
        #expect(table[ambient]?.waiting == WaitingInterruptions.none)
    }

    @Test("An activation tells only those concerned, and names what it changed")
    mutating func outcome() throws {
        let (first, second) = (try enter(.solo), try enter(.solo))
        _ = table.decide(.activate(first))
        let outcome = table.decide(.activate(second))
        #expect(Array(outcome.changed) == [first, second])
        #expect(Array(outcome.concerned) == [first])
    }

    @Test("That sound which does not mix begins or ceases is told to those only who want to know")
    mutating func hint() throws {
        let (curious, other, solo) = (try enter(.ambient), try enter(.ambient), try enter(.solo))
        var policy = Kind.ambient.policy
        policy.hearsSecondaryAudioHint = true
        for request in [.adopt(curious, policy), .activate(curious), .activate(other)] as [Request] { _ = table.decide(request) }
        #expect(Array(table.decide(.activate(solo)).concerned) == [curious])
        #expect(Array(table.decide(.deactivate(solo, notifyingOthers: false)).concerned) == [curious])
    }

    @Test("More sessions than there is room for are refused, and 16 are room for one process")
    mutating func capacity() throws {
        for _ in 0..<16 { _ = try enter(.ambient) }
        let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
        let refused = table.decide(.enter(process: process, name: SessionName("x"), policy: Kind.solo.policy))
        #expect(refused.refusal == .initializationError)
        for pid in 2..<UInt32(SessionTable.capacity - 14) { _ = try enter(.ambient, pid: Int32(pid)) }
        #expect(table.entries.count == SessionTable.capacity)
        let full = table.decide(
            .enter(
                process: ProcessIdentity(pid: -1, startTime: 1, pidNamespace: 1), name: SessionName(""), policy: Kind.solo.policy)
        )
        #expect(full.refusal == .initializationError)
    }

    @Test(
        "Requests about nobody, and any slot at all, are refused and change nothing",
        arguments: [-1, 0, 5, 1023, 1024, Int.max, Int.min])
    mutating func nobody(slot: Int) {
        let before = table
        for request: Request in [
            .leave(slot), .death(slot), .activate(slot), .reset(slot), .deactivate(slot, notifyingOthers: true),
            .adopt(slot, Kind.solo.policy), .rename(slot, SessionName("")), .playback(slot, .running), .fetched(slot),
            .beginCall(SessionName(""), holder: slot), .follow(slot, session: slot),
            .enterStreams(process: ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1), of: slot),
            .changeGain(slot, FoundGain(input: 1, level: 0.5)), .beginReturningGain(slot, input: 1),
            .endReturningGain(slot, input: 1, isDone: true),
        ] {
            #expect(table.decide(request).refusal == .unspecified)
            #expect(table == before)
        }
        #expect(table.effect(of: slot) == Effect(gain: 1, isSilenced: true))
    }

    @Test("A session remembers the gains of three inputs; of those that nobody uses the latest three wait")
    mutating func manyGains() throws {
        let (first, second) = (try enter(.ambient), try enter(.ambient))
        for input in 1...3 as ClosedRange<UInt64> {
            #expect(table.decide(.changeGain(first, FoundGain(input: input, level: 0.5))).refusal == nil)
        }
        #expect(table.decide(.changeGain(first, FoundGain(input: 4, level: 0.5))).refusal == .unspecified)
        #expect(table.decide(.changeGain(second, FoundGain(input: 4, level: 0.25))).refusal == nil)
        _ = table.decide(.death(first))
        _ = table.decide(.death(second))
        #expect(table.gainsToReturn.all.map { $0.input } == [2, 3, 4])
        #expect(table.gainsToReturn.gain(of: 4)?.level == 0.25)
    }

    @Test("A session that is put back into a table that has lost it uses its gains again")
    mutating func restoredGains() throws {
        let slot = try enter(.ambient)
        _ = table.decide(.changeGain(slot, FoundGain(input: 1, level: 0.5)))
        let entry = try #require(table[slot])
        _ = table.decide(.death(slot))
        #expect(!table.gainsToReturn.isEmpty)
        _ = table.restore(entry, preferring: slot)
        #expect(table.gainsToReturn.isEmpty && table[slot]?.gains.all.count == 1)
    }

    @Test("A session that was restored waits no longer for those who are gone")
    mutating func restored() throws {
        let (first, second) = (try enter(.solo), try enter(.solo))
        _ = table.decide(.activate(first))
        _ = table.decide(.activate(second))
        let entry = try #require(table[first])
        var new = SessionTable()
        let slot = try #require(new.restore(entry, preferring: first)?.slot)
        #expect(new[slot]?.isInterrupted == false)
        #expect(new[slot]?.waiting == .beginAndEnd(.shouldResume))
    }
}
