// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

// One row per session. A narrow screen omits columns, the least important one first.
extension MonitorView {
    func sessions(in columns: Int) -> Section {
        guard !lines.isEmpty else {
            return Section(heading: ScreenLine("   SESSIONS", .heading), rows: [ScreenLine("   none yet", .dim)], kept: .first)
        }
        let layout = SessionColumns(columns, for: lines)
        return Section(heading: layout.heading, rows: inOrder.map { row($0, layout) }, kept: .first)
    }

    /// Active and interrupted sessions come first, because a small screen does not show all rows.
    private var inOrder: [Report.Line] {
        let isBusy: (Report.Line) -> Bool = { $0.entry.isActive || $0.entry.isInterrupted }
        return lines.filter(isBusy) + lines.filter { !isBusy($0) }
    }

    private func row(_ line: Report.Line, _ layout: SessionColumns) -> ScreenLine {
        let style = line.state.style
        var row = ScreenLine(" \(line.state.mark) ", style)
        for (column, width) in layout.shown {
            switch column {
            case .pid: row.add("\(line.entry.process.pid)", .dim, in: width)
            case .name: row.add(line.entry.name.text, line.state == .inactive ? .plain : .heading, in: width)
            case .category: row.add(shortName(line.entry.settings.category.traits.name), in: width)
            case .mode: row.add(shortName(line.entry.settings.mode.name), line.modeStyle, in: width)
            case .bar: row.addBar(line.entry.isActive ? line.height : nil, of: width - 1, style)
            case .gain: row.add(line.entry.isActive ? hundredths(line.height) : "", style, in: width)
            case .streams: row.add(line.streams, .dim, in: width)
            case .state: row.add(line.stateDescription, style)
            }
        }
        return row
    }
}

extension Report.Line {
    /// The state of the session's streams.
    fileprivate var streams: String {
        switch entry.playback {
        case .unknown: ""
        case .stopped: "stopped"
        case .running, .runningVoice: "running"
        }
    }

    fileprivate var stateDescription: String {
        guard state != .interrupted, state != .inactive else { return stateText }
        var text = state == .active ? "active" : ""
        for (holds, word) in [
            (effect.isSilenced, "silenced"), (effect.gain < 1, "ducked"), (entry.ducksOthers, "ducks others"),
            (entry.settings.mixes && !entry.ducksOthers, "mixes"),
        ] where holds { text += (text.isEmpty ? "" : ", ") + word }
        return text
    }

    fileprivate var modeStyle: ScreenLine.Style { entry.settings.mode == .standard ? .dim : .plain }
}

/// The columns that fit, with their widths.
struct SessionColumns {
    enum Column: CaseIterable { case pid, name, category, mode, bar, gain, streams, state }

    let shown: [(column: Column, width: Int)]

    private static let mark = 3
    /// The additional width beyond the minimum.
    private static let forState = 4

    /// The columns of categories and modes are as wide as their longest name; other columns share the rest.
    init(_ columns: Int, for lines: [Report.Line]) {
        var widths = Column.allCases.map { (column: $0, width: $0.width) }
        for index in widths.indices {
            let longest = lines.reduce(widths[index].column.title.utf8.count) { max($0, widths[index].column.length(in: $1)) }
            widths[index].width = min(widths[index].width, longest + 2)
        }
        for dispensable in [Column.bar, .streams, .mode, .category, .pid, .gain] {
            if SessionColumns.sum(widths) > columns { widths.removeAll { $0.column == dispensable } }
        }
        let spare = max(0, columns - SessionColumns.sum(widths) - SessionColumns.forState)
        // The name and the bar share the room that the state does not need.
        let forName = min(10, spare / 2)
        let forBar = min(8, (spare - forName) / 2)
        shown = widths.map { column, width in
            (column, width + (column == .name ? forName : column == .bar ? forBar : 0))
        }
    }

    var heading: ScreenLine {
        var line = ScreenLine("   ")
        // The bar and the number behind it have one heading.
        let hasBar = shown.contains { $0.column == .bar }
        for (column, width) in shown {
            line.add(column == .gain && hasBar ? "" : column.title, .heading, in: max(width, 6))
        }
        return line
    }

    private static func sum(_ widths: [(column: Column, width: Int)]) -> Int { widths.reduce(mark) { $0 + $1.width } }
}

extension SessionColumns.Column {
    /// The minimum width.
    var width: Int {
        switch self {
        case .pid: 8
        case .name: 12
        case .category: 17
        case .mode: 15
        case .bar: 9
        case .gain: 6
        case .streams: 9
        case .state: 24
        }
    }

    /// The length of the content; columns of fixed width return their width.
    func length(in line: Report.Line) -> Int {
        switch self {
        case .category: shortName(line.entry.settings.category.traits.name).utf8.count
        case .mode: shortName(line.entry.settings.mode.name).utf8.count
        default: width
        }
    }

    var title: String {
        switch self {
        case .pid: "PID"
        case .name: "NAME"
        case .category: "CATEGORY"
        case .mode: "MODE"
        case .bar, .gain: "GAIN"
        case .streams: "STREAMS"
        case .state: "STATE"
        }
    }
}

extension History.Span.State {
    /// A mark distinguishes the states without colour.
    var mark: String {
        switch self {
        case .inactive: "○"
        case .active: "●"
        case .ducked: "◐"
        case .silenced: "⊘"
        case .interrupted: "‖"
        }
    }

    var style: ScreenLine.Style {
        switch self {
        case .inactive: .dim
        case .active: .active
        case .ducked: .ducked
        case .silenced: .silenced
        case .interrupted: .interrupted
        }
    }
}
