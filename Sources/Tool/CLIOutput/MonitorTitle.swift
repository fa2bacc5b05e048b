// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

// The first line: the number of sessions, and the states of the user and of the machine.
extension MonitorView {
    func title(in columns: Int) -> ScreenLine {
        let active = lines.count { $0.entry.isActive }
        let counts = "  \(lines.count) \(lines.count == 1 ? "session" : "sessions"), \(active) active"
        var title = ScreenLine(" Audio sessions", .heading)
        var states = states(onlyNews: false)
        func isTooLong() -> Bool { title.width + 2 + states.width > columns - 1 }
        title.add(counts, .dim)
        if isTooLong() { states = self.states(onlyNews: true) }
        if isTooLong() { title = ScreenLine(" Audio sessions", .heading) }
        if isTooLong(), states.width > 0 { title = ScreenLine() }
        title.pad(to: max(1, columns - states.width - 1))
        title.add(states)
        return title
    }

    private func states(onlyNews: Bool) -> ScreenLine {
        let table = report.table
        let call = table.call.map { "\($0.name.text) \($0.isConfirmed ? "taken" : "ringing")" }
        let states: [(style: ScreenLine.Style, text: String)] = [
            (call == nil ? .dim : .alert, call ?? "no call"),
            (.alert, report.hardware.serverIsAlive ? "" : "audio server dead"),
            (table.isSilent ? .notice : .dim, "silent switch \(table.isSilent ? "on" : "off")"),
            (table.isLocked ? .notice : .dim, "screen \(table.isLocked ? "locked" : "unlocked")"),
        ]
        var line = ScreenLine()
        for state in states where !state.text.isEmpty && (state.style != .dim || !onlyNews) {
            if line.width > 0 { line.add(" · ", .dim) }
            line.add(state.text, state.style)
        }
        return line
    }
}
