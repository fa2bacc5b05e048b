// What has happened lately, the last of it at the bottom.
extension LiveView {
    var events: Section {
        var rows: [ScreenLine] = []
        for event in recent {
            var row = ScreenLine("   ")
            row.add(event.time.text + "  ", .dim)
            row.add(event.happening.text, event.happening.style)
            rows.append(row)
        }
        if rows.isEmpty { rows = [ScreenLine("   nothing has happened yet", .dim)] }
        return Section(heading: ScreenLine("   EVENTS", .heading), rows: rows, kept: .last)
    }
}

extension Happening {
    fileprivate var style: ScreenLine.Style {
        switch what {
        case .activated, .ended, .silenced(false), .server(alive: true): .active
        case .gain(let gain): gain < 1 ? .ducked : .active
        case .silenced(true): .silenced
        case .interrupted: .interrupted
        case .callBegan, .callConfirmed, .server(alive: false): .alert
        case .left, .deactivated: .dim
        case .entered, .category, .callEnded, .silent, .locked, .route, .level, .selected, .woken: .plain
        }
    }
}
