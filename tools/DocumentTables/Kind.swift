// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

/// A session with its settings, or a call.
enum Kind: Equatable, Sendable {
    case session(SessionSettings)
    case call

    var settings: SessionSettings? {
        if case .session(let settings) = self { settings } else { nil }
    }

    /// Kinds of one name behave alike; a test checks it.
    var name: String {
        guard let settings else { return "call" }
        if settings.interruptsSpokenAudio { return settings.ducks ? "over speech, ducks" : "over speech" }
        let speaks = settings.mode == .spokenAudio ? ", speaks" : ""
        if settings.ducks { return "ducks" + speaks }
        if settings.mixes { return "mixes" + speaks }
        switch settings.category {
        case .recordAudio: return "records"
        case .audioProcessing: return "processes"
        default: return "non-mixing" + speaks
        }
    }

    /// The property besides the category that makes this kind.
    var override: SessionProperty? {
        guard let settings else { return nil }
        if settings.ducks { return .otherMixableAudioShouldDuck }
        return settings.mixes && !settings.category.traits.alwaysMixes ? .overrideCategoryMixWithOthers : nil
    }
}

extension Kind {
    /// All settings that the C API can set, and the call.
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
                let kind = Kind.session(
                    SessionSettings(category: category, mode: settings.mode, mixes: settings.mixes, ducks: settings.ducks))
                if mode.fits(category), !kinds.contains(kind) { kinds.append(kind) }
            }
        }
        return kinds
    }

    /// The kinds with an option that only AVAudioSession has.
    static let spokenInterrupters: [Kind] = Category.allCases.filter { $0.traits.mayMix && !$0.traits.alwaysMixes }.flatMap {
        category in
        [false, true].map { ducks in
            .session(SessionSettings(category: category, mixes: true, ducks: ducks, interruptsSpokenAudio: true))
        }
    }
}

/// Sessions of different processes in one table.
struct Meeting {
    private(set) var table = SessionTable()
    private let slots: [TableSlot]

    /// Enters the sessions, inactive. The entry of a call is not used.
    init(_ kinds: [Kind]) {
        var table = SessionTable()
        slots = kinds.enumerated().map { number, kind in
            let process = ProcessIdentity(pid: Int32(number) + 1, startTime: 1, pidNamespace: 1)
            let settings = kind.settings ?? SessionSettings()
            return table.decide(.enter(process: process, name: SessionName(kind.name), settings: settings)).slot ?? number
        }
        self.table = table
        self.kinds = kinds
    }

    private let kinds: [Kind]

    @discardableResult
    mutating func decide(_ request: Request) -> ResultCode? { table.decide(request).refusal }

    /// Activates a session, or begins a call.
    @discardableResult
    mutating func begin(_ number: Int) -> ResultCode? {
        decide(kinds[number] == .call ? .beginCall(SessionName("call"), holder: nil) : .activate(slot(number)))
    }

    func slot(_ number: Int) -> TableSlot { slots[number] }
    func entry(_ number: Int) -> SessionEntry? { table[slots[number]] }

    /// The effect of other sessions on an active session; nil: none, or the session has no output.
    func effect(on number: Int) -> String? {
        guard let settings = kinds[number].settings, settings.category.traits.hasOutput, entry(number)?.isActive == true else {
            return nil
        }
        let effect = table.effect(of: slot(number))
        if effect.isSilenced { return "silenced" }
        return effect.gain < 1 ? "ducked" : nil
    }
}
