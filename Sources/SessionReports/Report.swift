public import SessionArbiter
public import SessionModel

/// Everything that can be said about the sessions and the machine at one moment.
public struct Report: Sendable {
    public let table: SessionTable
    public let hardware: HardwareSnapshot

    public init(table: SessionTable, hardware: HardwareSnapshot) {
        self.table = table
        self.hardware = hardware
    }

    /// The session in a slot, with what others make of it.
    public struct Line: Equatable, Sendable {
        public let slot: Slot
        public let entry: SessionEntry
        public let effect: Effect
        /// By name; the call among them.
        public let interruptedBy: [String]
    }

    public var lines: [Line] {
        var lines: [Line] = []
        for slot in table.entries.indices {
            guard let entry = table.entries[slot], entry.role == .session, !entry.isTelephone else { continue }
            lines.append(Line(slot: slot, entry: entry, effect: table.effect(of: slot), interruptedBy: interrupters(of: entry)))
        }
        return lines
    }

    private func interrupters(of entry: SessionEntry) -> [String] {
        guard entry.isInterrupted else { return [] }
        var names: [String] = []
        if entry.isInterruptedByCall, let call = table.call { names.append(call.name.text) }
        for slot in entry.interrupters { if let other = table[slot] { names.append(other.name.text) } }
        return names
    }

    /// Where sound would go and come from in a session that wants both and prefers the speaker.
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

/// The four characters of a code.
public func fourCharacters(_ code: UInt32) -> String {
    var text = ""
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
        text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: code >> shift)))
    }
    return text
}

/// What follows the last underscore of a constant's name.
public func shortName(_ constant: StaticString) -> String {
    let name = "\(constant)"
    guard let underscore = name.utf8.lastIndex(of: 0x5F) else { return name }
    return String(decoding: name.utf8[name.utf8.index(after: underscore)...], as: UTF8.self)
}

extension SessionEntry {
    /// The name of an entry that is there to hold a call, and to end it by its own end.
    public static let telephone = SessionName("audiosessionctl")

    /// It never plays: whoever does by that name is a session as any other.
    var isTelephone: Bool { name == SessionEntry.telephone && !isActive && policy.category == .ambientSound }

    /// As far as it is known: a session whose streams are not seen counts as playing while it is active.
    public var isPlaying: Bool { isActive && playback != .stopped && policy.category.traits.hasOutput }
}
