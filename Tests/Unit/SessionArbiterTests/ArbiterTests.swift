// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionArbiter
import SessionModel
import Testing

@Suite struct HistoryTests {
    @Test("Random histories keep the contract after every step")
    func random() {
        // ARBITER_HISTORIES=1000000 swift test -c release -Xswiftc -enable-testing
        let count = UInt64(ProcessInfo.processInfo.environment["ARBITER_HISTORIES"] ?? "") ?? 3_000
        for seed in 0..<count {
            let history = randomHistory(seed, steps: 60)
            guard ContractModel.violation(in: history) != nil else { continue }
            let short = shrunk(history) { ContractModel.violation(in: $0) != nil }
            Issue.record("seed \(seed): \(ContractModel.violation(in: short)?.description ?? ""): \(short)")
            return
        }
    }

    @Test("A failing history is shrunk to the steps that make it fail")
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

    @Test("Every state that three sessions can reach keeps the contract")
    func exhaustive() throws {
        let depth = Int(ProcessInfo.processInfo.environment["ARBITER_DEPTH"] ?? "") ?? 5
        var start = ContractModel()
        for _ in 0..<3 { try start.perform(.enter(.solo)) }
        var seen: Set<String> = []
        var frontier: [(history: [Step], model: ContractModel)] = [([], start)]
        for _ in 0..<depth {
            var next: [(history: [Step], model: ContractModel)] = []
            for (history, model) in frontier {
                for step in HistoryTests.steps {
                    var model = model
                    do { try model.perform(step) } catch {
                        Issue.record("\(error): \(history + [step])")
                        return
                    }
                    if seen.insert(picture(of: model)).inserted { next.append((history + [step], model)) }
                }
            }
            frontier = next
        }
        #expect(seen.count > 100)
    }

    private static let steps: [Step] = {
        var steps: [Step] = [
            .call(holder: 0), .call(holder: nil), .endCall(shouldResume: true), .endCall(shouldResume: false), .confirmCall,
        ]
        for session in 0..<3 {
            steps += [
                .activate(session), .deactivate(session, notify: true), .deactivate(session, notify: false), .fetch(session),
                .die(session),
            ]
            steps += [.solo, .ducker, .spokenInterrupter].map { .change(session, $0) } + [.changeYielding(session, .solo)]
        }
        return steps
    }()

    /// The table without serial numbers. Two tables that differ only in the order of their sessions have one picture.
    private func picture(of model: ContractModel) -> String {
        let table = model.table
        let slots = (0..<3).map { model.slots[$0] }
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map { $0.map { slots[$0] } }
        let pictures = orders.map { order -> String in
            let holder = table.call?.holder.flatMap { order.firstIndex(of: $0) } ?? -1
            var picture = "\(table.call.map { "\($0.isConfirmed) \(holder)" } ?? "-")"
            for slot in order {
                guard let slot, let entry = table[slot] else {
                    picture += "|gone"
                    continue
                }
                let interrupters = table.interrupters(of: slot).compactMap { order.firstIndex(of: $0) }.sorted()
                picture += "|\(entry.settings.mixes)\(entry.settings.ducks)\(entry.settings.interruptsSpokenAudio)"
                picture += " \(entry.isActive) \(entry.isInterrupted) \(interrupters) \(entry.isInterruptedByCall)"
                picture += " \(table.mustNotResume(slot)) \(entry.waiting)"
                let speech = entry.speechInterrupter.flatMap { order.firstIndex(of: $0) }
                picture += " \(speech ?? -1)"
            }
            return picture
        }
        return pictures.min() ?? ""
    }
}

/// Single sentences of the contract.
@Suite struct SentenceTests {
    private var table = SessionTable()

    private mutating func enter(_ kind: Kind, pid: Int32 = 1) throws -> TableSlot {
        let process = ProcessIdentity(pid: pid, startTime: 1, pidNamespace: 1)
        return try #require(table.decide(.enter(process: process, name: SessionName("x"), settings: kind.settings)).slot)
    }

    @Test("An interrupted session whose end says '!rsm' leaves as an interrupter, with '!rsm' in turn")
    mutating func cascade() throws {
        let (first, second, third) = (try enter(.solo), try enter(.solo), try enter(.solo))
        for slot in [first, second, third] { _ = table.decide(.activate(slot)) }
        #expect(table.interrupters(of: first).contains(third))
        _ = table.decide(.deactivate(third, notifyingOthers: false))
        #expect(table[second]?.waiting == .beginAndEnd(.shouldNotResume))
        #expect(table[first]?.waiting == .beginAndEnd(.shouldNotResume))
    }

    @Test(
        "A session that interrupts one session without mixing, and the speech of another while it mixes, lets the speech resume",
        arguments: [false, true])
    mutating func interruptsInTwoWays(notifyingOthers: Bool) throws {
        for startsToMix in [false, true] {
            let (earlier, speaker, interrupter) = (try enter(.solo), try enter(.ambient), try enter(.solo))
            let speech = SessionSettings(category: .ambientSound, mode: .spokenAudio, mixes: true)
            #expect(table.decide(.change(speaker, speech)).refusal == nil)
            for slot in [earlier, speaker, interrupter] { _ = table.decide(.activate(slot)) }
            _ = table.decide(.change(interrupter, Kind.spokenInterrupter.settings))
            if startsToMix { _ = table.decide(.change(earlier, Kind.ambient.settings)) }
            for slot in [earlier, speaker] { #expect(Array(table.interrupters(of: slot)) == [interrupter]) }
            _ = table.decide(.deactivate(interrupter, notifyingOthers: notifyingOthers))
            #expect(table[earlier]?.lastEnd == (notifyingOthers ? .shouldResume : .shouldNotResume))
            #expect(table[speaker]?.lastEnd == .shouldResume)
        }
    }

    @Test("A session that interrupts speech and then stops mixing lets the speech resume only with NotifyOthersOnDeactivation")
    mutating func interruptsSpeechTwice() throws {
        for notifyingOthers in [false, true] {
            let (speaker, interrupter) = (try enter(.spoken), try enter(.spokenInterrupter))
            for slot in [speaker, interrupter] { _ = table.decide(.activate(slot)) }
            _ = table.decide(.change(interrupter, Kind.solo.settings))
            #expect(Array(table.interrupters(of: speaker)) == [interrupter])
            _ = table.decide(.deactivate(interrupter, notifyingOthers: notifyingOthers))
            #expect(table[speaker]?.lastEnd == (notifyingOthers ? .shouldResume : .shouldNotResume))
        }
    }

    @Test("The type of the last end stays in the table, fetched or not, until the next interruption")
    mutating func lastEnd() throws {
        let slot = try enter(.solo)
        func interrupt(_ table: inout SessionTable) {
            for request in [Request.activate(slot), .beginCall(SessionName("call"), holder: nil), .interruptionsFetched(slot)] {
                _ = table.decide(request)
            }
        }
        for (shouldResume, type) in [(true, InterruptionType.shouldResume), (false, .shouldNotResume)] {
            interrupt(&table)
            #expect(table[slot]?.lastEnd == nil)
            for request in [Request.endCall(shouldResume: shouldResume), .interruptionsFetched(slot), .activate(slot)] {
                _ = table.decide(request)
                #expect(table[slot]?.lastEnd == type)
            }
        }
        // A confirmed call leaves without an end.
        interrupt(&table)
        _ = table.decide(.confirmCall)
        #expect(table[slot]?.isInterrupted == false && table[slot]?.lastEnd == nil)
    }

    @Test("A session that stops mixing during a call gets a begin; of a call that the user has taken it gets no end")
    mutating func stopsMixingDuringCall() throws {
        for isConfirmed in [false, true] {
            let slot = try enter(.ambient)
            _ = table.decide(.beginCall(SessionName("call"), holder: nil))
            if isConfirmed { _ = table.decide(.confirmCall) }
            _ = table.decide(.activate(slot))
            #expect(table.decide(.change(slot, Kind.solo.settings)).refusal == .unspecified && table[slot]?.isActive == true)
            #expect(table.decide(.change(slot, Kind.solo.settings, yieldsToCall: true)).refusal == nil)
            #expect(table[slot]?.isActive == false && table[slot]?.isInterrupted == !isConfirmed)
            #expect(table[slot]?.waiting == .begin)
            _ = table.decide(.endCall(shouldResume: true))
            #expect(table[slot]?.waiting == (isConfirmed ? .begin : .beginAndEnd(.shouldResume)))
            #expect(table.decide(.activate(slot)).refusal == nil)
        }
    }

    @Test("A session that mixes is not interrupted by an activation, and interrupts no session")
    mutating func mixing() throws {
        let (solo, ambient) = (try enter(.solo), try enter(.ambient))
        _ = table.decide(.activate(ambient))
        _ = table.decide(.activate(solo))
        #expect(table[ambient]?.isActive == true && table[solo]?.isActive == true)
        #expect(table[ambient]?.waiting == WaitingInterruptions.none)
    }

    @Test("An activation notifies the sessions that it interrupts, and lists the entries that it changes")
    mutating func outcome() throws {
        let (first, second) = (try enter(.solo), try enter(.solo))
        _ = table.decide(.activate(first))
        let outcome = table.decide(.activate(second))
        #expect(Array(outcome.changed) == [first, second])
        #expect(Array(outcome.affected) == [first])
    }

    @Test("The secondary audio hint notifies only active sessions that ask for it")
    mutating func hint() throws {
        let (hinted, other, solo) = (try enter(.ambient), try enter(.ambient), try enter(.solo))
        var settings = Kind.ambient.settings
        settings.flags.insert(.wantsSecondaryAudioHint)
        for request in [.change(hinted, settings), .activate(hinted), .activate(other)] as [Request] { _ = table.decide(request) }
        #expect(Array(table.decide(.activate(solo)).affected) == [hinted])
        #expect(Array(table.decide(.deactivate(solo, notifyingOthers: false)).affected) == [hinted])
    }

    @Test("The end of a call notifies its holder, which has no events of its own")
    mutating func endOfCall() throws {
        let holder = try enter(.ambient)
        for end in [.endCall(shouldResume: true), .endCall(shouldResume: false)] as [Request] {
            #expect(table.decide(.beginCall(SessionName("call"), holder: holder)).refusal == nil)
            #expect(Array(table.decide(end).affected) == [holder])
        }
    }

    @Test("The silent switch and the screen lock notify every session once, active or not")
    mutating func userSwitches() throws {
        let (active, inactive) = (try enter(.ambient), try enter(.solo))
        _ = table.decide(.activate(active))
        for request in [.silent(true), .lock(true), .silent(false), .lock(false)] as [Request] {
            #expect(Array(table.decide(request).affected) == [active, inactive])
            #expect(Array(table.decide(request).affected) == [])
        }
    }

    @Test("The silent switch and the screen lock silence only the categories that obey them")
    mutating func switchesAndCategories() throws {
        let (ambient, ducker) = (try enter(.ambient), try enter(.ducker))
        for slot in [ambient, ducker] { _ = table.decide(.activate(slot)) }
        for (on, off) in [(.silent(true), .silent(false)), (.lock(true), .lock(false))] as [(Request, Request)] {
            _ = table.decide(on)
            #expect(table.effect(of: ambient).isSilenced && !table.effect(of: ducker).isSilenced)
            _ = table.decide(off)
            #expect(!table.effect(of: ambient).isSilenced)
        }
    }

    @Test("The table holds 1,024 sessions, 16 of them of one process")
    mutating func capacity() throws {
        for _ in 0..<16 { _ = try enter(.ambient) }
        let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
        let refused = table.decide(.enter(process: process, name: SessionName("x"), settings: Kind.solo.settings))
        #expect(refused.refusal == .initializationError)
        for pid in 2..<UInt32(SessionTable.capacity - 14) { _ = try enter(.ambient, pid: Int32(pid)) }
        #expect(table.entries.count == SessionTable.capacity)
        let full = table.decide(
            .enter(
                process: ProcessIdentity(pid: -1, startTime: 1, pidNamespace: 1), name: SessionName(""),
                settings: Kind.solo.settings)
        )
        #expect(full.refusal == .initializationError)
    }

    @Test(
        "A request about a free slot, or about any number, is refused and changes nothing",
        arguments: [-1, 0, 5, 1023, 1024, Int.max, Int.min])
    mutating func freeSlot(slot: Int) {
        let before = table
        for request: Request in [
            .leave(slot), .death(slot), .activate(slot), .reset(slot), .deactivate(slot, notifyingOthers: true),
            .change(slot, Kind.solo.settings), .rename(slot, SessionName("")), .playback(slot, .running),
            .interruptionsFetched(slot),
            .beginCall(SessionName(""), holder: slot), .join(slot, session: slot),
            .enterStreams(process: ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1), of: slot),
            .changeGain(slot, SavedGain(input: 1, level: 0.5)), .beginRestoringGain(slot, input: 1),
            .endRestoringGain(slot, input: 1, isDone: true), .releaseGains(slot),
        ] {
            #expect(table.decide(request).refusal == .unspecified)
            #expect(table == before)
        }
        #expect(table.effect(of: slot) == Effect(gain: 1, isSilenced: true))
    }

    @Test(
        "A call silences system sounds until it ends or is confirmed; it does not interrupt them, and they do not count as playing"
    )
    mutating func systemSounds() throws {
        let process = ProcessIdentity(pid: 2, startTime: 1, pidNamespace: 1)
        let sounds = try #require(
            table.decide(.enter(process: process, name: SessionName("x"), settings: .ofSystemSounds)).slot)
        let idle = try #require(table.decide(.enter(process: process, name: SessionName("x"), settings: .ofSystemSounds)).slot)
        _ = table.decide(.activate(sounds))
        let stranger = ProcessIdentity(pid: 3, startTime: 1, pidNamespace: 1)
        #expect(!table.othersArePlaying(than: stranger) && table[sounds]?.isActive == true)
        for end in [Request.endCall(shouldResume: true), .confirmCall, .endCall(shouldResume: false)] {
            if table.call == nil {
                #expect(!table.effect(of: sounds).isSilenced)
                #expect(Array(table.decide(.beginCall(SessionName("call"), holder: nil)).affected) == [sounds])
                #expect(table.effect(of: sounds).isSilenced)
            }
            #expect(Array(table.decide(end).affected) == [sounds])
            #expect(!table.effect(of: sounds).isSilenced)
            #expect(table[sounds]?.isActive == true && table[sounds]?.isInterrupted == false && table[idle]?.isActive == false)
            #expect(table[sounds]?.waiting == WaitingInterruptions.none)
        }
        // The switches of the user silence them, and the activation of a session that does not mix does not interrupt them.
        let solo = try enter(.solo)
        _ = table.decide(.activate(solo))
        #expect(table[sounds]?.isActive == true && !table.effect(of: sounds).isSilenced)
        for (on, off) in [(.silent(true), .silent(false)), (.lock(true), .lock(false))] as [(Request, Request)] {
            _ = table.decide(on)
            #expect(table.effect(of: sounds).isSilenced)
            _ = table.decide(off)
        }
        #expect(!table.effect(of: sounds).isSilenced)
    }

    @Test(
        "Sessions affect each other in whichever slots they are", arguments: [0, 31, 32, 63, 64, 127, 128, 511, 512, 1022, 1023])
    mutating func slots(slot: Int) throws {
        let other = slot == 1 ? 2 : 1
        var entry = SessionEntry(
            serial: 1, process: ProcessIdentity(pid: 9, startTime: 1, pidNamespace: 1), name: SessionName("x"),
            settings: Kind.solo.settings)
        table.put(entry, in: slot)
        entry.settings = Kind.ducker.settings
        table.put(entry, in: other)
        for slot in [slot, other] { #expect(table.decide(.activate(slot)).refusal == nil) }
        #expect(table.effect(of: slot).gain == 0.2 && table.primaryAudioPlays(besides: other))
        #expect(!table.primaryAudioPlays(besides: slot))
        #expect(Array(table.slots(.active)) == [slot, other].sorted() && Array(table.slots(.ducking)) == [other])
        let second = slot == 5 ? 6 : 5
        entry.settings = Kind.solo.settings
        table.put(entry, in: second)
        #expect(Array(table.decide(.activate(second)).affected) == [slot])
        #expect(Array(table.interrupters(of: slot)) == [second] && Array(table.slots(.interrupted)) == [slot])
        #expect(Array(table.decide(.death(second)).affected) == [slot] && table[slot]?.isInterrupted == false)
        #expect(table.decide(.activate(slot)).refusal == nil && table.effect(of: slot).gain == 0.2)
        // The entry of a session in mode SpokenAudio names its interrupter.
        entry.settings = Kind.spoken.settings
        table.put(entry, in: second)
        _ = table.decide(.activate(second))
        entry.settings = Kind.spokenInterrupter.settings
        entry.isActive = false
        table.put(entry, in: slot)
        _ = table.decide(.activate(slot))
        #expect(Array(table.interrupters(of: second)) == [slot] && Array(table.slots(.listing)) == [second])
        _ = table.decide(.deactivate(slot, notifyingOthers: false))
        #expect(table.slots(.listing).isEmpty && table[second]?.lastEnd == .shouldResume)
    }

    @Test("A session that releases its gains stays active, and others put the gains back unless another session uses them")
    mutating func releasedGains() throws {
        let (first, second) = (try enter(.ambient), try enter(.ambient))
        for slot in [first, second] { _ = table.decide(.activate(slot)) }
        for input in [1, 2] as [UInt64] {
            #expect(table.decide(.changeGain(first, SavedGain(input: input, level: 0.5))).refusal == nil)
        }
        #expect(table.decide(.changeGain(second, SavedGain(input: 2, level: 0.75))).refusal == nil)
        let outcome = table.decide(.releaseGains(first))
        #expect(outcome.refusal == nil && Array(outcome.changed) == [first])
        #expect(table[first]?.gains.isEmpty == true && table[first]?.isActive == true)
        #expect(table.gainsToRestore.all == [SavedGain(input: 1, level: 0.5)])
        #expect(table[second]?.gains.all == [SavedGain(input: 2, level: 0.5)])
        _ = table.decide(.releaseGains(second))
        #expect(table.gainsToRestore.all == [SavedGain(input: 1, level: 0.5), SavedGain(input: 2, level: 0.5)])
        #expect(Array(table.decide(.releaseGains(second)).changed) == [])
    }

    @Test("An input has a number other than 0")
    mutating func noInput() throws {
        let slot = try enter(.ambient)
        #expect(table.decide(.changeGain(slot, SavedGain(input: 0, level: 0.5))).refusal == .unspecified)
        #expect(table[slot]?.gains.isEmpty == true)
    }

    @Test(
        "A name has up to 63 bytes of whole characters, and ends at a byte 0",
        arguments: [
            ("", ""), ("a", "a"), (String(repeating: "x", count: 63), String(repeating: "x", count: 63)),
            (String(repeating: "x", count: 64), String(repeating: "x", count: 63)),
            (String(repeating: "x", count: 62) + "ä", String(repeating: "x", count: 62)),
            (String(repeating: "x", count: 61) + "ä", String(repeating: "x", count: 61) + "ä"),
            (String(repeating: "x", count: 60) + "🎧", String(repeating: "x", count: 60)), ("a\0b", "a"),
        ])
    func names(text: String, kept: String) {
        let name = SessionName(text)
        #expect(name.text == kept && name == SessionName(kept))
        #expect(SessionName(bytes: name.bytes) == name)
        for byte in [0, 7, 8, 62] {
            var bytes = name.bytes
            bytes[byte] ^= 1
            #expect(SessionName(bytes: bytes) != name, "\(byte)")
        }
        #expect(SessionName(bytes: InlineArray(repeating: 0x61)).text == String(repeating: "a", count: 63))
    }

    @Test("A session saves the gains of three inputs. The latest three gains without a user wait for their return")
    mutating func manyGains() throws {
        let (first, second) = (try enter(.ambient), try enter(.ambient))
        for input in 1...3 as ClosedRange<UInt64> {
            #expect(table.decide(.changeGain(first, SavedGain(input: input, level: 0.5))).refusal == nil)
        }
        #expect(table.decide(.changeGain(first, SavedGain(input: 4, level: 0.5))).refusal == .unspecified)
        #expect(table.decide(.changeGain(second, SavedGain(input: 4, level: 0.25))).refusal == nil)
        _ = table.decide(.death(first))
        _ = table.decide(.death(second))
        #expect(table.gainsToRestore.all.map { $0.input } == [2, 3, 4])
        #expect(table.gainsToRestore.gain(of: 4)?.level == 0.25)
    }

    @Test("A session that is restored into a new table uses its gains again")
    mutating func restoredGains() throws {
        let slot = try enter(.ambient)
        _ = table.decide(.changeGain(slot, SavedGain(input: 1, level: 0.5)))
        let entry = try #require(table[slot])
        _ = table.decide(.death(slot))
        #expect(!table.gainsToRestore.isEmpty)
        _ = table.restore(entry, preferring: slot)
        #expect(table.gainsToRestore.isEmpty && table[slot]?.gains.all.count == 1)
    }

    @Test("A restored session has no interrupter that is not in the table")
    mutating func restored() throws {
        for kind in [Kind.solo, .spokenInterrupter] {
            let (first, second) = (try enter(.spoken), try enter(kind))
            _ = table.decide(.activate(first))
            _ = table.decide(.activate(second))
            let entry = try #require(table[first])
            var new = SessionTable()
            let slot = try #require(new.restore(entry, preferring: first)?.slot)
            #expect(new[slot]?.isInterrupted == false && new.interrupters(of: slot).isEmpty)
            #expect(new[slot]?.waiting == .beginAndEnd(.shouldResume))
        }
    }
}
