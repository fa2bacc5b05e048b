// SPDX-License-Identifier: Apache-2.0
// The recent events, the latest at the bottom.
extension MonitorView {
    var events: Section {
        var rows: [ScreenLine] = []
        for event in recent {
            var row = ScreenLine("   ")
            row.add(event.time.text + "  ", .dim)
            row.add(event.event.text, event.event.style)
            rows.append(row)
        }
        if rows.isEmpty { rows = [ScreenLine("   no events yet", .dim)] }
        return Section(heading: ScreenLine("   EVENTS", .heading), rows: rows, kept: .last)
    }
}

extension Event {
    var style: ScreenLine.Style {
        switch kind {
        case .activated, .ended, .silenced(false), .server(alive: true): .active
        case .gain(let gain): gain < 1 ? .ducked : .active
        case .silenced(true): .silenced
        case .interrupted: .interrupted
        case .callBegan, .callConfirmed, .server(alive: false): .alert
        case .left, .deactivated: .dim
        case .sound(_, .underruns), .sound(_, .lateCalls): .alert
        case .sound(_, .started): .active
        case .sound(_, .paused), .sound(_, .stopped): .dim
        case .entered, .category, .callEnded, .silent, .locked, .route, .level, .selected, .woken: .plain
        }
    }
}
