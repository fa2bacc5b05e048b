// SPDX-License-Identifier: Apache-2.0
public import SessionArbiter
public import SessionModel

/// A change between two reports.
public struct Event: Equatable, Sendable {
    /// Nil: the event concerns all sessions.
    public let session: SessionLine?
    public let kind: Kind

    public struct SessionLine: Equatable, Sendable {
        public let slot: TableSlot
        public let serial: UInt64
        public let pid: Int32
        public let name: String
    }

    public enum Kind: Equatable, Sendable {
        case entered, left, activated, deactivated
        case interrupted(by: [String])
        /// Nil: the interruption ended without an end event.
        case ended(InterruptionType?)
        case category(Category)
        case gain(Float)
        case silenced(Bool)
        case callBegan(String)
        case callConfirmed, callEnded
        case silent(Bool)
        case locked(Bool)
        case route(inputs: [PortKind], outputs: [PortKind])
        /// The output volume or the input gain of a port of the route.
        case level(PortKind, Float)
        /// The selected source or destination of a port of the route.
        case selected(PortKind, String)
        case woken
        case server(alive: Bool)
        /// A unit or a queue of the process.
        case sound(SoundObject, SoundChange)
    }
}

extension Report {
    /// The events between `old` and this report. The events that concern all sessions come first.
    public func events(since old: Report) -> [Event] {
        var all: [Event] = userEvents(since: old)
        let before = old.lines
        let after = lines
        for line in before where !after.contains(where: { $0.isSame(as: line) }) {
            all.append(Event(session: line.session, kind: .left))
        }
        for line in after {
            let last = before.first { $0.isSame(as: line) }
            if last == nil { all.append(Event(session: line.session, kind: .entered)) }
            for kind in line.changes(since: last) { all.append(Event(session: line.session, kind: kind)) }
            if let last, let kind = rerouting(of: line, since: last) { all.append(Event(session: line.session, kind: kind)) }
        }
        return all + soundEvents(since: old)
    }

    /// The new route after an override or another preference of the program. A new category is reported by its own event.
    private func rerouting(of line: Line, since last: Line) -> Event.Kind? {
        let (settings, before) = (line.entry.settings, last.entry.settings)
        guard line.entry.isActive, settings.category == before.category else { return nil }
        let route = settings.route(among: hardware.ports)
        guard !route.usesSamePorts(as: before.route(among: hardware.ports)) else { return nil }
        return .route(inputs: route.inputs.map { $0.kind }, outputs: route.outputs.map { $0.kind })
    }

    /// The changes of the ports that are in both routes.
    private func levelEvents(since old: Report) -> [Event.Kind] {
        var all: [Event.Kind] = []
        let before = old.route.outputs + old.route.inputs
        for port in route.outputs + route.inputs {
            guard let last = before.first(where: { $0.isSame(as: port) }) else { continue }
            if let level = port.level, level != last.level { all.append(.level(port.kind, level)) }
            guard port.selected != last.selected else { continue }
            if let choice = port.selectables.first(where: { $0.id == port.selected }) {
                all.append(.selected(port.kind, choice.name))
            }
        }
        return all
    }

    private func userEvents(since old: Report) -> [Event] {
        var all: [Event.Kind] = []
        let route = route
        if !route.usesSamePorts(as: old.route) {
            all.append(.route(inputs: route.inputs.map { $0.kind }, outputs: route.outputs.map { $0.kind }))
        }
        all += levelEvents(since: old)
        if hardware.wakes != old.hardware.wakes { all.append(.woken) }
        if hardware.serverIsAlive != old.hardware.serverIsAlive { all.append(.server(alive: hardware.serverIsAlive)) }
        if table.isSilent != old.table.isSilent { all.append(.silent(table.isSilent)) }
        if table.isLocked != old.table.isLocked { all.append(.locked(table.isLocked)) }
        switch (old.table.call, table.call) {
        case (nil, let call?): all.append(.callBegan(call.name.text))
        case (_?, nil): all.append(.callEnded)
        case (let before?, let call?): if call.isConfirmed, !before.isConfirmed { all.append(.callConfirmed) }
        case (nil, nil): break
        }
        return all.map { Event(session: nil, kind: $0) }
    }
}

extension SessionSettings {
    func route(among ports: [Port]) -> Route {
        Route(for: self, among: ports)
    }
}

extension Port {
    fileprivate var level: Float? { kind.isInput ? gain : volume }
}

extension Report.Line {
    var session: Event.SessionLine {
        Event.SessionLine(slot: slot, serial: entry.serial, pid: entry.process.pid, name: entry.name.text)
    }

    func isSame(as other: Report.Line) -> Bool { slot == other.slot && entry.serial == other.entry.serial }

    func changes(since last: Report.Line?) -> [Event.Kind] {
        var all: [Event.Kind] = []
        let wasActive = last?.entry.isActive ?? false
        let wasInterrupted = last?.entry.isInterrupted ?? false
        if let last, entry.settings.category != last.entry.settings.category { all.append(.category(entry.settings.category)) }
        // If a session activates itself during an interruption, there is no end event.
        let hasEnd = !entry.isActive || entry.lastEnd != nil
        if wasInterrupted, !entry.isInterrupted, hasEnd { all.append(.ended(entry.lastEnd)) }
        if entry.isActive, !wasActive { all.append(.activated) }
        if entry.isInterrupted, !wasInterrupted { all.append(.interrupted(by: interruptedBy)) }
        if wasActive, !entry.isActive, !entry.isInterrupted { all.append(.deactivated) }
        let gain = entry.isActive ? effect.gain : 1
        let gainBefore = wasActive ? last?.effect.gain ?? 1 : 1
        if gain != gainBefore { all.append(.gain(gain)) }
        let isSilenced = entry.isActive && effect.isSilenced
        if isSilenced != (wasActive && last?.effect.isSilenced ?? false) { all.append(.silenced(isSilenced)) }
        return all
    }
}

extension Event {
    /// A sentence without characters that a terminal interprets.
    public var text: String {
        if case .sound(let object, let change) = kind {
            return printable("\(object.program) (\(object.process)): \(object.kind.name) \(change.sentence)")
        }
        guard let session else { return printable(sentence) }
        return printable("\(session.name) (\(session.pid)) \(sentence)")
    }

    private var sentence: String {
        switch kind {
        case .entered: "has a session"
        case .left: "is gone"
        case .activated: "is active"
        case .deactivated: "is inactive"
        case .interrupted(let by): "is interrupted by \(by.isEmpty ? "a session that has left" : joined(by))"
        case .ended(.shouldResume): "is no longer interrupted, and should resume"
        case .ended(.shouldNotResume): "is no longer interrupted, and should not resume"
        case .ended(nil): "is no longer interrupted"
        case .category(let category): "changes to \(shortName(category.traits.name))"
        case .gain(let gain): gain < 1 ? "is ducked" : "is at full level"
        case .silenced(let on): on ? "is silenced" : "is audible"
        case .callBegan(let name): "\(name) begins"
        case .callConfirmed: "the call is taken"
        case .callEnded: "the call is over"
        case .silent(let on): "the silent switch is \(on ? "on" : "off")"
        case .locked(let on): "the screen is \(on ? "locked" : "unlocked")"
        case .route(let inputs, let outputs): routeSentence(inputs, outputs)
        case .level(let kind, let level): "the \(kind.isInput ? "gain" : "volume") of \(kind.type) is \(hundredths(level))"
        case .selected(let kind, let name): "\(kind.type) uses \(name)"
        case .woken: "the machine has woken from sleep"
        case .server(let alive): alive ? "the audio server is back" : "the audio server has died"
        case .sound(let object, let change): "\(object.kind.name) \(change.sentence)"
        }
    }

    private func routeSentence(_ inputs: [PortKind], _ outputs: [PortKind]) -> String {
        if session == nil { return "sound goes to \(joined(outputs)), comes from \(joined(inputs))" }
        let parts =
            (outputs.isEmpty ? [] : ["plays to \(joined(outputs))"]) + (inputs.isEmpty ? [] : ["records from \(joined(inputs))"])
        return parts.isEmpty ? "has no route" : joined(parts)
    }

    public var json: [(key: String, value: JSON)] {
        var members: [(key: String, value: JSON)] = [("event", .string(jsonName)), ("text", .string(text))]
        if case .sound(let object, let change) = kind {
            members.append(("pid", .integer(Int(object.process))))
            members.append(("name", .string(object.program)))
            members.append(("kind", .string(object.kind.name)))
            if case .underruns(let count) = change { members.append(("count", .integer(Int(clamping: count)))) }
            if case .lateCalls(let count) = change { members.append(("count", .integer(Int(count)))) }
        } else if let session {
            members.append(("pid", .integer(Int(session.pid))))
            members.append(("name", .string(session.name)))
        }
        if case .ended(let type) = kind { members.append(("type", .string(type?.jsonName ?? "none"))) }
        if case .gain(let gain) = kind { members.append(("gain", .number(gain))) }
        if case .level(let kind, let level) = kind {
            members.append(("port", .string("\(kind.type)")))
            members.append((kind.isInput ? "gain" : "volume", .number(level)))
        }
        return members
    }

    private var jsonName: String {
        switch kind {
        case .entered: "entered"
        case .left: "left"
        case .activated: "active"
        case .deactivated: "inactive"
        case .interrupted: "interrupted"
        case .ended: "interruption-ended"
        case .category: "category"
        case .gain: "gain"
        case .silenced(let on): on ? "silenced" : "audible"
        case .callBegan: "call-began"
        case .callConfirmed: "call-confirmed"
        case .callEnded: "call-ended"
        case .silent(let on): on ? "silent-on" : "silent-off"
        case .locked(let on): on ? "locked" : "unlocked"
        case .route: "route"
        case .level(let kind, _): kind.isInput ? "input-gain" : "output-volume"
        case .selected: "selection"
        case .woken: "woken"
        case .server(let alive): alive ? "server-restarted" : "server-died"
        case .sound(_, let change): change.jsonName
        }
    }
}

extension InterruptionType {
    /// The end of the name of the constant.
    fileprivate var jsonName: String {
        switch self {
        case .shouldResume: "ShouldResume"
        case .shouldNotResume: "ShouldNotResume"
        }
    }
}

func joined(_ names: [String]) -> String {
    var text = ""
    for name in names { text += (text.isEmpty ? "" : ", ") + name }
    return text
}

private func joined(_ kinds: [PortKind]) -> String {
    kinds.isEmpty ? "nowhere" : joined(kinds.map { "\($0.type)" })
}
