// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

/// The content of a slot of the file: an entry of the table, and the endpoint of its process.
struct TableRecord: Equatable {
    var entry: SessionEntry
    /// Identifies the FIFOs of the process.
    var endpoint: UInt64
}

extension TableRecord {
    static let size = 360

    private enum Offset {
        static let serial = 0
        static let endpoint = 8
        static let startTime = 16
        static let namespace = 24
        static let pid = 32
        static let category = 36
        static let mode = 40
        static let flags = 44
        static let playback = 48
        static let waiting = 49
        static let lastEnd = 50
        static let sharingPolicy = 51
        static let inputChannels = 52
        static let outputChannels = 54
        static let name = 56
        static let listedInterrupters = 120
        /// The slot of the session that streams belong to; -1: none.
        static let session = 248
        /// The slot after that of the interrupter; 0: none.
        static let speechInterrupter = 252
        static let sampleRate = 256
        static let bufferDuration = 264
        static let input = 272
        static let gains = 280
        static let interruptedSince = 328
        static let interrupting = 336
        static let version = 344
    }

    /// The state of the session. The other bits of the word are the flags of its settings.
    private struct StateFlags: OptionSet {
        let rawValue: UInt32

        static let isActive = StateFlags(rawValue: 8)
        static let isInterrupted = StateFlags(rawValue: 16)
        static let isInterruptedByCall = StateFlags(rawValue: 32)
        static let mustNotResume = StateFlags(rawValue: 64)
        static let streams = StateFlags(rawValue: 128)
    }

    fileprivate static func write(_ entry: SessionEntry, of endpoint: UInt64, to buffer: inout ChecksummedBuffer, at start: Int) {
        buffer.set(entry.serial, at: start + Offset.serial)
        buffer.set(endpoint, at: start + Offset.endpoint)
        buffer.set(entry.process.startTime, at: start + Offset.startTime)
        buffer.set(entry.process.pidNamespace, at: start + Offset.namespace)
        buffer.set(entry.process.pid, at: start + Offset.pid)
        write(entry.settings, to: &buffer, at: start)
        buffer.set(entry.settings.flags.rawValue | stateFlags(of: entry).rawValue, at: start + Offset.flags)
        buffer.set(entry.playback.rawValue, at: start + Offset.playback)
        buffer.set(entry.waiting.code, at: start + Offset.waiting)
        buffer.set(code(of: entry.lastEnd), at: start + Offset.lastEnd)
        buffer.set(entry.name, at: start + Offset.name)
        if !entry.listedInterrupters.isEmpty { buffer.set(entry.listedInterrupters.words, at: start + Offset.listedInterrupters) }
        if let slot = entry.speechInterrupter { buffer.set(Int32(clamping: slot + 1), at: start + Offset.speechInterrupter) }
        buffer.set(entry.interruptedSince, at: start + Offset.interruptedSince)
        buffer.set(entry.interrupting, at: start + Offset.interrupting)
        if case .streams(let session) = entry.role { buffer.set(Int32(clamping: session ?? -1), at: start + Offset.session) }
        if !entry.gains.isEmpty { buffer.set(entry.gains, at: start + Offset.gains) }
    }

    private static func stateFlags(of entry: SessionEntry) -> StateFlags {
        var flags: StateFlags = []
        if entry.isActive { flags.insert(.isActive) }
        if entry.isInterrupted { flags.insert(.isInterrupted) }
        if entry.isInterruptedByCall { flags.insert(.isInterruptedByCall) }
        if entry.mustNotResume { flags.insert(.mustNotResume) }
        if entry.role != .session { flags.insert(.streams) }
        return flags
    }

    private static func write(_ settings: SessionSettings, to buffer: inout ChecksummedBuffer, at start: Int) {
        buffer.set(settings.category.rawValue, at: start + Offset.category)
        buffer.set(settings.mode.rawValue, at: start + Offset.mode)
        buffer.set(UInt8(truncatingIfNeeded: settings.sharingPolicy.rawValue), at: start + Offset.sharingPolicy)
        buffer.set(settings.preferredInputChannels, at: start + Offset.inputChannels)
        buffer.set(settings.preferredOutputChannels, at: start + Offset.outputChannels)
        buffer.set(settings.preferredSampleRate.bitPattern, at: start + Offset.sampleRate)
        buffer.set(settings.preferredBufferDuration.bitPattern, at: start + Offset.bufferDuration)
        buffer.set(settings.preferredInput, at: start + Offset.input)
    }

    private static func settings(_ buffer: ChecksummedBuffer, at start: Int, _ flags: UInt32) throws(Damage) -> SessionSettings {
        guard let category = Category(rawValue: buffer.number(at: start + Offset.category)),
            let mode = Mode(rawValue: buffer.number(at: start + Offset.mode)),
            let sharingPolicy = RouteSharingPolicy(
                rawValue: UInt(buffer.number(at: start + Offset.sharingPolicy, as: UInt8.self)))
        else { throw .notIntact }
        return SessionSettings(
            category: category, mode: mode, flags: SessionSettings.Flags(rawValue: flags),
            sampleRate: Double(bitPattern: buffer.number(at: start + Offset.sampleRate)),
            bufferDuration: Double(bitPattern: buffer.number(at: start + Offset.bufferDuration)), sharingPolicy: sharingPolicy,
            inputChannels: buffer.number(at: start + Offset.inputChannels),
            outputChannels: buffer.number(at: start + Offset.outputChannels),
            input: buffer.number(at: start + Offset.input))
    }

    /// Nil for a number that is no slot.
    private static func slot(_ number: Int) -> TableSlot? { (0..<SessionTable.capacity).contains(number) ? number : nil }

    private static func code(of lastEnd: InterruptionType?) -> UInt8 {
        switch lastEnd {
        case nil: 0
        case .shouldResume: 1
        case .shouldNotResume: 2
        }
    }

    private static func lastEnd(code: UInt8) throws(Damage) -> InterruptionType? {
        switch code {
        case 0: nil
        case 1: .shouldResume
        case 2: .shouldNotResume
        default: throw .notIntact
        }
    }

    enum Damage: Error { case notIntact }

    static let versionOffset = Offset.version

    static func version(in buffer: ChecksummedBuffer, at start: Int) -> UInt64 { buffer.number(at: start + Offset.version) }

    /// Nil for a free slot. A slot that was never written counts as damaged, as does any content that no correct writer writes.
    static func read(_ buffer: ChecksummedBuffer, at start: Int) throws(Damage) -> TableRecord? {
        let serial: UInt64 = buffer.number(at: start + Offset.serial)
        guard buffer.isIntact(start..<(start + size)) else { throw .notIntact }
        guard serial != 0 else { return nil }
        guard let playback = StreamActivity(rawValue: buffer.number(at: start + Offset.playback)),
            let waiting = WaitingInterruptions(code: buffer.number(at: start + Offset.waiting))
        else { throw .notIntact }
        let lastEnd = try lastEnd(code: buffer.number(at: start + Offset.lastEnd))
        let word: UInt32 = buffer.number(at: start + Offset.flags)
        let flags = StateFlags(rawValue: word)
        let settings = try settings(buffer, at: start, word)
        let process = ProcessIdentity(
            pid: buffer.number(at: start + Offset.pid), startTime: buffer.number(at: start + Offset.startTime),
            pidNamespace: buffer.number(at: start + Offset.namespace))
        var entry = SessionEntry(serial: serial, process: process, name: buffer.name(at: start + Offset.name), settings: settings)
        if flags.contains(.streams) {
            entry.role = .streams(of: slot(Int(buffer.number(at: start + Offset.session, as: Int32.self))))
        }
        entry.playback = playback
        entry.waiting = waiting
        entry.lastEnd = lastEnd
        entry.isActive = flags.contains(.isActive)
        entry.isInterrupted = flags.contains(.isInterrupted)
        entry.isInterruptedByCall = flags.contains(.isInterruptedByCall)
        entry.mustNotResume = flags.contains(.mustNotResume)
        entry.interruptedSince = buffer.number(at: start + Offset.interruptedSince)
        entry.interrupting = buffer.number(at: start + Offset.interrupting)
        entry.listedInterrupters = SlotSet(
            words: buffer.value(at: start + Offset.listedInterrupters, otherwise: InlineArray(repeating: 0)))
        entry.speechInterrupter = slot(Int(buffer.number(at: start + Offset.speechInterrupter, as: Int32.self)) - 1)
        entry.gains = buffer.gains(at: start + Offset.gains)
        return TableRecord(entry: entry, endpoint: buffer.number(at: start + Offset.endpoint))
    }
}

/// Writes the record of a slot; a slot without an entry is free. `version` is the last generation that changed the record. Compiled for
/// speed: code for size copies the entry, byte by byte.
@inline(never)
@_optimize(speed)
func writeRecord(
    _ entries: [SessionEntry?], _ slot: TableSlot, of endpoint: UInt64, version: UInt64, to buffer: inout ChecksummedBuffer,
    at start: Int
) {
    buffer.clear(start..<(start + TableRecord.size))
    buffer.set(version, at: start + TableRecord.versionOffset)
    if entries.indices.contains(slot), let entry = entries[slot] {
        TableRecord.write(entry, of: endpoint, to: &buffer, at: start)
    }
    buffer.seal(start..<(start + TableRecord.size))
}

extension ChecksummedBuffer {
    func name(at offset: Int) -> SessionName {
        SessionName(bytes: value(at: offset, otherwise: InlineArray(repeating: 0)))
    }

    mutating func set(_ name: SessionName, at offset: Int) {
        set(name.bytes, at: offset)
    }
}

extension ChecksummedBuffer {
    private static let gainSize = 12

    /// An invalid level counts as no gain.
    func gains(at offset: Int) -> SavedGains {
        var gains = SavedGains()
        for index in 0..<SavedGains.capacity {
            let offset = offset + index * ChecksummedBuffer.gainSize
            let level = Float(bitPattern: number(at: offset + 8))
            guard level >= 0, level <= 1 else { continue }
            gains[index] = SavedGain(input: number(at: offset), level: level)
        }
        return gains
    }

    mutating func set(_ gains: SavedGains, at offset: Int) {
        for index in 0..<SavedGains.capacity {
            let offset = offset + index * ChecksummedBuffer.gainSize
            set(gains[index]?.input ?? 0, at: offset)
            set(gains[index]?.level.bitPattern ?? 0, at: offset + 8)
        }
    }
}

extension WaitingInterruptions {
    fileprivate var code: UInt8 {
        switch self {
        case .none: 0
        case .begin: 1
        case .beginAndEnd(.shouldResume): 2
        case .beginAndEnd(.shouldNotResume): 3
        case .end(.shouldResume): 4
        case .end(.shouldNotResume): 5
        }
    }

    fileprivate init?(code: UInt8) {
        switch code {
        case 0: self = .none
        case 1: self = .begin
        case 2: self = .beginAndEnd(.shouldResume)
        case 3: self = .beginAndEnd(.shouldNotResume)
        case 4: self = .end(.shouldResume)
        case 5: self = .end(.shouldNotResume)
        default: return nil
        }
    }
}
