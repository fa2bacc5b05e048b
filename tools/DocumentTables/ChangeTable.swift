// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

private struct Change: Sendable {
    let name: String
    let kind: Kind
    let request: @Sendable (Meeting) -> Request
}

let mixing = Kind.session(SessionSettings(category: .mediaPlayback, mixes: true))
let ducking = Kind.session(SessionSettings(category: .mediaPlayback, mixes: true, ducks: true))
let notMixing = Kind.session(SessionSettings(category: .mediaPlayback, mixes: false))

private func changing(_ name: String, from kind: Kind, to other: Kind) -> Change {
    Change(name: name, kind: kind) { .change($0.slot(1), other.settings ?? SessionSettings()) }
}

private let changes: [Change] = [
    changing("starts to duck", from: mixing, to: ducking),
    changing("stops ducking", from: ducking, to: mixing),
    changing("stops mixing", from: mixing, to: notMixing),
    Change(name: "deactivates", kind: ducking) { .deactivate($0.slot(1), notifyingOthers: false) },
    Change(name: "dies", kind: ducking) { .death($0.slot(1)) },
]

/// The effect of a change of one session on another active session.
func changeTable() -> Table {
    Table(
        titles: ["Active"] + changes.map(\.name),
        rows: groups(Kind.all).map { group in
            [group.name]
                + changes.map { change in Set(group.kinds.map { after(change, beside: $0) }).sorted().joined(separator: " or ") }
        })
}

private func after(_ change: Change, beside holder: Kind) -> String {
    var meeting = Meeting([holder, change.kind])
    // A session that mixes may become active during a call; before it, the call would interrupt it.
    meeting.begin(0)
    meeting.begin(1)
    guard meeting.decide(change.request(meeting)) == nil else { return "rejected" }
    if holder != .call, meeting.entry(0)?.isActive != true { return "exclusive" }
    return meeting.effect(on: 0) ?? "concurrent"
}
