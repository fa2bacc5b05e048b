import SessionArbiter
import SessionModel

/// The promises of interruption, mixing and ducking, kept a second time: with sets and names instead
/// of slots and bits, and straight from the sentences that make them.
struct Promises {
    private struct Session {
        var kind: Kind
        var isActive = false
        var isInterrupted = false
        var interruptedBy: Set<Int> = []
        var byCall = false
        /// One has left without letting it resume.
        var isRefusedResuming = false
        var interruptsSpeechOnly = false
        var heard: [Interruption] = []
    }

    private var sessions: [Int: Session] = [:]
    private var entered = 0
    private var call: (holder: Int?, isConfirmed: Bool)?
    private var inputs = [Input(), Input()]

    private var table = SessionTable()
    private var slots: [Int: Slot] = [:]
    /// What each session's listener has been told last: true after a begin.
    private var wasTold: [Int: Bool] = [:]

    private static let process = ProcessIdentity(pid: -1, startTime: 1, pidNamespace: 1)

    /// An input of the machine. Each change makes its gain another one.
    private struct Input {
        var gain: Float = 0
        var changes = 0
        /// As it was before the first of its users changed it; nil while nobody has.
        var original: Float?
        var users: Set<Int> = []
    }

    init() {}

    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// Does the step both ways and compares. Steps about sessions that are not there do nothing, so
    /// that any part of a history is a history.
    mutating func take(_ step: Step) throws {
        let wereActive = sessions.keys.filter { sessions[$0]?.isActive == true }
        let refusal: ResultCode?
        switch step {
        case .enter(let kind):
            guard sessions.count < 8 else { return }
            let process = ProcessIdentity(pid: Int32(entered), startTime: 1, pidNamespace: 1)
            let outcome = table.decide(.enter(process: process, name: SessionName("s\(entered)"), policy: kind.policy))
            slots[entered] = outcome.slot
            sessions[entered] = Session(kind: kind)
            wasTold[entered] = false
            entered += 1
            return try check(after: step)
        case .activate(let name):
            guard let slot = slots[name] else { return }
            refusal = table.decide(.activate(slot)).refusal
            try expect(refusal == activate(name), "\(step) is answered by \(String(describing: refusal))")
            if refusal == nil { wasTold[name] = false }
        case .deactivate(let name, let notify):
            guard let slot = slots[name] else { return }
            refusal = table.decide(.deactivate(slot, notifyingOthers: notify)).refusal
            try expect(refusal == nil, "a deactivation is refused")
            sessions[name]?.isActive = false
            leave(name, notify || sessions[name]?.interruptsSpeechOnly == true)
        case .adopt(let name, let kind):
            guard let slot = slots[name] else { return }
            refusal = table.decide(.adopt(slot, kind.policy)).refusal
            try expect(refusal == adopt(name, kind), "\(step) is answered by \(String(describing: refusal))")
        case .die(let name):
            guard let slot = slots[name] else { return }
            _ = table.decide(.death(slot))
            slots[name] = nil
            sessions[name] = nil
            stopUsingGains(name)
            if call?.holder == name { endCall(true) }
            leave(name, true)
        case .reset(let name):
            guard let slot = slots[name] else { return }
            _ = table.decide(.reset(slot))
            sessions[name]?.isActive = false
            forgetInterruption(name)
            leave(name, true)
            if wasTold[name] == true { wasTold[name] = false }
        case .fetch(let name):
            guard let slot = slots[name] else { return }
            try fetch(name, slot)
        case .call(let holder):
            let holder = holder.flatMap { slots[$0] == nil ? nil : $0 }
            refusal = table.decide(.beginCall(SessionName("call"), holder: holder.flatMap { slots[$0] })).refusal
            try expect(refusal == (call == nil ? nil : .notActive), "a second call is answered by \(String(describing: refusal))")
            if call == nil { beginCall(holder) }
        case .endCall(let shouldResume):
            refusal = table.decide(.endCall(shouldResume: shouldResume)).refusal
            try expect((refusal == nil) == (call != nil), "the end of a call is answered by \(String(describing: refusal))")
            endCall(shouldResume)
        case .confirmCall:
            refusal = table.decide(.confirmCall).refusal
            try expect((refusal == nil) == (call != nil), "a confirmation is answered by \(String(describing: refusal))")
            confirmCall()
        case .changeGain(let name, let input):
            guard let slot = slots[name] else { return }
            refusal = table.decide(.changeGain(slot, FoundGain(input: number(of: input), level: inputs[input].gain))).refusal
            try expect(refusal == nil, "a change of gain is answered by \(String(describing: refusal))")
            changeGain(name, input)
        case .beginReturningGain(let name, let input):
            guard let slot = slots[name] else { return }
            refusal = table.decide(.beginReturningGain(slot, input: number(of: input))).refusal
            let isWanted = inputs[input].original != nil && inputs[input].users.isEmpty
            try expect((refusal == nil) == isWanted, "the return of a gain is answered by \(String(describing: refusal))")
            if isWanted { inputs[input].users.insert(name) }
        case .endReturningGain(let name, let input, let isDone):
            guard let slot = slots[name] else { return }
            _ = table.decide(.endReturningGain(slot, input: number(of: input), isDone: isDone))
            endReturningGain(name, input, isDone)
        }
        for name in wereActive where sessions[name]?.isActive != true { stopUsingGains(name) }
        try check(after: step)
    }

    // MARK: The sentences

    private mutating func activate(_ name: Int) -> ResultCode? {
        guard let session = sessions[name], !session.isActive else { return nil }
        if call != nil, !session.kind.policy.mixes { return .notActive }
        sessions[name]?.isActive = true
        forgetInterruption(name)
        interruptOthers(name)
        return nil
    }

    private mutating func forgetInterruption(_ name: Int) {
        sessions[name]?.isInterrupted = false
        sessions[name]?.interruptedBy = []
        sessions[name]?.byCall = false
        sessions[name]?.isRefusedResuming = false
        sessions[name]?.heard = []
    }

    private mutating func interruptOthers(_ name: Int) {
        guard let kind = sessions[name]?.kind else { return }
        let mixes = kind.policy.mixes
        guard !mixes || kind == .spokenInterrupter else { return }
        sessions[name]?.interruptsSpeechOnly = mixes
        for other in sessions.keys.sorted() where other != name {
            guard let otherKind = sessions[other]?.kind else { continue }
            if mixes ? otherKind != .spoken : otherKind.policy.mixes { continue }
            if sessions[other]?.isActive == true {
                sessions[other]?.isActive = false
                sessions[other]?.isInterrupted = true
                sessions[other]?.interruptedBy = [name]
                sessions[other]?.heard.append(.begin)
            } else if sessions[other]?.isInterrupted == true, !mixes {
                sessions[other]?.interruptedBy.insert(name)
            }
        }
    }

    private mutating func leave(_ name: Int, _ lettingResume: Bool) {
        for other in sessions.keys.sorted() where sessions[other]?.interruptedBy.contains(name) == true {
            sessions[other]?.interruptedBy.remove(name)
            if !lettingResume { sessions[other]?.isRefusedResuming = true }
        }
        endWhatHasNoReason()
    }

    /// When the last one has left, the interrupted session gets its end; with '!rsm' it lets go of others.
    private mutating func endWhatHasNoReason() {
        for other in sessions.keys.sorted() {
            guard let session = sessions[other], session.isInterrupted, session.interruptedBy.isEmpty, !session.byCall else {
                continue
            }
            sessions[other]?.isInterrupted = false
            sessions[other]?.isRefusedResuming = false
            sessions[other]?.heard.append(.end(session.isRefusedResuming ? .shouldNotResume : .shouldResume))
            if session.isRefusedResuming { leave(other, false) }
        }
    }

    private mutating func adopt(_ name: Int, _ kind: Kind) -> ResultCode? {
        guard let old = sessions[name] else { return nil }
        let stopsMixing = old.isActive && old.kind.policy.mixes && !kind.policy.mixes
        if stopsMixing, call != nil { return .unspecified }
        sessions[name]?.kind = kind
        if stopsMixing || (old.isActive && kind == .spokenInterrupter && old.kind != .spokenInterrupter) { interruptOthers(name) }
        return nil
    }

    private mutating func beginCall(_ holder: Int?) {
        call = (holder, false)
        for name in sessions.keys {
            if sessions[name]?.isActive == true {
                sessions[name]?.isActive = false
                sessions[name]?.isInterrupted = true
                sessions[name]?.byCall = true
                sessions[name]?.heard.append(.begin)
            } else if sessions[name]?.isInterrupted == true {
                sessions[name]?.byCall = true
            }
        }
    }

    private mutating func endCall(_ shouldResume: Bool) {
        guard call != nil else { return }
        call = nil
        for name in sessions.keys where sessions[name]?.byCall == true {
            sessions[name]?.byCall = false
            if !shouldResume { sessions[name]?.isRefusedResuming = true }
        }
        endWhatHasNoReason()
    }

    private mutating func confirmCall() {
        guard call != nil else { return }
        call?.isConfirmed = true
        for name in sessions.keys where sessions[name]?.byCall == true {
            sessions[name]?.byCall = false
            if sessions[name]?.interruptedBy.isEmpty == true {
                sessions[name]?.isInterrupted = false
                sessions[name]?.isRefusedResuming = false
            }
        }
    }

    // MARK: The gains of inputs

    private func number(of input: Int) -> UInt64 { UInt64(input) + 7 }

    /// The value found at the first set is put back when no session uses it any more.
    private mutating func changeGain(_ name: Int, _ input: Int) {
        if inputs[input].original == nil { inputs[input].original = inputs[input].gain }
        inputs[input].users.insert(name)
        inputs[input].changes += 1
        inputs[input].gain = 1 / Float(inputs[input].changes + 1)
    }

    private mutating func endReturningGain(_ name: Int, _ input: Int, _ isDone: Bool) {
        guard inputs[input].users.remove(name) != nil, inputs[input].users.isEmpty, isDone else { return }
        inputs[input].gain = inputs[input].original ?? 0
        inputs[input].original = nil
    }

    private mutating func stopUsingGains(_ name: Int) {
        for input in inputs.indices { inputs[input].users.remove(name) }
    }

    // MARK: What a listener sees

    private mutating func fetch(_ name: Int, _ slot: Slot) throws {
        for event in table[slot]?.waiting.events ?? [] {
            let isBegin = event == .begin
            try expect(
                isBegin != wasTold[name], "session \(name) is told \(event) after \(wasTold[name] == true ? "a begin" : "none")")
            wasTold[name] = isBegin
        }
        _ = table.decide(.fetched(slot))
        sessions[name]?.heard = []
    }

    // MARK: What must hold at any time

    private func check(after step: Step) throws {
        for (name, session) in sessions {
            guard let slot = slots[name], let entry = table[slot] else { throw Broken(description: "session \(name) is lost") }
            try expect(
                entry.isActive == session.isActive, "session \(name) is \(entry.isActive ? "" : "not ")active after \(step)")
            try expect(
                entry.isInterrupted == session.isInterrupted,
                "session \(name): interrupted is \(entry.isInterrupted) after \(step)")
            try expect(!(entry.isActive && entry.isInterrupted), "session \(name) is active and interrupted")
            let held = !entry.interrupters.isEmpty || entry.isInterruptedByCall
            try expect(
                entry.isInterrupted == held,
                "session \(name) is interrupted by nobody, or held and not interrupted, after \(step)")
            for other in entry.interrupters { try expect(table[other] != nil && other != slot, "a ghost holds \(name)") }
            try expect(!entry.isInterruptedByCall || table.call?.isConfirmed == false, "no call holds \(name)")
            try expect(
                entry.waiting.lastEvent == session.heard.last || entry.waiting == .none,
                "session \(name) waits for \(entry.waiting)")
            let ducks = sessions.contains { $0.key != name && $0.value.isActive && $0.value.kind == .ducker }
            let gain: Float = entry.isActive && ducks && session.kind != .ducker ? 0.2 : 1
            try expect(
                table.effect(of: slot).gain == gain, "session \(name) has gain \(table.effect(of: slot).gain) after \(step)")
            let recorded = sessions.contains { $0.key != name && $0.value.isActive && $0.value.kind == .record }
            try expect(table.effect(of: slot).isSilenced == (!entry.isActive || recorded), "session \(name) is silenced wrongly")
        }
        for (place, input) in inputs.enumerated() {
            let waiting = table.gainsToReturn.gain(of: number(of: place))?.level
            let isWanted = input.original != nil && input.users.isEmpty
            try expect(waiting == (isWanted ? input.original : nil), "input \(place) waits for \(String(describing: waiting))")
        }
        let loud = sessions.filter { $0.value.isActive && !$0.value.kind.policy.mixes }
        try expect(loud.count <= 1, "\(loud.count) sessions that do not mix are active after \(step)")
        try expect(call == nil || loud.isEmpty, "a session that does not mix is active during a call")
        let others = sessions.contains { $0.value.isActive && $0.value.kind != .record }
        try expect(table.othersArePlaying(than: Promises.process) == others, "others are playing: \(!others) is said")
    }

    private func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw Broken(description: text()) }
    }

    static func broken(by history: [Step]) -> Broken? {
        var promises = Promises()
        do {
            for step in history { try promises.take(step) }
            return nil
        } catch {
            return error as? Broken
        }
    }
}

extension WaitingInterruptions {
    var events: [Interruption] {
        switch self {
        case .none: []
        case .begin: [.begin]
        case .beginAndEnd(let type): [.begin, .end(type)]
        case .end(let type): [.end(type)]
        }
    }

    var lastEvent: Interruption? { events.last }
}
