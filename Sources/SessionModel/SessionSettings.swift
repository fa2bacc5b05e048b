/// What a program has asked of its session. The setters are the rules of each property's value;
/// each leaves the settings untouched when it refuses.
public struct SessionSettings: Equatable, Sendable {
    public private(set) var category = Category.soloAmbientSound
    public private(set) var mode = Mode.standard
    public private(set) var mixesWithOthers = false
    public private(set) var ducksOthers = false
    public private(set) var defaultsToSpeaker = false
    public private(set) var enablesBluetoothInput = false
    public private(set) var overridesToSpeaker = false
    public private(set) var preferredSampleRate = 0.0
    public private(set) var preferredBufferDuration: Float = 0

    // Options that only AVAudioSession has. A change of category resets them.
    public private(set) var allowsBluetoothA2DP = false
    public private(set) var allowsAirPlay = false
    public private(set) var interruptsSpokenAudio = false

    public init() {}

    /// Whether the session as a whole mixes: by category, by override, or by option.
    public var mixes: Bool {
        category.traits.alwaysMixes || (category.traits.mayMix && (mixesWithOthers || interruptsSpokenAudio))
    }

    /// Ducking counts only while the session mixes.
    public var ducks: Bool { mixes && ducksOthers }

    public mutating func setCategory(_ new: Category) {
        guard new != category else { return }
        category = new
        mixesWithOthers = false
        defaultsToSpeaker = false
        enablesBluetoothInput = false
        overridesToSpeaker = false
        allowsBluetoothA2DP = false
        allowsAirPlay = false
        interruptsSpokenAudio = false
        if !mode.fits(new) { mode = .standard }
    }

    public mutating func setMode(_ new: Mode, whileActive isActive: Bool) throws(ResultCode) {
        guard new.fits(category) else { throw .incompatibleCategory }
        guard new != mode else { return }
        guard !isActive, !mixes else { throw .unspecified }
        mode = new
        if new.isChat { enablesBluetoothInput = true }
        if new == .videoChat { defaultsToSpeaker = true }
    }

    public mutating func setMixesWithOthers(_ on: Bool) throws(ResultCode) {
        guard !on || (category.traits.mayMix && !category.traits.alwaysMixes) else { throw .incompatibleCategory }
        mixesWithOthers = on
    }

    public mutating func setDucksOthers(_ on: Bool) {
        ducksOthers = on
        if on, category.traits.mayMix, !category.traits.alwaysMixes { mixesWithOthers = true }
    }

    public mutating func setDefaultsToSpeaker(_ on: Bool) throws(ResultCode) {
        guard !on || category == .playAndRecord else { throw .incompatibleCategory }
        defaultsToSpeaker = on
    }

    public mutating func setEnablesBluetoothInput(_ on: Bool) throws(ResultCode) {
        guard !on || category == .playAndRecord || category == .recordAudio else { throw .incompatibleCategory }
        enablesBluetoothInput = on
    }

    public mutating func setOverridesToSpeaker(_ on: Bool) throws(ResultCode) {
        guard category == .playAndRecord else { throw .incompatibleCategory }
        overridesToSpeaker = on
    }

    /// A device came or went, or an interruption began.
    public mutating func revertOverride() { overridesToSpeaker = false }

    public mutating func setPreferredSampleRate(_ rate: Double) throws(ResultCode) {
        guard rate.isFinite, rate > 0 else { throw .unsupportedProperty }
        preferredSampleRate = rate
    }

    public mutating func setPreferredBufferDuration(_ seconds: Float) throws(ResultCode) {
        guard seconds.isFinite, seconds > 0 else { throw .unsupportedProperty }
        preferredBufferDuration = seconds
    }
}

/// What of the settings decides about devices and their formats, beside category and mode. Every process
/// that knows these finds the same route.
public struct RoutePreferences: Equatable, Sendable {
    public var overridesToSpeaker = false
    public var defaultsToSpeaker = false
    public var enablesBluetoothInput = false
    public var allowsBluetoothA2DP = false
    public var allowsAirPlay = false
    public var sampleRate = 0.0
    public var bufferDuration: Float = 0

    public init() {}
}

extension SessionSettings {
    public var routePreferences: RoutePreferences {
        var preferences = RoutePreferences()
        preferences.overridesToSpeaker = overridesToSpeaker
        preferences.defaultsToSpeaker = defaultsToSpeaker
        preferences.enablesBluetoothInput = enablesBluetoothInput
        preferences.allowsBluetoothA2DP = allowsBluetoothA2DP
        preferences.allowsAirPlay = allowsAirPlay
        preferences.sampleRate = preferredSampleRate
        preferences.bufferDuration = preferredBufferDuration
        return preferences
    }

    /// As far as routes go, the settings of a session of which this is known.
    public init(category: Category, mode: Mode, preferring preferences: RoutePreferences) {
        self.category = category
        self.mode = mode
        overridesToSpeaker = preferences.overridesToSpeaker
        defaultsToSpeaker = preferences.defaultsToSpeaker
        enablesBluetoothInput = preferences.enablesBluetoothInput
        allowsBluetoothA2DP = preferences.allowsBluetoothA2DP
        allowsAirPlay = preferences.allowsAirPlay
        preferredSampleRate = preferences.sampleRate
        preferredBufferDuration = preferences.bufferDuration
    }
}
