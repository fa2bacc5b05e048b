import SessionArbiter
import SessionModel

/// What can stand against what: a session with its settings, or a phone call.
enum Kind: Equatable, Sendable {
    case session(SessionPolicy)
    case call

    var policy: SessionPolicy? {
        if case .session(let policy) = self { policy } else { nil }
    }

    /// In one word. Kinds of one name must behave alike: the tables are not made otherwise.
    var name: String {
        guard let policy else { return "call" }
        if policy.interruptsSpokenAudio { return policy.ducks ? "over speech, ducks" : "over speech" }
        let speaks = policy.mode == .spokenAudio ? ", speaks" : ""
        if policy.ducks { return "ducks" + speaks }
        if policy.mixes { return "mixes" + speaks }
        switch policy.category {
        case .recordAudio: return "records"
        case .audioProcessing: return "processes"
        default: return "alone" + speaks
        }
    }

    /// What a program has to set, besides the category, to be of this kind.
    var override: Property? {
        guard let policy else { return nil }
        if policy.ducks { return .otherMixableAudioShouldDuck }
        return policy.mixes && !policy.category.traits.alwaysMixes ? .overrideCategoryMixWithOthers : nil
    }
}

extension Kind {
    /// Every policy that a program can have by the C functions, and the call.
    static let all: [Kind] = sessions(in: .standard) + [.call]

    static func sessions(in mode: Mode) -> [Kind] {
        var kinds: [Kind] = []
        for category in Category.allCases {
            for (ducks, mixes) in [(false, false), (false, true), (true, false), (true, true)] {
                var settings = SessionSettings()
                settings.setCategory(category)
                guard (try? settings.setMode(mode, whileActive: false)) != nil || category.traits.alwaysMixes else { continue }
                settings.setDucksOthers(ducks)
                guard (try? settings.setMixesWithOthers(mixes)) != nil else { continue }
                try? settings.changeMode(mode)
                let policy = SessionSettings(
                    category: category, mode: settings.mode, mixes: settings.mixes, ducks: settings.ducks)
                if mode.fits(category), !kinds.contains(.session(policy)) { kinds.append(.session(policy)) }
            }
        }
        return kinds
    }

    /// By an option that only AVAudioSession has.
    static let spokenInterrupters: [Kind] = Category.allCases.filter { $0.traits.mayMix && !$0.traits.alwaysMixes }.flatMap {
        category in
        [false, true].map { ducks in
            .session(SessionPolicy(category: category, mixes: true, ducks: ducks, interruptsSpokenAudio: true))
        }
    }
}

/// Two that meet, each of a process of its own, and what the arbiter makes of it.
struct Meeting {
    private(set) var table = SessionTable()
    private let slots: [Slot]

    /// They come, and do nothing yet. The call has no place among the sessions.
    init(_ kinds: [Kind]) {
        var table = SessionTable()
        slots = kinds.enumerated().map { number, kind in
            let process = ProcessIdentity(pid: Int32(number) + 1, startTime: 1, pidNamespace: 1)
            let policy = kind.policy ?? SessionPolicy(SessionSettings())
            return table.decide(.enter(process: process, name: SessionName(kind.name), policy: policy)).slot ?? number
        }
        self.table = table
        self.kinds = kinds
    }

    private let kinds: [Kind]

    @discardableResult
    mutating func decide(_ request: Request) -> ResultCode? { table.decide(request).refusal }

    /// A session becomes active; a call begins.
    @discardableResult
    mutating func begin(_ number: Int) -> ResultCode? {
        decide(kinds[number] == .call ? .beginCall(SessionName("call"), holder: nil) : .activate(slot(number)))
    }

    func slot(_ number: Int) -> Slot { slots[number] }
    func entry(_ number: Int) -> SessionEntry? { table[slots[number]] }

    /// What is heard of a session: nil where it plays as it likes, or makes no sound in any case.
    func effect(on number: Int) -> String? {
        guard let policy = kinds[number].policy, policy.category.traits.hasOutput, entry(number)?.isActive == true else {
            return nil
        }
        let effect = table.effect(of: slot(number))
        if effect.isSilenced { return "silenced" }
        return effect.gain < 1 ? "ducked" : nil
    }
}
