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

    private enum Flag {
        static let mixes: UInt32 = 1
        static let ducks: UInt32 = 2
        static let interruptsSpokenAudio: UInt32 = 4
        static let isActive: UInt32 = 8
        static let isInterrupted: UInt32 = 16
        static let isInterruptedByCall: UInt32 = 32
        static let mustNotResume: UInt32 = 64
        static let interruptedSpokenAudioOnly: UInt32 = 128
        static let streams: UInt32 = 256
        static let overridesToSpeaker: UInt32 = 512
        static let defaultsToSpeaker: UInt32 = 1024
        static let enablesBluetoothInput: UInt32 = 2048
        static let allowsBluetoothA2DP: UInt32 = 4096
        static let allowsAirPlay: UInt32 = 8192
        static let hearsSecondaryAudioHint: UInt32 = 16384
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
        block.set(entry.policy.category.rawValue, at: Offset.category)
        block.set(entry.policy.mode.rawValue, at: Offset.mode)
        block.set(flags(of: entry), at: Offset.flags)
        block.set(entry.playback.rawValue, at: Offset.playback)
        block.set(entry.waiting.code, at: Offset.waiting)
        block.set(code(of: entry.lastEnd), at: Offset.lastEnd)
        block.set(entry.name, at: Offset.name)
        block.set(entry.interrupters.words, at: Offset.interrupters)
        block.set(entry.policy.preferences.sampleRate.bitPattern, at: Offset.sampleRate)
        block.set(entry.policy.preferences.bufferDuration.bitPattern, at: Offset.bufferDuration)
        block.set(entry.policy.preferences.input, at: Offset.input)
        if case .streams(let session) = entry.role { block.set(Int32(clamping: session ?? -1), at: Offset.session) }
        block.set(entry.gains, at: Offset.gains)
        block.seal()
        return block.bytes
    }

    private static func flags(of entry: SessionEntry) -> UInt32 {
        var flags: UInt32 = 0
        if entry.policy.mixes { flags |= Flag.mixes }
        if entry.policy.ducks { flags |= Flag.ducks }
        if entry.policy.interruptsSpokenAudio { flags |= Flag.interruptsSpokenAudio }
        if entry.policy.hearsSecondaryAudioHint { flags |= Flag.hearsSecondaryAudioHint }
        if entry.isActive { flags |= Flag.isActive }
        if entry.isInterrupted { flags |= Flag.isInterrupted }
        if entry.isInterruptedByCall { flags |= Flag.isInterruptedByCall }
        if entry.mustNotResume { flags |= Flag.mustNotResume }
        if entry.interruptedSpokenAudioOnly { flags |= Flag.interruptedSpokenAudioOnly }
        if entry.role != .session { flags |= Flag.streams }
        return flags | self.flags(of: entry.policy.preferences)
    }

    private static func flags(of preferences: RoutePreferences) -> UInt32 {
        var flags: UInt32 = 0
        if preferences.overridesToSpeaker { flags |= Flag.overridesToSpeaker }
        if preferences.defaultsToSpeaker { flags |= Flag.defaultsToSpeaker }
        if preferences.enablesBluetoothInput { flags |= Flag.enablesBluetoothInput }
        if preferences.allowsBluetoothA2DP { flags |= Flag.allowsBluetoothA2DP }
        if preferences.allowsAirPlay { flags |= Flag.allowsAirPlay }
        return flags
    }

    private static func preferences(_ block: Block, _ flags: UInt32) -> RoutePreferences {
        var preferences = RoutePreferences()
        preferences.overridesToSpeaker = flags & Flag.overridesToSpeaker != 0
        preferences.defaultsToSpeaker = flags & Flag.defaultsToSpeaker != 0
        preferences.enablesBluetoothInput = flags & Flag.enablesBluetoothInput != 0
        preferences.allowsBluetoothA2DP = flags & Flag.allowsBluetoothA2DP != 0
        preferences.allowsAirPlay = flags & Flag.allowsAirPlay != 0
        let rate = Double(bitPattern: block.number(at: Offset.sampleRate))
        let duration = Float(bitPattern: block.number(at: Offset.bufferDuration))
        if rate.isFinite, rate > 0 { preferences.sampleRate = rate }
        if duration.isFinite, duration > 0 { preferences.bufferDuration = duration }
        preferences.input = block.number(at: Offset.input)
        return preferences
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
        guard let category = Category(rawValue: block.number(at: Offset.category)),
            let mode = Mode(rawValue: block.number(at: Offset.mode)),
            let playback = Playback(rawValue: block.number(at: Offset.playback)),
            let waiting = WaitingInterruptions(code: block.number(at: Offset.waiting))
        else { throw .notWhole }
        let lastEnd = try lastEnd(code: block.number(at: Offset.lastEnd))
        let flags: UInt32 = block.number(at: Offset.flags)
        var policy = SessionPolicy(
            category: category, mode: mode, mixes: flags & Flag.mixes != 0, ducks: flags & Flag.ducks != 0,
            interruptsSpokenAudio: flags & Flag.interruptsSpokenAudio != 0)
        policy.hearsSecondaryAudioHint = flags & Flag.hearsSecondaryAudioHint != 0
        policy.preferences = preferences(block, flags)
        let process = ProcessIdentity(
            pid: block.number(at: Offset.pid), startTime: block.number(at: Offset.startTime),
            pidNamespace: block.number(at: Offset.namespace))
        var entry = SessionEntry(serial: serial, process: process, name: block.name(at: Offset.name), policy: policy)
        if flags & Flag.streams != 0 {
            let session = Int(block.number(at: Offset.session, as: Int32.self))
            entry.role = .streams(of: (0..<SessionTable.capacity).contains(session) ? session : nil)
        }
        entry.playback = playback
        entry.waiting = waiting
        entry.lastEnd = lastEnd
        entry.isActive = flags & Flag.isActive != 0
        entry.isInterrupted = flags & Flag.isInterrupted != 0
        entry.isInterruptedByCall = flags & Flag.isInterruptedByCall != 0
        entry.mustNotResume = flags & Flag.mustNotResume != 0
        entry.interruptedSpokenAudioOnly = flags & Flag.interruptedSpokenAudioOnly != 0
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
