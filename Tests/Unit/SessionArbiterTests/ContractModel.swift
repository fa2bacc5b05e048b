// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

/// The contract, computed a second time from its sentences: interruption, mixing, ducking, input gains, streams, and which
/// sessions each step notifies. It uses names and sets instead of slots and bits.
struct ContractModel {
    private struct Session {
        var kind: Kind
        var isActive = false
        var isInterrupted = false
        var interrupters: Set<Int> = []
        var isInterruptedByCall = false
        /// An interrupter left without letting it resume.
        var mustNotResume = false
        /// It mixes, and has the option InterruptSpokenAudio. It lets the session resume, whatever its flag is.
        var speechInterrupter: Int?
        /// Events that its program has not fetched.
        var waiting: [Interruption] = []
        /// The last event that its program fetched since its own activation.
        var delivered: Interruption?
    }

    private struct Streams {
        /// Nil when their session is gone.
        var session: Int?
        var isRunning = false
    }

    /// An input of the machine. Each change gives it another gain.
    private struct Input {
        var gain: Float = 0
        var changes = 0
        /// The gain before its first user changed it; nil while no session has changed it.
        var original: Float?
        var users: Set<Int> = []
    }

    private var sessions: [Int: Session] = [:]
    private var streams: [Int: Streams] = [:]
    private var entered = 0
    private var streamsEntered = 0
    private var call: (holder: Int?, isConfirmed: Bool)?
    private var isSilent = false
    private var isLocked = false
    private var inputs = [Input(), Input()]

    private(set) var table = SessionTable()
    private(set) var slots: [Int: TableSlot] = [:]
    private var slotsOfStreams: [Int: TableSlot] = [:]

    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    static func violation(in history: [Step]) -> Violation? {
        var model = ContractModel()
        do {
            for step in history { try model.perform(step) }
            return nil
        } catch {
            return error as? Violation
        }
    }

    /// Performs the step on the table and on the model, and compares. A step about a session that does not exist does
    /// nothing, so that any part of a history is a history.
    mutating func perform(_ step: Step) throws {
        guard let request = try request(for: step) else { return }
        let before = (table: table, sessions: sessions, call: call)
        let outcome = table.decide(request)
        let refusal = apply(step, outcome)
        countAsNewlyActivated(since: before.sessions)
        for name in before.sessions.keys where before.sessions[name]?.isActive == true && sessions[name]?.isActive != true {
            for input in inputs.indices { inputs[input].users.remove(name) }
        }
        try expect(outcome.refusal == refusal, "\(step) results in \(outcome.refusal as Any), not \(refusal as Any)")
        if refusal != nil { try expect(table == before.table, "the refused \(step) changes the table") }
        try checkChanges(step, outcome, since: before.table)
        try checkNotifications(step, outcome, since: before.table, before.sessions, holder: before.call?.holder)
        try checkBusy(step, outcome, before.sessions)
        try checkState(after: step)
    }

    private func request(for step: Step) throws -> Request? {
        switch step {
        case .enter(let kind):
            return sessions.count < 8
                ? .enter(process: process(entered), name: SessionName("s\(entered)"), settings: kind.settings) : nil
        case .activate(let name): return slots[name].map { .activate($0) }
        case .deactivate(let name, let notify): return slots[name].map { .deactivate($0, notifyingOthers: notify) }
        case .change(let name, let kind): return slots[name].map { .change($0, kind.settings) }
        case .changeYielding(let name, let kind): return slots[name].map { .change($0, kind.settings, yieldsToCall: true) }
        case .die(let name): return slots[name].map { .death($0) }
        case .reset(let name): return slots[name].map { .reset($0) }
        case .fetch(let name): return slots[name].map { .interruptionsFetched($0) }
        case .call(let holder): return .beginCall(SessionName("call"), holder: holder.flatMap { slots[$0] })
        case .endCall(let shouldResume): return .endCall(shouldResume: shouldResume)
        case .confirmCall: return .confirmCall
        case .changeGain(let name, let input):
            return slots[name].map { .changeGain($0, SavedGain(input: number(of: input), level: inputs[input].gain)) }
        case .beginRestoringGain(let name, let input):
            return slots[name].map { .beginRestoringGain($0, input: number(of: input)) }
        case .endRestoringGain(let name, let input, let isDone):
            return slots[name].map { .endRestoringGain($0, input: number(of: input), isDone: isDone) }
        case .enterStreams(let name):
            guard streams.count < 4 else { return nil }
            return slots[name].map { .enterStreams(process: process(name), of: $0) }
        case .play(let name, let isRunning): return slotsOfStreams[name].map { .playback($0, isRunning ? .running : .stopped) }
        case .leaveStreams(let name): return slotsOfStreams[name].map { .leave($0) }
        case .silent(let on): return .silent(on)
        case .lock(let on): return .lock(on)
        }
    }

    private func process(_ session: Int) -> ProcessIdentity {
        ProcessIdentity(pid: Int32(session), startTime: 1, pidNamespace: 1)
    }
    private static let stranger = ProcessIdentity(pid: -1, startTime: 1, pidNamespace: 1)

    // MARK: The sentences

    /// Returns the expected refusal.
    private mutating func apply(_ step: Step, _ outcome: Outcome) -> ResultCode? {
        switch step {
        case .enter(let kind):
            slots[entered] = outcome.slot
            sessions[entered] = Session(kind: kind)
            entered += 1
        case .activate(let name): return activate(name)
        case .deactivate(let name, let notify):
            sessions[name]?.isActive = false
            leave(name, notify)
        case .change(let name, let kind): return change(name, kind, yieldingToCall: false)
        case .changeYielding(let name, let kind): return change(name, kind, yieldingToCall: true)
        case .die(let name): die(name)
        case .reset(let name):
            sessions[name]?.isActive = false
            forgetInterruption(name)
            leave(name, true)
        case .fetch(let name):
            if let last = sessions[name]?.waiting.last { sessions[name]?.delivered = last }
            sessions[name]?.waiting = []
        case .call(let holder):
            // One at a time.
            if call != nil { return .notActive }
            beginCall(holder.flatMap { slots[$0] == nil ? nil : $0 })
        case .endCall(let shouldResume):
            if call == nil { return .unspecified }
            endCall(shouldResume)
        case .confirmCall:
            if call == nil { return .unspecified }
            confirmCall()
        case .changeGain(let name, let input): changeGain(name, input)
        case .beginRestoringGain(let name, let input):
            if inputs[input].original == nil || !inputs[input].users.isEmpty { return .unspecified }
            inputs[input].users.insert(name)
        case .endRestoringGain(let name, let input, let isDone):
            if !inputs[input].users.contains(name) { return .unspecified }
            endRestoringGain(name, input, isDone)
        case .enterStreams(let name):
            slotsOfStreams[streamsEntered] = outcome.slot
            streams[streamsEntered] = Streams(session: name)
            streamsEntered += 1
        case .play(let name, let isRunning): streams[name]?.isRunning = isRunning
        case .leaveStreams(let name):
            streams[name] = nil
            slotsOfStreams[name] = nil
        case .silent(let on): isSilent = on
        case .lock(let on): isLocked = on
        }
        return nil
    }

    private mutating func activate(_ name: Int) -> ResultCode? {
        guard let session = sessions[name], !session.isActive else { return nil }
        // While a call lasts, only a session that mixes activates.
        if call != nil, !session.kind.settings.mixes { return .notActive }
        sessions[name]?.isActive = true
        forgetInterruption(name)
        return nil
    }

    /// A session that stops mixing during a call is refused, or interrupted. A call that the user has taken sends no end.
    private mutating func change(_ name: Int, _ kind: Kind, yieldingToCall: Bool) -> ResultCode? {
        guard let session = sessions[name] else { return nil }
        let meetsCall = call != nil && session.isActive && session.kind.settings.mixes && !kind.settings.mixes
        if meetsCall, !yieldingToCall { return .unspecified }
        sessions[name]?.kind = kind
        guard meetsCall else { return nil }
        beginInterruption(of: name)
        sessions[name]?.isInterruptedByCall = call?.isConfirmed == false
        sessions[name]?.isInterrupted = call?.isConfirmed == false
        return nil
    }

    private mutating func die(_ name: Int) {
        sessions[name] = nil
        slots[name] = nil
        for input in inputs.indices { inputs[input].users.remove(name) }
        for other in streams.keys where streams[other]?.session == name { streams[other]?.session = nil }
        // The death of its holder ends a call with should-resume.
        if call?.holder == name { endCall(true) }
        leave(name, true)
    }

    /// Its own activation ends a session's interruption, and drops the events that wait.
    private mutating func forgetInterruption(_ name: Int) {
        sessions[name]?.isInterrupted = false
        sessions[name]?.interrupters = []
        sessions[name]?.speechInterrupter = nil
        sessions[name]?.isInterruptedByCall = false
        sessions[name]?.mustNotResume = false
        sessions[name]?.waiting = []
        sessions[name]?.delivered = nil
    }

    /// A session that has become active without mixing, or that has stopped mixing, interrupts. A session that has
    /// become active with the option InterruptSpokenAudio, or has got the option, interrupts sessions in mode SpokenAudio.
    private mutating func countAsNewlyActivated(since before: [Int: Session]) {
        for name in sessions.keys {
            if isActiveWithoutMixing(sessions[name]), !isActiveWithoutMixing(before[name]) {
                for other in interrupt(for: name, { !$0.settings.mixes }) {
                    sessions[other]?.interrupters = [name]
                }
                // An interrupted session waits for each that would have interrupted it.
                for other in sessions.keys where other != name && sessions[other]?.kind.settings.mixes == false {
                    if sessions[other]?.isInterrupted == true { sessions[other]?.interrupters.insert(name) }
                }
            } else if interruptsSpeech(sessions[name]), !interruptsSpeech(before[name]) {
                for other in interrupt(for: name, { $0 == .spoken }) {
                    sessions[other]?.speechInterrupter = name
                }
            }
        }
    }

    private func isActiveWithoutMixing(_ session: Session?) -> Bool {
        session.map { $0.isActive && !$0.kind.settings.mixes } ?? false
    }
    private func interruptsSpeech(_ session: Session?) -> Bool {
        session.map { $0.isActive && $0.kind == .spokenInterrupter } ?? false
    }

    /// Returns the interrupted sessions.
    private mutating func interrupt(for name: Int, _ isInterruptible: (Kind) -> Bool) -> [Int] {
        let interrupted = sessions.filter { $0.key != name && $0.value.isActive && isInterruptible($0.value.kind) }.map(\.key)
        for other in interrupted { beginInterruption(of: other) }
        return interrupted
    }

    private mutating func beginInterruption(of name: Int) {
        guard var session = sessions[name] else { return }
        session.isActive = false
        session.isInterrupted = true
        // After a delivered begin, a waiting end and this begin cancel out. Otherwise only this begin is kept.
        session.waiting = session.delivered == .begin && !session.waiting.isEmpty ? [] : [.begin]
        sessions[name] = session
    }

    private mutating func leave(_ name: Int, _ lettingResume: Bool) {
        for other in sessions.keys {
            if sessions[other]?.speechInterrupter == name { sessions[other]?.speechInterrupter = nil }
            guard sessions[other]?.interrupters.remove(name) != nil else { continue }
            if !lettingResume { sessions[other]?.mustNotResume = true }
        }
        endInterruptions()
    }

    /// When the last interrupter has left, the interrupted session gets its end. With '!rsm' it leaves in turn.
    private mutating func endInterruptions() {
        for name in sessions.keys.sorted() {
            guard let session = sessions[name], session.isInterrupted, hasNoInterrupter(session), !session.isInterruptedByCall
            else { continue }
            sessions[name]?.isInterrupted = false
            sessions[name]?.mustNotResume = false
            sessions[name]?.waiting.append(.end(session.mustNotResume ? .shouldNotResume : .shouldResume))
            if session.mustNotResume { leave(name, false) }
        }
    }

    private func hasNoInterrupter(_ session: Session) -> Bool {
        session.interrupters.isEmpty && session.speechInterrupter == nil
    }

    private mutating func beginCall(_ holder: Int?) {
        call = (holder, false)
        for name in sessions.keys {
            if sessions[name]?.isActive == true { beginInterruption(of: name) }
            if sessions[name]?.isInterrupted == true { sessions[name]?.isInterruptedByCall = true }
        }
    }

    private mutating func endCall(_ shouldResume: Bool) {
        call = nil
        for name in sessions.keys where sessions[name]?.isInterruptedByCall == true {
            sessions[name]?.isInterruptedByCall = false
            if !shouldResume { sessions[name]?.mustNotResume = true }
        }
        endInterruptions()
    }

    private mutating func confirmCall() {
        call?.isConfirmed = true
        for name in sessions.keys where sessions[name]?.isInterruptedByCall == true {
            sessions[name]?.isInterruptedByCall = false
            guard let session = sessions[name], hasNoInterrupter(session) else { continue }
            sessions[name]?.isInterrupted = false
            sessions[name]?.mustNotResume = false
        }
    }

    // MARK: The gains of inputs

    private func number(of input: Int) -> UInt64 { UInt64(input) + 7 }

    /// The gain found at the first change is put back when no session uses the input any more.
    private mutating func changeGain(_ name: Int, _ input: Int) {
        if inputs[input].original == nil { inputs[input].original = inputs[input].gain }
        inputs[input].users.insert(name)
        inputs[input].changes += 1
        inputs[input].gain = 1 / Float(inputs[input].changes + 1)
    }

    private mutating func endRestoringGain(_ name: Int, _ input: Int, _ isDone: Bool) {
        inputs[input].users.remove(name)
        guard inputs[input].users.isEmpty, isDone else { return }
        inputs[input].gain = inputs[input].original ?? 0
        inputs[input].original = nil
    }

    // MARK: What must hold after every step

    private func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw Violation(description: text()) }
    }

    /// The outcome lists every entry that differs.
    private func checkChanges(_ step: Step, _ outcome: Outcome, since before: SessionTable) throws {
        for slot in 0..<max(before.entries.count, table.entries.count) where before[slot] != table[slot] {
            try expect(outcome.changed.contains(slot), "\(step) changes slot \(slot) and does not list it")
        }
    }

    /// A session that gets an event, or whose sound is to change, is notified, except for the one that asks. Any other is
    /// not, except for the holder of a call that ends, and active sessions when a ducker or a recorder comes or goes.
    private func checkNotifications(
        _ step: Step, _ outcome: Outcome, since before: SessionTable, _ sessionsBefore: [Int: Session], holder: Int?
    ) throws {
        let haveShapersChanged = shapers(sessionsBefore) != shapers(sessions)
        let hasCallEnded = before.call != nil && table.call == nil
        for (name, slot) in slots where sessionsBefore[name] != nil && name != step.requester {
            let isNotified = outcome.affected.contains(slot)
            let hasNews = perception(of: slot, in: before) != perception(of: slot, in: table)
            if hasNews { try expect(isNotified, "\(step) does not notify session \(name)") }
            let isAllowed = hasNews || (hasCallEnded && holder == name) || (haveShapersChanged && table[slot]?.isActive == true)
            if isNotified { try expect(isAllowed, "\(step) notifies session \(name) of nothing") }
        }
        if hasCallEnded, let holder, let slot = slots[holder] {
            try expect(outcome.affected.contains(slot), "\(step) does not notify the holder of the call")
        }
        for (name, slot) in slotsOfStreams where before[slot] != nil && name != step.requestingStreams {
            guard perception(of: slot, in: before) != perception(of: slot, in: table) else { continue }
            try expect(outcome.affected.contains(slot), "\(step) does not notify streams \(name)")
        }
    }

    private func shapers(_ sessions: [Int: Session]) -> [Int: Kind] {
        sessions.filter { $0.value.isActive && ($0.value.kind == .ducker || $0.value.kind == .record) }.mapValues { $0.kind }
    }

    /// The part of the table that a session, or the streams of a session, must know.
    private struct Perception: Equatable {
        let settings: SessionSettings?
        let isActive: Bool?
        let waiting: WaitingInterruptions?
        let effect: Effect
        let isSilent: Bool
        let isLocked: Bool
        let isSecondary: Bool
    }

    private func perception(of slot: TableSlot, in table: SessionTable) -> Perception {
        let session = table.sessionOfSound(in: slot)
        let entry = session.flatMap { table[$0] }
        let wantsHint = entry?.isActive == true && entry?.settings.flags.contains(.wantsSecondaryAudioHint) == true
        return Perception(
            settings: entry?.settings, isActive: entry?.isActive, waiting: session == slot ? entry?.waiting : nil,
            effect: table.effect(of: slot), isSilent: table.isSilent, isLocked: table.isLocked,
            isSecondary: wantsHint && table.primaryAudioPlays(besides: slot))
    }

    /// A deactivation while the session's streams run says that it is busy.
    private func checkBusy(_ step: Step, _ outcome: Outcome, _ before: [Int: Session]) throws {
        guard case .deactivate(let name, _) = step else { return }
        let isBusy = before[name]?.isActive == true && playback(of: name) == .running
        try expect(outcome.isBusy == isBusy, "\(step) is \(outcome.isBusy ? "" : "not ")busy")
    }

    private func playback(of session: Int) -> StreamActivity {
        let own = streams.values.filter { $0.session == session }
        return own.isEmpty ? .unknown : own.contains { $0.isRunning } ? .running : .stopped
    }

    private func checkState(after step: Step) throws {
        for (name, session) in sessions {
            guard let slot = slots[name], let entry = table[slot] else {
                throw Violation(description: "session \(name) is not in the table after \(step)")
            }
            try checkEntry(entry, of: name, session, after: step)
            try checkEffect(table.effect(of: slot), of: name, session, after: step)
            try expect(
                table.primaryAudioPlays(besides: slot) == primaryAudioPlays(besides: name),
                "primary audio besides \(name) is wrong after \(step)")
        }
        for (name, streams) in streams {
            guard let slot = slotsOfStreams[name] else { continue }
            let session = streams.session.flatMap { slots[$0] }
            try expect(table[slot]?.role == .streams(of: session), "streams \(name) have another session after \(step)")
            let wanted = session.map { table.effect(of: $0) } ?? Effect(gain: 1, isSilenced: true)
            try expect(table.effect(of: slot) == wanted, "streams \(name) sound other than their session after \(step)")
        }
        try checkInputs(after: step)
        let exclusive = sessions.filter { isActiveWithoutMixing($0.value) }
        try expect(exclusive.count <= 1, "\(exclusive.count) sessions that do not mix are active after \(step)")
        try expect(call == nil || exclusive.isEmpty, "a session that does not mix is active during a call")
        try expect(table.call?.isConfirmed == call?.isConfirmed, "the call is confirmed: \(table.call?.isConfirmed as Any)")
        let others = sessions.contains { $0.value.isActive && $0.value.kind.hasOutput && playback(of: $0.key) != .stopped }
        try expect(
            table.othersArePlaying(than: ContractModel.stranger) == others, "others play: \(!others) after \(step)")
    }

    private func checkEntry(_ entry: SessionEntry, of name: Int, _ session: Session, after step: Step) throws {
        try expect(entry.isActive == session.isActive, "session \(name) has active \(entry.isActive) after \(step)")
        try expect(
            entry.isInterrupted == session.isInterrupted, "session \(name) has interrupted \(entry.isInterrupted) after \(step)")
        try expect(
            entry.waiting.events == session.waiting,
            "session \(name) waits for \(entry.waiting), not \(session.waiting), after \(step)")
        let names = Array(session.interrupters) + (session.speechInterrupter.map { [$0] } ?? [])
        let interrupters = Set(names.compactMap { slots[$0] })
        let found = slots[name].map { Set(table.interrupters(of: $0)) }
        try expect(found == interrupters, "session \(name) has other interrupters after \(step)")
        try expect(entry.isInterruptedByCall == session.isInterruptedByCall, "the call interrupts \(name) wrongly after \(step)")
        try expect(entry.playback == playback(of: name), "session \(name) has playback \(entry.playback) after \(step)")
        try expect(!(entry.isActive && entry.isInterrupted), "session \(name) is active and interrupted after \(step)")
        // A listener never gets two begins without an end between them, nor an end without a begin.
        var last = session.delivered
        for event in session.waiting {
            try expect((event == .begin) != (last == .begin), "session \(name) gets \(event) after \(last as Any)")
            last = event
        }
    }

    private func checkEffect(_ effect: Effect, of name: Int, _ session: Session, after step: Step) throws {
        let others = sessions.filter { $0.key != name && $0.value.isActive }
        let isDucked = others.contains { $0.value.kind == .ducker } && session.kind != .ducker && session.isActive
        try expect(effect.gain == (isDucked ? 0.2 : 1), "session \(name) has gain \(effect.gain) after \(step)")
        let isSwitchedOff = (isSilent || isLocked) && session.kind.obeysSilentSwitch
        let isSilenced = !session.isActive || others.contains { $0.value.kind == .record } || isSwitchedOff
        try expect(effect.isSilenced == isSilenced, "session \(name) has silenced \(effect.isSilenced) after \(step)")
    }

    private func primaryAudioPlays(besides name: Int) -> Bool {
        sessions.contains {
            $0.key != name && isActiveWithoutMixing($0.value) && $0.value.kind.hasOutput && playback(of: $0.key) != .stopped
        }
    }

    private func checkInputs(after step: Step) throws {
        for (place, input) in inputs.enumerated() {
            let waiting = table.gainsToRestore.gain(of: number(of: place))?.level
            let wanted = input.users.isEmpty ? input.original : nil
            try expect(waiting == wanted, "input \(place) is to return to \(waiting as Any), not \(wanted as Any), after \(step)")
        }
    }
}

extension Step {
    /// The session that asks, and so needs no notification.
    fileprivate var requester: Int? {
        switch self {
        case .activate(let name), .deactivate(let name, _), .change(let name, _), .changeYielding(let name, _),
            .reset(let name), .fetch(let name),
            .changeGain(let name, _), .beginRestoringGain(let name, _), .endRestoringGain(let name, _, _):
            name
        default: nil
        }
    }

    fileprivate var requestingStreams: Int? {
        switch self {
        case .play(let name, _), .leaveStreams(let name): name
        default: nil
        }
    }
}

extension WaitingInterruptions {
    fileprivate var events: [Interruption] {
        switch self {
        case .none: []
        case .begin: [.begin]
        case .beginAndEnd(let type): [.begin, .end(type)]
        case .end(let type): [.end(type)]
        }
    }
}
