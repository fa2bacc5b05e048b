// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import Testing

@testable import DocumentTables

@Suite struct InteractionTests {
    /// The same matrix by the rules of the contract instead of the arbiter.
    private func expected(_ holder: Kind, _ newcomer: Kind) -> String {
        guard let new = newcomer.settings else { return holder == .call ? "rejected" : "exclusive" }
        guard let old = holder.settings else { return new.mixes ? "concurrent" : "rejected" }
        if !old.mixes && !new.mixes { return "exclusive" }
        if new.interruptsSpokenAudio && old.mode == .spokenAudio { return "exclusive" }
        if old.category == .recordAudio, new.category.traits.hasOutput { return "silenced*" }
        if new.category == .recordAudio { return "silenced" }
        if new.ducks && !old.ducks && old.category.traits.hasOutput { return "ducked" }
        if old.ducks && !new.ducks && new.category.traits.hasOutput { return "ducked*" }
        return "concurrent"
    }

    @Test("Every pair of sessions has the outcome of the contract")
    func everyPair() {
        for holder in Kind.all + Kind.sessions(in: .spokenAudio) {
            for newcomer in Kind.all + Kind.spokenInterrupters {
                #expect(outcome(of: holder, meeting: newcomer) == expected(holder, newcomer), "\(holder) \(newcomer)")
            }
        }
    }

    @Test("The kinds cover every category, mixing, ducking and not mixing as far as the category allows")
    func everyKind() {
        for category in Category.allCases {
            let policies = Kind.all.compactMap(\.settings).filter { $0.category == category }
            #expect(policies.contains { $0.mixes } == category.traits.mayMix)
            #expect(policies.contains { $0.ducks } == category.traits.mayMix)
            #expect(policies.contains { !$0.mixes } == !category.traits.alwaysMixes)
        }
    }

    @Test("Kinds of one name behave alike: no cell has two outcomes")
    func uniform() {
        for table in [interactionTable(), spokenTable(), changeTable()] {
            for cell in table.rows.joined() { #expect(!cell.contains(" or "), "\(cell)") }
        }
    }

    @Test("Every type of end occurs, and a session with an end is inactive")
    func ends() {
        let ends = Set(endTable().rows.map { $0[1] })
        #expect(ends == ["ShouldResume", "ShouldNotResume", "nothing", "'!act'"])
        for row in endTable().rows where row[1].hasPrefix("Should") { #expect(row[2] == "inactive", "\(row)") }
    }

    @Test("The interrupter's deactivation, flag and death decide the type of the end")
    func endsOfInterruptions() {
        let rows = [
            ["the interrupter deactivates, notifying others", "ShouldResume", "inactive"],
            ["the interrupter deactivates without notifying", "ShouldNotResume", "inactive"],
            ["its process exits, or executes another program", "ShouldResume", "inactive"],
            ["its audio server dies", "ShouldResume", "inactive"],
            ["a third session interrupts it", "nothing", "interrupted"],
        ]
        for row in rows { #expect(endTable().rows.contains(row), "\(row)") }
    }
}
