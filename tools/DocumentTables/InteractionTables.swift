// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter
import SessionModel

/// The effect of an activation or a call on the active session, and on the new one.
func outcome(of holder: Kind, meeting newcomer: Kind) -> String {
    var meeting = Meeting([holder, newcomer])
    meeting.begin(0)
    guard meeting.begin(1) == nil else { return "rejected" }
    if holder != .call, meeting.entry(0)?.isActive != true { return "exclusive" }
    let words = [meeting.effect(on: 0), meeting.effect(on: 1).map { "\($0)*" }].compactMap { $0 }
    return words.isEmpty ? "concurrent" : words.joined(separator: ", ")
}

/// The kinds by name, in order of appearance.
func groups(_ kinds: [Kind]) -> [(name: String, kinds: [Kind])] {
    var groups: [(name: String, kinds: [Kind])] = []
    for kind in kinds {
        if let place = groups.firstIndex(where: { $0.name == kind.name }) {
            groups[place].kinds.append(kind)
        } else {
            groups.append((kind.name, [kind]))
        }
    }
    return groups
}

/// The outcome of all pairs. A cell with several outcomes shows that a name is not uniform.
private func outcome(of holders: [Kind], meeting newcomers: [Kind]) -> String {
    let outcomes = Set(holders.flatMap { holder in newcomers.map { outcome(of: holder, meeting: $0) } })
    return outcomes.sorted().joined(separator: " or ")
}

func kindTable() -> Table {
    Table("Kind", "Categories", rows: groups(Kind.all).map { [$0.name, categories(of: $0.kinds)] })
}

private func categories(of kinds: [Kind]) -> String {
    var parts: [String] = []
    for override in [nil, SessionProperty.overrideCategoryMixWithOthers, .otherMixableAudioShouldDuck] {
        let codes = kinds.filter { $0.override == override }.compactMap { $0.settings.map { FourCC.text($0.category.rawValue) } }
        if codes.isEmpty { continue }
        parts.append((override.map { "with \(FourCC.text($0.rawValue)): " } ?? "") + codes.joined(separator: " "))
    }
    return parts.joined(separator: "; ")
}

private func matrix(_ holders: [Kind], _ newcomers: [Kind]) -> Table {
    let columns = groups(newcomers)
    return Table(
        titles: ["Active"] + columns.map(\.name),
        rows: groups(holders).map { row in [row.name] + columns.map { outcome(of: row.kinds, meeting: $0.kinds) } })
}

func interactionTable() -> Table { matrix(Kind.all, Kind.all) }

/// The sessions that interrupt spoken audio.
func spokenTable() -> Table {
    matrix(Kind.sessions(in: .spokenAudio) + Kind.all, Kind.spokenInterrupters)
}
