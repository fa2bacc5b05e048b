// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import Testing

@testable import SessionRegistry

/// A session that has another slot than at first: a program goes on with its first one.
@Suite struct RequestSlotTests {
    private static let process = ProcessIdentity(pid: 1, startTime: 2, pidNamespace: 3)
    private static let settings = SessionSettings(category: .mediaPlayback, mixes: true)

    /// Every request, about the sessions in these slots.
    private static func requests(_ slot: TableSlot, _ other: TableSlot) -> [Request] {
        [
            .enter(process: process, name: SessionName("a"), settings: settings), .enterStreams(process: process, of: slot),
            .join(slot, session: other), .leave(slot), .death(slot), .activate(slot), .reset(slot),
            .deactivate(slot, notifyingOthers: true), .deactivate(slot, notifyingOthers: false), .change(slot, settings),
            .change(slot, settings, yieldsToCall: true), .rename(slot, SessionName("b")), .playback(slot, .running),
            .changeGain(slot, SavedGain(input: 7, level: 0.5)), .releaseGains(slot), .beginRestoringGain(slot, input: 8),
            .endRestoringGain(slot, input: 9, isDone: true), .endRestoringGain(slot, input: 9, isDone: false),
            .interruptionsFetched(slot), .beginCall(SessionName("c"), holder: slot), .beginCall(SessionName("c"), holder: nil),
            .endCall(shouldResume: true), .endCall(shouldResume: false), .confirmCall, .silent(true), .silent(false), .lock(true),
            .lock(false),
        ]
    }

    @Test("A request is about the present slots, and is otherwise the same", arguments: requests(3, 4).indices)
    func moved(request: Int) {
        let moved = Self.requests(3, 4)[request].moved { $0 == 3 ? 100 : $0 == 4 ? 7 : -1 }
        #expect(moved == Self.requests(100, 7)[request])
    }
}
