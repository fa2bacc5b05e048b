// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter
import SessionModel

private struct End: Sendable {
    let name: String
    let interrupter: Kind
    let requests: @Sendable (Meeting) -> [Request]

    init(_ name: String, by interrupter: Kind = notMixing, _ requests: @escaping @Sendable (Meeting) -> [Request]) {
        self.name = name
        self.interrupter = interrupter
        self.requests = requests
    }
}

private let ends: [End] = [
    End("the interrupter deactivates, notifying others") { [.deactivate($0.slot(1), notifyingOthers: true)] },
    End("the interrupter deactivates without notifying") { [.deactivate($0.slot(1), notifyingOthers: false)] },
    End("its process exits, or executes another program") { [.death($0.slot(1))] },
    End("its audio server dies") { [.reset($0.slot(1))] },
    End("a third session interrupts it") { [.activate($0.slot(2))] },
    End("... and deactivates, notifying others") {
        [.activate($0.slot(2)), .deactivate($0.slot(2), notifyingOthers: true)]
    },
    End("... and deactivates without notifying") { [.activate($0.slot(2)), .deactivate($0.slot(2), notifyingOthers: false)] },
    End("it starts to mix") { [.change($0.slot(1), mixing.settings ?? SessionSettings())] },
    End("the interrupted session activates") { [.activate($0.slot(0))] },
    End("the interrupted session deactivates") { [.deactivate($0.slot(0), notifyingOthers: true)] },
    End("the call ends", by: .call) { _ in [.endCall(shouldResume: true)] },
    End("the call ends with --should-not-resume", by: .call) { _ in [.endCall(shouldResume: false)] },
    End("the call is confirmed", by: .call) { _ in [.confirmCall] },
    End("the confirmed call ends", by: .call) { _ in [.confirmCall, .endCall(shouldResume: true)] },
    End("the session tries to activate during the call", by: .call) { [.activate($0.slot(0))] },
    End("... and mixes", by: .call) {
        [.change($0.slot(0), mixing.settings ?? SessionSettings()), .activate($0.slot(0))]
    },
]

/// The interruption of a session that does not mix, by another session or by a call. The session has fetched the begin.
func endTable() -> Table {
    Table(
        "Event", "End", "State",
        rows: ends.map { end in
            var meeting = Meeting([notMixing, end.interrupter, notMixing])
            meeting.begin(0)
            meeting.begin(1)
            meeting.decide(.interruptionsFetched(meeting.slot(0)))
            var refusal: ResultCode?
            for request in end.requests(meeting) { refusal = meeting.decide(request) ?? refusal }
            return [
                end.name, refusal.map { "\(FourCC.text(UInt32(bitPattern: $0.rawValue)))" } ?? receivedEnd(in: meeting),
                state(meeting),
            ]
        })
}

private func receivedEnd(in meeting: Meeting) -> String {
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
