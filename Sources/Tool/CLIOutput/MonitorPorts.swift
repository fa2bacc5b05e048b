// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

// The ports with their levels. A mark shows the ports of the current route.
extension MonitorView {
    /// Outputs and inputs, side by side where the screen is wide enough.
    func ports(in columns: Int) -> [Section] {
        // More sessions use outputs than inputs.
        let forInputs = columns * 2 / 5
        let forOutputs = columns - forInputs
        guard forInputs >= PortColumns.least else { return [outputs(in: columns), inputs(in: columns)] }
        let (left, right) = (outputs(in: forOutputs), inputs(in: forInputs))
        var rows: [ScreenLine] = []
        for index in 0..<max(left.rows.count, right.rows.count) {
            var row = index < left.rows.count ? left.rows[index] : ScreenLine()
            row.pad(to: forOutputs)
            if index < right.rows.count { row.add(right.rows[index]) }
            rows.append(row)
        }
        var heading = left.heading
        heading.pad(to: forOutputs)
        heading.add(right.heading)
        return [Section(heading: heading, rows: rows, kept: .first)]
    }

    private func outputs(in columns: Int) -> Section {
        section("OUTPUT", "VOLUME", report.hardware.ports.filter { !$0.kind.isInput }, report.route.outputs, PortColumns(columns))
    }

    private func inputs(in columns: Int) -> Section {
        section("INPUT", "GAIN", report.hardware.ports.filter { $0.kind.isInput }, report.route.inputs, PortColumns(columns))
    }

    private func section(
        _ title: String, _ level: String, _ ports: [Port], _ current: [Port], _ layout: PortColumns
    ) -> Section {
        let isCurrent: (Port) -> Bool = { port in current.contains { $0.isSame(as: port) } }
        let uses = uses
        let rows = (ports.filter(isCurrent) + ports.filter { !isCurrent($0) }).map { port in
            row(port, isCurrent: isCurrent(port), uses.names(of: port), layout)
        }
        return Section(
            heading: layout.heading(title, level), rows: rows.isEmpty ? [ScreenLine("   none", .dim)] : rows, kept: .first)
    }

    private func row(_ port: Port, isCurrent: Bool, _ users: String, _ layout: PortColumns) -> ScreenLine {
        var row = ScreenLine(isCurrent ? " ▶ " : "   ", .active)
        row.add("\(port.kind.type)", isCurrent ? .heading : .plain, in: PortColumns.name)
        let level = port.kind.isInput ? port.gain : port.volume
        if layout.bar > 0 { row.addBar(level, of: layout.bar - 1, isCurrent ? .level : .dim) }
        row.add(level.map(hundredths) ?? "", isCurrent ? .level : .dim, in: PortColumns.level)
        row.add(users, .dim, in: layout.users)
        return row
    }

    /// The routes of the active sessions.
    private var uses: [PortUse] {
        lines.filter { $0.entry.isActive }.map { line in
            PortUse(name: line.entry.name.text, route: line.entry.settings.route(among: report.hardware.ports))
        }
    }
}

private struct PortUse {
    let name: String
    let route: Route
}

extension [PortUse] {
    fileprivate func names(of port: Port) -> String {
        var names = ""
        for use in self where (use.route.inputs + use.route.outputs).contains(where: { $0.isSame(as: port) }) {
            names += (names.isEmpty ? "" : ", ") + use.name
        }
        return names
    }
}

/// The columns of a port row.
private struct PortColumns {
    static let least = 29
    static let name = 20
    static let level = 6
    private static let mark = 3
    private static let leastForUsers = 9

    let bar: Int
    let users: Int

    init(_ columns: Int) {
        let spare = max(0, columns - PortColumns.mark - PortColumns.name - PortColumns.level)
        bar = spare >= 9 ? min(11, max(9, spare / 3)) : 0
        users = spare - bar < PortColumns.leastForUsers ? 0 : spare - bar
    }

    func heading(_ title: String, _ level: String) -> ScreenLine {
        var line = ScreenLine("   ")
        line.add(title, .heading, in: PortColumns.name)
        let fits = bar > 0 || level.utf8.count < PortColumns.level
        line.add(fits ? level : "LEVEL", .heading, in: bar + PortColumns.level)
        line.add("USED BY", .heading, in: users)
        return line
    }
}
