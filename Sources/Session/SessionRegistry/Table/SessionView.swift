// SPDX-License-Identifier: Apache-2.0
public import SessionArbiter
public import SessionModel

/// The parts of the table that concern one session.
public struct SessionView: Equatable, Sendable {
    public var isActive = false
    public var isInterrupted = false
    /// The pending interruptions of the session, in order.
    public var interruptions: [Interruption] = []
    public var effect = Effect(gain: 1, isSilenced: false)
    public var isSilent = false
    public var isLocked = false
    /// The session has just been deactivated while its streams were running.
    public var isBusy = false
    /// The settings of the session; nil when it is not in the table.
    public var settings: SessionSettings?
    /// Another session that does not mix plays.
    public var primaryAudioPlays = false
    /// Saved gains of inputs that no session uses any more.
    public var gainsToRestore = SavedGains()

    public init() {}
}

extension SessionTable {
    /// The view of the session in `slot`, or of the session of the streams in `slot`. A session that is not in the table
    /// is silenced.
    func view(of slot: TableSlot) -> SessionView {
        var view = SessionView()
        self.view(of: slot, &view)
        return view
    }

    /// Fills a new view.
    func view(of slot: TableSlot, _ view: inout SessionView) {
        view.isSilent = isSilent
        view.isLocked = isLocked
        // Reads the members of the entry one by one, because a copy of the entry takes longer.
        guard let session = sessionOfSound(in: slot), let settings = entries[session]?.settings else { return }
        view.settings = settings
        view.gainsToRestore = gainsToRestore
        view.isActive = entries[session]?.isActive == true
        view.isInterrupted = entries[session]?.isInterrupted == true
        // Interruptions are pending for the session, not for its streams.
        if session == slot { view.interruptions = entries[session]?.waiting.interruptions ?? [] }
        view.effect = effect(of: session)
        view.primaryAudioPlays = primaryAudioPlays(besides: slot)
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
