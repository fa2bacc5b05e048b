import SessionArbiter
import SessionModel

/// An entry of the table with the home of its process: what a slot of the file holds.
struct Resident: Equatable {
    var entry: SessionEntry
    /// Names the bell and the life of its process.
    var home: UInt64
}

extension Resident {
    static let size = 344

    private enum Offset {
        static let serial = 0
        static let home = 8
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
        static let interrupters = 120
        /// The slot of the session that streams belong to; -1: none.
        static let session = 248
        static let sampleRate = 256
        static let bufferDuration = 264
        static let input = 272
        static let gains = 280
        static let version = 328
    }

    /// State of the session. The other bits of the word are the flags of its settings.
    private struct StateFlags: OptionSet {
        let rawValue: UInt32

        static let isActive = StateFlags(rawValue: 8)
        static let isInterrupted = StateFlags(rawValue: 16)
        static let isInterruptedByCall = StateFlags(rawValue: 32)
        static let mustNotResume = StateFlags(rawValue: 64)
        static let interruptedSpokenAudioOnly = StateFlags(rawValue: 128)
        static let streams = StateFlags(rawValue: 256)
    }

    /// `version` is the generation that changed it last.
    static func bytes(of resident: Resident?, version: UInt64) -> [UInt8] {
        var block = Block(size: size)
        block.set(version, at: Offset.version)
        guard let resident else {
            block.seal()
            return block.bytes
        }
        let entry = resident.entry
        block.set(entry.serial, at: Offset.serial)
        block.set(resident.home, at: Offset.home)
        block.set(entry.process.startTime, at: Offset.startTime)
        block.set(entry.process.pidNamespace, at: Offset.namespace)
        block.set(entry.process.pid, at: Offset.pid)
        write(entry.policy, to: &block)
        block.set(entry.policy.flags.rawValue | stateFlags(of: entry).rawValue, at: Offset.flags)
        block.set(entry.playback.rawValue, at: Offset.playback)
        block.set(entry.waiting.code, at: Offset.waiting)
        block.set(code(of: entry.lastEnd), at: Offset.lastEnd)
        block.set(entry.name, at: Offset.name)
        block.set(entry.interrupters.words, at: Offset.interrupters)
        if case .streams(let session) = entry.role { block.set(Int32(clamping: session ?? -1), at: Offset.session) }
        block.set(entry.gains, at: Offset.gains)
        block.seal()
        return block.bytes
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

    private static func write(_ settings: SessionSettings, to block: inout Block) {
        block.set(settings.category.rawValue, at: Offset.category)
        block.set(settings.mode.rawValue, at: Offset.mode)
        block.set(UInt8(truncatingIfNeeded: settings.sharingPolicy.rawValue), at: Offset.sharingPolicy)
        block.set(settings.preferredInputChannels, at: Offset.inputChannels)
        block.set(settings.preferredOutputChannels, at: Offset.outputChannels)
        block.set(settings.preferredSampleRate.bitPattern, at: Offset.sampleRate)
        block.set(settings.preferredBufferDuration.bitPattern, at: Offset.bufferDuration)
        block.set(settings.preferredInput, at: Offset.input)
    }

    private static func settings(_ block: Block, _ flags: UInt32) throws(Damage) -> SessionSettings {
        guard let category = Category(rawValue: block.number(at: Offset.category)),
            let mode = Mode(rawValue: block.number(at: Offset.mode)),
            let sharingPolicy = RouteSharingPolicy(rawValue: UInt(block.number(at: Offset.sharingPolicy, as: UInt8.self)))
        else { throw .notWhole }
        return SessionSettings(
            category: category, mode: mode, flags: SessionSettings.Flags(rawValue: flags),
            sampleRate: Double(bitPattern: block.number(at: Offset.sampleRate)),
            bufferDuration: Double(bitPattern: block.number(at: Offset.bufferDuration)), sharingPolicy: sharingPolicy,
            inputChannels: block.number(at: Offset.inputChannels), outputChannels: block.number(at: Offset.outputChannels),
            input: block.number(at: Offset.input))
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
        default: throw .notWhole
        }
    }

    enum Damage: Error { case notWhole }

    static let versionOffset = Offset.version

    static func version(in block: Block) -> UInt64 { block.number(at: Offset.version) }

    /// Nil for an empty slot; one that was never written is none. Whatever a sound writer cannot have written is damage.
    static func read(_ block: Block) throws(Damage) -> Resident? {
        let serial: UInt64 = block.number(at: Offset.serial)
        guard block.isWhole else { throw .notWhole }
        guard serial != 0 else { return nil }
        guard let playback = Playback(rawValue: block.number(at: Offset.playback)),
            let waiting = WaitingInterruptions(code: block.number(at: Offset.waiting))
        else { throw .notWhole }
        let lastEnd = try lastEnd(code: block.number(at: Offset.lastEnd))
        let word: UInt32 = block.number(at: Offset.flags)
        let flags = StateFlags(rawValue: word)
        let settings = try settings(block, word)
        let process = ProcessIdentity(
            pid: block.number(at: Offset.pid), startTime: block.number(at: Offset.startTime),
            pidNamespace: block.number(at: Offset.namespace))
        var entry = SessionEntry(serial: serial, process: process, name: block.name(at: Offset.name), policy: settings)
        if flags.contains(.streams) {
            let session = Int(block.number(at: Offset.session, as: Int32.self))
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
        entry.interrupters = SlotSet(words: block.value(at: Offset.interrupters, otherwise: InlineArray(repeating: 0)))
        entry.gains = block.gains(at: Offset.gains)
        return Resident(entry: entry, home: block.number(at: Offset.home))
    }
}

extension Block {
    func name(at offset: Int) -> SessionName {
        SessionName(bytes: value(at: offset, otherwise: InlineArray(repeating: 0)))
    }

    mutating func set(_ name: SessionName, at offset: Int) {
        set(name.bytes, at: offset)
    }
}

extension Block {
    private static let gainSize = 12

    /// Levels that no sound writer can have written are as none.
    func gains(at offset: Int) -> FoundGains {
        var gains = FoundGains()
        for place in 0..<FoundGains.capacity {
            let offset = offset + place * Block.gainSize
            let level = Float(bitPattern: number(at: offset + 8))
            guard level >= 0, level <= 1 else { continue }
            gains[place] = FoundGain(input: number(at: offset), level: level)
        }
        return gains
    }

    mutating func set(_ gains: FoundGains, at offset: Int) {
        for place in 0..<FoundGains.capacity {
            let offset = offset + place * Block.gainSize
            set(gains[place]?.input ?? 0, at: offset)
            set(gains[place]?.level.bitPattern ?? 0, at: offset + 8)
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
