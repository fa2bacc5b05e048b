import SessionArbiter
import SessionModel

// Where sound can go and come from, with levels; the route of now is marked.
extension LiveView {
    func ports(in columns: Int) -> Section {
        let outputs = report.hardware.ports.filter { !$0.kind.isInput }
        let inputs = report.hardware.ports.filter { $0.kind.isInput }
        let (route, uses) = (report.route, uses)
        func table(_ title: String, _ level: String, _ ports: [Port], _ current: [Port], in columns: Int) -> [ScreenLine] {
            let layout = PortColumns(columns)
            let rows = currentFirst(ports, current).map { port in
                row(port, isCurrent: current.contains { $0.isSame(as: port) }, uses.names(of: port), layout)
            }
            return [layout.heading(title, level)] + (rows.isEmpty ? [ScreenLine("  none", .dim)] : rows)
        }
        // Outputs are used by more sessions than inputs.
        let forInputs = columns * 2 / 5
        let forOutputs = columns - forInputs
        guard forInputs >= PortColumns.least else {
            let lines = table("OUTPUT", "VOLUME", outputs, route.outputs, in: columns)
                + table("INPUT", "GAIN", inputs, route.inputs, in: columns)
            return Section(heading: lines[0], rows: Array(lines.dropFirst()), kept: .first)
        }
        let left = table("OUTPUT", "VOLUME", outputs, route.outputs, in: forOutputs)
        let right = table("INPUT", "GAIN", inputs, route.inputs, in: forInputs)
        var lines: [ScreenLine] = []
        for index in 0..<max(left.count, right.count) {
            var line = index < left.count ? left[index] : ScreenLine()
            line.pad(to: forOutputs)
            if index < right.count { line.add(right[index]) }
            lines.append(line)
        }
        return Section(heading: lines[0], rows: Array(lines.dropFirst()), kept: .first)
    }

    private func currentFirst(_ ports: [Port], _ current: [Port]) -> [Port] {
        let isCurrent: (Port) -> Bool = { port in current.contains { $0.isSame(as: port) } }
        return ports.filter(isCurrent) + ports.filter { !isCurrent($0) }
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

    /// What the active sessions have in their routes.
    private var uses: [PortUse] {
        report.lines.filter { $0.entry.isActive }.map { line in
            let policy = line.entry.policy
            let settings = SessionSettings(category: policy.category, mode: policy.mode, preferring: policy.preferences)
            return PortUse(name: line.entry.name.text, route: Route(for: settings, among: report.hardware.ports))
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

/// How a row about a port is laid out.
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
        line.add(level, .heading, in: bar + PortColumns.level)
        line.add("USED BY", .heading, in: users)
        return line
    }
}
