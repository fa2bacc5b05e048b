// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter
import SessionModel

extension Report {
    public var json: JSON {
        .object([
            ("sessions", .array(lines.map { $0.json(route: json($0.entry.settings.route(among: hardware.ports))) })),
            ("route", json(route)),
            ("ports", types(hardware.ports)),
            ("call", callJSON),
            ("silent", .bool(table.isSilent)),
            ("locked", .bool(table.isLocked)),
            ("server", .bool(hardware.serverIsAlive)),
            ("units", .array(sounds.filter { $0.kind.isUnit }.map { $0.json })),
            ("queues", .array(sounds.filter { $0.kind.isQueue }.map { $0.json })),
            ("graphs", .array(sounds.filter { $0.kind == .graph }.map { $0.json })),
        ])
    }

    private func json(_ route: Route) -> JSON { .object([("inputs", types(route.inputs)), ("outputs", types(route.outputs))]) }

    private var callJSON: JSON {
        guard let call = table.call else { return .bool(false) }
        return .object([("name", .string(call.name.text)), ("confirmed", .bool(call.isConfirmed))])
    }

    private func types(_ ports: [Port]) -> JSON { .array(ports.map { .string("\($0.kind.type)") }) }

    /// The report as text: the state of the user and of the machine, then one line per session.
    public var text: String {
        let routes = activeRoutes
        var text = ""
        for (route, names) in routes {
            text += "route    \(listed(route.outputs))   input \(listed(route.inputs))"
            // If sessions have different routes, each route names its sessions.
            text += (routes.count > 1 ? "   (\(printable(joined(names))))" : "") + "\n"
        }
        text +=
            "user     silent \(table.isSilent ? "on" : "off"), screen \(table.isLocked ? "locked" : "unlocked"), \(callText)\n"
        if !hardware.serverIsAlive { text += "server   dead\n" }
        guard !lines.isEmpty else { return text + "no sessions\n" + soundText }
        text += row("PID", "NAME", "CATEGORY", "MODE", "GAIN", "STATE")
        for line in lines { text += line.text }
        return text + soundText
    }

    private func listed(_ ports: [Port]) -> String {
        guard !ports.isEmpty else { return "none" }
        var text = ""
        for port in ports { text += (text.isEmpty ? "" : ", ") + "\(port.kind.type)" }
        return text
    }

    private var callText: String {
        guard let call = table.call else { return "no call" }
        let text = "\(printable(call.name.text)) \(call.isConfirmed ? "taken" : "ringing")"
        guard let holder = call.holder, let entry = table[holder] else { return text }
        return "\(text), held by \(printable(entry.name.text)) (\(entry.process.pid))"
    }
}

extension Report.Line {
    func json(route: JSON) -> JSON {
        .object([
            ("pid", .integer(Int(entry.process.pid))),
            ("name", .string(entry.name.text)),
            ("category", .string(FourCC.characters(entry.settings.category.rawValue))),
            ("mode", .string(FourCC.characters(entry.settings.mode.rawValue))),
            ("active", .bool(entry.isActive)),
            ("interrupted", .bool(entry.isInterrupted)),
            ("mixes", .bool(entry.settings.mixes)),
            ("ducks", .bool(entry.ducksOthers)),
            ("gain", .number(effect.gain)),
            ("playing", .bool(entry.isPlaying)),
            ("priority", .string("app")),
            ("silenced", .bool(entry.isActive && effect.isSilenced)),
            ("interruptedBy", .array(interruptedBy.map { .string($0) })),
            ("route", route),
        ])
    }

    var text: String {
        row(
            "\(entry.process.pid)", printable(entry.name.text), shortName(entry.settings.category.traits.name),
            shortName(entry.settings.mode.name),
            Number.text(effect.gain), stateText)
    }

    var stateText: String {
        if entry.isInterrupted {
            var names = ""
            for name in interruptedBy { names += (names.isEmpty ? " by " : ", ") + printable(name) }
            return "interrupted" + names
        }
        guard entry.isActive else { return "inactive" }
        var state = "active"
        if effect.isSilenced { state += ", silenced" }
        if effect.gain < 1 { state += ", ducked" }
        if entry.ducksOthers { state += ", ducks others" } else if entry.settings.mixes { state += ", mixes" }
        return state
    }
}

/// Six columns. The last one is not padded.
private func row(_ pid: String, _ name: String, _ category: String, _ mode: String, _ gain: String, _ state: String) -> String {
    padded(pid, 8) + padded(name, 18) + padded(category, 17) + padded(mode, 15) + padded(gain, 6) + state + "\n"
}

func padded(_ text: String, _ width: Int) -> String {
    var text = text
    for _ in 0..<max(1, width - text.unicodeScalars.count) { text += " " }
    return text
}
