// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter

// The units, queues and graphs in the report: rows for people, and JSON.
extension SoundObject {
    static let titles = ["PID", "NAME", "SOUND", "STATE", "LOAD", "UNDERRUNS", "FORMAT"]
    static let widths = [8, 18, 19, 10, 7, 11]

    /// One text for each column.
    var columns: [String] {
        [
            "\(process)", printable(program), printable(kind.name), kind.isRendered ? "–" : state.name,
            load.map { percent($0) } ?? "–",
            "\(underruns &+ overruns)", printable(details),
        ]
    }

    private var details: String {
        var text = kind == .graph ? parts : formats
        if kind.isQueue {
            text += "; " + counted(buffers, "buffer") + ", \(tenths(seconds)) s"
            if lateCalls > 0 { text += ", \(lateCalls) late" }
        } else if slice > 0 {
            text += "; slice \(slice)"
        }
        if load != nil { text += isRealtime ? "; real-time" : "; not real-time" }
        return text
    }

    /// The number of nodes, connections and input callbacks of a graph, and its output unit.
    private var parts: String {
        var text = counted(nodes, "node") + ", " + counted(connections, "connection") + ", " + counted(callbacks, "callback")
        if let outputUnit { text += "; \(outputUnit.name)" }
        return text
    }

    private var formats: String {
        switch (output, input) {
        case (let output?, nil): "out \(output.text)"
        case (nil, let input?): "in \(input.text)"
        case (let output?, let input?) where output == input: output.text
        // The output of the program is the input scope of the unit.
        case (let output?, let input?) where kind.isRendered: "\(output.text) to \(input.text)"
        case (let output?, let input?): "out \(output.text); in \(input.text)"
        case (nil, nil): "no direction"
        }
    }

    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("pid", .integer(Int(process))), ("name", .string(program)), ("kind", .string(kind.name)),
            ("state", .string(state.name)),
        ]
        if let output { members.append(("output", output.json)) }
        if let input { members.append(("input", input.json)) }
        if kind.isQueue {
            members.append(("buffers", .integer(Int(buffers))))
            members.append(("seconds", .double(seconds)))
            members.append(("late", .integer(Int(lateCalls))))
        } else if kind.isUnit {
            members.append(("slice", .integer(Int(slice))))
        }
        if graph > 0 { members.append(("graph", .integer(Int(graph)))) }
        if kind == .graph { members += graphMembers }
        members.append(("underruns", .integer(Int(clamping: underruns &+ overruns))))
        if let load {
            members.append(("load", .number(load)))
            members.append(("realTime", .bool(isRealtime)))
        }
        return .object(members)
    }

    private var graphMembers: [(key: String, value: JSON)] {
        let counts: [(key: String, value: JSON)] = [
            ("nodes", .integer(Int(nodes))), ("connections", .integer(Int(connections))),
            ("callbacks", .integer(Int(callbacks))),
        ]
        return counts + (outputUnit.map { [("outputUnit", .string($0.name))] } ?? [])
    }
}

extension SoundObject.Format {
    fileprivate var json: JSON { .object(members) }

    var members: [(key: String, value: JSON)] {
        [
            ("rate", .double(rate)), ("channels", .integer(Int(channels))), ("sample", .string(sample)),
            ("interleaved", .bool(isInterleaved)),
        ]
    }
}

private func percent(_ part: Float) -> String { "\(Int(part * 100 + 0.5)) %" }

private func counted(_ count: UInt32, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

private func tenths(_ seconds: Double) -> String {
    let tenths = Int(seconds * 10 + 0.5)
    return "\(tenths / 10).\(tenths % 10)"
}

extension Report {
    /// The table of the units, queues and graphs; empty without one.
    var soundText: String {
        guard !sounds.isEmpty else { return "" }
        var text = ""
        for columns in [SoundObject.titles] + sounds.map({ $0.columns }) {
            for (index, column) in columns.enumerated() {
                text += index < SoundObject.widths.count ? padded(column, SoundObject.widths[index]) : column
            }
            text += "\n"
        }
        return text
    }

    /// The events of units and queues since `old`. A graph has no events except those of its units.
    func soundEvents(since old: Report) -> [Event] {
        var all: [Event] = []
        for object in sounds where object.kind != .graph {
            let last = old.sounds.first { $0.isSame(as: object) }
            for change in object.changes(since: last) {
                let session = lines.first { $0.entry.process.pid == object.process }?.session
                all.append(Event(session: session, kind: .sound(object, change)))
            }
        }
        for object in old.sounds where object.kind != .graph && object.state != .stopped {
            guard !sounds.contains(where: { $0.isSame(as: object) }) else { continue }
            all.append(Event(session: nil, kind: .sound(object, .stopped)))
        }
        return all
    }
}

/// A change of a unit or a queue between two reports.
public enum SoundChange: Equatable, Sendable {
    case started, paused, stopped
    /// The number of new underruns.
    case underruns(UInt64)
    case lateCalls(UInt32)

    var sentence: String {
        switch self {
        case .started: "starts"
        case .paused: "pauses"
        case .stopped: "stops"
        case .underruns(let count): "has \(count) \(count == 1 ? "underrun" : "underruns")"
        case .lateCalls(let count): "has \(count) late \(count == 1 ? "callback" : "callbacks")"
        }
    }

    var jsonName: String {
        switch self {
        case .started: "sound-started"
        case .paused: "sound-paused"
        case .stopped: "sound-stopped"
        case .underruns: "underrun"
        case .lateCalls: "late-callback"
        }
    }
}

extension SoundObject {
    func changes(since last: SoundObject?) -> [SoundChange] {
        var all: [SoundChange] = []
        let wasOn = last.map { $0.state == .running || $0.state == .stopping } ?? false
        let isOn = state == .running || state == .stopping
        let hasStarted = starts != last?.starts ?? 0
        if isOn ? !wasOn || hasStarted : hasStarted { all.append(.started) }
        if !isOn, wasOn || hasStarted { all.append(state == .paused ? .paused : .stopped) }
        if state == .stopped, !wasOn, last?.state == .paused { all.append(.stopped) }
        // At a start the counters begin at 0 again.
        let before = hasStarted ? 0 : (last?.underruns ?? 0) &+ (last?.overruns ?? 0)
        let count = underruns &+ overruns
        if count > before { all.append(.underruns(count - before)) }
        let lateBefore = hasStarted ? 0 : last?.lateCalls ?? 0
        if lateCalls > lateBefore { all.append(.lateCalls(lateCalls - lateBefore)) }
        return all
    }
}
