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
        static let interruptedSpokenAudioOnly = StateFlags(rawValue: 128)
        static let streams = StateFlags(rawValue: 256)
    }

    /// `version` is the last generation that changed the record.
    static func bytes(of record: TableRecord?, version: UInt64) -> [UInt8] {
        var buffer = ChecksummedBuffer(size: size)
        buffer.set(version, at: Offset.version)
        guard let record else {
            buffer.seal()
            return buffer.bytes
        }
        let entry = record.entry
        buffer.set(entry.serial, at: Offset.serial)
        buffer.set(record.endpoint, at: Offset.endpoint)
        buffer.set(entry.process.startTime, at: Offset.startTime)
        buffer.set(entry.process.pidNamespace, at: Offset.namespace)
        buffer.set(entry.process.pid, at: Offset.pid)
        write(entry.settings, to: &buffer)
        buffer.set(entry.settings.flags.rawValue | stateFlags(of: entry).rawValue, at: Offset.flags)
        buffer.set(entry.playback.rawValue, at: Offset.playback)
        buffer.set(entry.waiting.code, at: Offset.waiting)
        buffer.set(code(of: entry.lastEnd), at: Offset.lastEnd)
        buffer.set(entry.name, at: Offset.name)
        buffer.set(entry.listedInterrupters.words, at: Offset.listedInterrupters)
        buffer.set(entry.interruptedSince, at: Offset.interruptedSince)
        buffer.set(entry.interrupting, at: Offset.interrupting)
        if case .streams(let session) = entry.role { buffer.set(Int32(clamping: session ?? -1), at: Offset.session) }
        buffer.set(entry.gains, at: Offset.gains)
        buffer.seal()
        return buffer.bytes
    }

    private static func stateFlags(of entry: SessionEntry) -> StateFlags {
        var flags: StateFlags = []
        if entry.isActive { flags.insert(.isActive) }
        if entry.isInterrupted { flags.insert(.isInterrupted) }
        if entry.isInterruptedByCall { flags.insert(.isInterruptedByCall) }
        if entry.mustNotResume { flags.insert(.mustNotResume) }
        if entry.interruptedSpokenAudioOnly { flags.insert(.interruptedSpokenAudioOnly) }
        if entry.role != .session { flags.insert(.streams) }
        return flags
    }

    private static func write(_ settings: SessionSettings, to buffer: inout ChecksummedBuffer) {
        buffer.set(settings.category.rawValue, at: Offset.category)
        buffer.set(settings.mode.rawValue, at: Offset.mode)
        buffer.set(UInt8(truncatingIfNeeded: settings.sharingPolicy.rawValue), at: Offset.sharingPolicy)
        buffer.set(settings.preferredInputChannels, at: Offset.inputChannels)
        buffer.set(settings.preferredOutputChannels, at: Offset.outputChannels)
        buffer.set(settings.preferredSampleRate.bitPattern, at: Offset.sampleRate)
        buffer.set(settings.preferredBufferDuration.bitPattern, at: Offset.bufferDuration)
        buffer.set(settings.preferredInput, at: Offset.input)
    }

    private static func settings(_ buffer: ChecksummedBuffer, _ flags: UInt32) throws(Damage) -> SessionSettings {
        guard let category = Category(rawValue: buffer.number(at: Offset.category)),
            let mode = Mode(rawValue: buffer.number(at: Offset.mode)),
            let sharingPolicy = RouteSharingPolicy(rawValue: UInt(buffer.number(at: Offset.sharingPolicy, as: UInt8.self)))
        else { throw .notIntact }
        return SessionSettings(
            category: category, mode: mode, flags: SessionSettings.Flags(rawValue: flags),
            sampleRate: Double(bitPattern: buffer.number(at: Offset.sampleRate)),
            bufferDuration: Double(bitPattern: buffer.number(at: Offset.bufferDuration)), sharingPolicy: sharingPolicy,
            inputChannels: buffer.number(at: Offset.inputChannels), outputChannels: buffer.number(at: Offset.outputChannels),
            input: buffer.number(at: Offset.input))
    }

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

    static func version(in buffer: ChecksummedBuffer) -> UInt64 { buffer.number(at: Offset.version) }

    /// Nil for a free slot. A slot that was never written counts as damaged, as does any content that no correct writer writes.
    static func read(_ buffer: ChecksummedBuffer) throws(Damage) -> TableRecord? {
        let serial: UInt64 = buffer.number(at: Offset.serial)
        guard buffer.isIntact else { throw .notIntact }
        guard serial != 0 else { return nil }
        guard let playback = StreamActivity(rawValue: buffer.number(at: Offset.playback)),
            let waiting = WaitingInterruptions(code: buffer.number(at: Offset.waiting))
        else { throw .notIntact }
        let lastEnd = try lastEnd(code: buffer.number(at: Offset.lastEnd))
        let word: UInt32 = buffer.number(at: Offset.flags)
        let flags = StateFlags(rawValue: word)
        let settings = try settings(buffer, word)
        let process = ProcessIdentity(
            pid: buffer.number(at: Offset.pid), startTime: buffer.number(at: Offset.startTime),
            pidNamespace: buffer.number(at: Offset.namespace))
        var entry = SessionEntry(serial: serial, process: process, name: buffer.name(at: Offset.name), settings: settings)
        if flags.contains(.streams) {
            let session = Int(buffer.number(at: Offset.session, as: Int32.self))
            entry.role = .streams(of: (0..<SessionTable.capacity).contains(session) ? session : nil)
        }
        entry.playback = playback
        entry.waiting = waiting
        entry.lastEnd = lastEnd
        entry.isActive = flags.contains(.isActive)
        entry.isInterrupted = flags.contains(.isInterrupted)
        entry.isInterruptedByCall = flags.contains(.isInterruptedByCall)
        entry.mustNotResume = flags.contains(.mustNotResume)
        entry.interruptedSpokenAudioOnly = flags.contains(.interruptedSpokenAudioOnly)
        entry.interruptedSince = buffer.number(at: Offset.interruptedSince)
        entry.interrupting = buffer.number(at: Offset.interrupting)
        entry.listedInterrupters = SlotSet(
            words: buffer.value(at: Offset.listedInterrupters, otherwise: InlineArray(repeating: 0)))
        entry.gains = buffer.gains(at: Offset.gains)
        return TableRecord(entry: entry, endpoint: buffer.number(at: Offset.endpoint))
    }
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
