public import SessionArbiter
public import SessionModel

/// What a session finds when it looks at the table.
public struct SessionView: Equatable, Sendable {
    public var isActive = false
    public var isInterrupted = false
    /// In order; looking takes them.
    public var interruptions: [Interruption] = []
    public var effect = Effect(gain: 1, isSilenced: false)
    public var isSilent = false
    public var isLocked = false

    public init() {}
}

extension SessionTable {
    /// What the session in `slot` finds. A session that is not in the table finds silence.
    func view(of slot: Slot) -> SessionView {
        var view = SessionView()
        view.isSilent = isSilent
        view.isLocked = isLocked
        guard let entry = self[slot] else { return view }
        view.isActive = entry.isActive
        view.isInterrupted = entry.isInterrupted
        view.interruptions = entry.waiting.interruptions
        view.effect = effect(of: slot)
        return view
    }
}

extension WaitingInterruptions {
    /// In the order in which they happened.
    var interruptions: [Interruption] {
        switch self {
        case .none: []
        case .begin: [.begin]
        case .beginAndEnd(let type): [.begin, .end(type)]
        case .end(let type): [.end(type)]
        }
    }
}
