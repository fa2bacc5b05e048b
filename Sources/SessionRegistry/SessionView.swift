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
    /// The session was just deactivated while its streams were running.
    public var isBusy = false
    /// What the session asked for; nil when there is none.
    public var policy: SessionPolicy?
    /// Another session plays that does not mix.
    public var primaryAudioPlays = false
    /// Nobody uses these any more: they are to be put back.
    public var gainsToReturn = FoundGains()

    public init() {}
}

extension SessionTable {
    /// What the session in `slot` finds, or what streams there find of theirs. A session that is not in the table finds silence.
    func view(of slot: Slot) -> SessionView {
        var view = SessionView()
        view.isSilent = isSilent
        view.isLocked = isLocked
        guard let session = sessionOfSound(in: slot), let entry = self[session] else { return view }
        view.policy = entry.policy
        view.gainsToReturn = gainsToReturn
        view.isActive = entry.isActive
        view.isInterrupted = entry.isInterrupted
        // Streams see the session, but do not take what waits for it.
        if session == slot { view.interruptions = entry.waiting.interruptions }
        view.effect = effect(of: slot)
        view.primaryAudioPlays = primaryAudioPlays(besides: slot)
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
