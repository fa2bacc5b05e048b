import SessionArbiter
import SessionModel

// A row for each session; what there is no room for is left out in the order in which it is missed least.
extension LiveView {
    func sessions(in columns: Int) -> Section {
        guard !lines.isEmpty else {
            return Section(heading: ScreenLine("   SESSIONS", .heading), rows: [ScreenLine("   none yet", .dim)], kept: .first)
        }
        let layout = SessionColumns(columns)
        return Section(heading: layout.heading, rows: inOrder.map { row($0, layout) }, kept: .first)
    }

    /// Who is heard or held back first, if there may be no room for all: the others can wait.
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
            case .category: row.add(shortName(line.entry.policy.category.traits.name), in: width)
            case .mode: row.add(shortName(line.entry.policy.mode.name), line.modeStyle, in: width)
            case .bar: row.addBar(line.entry.isActive ? line.loudness : nil, of: width - 1, style)
            case .gain: row.add(line.entry.isActive ? hundredths(line.loudness) : "", style, in: width)
            case .streams: row.add(line.streams, .dim, in: width)
            case .state: row.add(line.inWords, style)
            }
        }
        return row
    }
}

extension Report.Line {
    /// Where the library moves its sound.
    fileprivate var streams: String {
        switch entry.playback {
        case .unknown: ""
        case .stopped: "stopped"
        case .running: "running"
        }
    }

    fileprivate var inWords: String {
        guard state != .interrupted, state != .inactive else { return stateText }
        var words = state == .active ? "active" : ""
        for (holds, word) in [
            (effect.isSilenced, "silenced"), (effect.gain < 1, "ducked"), (entry.policy.ducks, "ducks others"),
            (entry.policy.mixes && !entry.policy.ducks, "mixes"),
        ] where holds { words += (words.isEmpty ? "" : ", ") + word }
        return words
    }

    fileprivate var modeStyle: ScreenLine.Style { entry.policy.mode == .standard ? .dim : .plain }
}

/// Which columns there is room for, and how wide they are.
struct SessionColumns {
    enum Column: CaseIterable { case pid, name, category, mode, bar, gain, streams, state }

    let shown: [(column: Column, width: Int)]

    private static let mark = 3

    init(_ columns: Int) {
        var kept = Column.allCases
        for dispensable in [Column.bar, .streams, .mode, .category, .pid, .gain] {
            if SessionColumns.width(of: kept) > columns { kept.removeAll { $0 == dispensable } }
        }
        let spare = max(0, columns - SessionColumns.width(of: kept))
        // Names are longer and the bar shows more where there is room beyond that for the state.
        let forName = min(10, max(0, spare - Column.state.more) / 2)
        let forBar = min(8, max(0, spare - Column.state.more - forName) / 2)
        shown = kept.map { column in
            switch column {
            case .name: (column, column.width + forName)
            case .bar: (column, column.width + forBar)
            default: (column, column.width)
            }
        }
    }

    var heading: ScreenLine {
        var line = ScreenLine("   ")
        for (column, width) in shown { line.add(column.title, .heading, in: max(width, 6)) }
        return line
    }

    private static func width(of columns: [Column]) -> Int { columns.reduce(mark) { $0 + $1.width } }
}

extension SessionColumns.Column {
    /// The least.
    var width: Int {
        switch self {
        case .pid: 8
        case .name: 12
        case .category: 17
        case .mode: 15
        case .bar: 9
        case .gain: 6
        case .streams: 9
        case .state: 18
        }
    }

    /// That it can well use.
    var more: Int { 8 }

    var title: String {
        switch self {
        case .pid: "PID"
        case .name: "NAME"
        case .category: "CATEGORY"
        case .mode: "MODE"
        case .bar: "LEVEL"
        case .gain: "GAIN"
        case .streams: "STREAMS"
        case .state: "STATE"
        }
    }
}

extension History.Span.State {
    /// Told apart by more than its colour.
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
