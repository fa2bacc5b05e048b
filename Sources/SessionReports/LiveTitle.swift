import SessionArbiter
import SessionModel

// The first line: how many sessions there are, and the states that concern all.
extension LiveView {
    func title(in columns: Int) -> ScreenLine {
        let active = lines.count { $0.entry.isActive }
        var title = ScreenLine(" Audio sessions", .heading)
        var states = states(onlyNews: false)
        let counts = "  \(lines.count) here, \(active) active"
        if title.width + counts.utf8.count + states.width + 2 > columns { states = self.states(onlyNews: true) }
        if title.width + counts.utf8.count + states.width + 2 <= columns { title.add(counts, .dim) }
        title.pad(to: columns - states.width - 1)
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
