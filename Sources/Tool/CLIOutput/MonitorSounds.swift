// SPDX-License-Identifier: Apache-2.0
// The units, queues and graphs of all processes. Nothing is shown if there are none.
extension MonitorView {
    var sounds: [Section] {
        guard !report.sounds.isEmpty else { return [] }
        return [
            Section(
                heading: row(SoundObject.titles, ScreenLine("   "), .heading, .heading),
                rows: report.sounds.map {
                    row($0.columns, ScreenLine(" \(mark(of: $0)) ", style(of: $0)), .plain, style(of: $0))
                },
                kept: .first)
        ]
    }

    private func row(
        _ columns: [String], _ start: ScreenLine, _ style: ScreenLine.Style, _ stateStyle: ScreenLine.Style
    ) -> ScreenLine {
        var line = start
        for (index, column) in columns.enumerated() {
            if index < SoundObject.widths.count {
                line.add(column, index == SoundObject.stateColumn ? stateStyle : style, in: SoundObject.widths[index])
            } else {
                line.add(column, style == .heading ? .heading : .dim)
            }
        }
        return line
    }

    private func mark(of object: SoundObject) -> String {
        switch object.state {
        case .running, .stopping: "▶"
        case .paused: "‖"
        case .stopped, .initialized, .open, .closed: "○"
        }
    }

    private func style(of object: SoundObject) -> ScreenLine.Style {
        switch object.state {
        case .running, .stopping: .active
        case .paused: .interrupted
        case .stopped, .initialized, .open, .closed: .dim
        }
    }
}

extension SoundObject {
    fileprivate static let stateColumn = 3
}
