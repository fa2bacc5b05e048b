// SPDX-License-Identifier: Apache-2.0
public import SessionArbiter
public import SessionModel

/// The sessions and the machine at one moment.
public struct Report: Sendable {
    public let table: SessionTable
    public let hardware: HardwareSnapshot

    /// The units and queues of all processes.
    public let sounds: [SoundObject]

    public init(table: SessionTable, hardware: HardwareSnapshot, sounds: [SoundObject] = []) {
        self.table = table
        self.hardware = hardware
        self.sounds = sounds
    }

    /// The session in a slot, and the effect of other sessions on it.
    public struct Line: Equatable, Sendable {
        public let slot: TableSlot
        public let entry: SessionEntry
        public let effect: Effect
        /// The names of the session's interrupters. The call comes first.
        public let interruptedBy: [String]
    }

    public var lines: [Line] {
        var lines: [Line] = []
        for slot in table.entries.indices {
            guard let entry = table.entries[slot], entry.role == .session, !entry.isCallHolder, !entry.areUnheardSounds else {
                continue
            }
            let names = interrupters(of: entry, in: slot)
            lines.append(Line(slot: slot, entry: entry, effect: table.effect(of: slot), interruptedBy: names))
        }
        return lines
    }

    private func interrupters(of entry: SessionEntry, in slot: TableSlot) -> [String] {
        guard entry.isInterrupted else { return [] }
        var names: [String] = []
        if entry.isInterruptedByCall, let call = table.call { names.append(call.name.text) }
        for slot in table.interrupters(of: slot) { if let other = table[slot] { names.append(other.name.text) } }
        return names
    }

    /// The routes of the active sessions, without duplicates. Without an active session: `route`.
    var activeRoutes: [(route: Route, names: [String])] {
        var routes: [(route: Route, names: [String])] = []
        for line in lines where line.entry.isActive {
            let route = line.entry.settings.route(among: hardware.ports)
            if let index = routes.firstIndex(where: { $0.route.usesSamePorts(as: route) }) {
                routes[index].names.append(line.entry.name.text)
            } else {
                routes.append((route, [line.entry.name.text]))
            }
        }
        return routes.isEmpty ? [(route, [])] : routes
    }

    /// The route of a session that plays and records, prefers the speaker and allows Bluetooth input.
    public var route: Route {
        var settings = SessionSettings()
        settings.setCategory(.playAndRecord)
        do throws(ResultCode) {
            try settings.setDefaultsToSpeaker(true)
            try settings.setEnablesBluetoothInput(true)
        } catch { return Route() }
        return Route(for: settings, among: hardware.ports)
    }
}

/// The part of a constant's name after the last underscore.
public func shortName(_ constant: StaticString) -> String {
    let name = "\(constant)"
    guard let underscore = name.utf8.lastIndex(of: 0x5F) else { return name }
    return String(decoding: name.utf8[name.utf8.index(after: underscore)...], as: UTF8.self)
}

extension SessionEntry {
    /// The name of the entry that represents a call of the tool. Removing the entry ends the call.
    public static let callHolder = SessionName("audiosessionctl")

    /// An entry that represents a call never plays. A program with the same name that plays is a session.
    var isCallHolder: Bool { name == SessionEntry.callHolder && !isActive && settings.category == .ambientSound }

    /// System sounds have an entry as long as their program, and are shown while they play.
    var areUnheardSounds: Bool { settings.areOfSystemSounds && !isActive }

    /// A session whose streams are unknown counts as playing while it is active.
    public var isPlaying: Bool { isActive && playback != .stopped && settings.category.traits.hasOutput }
}
