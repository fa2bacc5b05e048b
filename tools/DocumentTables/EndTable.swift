import SessionArbiter
import SessionModel

private struct End: Sendable {
    let name: String
    let interrupter: Kind
    let requests: @Sendable (Meeting) -> [Request]

    init(_ name: String, by interrupter: Kind = alone, _ requests: @escaping @Sendable (Meeting) -> [Request]) {
        self.name = name
        self.interrupter = interrupter
        self.requests = requests
    }
}

private let ends: [End] = [
    End("it deactivates, notifying others") { [.deactivate($0.slot(1), notifyingOthers: true)] },
    End("it deactivates without notifying") { [.deactivate($0.slot(1), notifyingOthers: false)] },
    End("its process ends, or executes another program") { [.death($0.slot(1))] },
    End("its audio server dies") { [.reset($0.slot(1))] },
    End("a third session interrupts it") { [.activate($0.slot(2))] },
    End("... and deactivates, notifying others") {
        [.activate($0.slot(2)), .deactivate($0.slot(2), notifyingOthers: true)]
    },
    End("... and deactivates without notifying") { [.activate($0.slot(2)), .deactivate($0.slot(2), notifyingOthers: false)] },
    End("it starts to mix") { [.adopt($0.slot(1), mixing.policy ?? SessionPolicy(SessionSettings()))] },
    End("the interrupted session activates") { [.activate($0.slot(0))] },
    End("the interrupted session deactivates") { [.deactivate($0.slot(0), notifyingOthers: true)] },
    End("the call ends", by: .call) { _ in [.endCall(shouldResume: true)] },
    End("the call ends with --should-not-resume", by: .call) { _ in [.endCall(shouldResume: false)] },
    End("the user takes the call", by: .call) { _ in [.confirmCall] },
    End("the call that the user took ends", by: .call) { _ in [.confirmCall, .endCall(shouldResume: true)] },
    End("the session tries to activate during the call", by: .call) { [.activate($0.slot(0))] },
    End("... as one that mixes", by: .call) {
        [.adopt($0.slot(0), mixing.policy ?? SessionPolicy(SessionSettings())), .activate($0.slot(0))]
    },
]

/// A session that does not mix is interrupted by another, or by a call, and has been told so.
func endTable() -> Table {
    Table(
        "When", "It is told", "Then it is",
        rows: ends.map { end in
            var meeting = Meeting([alone, end.interrupter, alone])
            meeting.begin(0)
            meeting.begin(1)
            meeting.decide(.fetched(meeting.slot(0)))
            var refusal: ResultCode?
            for request in end.requests(meeting) { refusal = meeting.decide(request) ?? refusal }
            return [
                end.name, refusal.map { "\(code(UInt32(bitPattern: $0.rawValue)))" } ?? heard(meeting),
                state(meeting),
            ]
        })
}

private func heard(_ meeting: Meeting) -> String {
    switch meeting.entry(0)?.waiting ?? WaitingInterruptions.none {
    case .end(.shouldResume): "ShouldResume"
    case .end(.shouldNotResume): "ShouldNotResume"
    case .begin: "the beginning"
    case .beginAndEnd: "the beginning and the end"
    case .none: "nothing"
    }
}

private func state(_ meeting: Meeting) -> String {
    guard let entry = meeting.entry(0) else { return "" }
    return entry.isActive ? "active" : entry.isInterrupted ? "interrupted" : "inactive"
}
