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
    /// In seconds; each face gives back exactly what it was given.
    public private(set) var preferredBufferDuration = 0.0

    // Options that only AVAudioSession has. A change of category resets them.
    public private(set) var allowsBluetoothA2DP = false
    public private(set) var allowsAirPlay = false
    public private(set) var interruptsSpokenAudio = false
    public private(set) var sharingPolicy = RouteSharingPolicy.standard

    // Preferences that only AVAudioSession has.
    public private(set) var preferredInputChannels: UInt32 = 0
    public private(set) var preferredOutputChannels: UInt32 = 0
    /// The port's mark; 0 without a preference.
    public private(set) var preferredInput: UInt64 = 0

    /// Somebody in the program is to be told when others' sound begins or ceases to be primary. Nothing
    /// that the program sets.
    public var hearsSecondaryAudioHint = false

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
        sharingPolicy = .standard
        if !mode.fits(new) { mode = .standard }
    }

    public mutating func setMode(_ new: Mode, whileActive isActive: Bool) throws(ResultCode) {
        guard new.fits(category) else { throw .incompatibleCategory }
        guard new != mode else { return }
        guard !isActive, !mixes else { throw .unspecified }
        take(new)
    }

    private mutating func take(_ new: Mode) {
        mode = new
        if new.isChat { enablesBluetoothInput = true }
        if new == .videoChat { defaultsToSpeaker = true }
    }

    // MARK: As AVAudioSession sets them

    /// At any time, also while the session is active or mixes.
    public mutating func changeMode(_ new: Mode) throws(ResultCode) {
        guard new.fits(category) else { throw .incompatibleCategory }
        take(new)
    }

    /// All at once: the options replace those that were there. Without a mode the one that is there
    /// stays, if it fits.
    public mutating func configure(
        _ category: Category, mode: Mode?, policy: RouteSharingPolicy, options: CategoryOptions
    ) throws(ResultCode) {
        if let mode, !mode.fits(category) { throw .incompatibleCategory }
        let options = try options.admitted(in: category)
        var new = self
        new.setCategory(category)
        new.mixesWithOthers = options.contains(.mixWithOthers) && !category.traits.alwaysMixes
        new.ducksOthers = options.contains(.duckOthers)
        new.enablesBluetoothInput = options.contains(.allowBluetooth)
        new.defaultsToSpeaker = options.contains(.defaultToSpeaker)
        new.interruptsSpokenAudio = options.contains(.interruptSpokenAudio)
        new.allowsBluetoothA2DP = options.contains(.allowBluetoothA2DP)
        new.allowsAirPlay = options.contains(.allowAirPlay)
        new.take(mode ?? new.mode)
        guard policy.isValid(for: category, new.mode, options) else { throw .parameter }
        new.sharingPolicy = policy
        self = new
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
        preferredBufferDuration = Double(seconds)
    }

    // Zero takes a preference back.

    public mutating func preferSampleRate(_ rate: Double) throws(ResultCode) {
        guard rate.isFinite, rate >= 0 else { throw .parameter }
        preferredSampleRate = rate
    }

    public mutating func preferBufferDuration(_ seconds: Double) throws(ResultCode) {
        guard Float(seconds).isFinite, seconds >= 0 else { throw .parameter }
        preferredBufferDuration = seconds
    }

    public mutating func preferInputChannels(_ count: Int, upTo most: UInt32) throws(ResultCode) {
        guard let count = UInt32(exactly: count), count <= most else { throw .parameter }
        preferredInputChannels = count
    }

    public mutating func preferOutputChannels(_ count: Int, upTo most: UInt32) throws(ResultCode) {
        guard let count = UInt32(exactly: count), count <= most else { throw .parameter }
        preferredOutputChannels = count
    }

    public mutating func preferInput(_ uid: String?, among available: [Port]) throws(ResultCode) {
        guard let uid else {
            preferredInput = 0
            return
        }
        guard let port = available.last(where: { $0.uid == uid }) else { throw .parameter }
        preferredInput = port.mark
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
    /// The mark of the port that input comes from where it can; 0 without a preference.
    public var input: UInt64 = 0

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
        preferences.bufferDuration = Float(preferredBufferDuration)
        preferences.input = preferredInput
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
        preferredBufferDuration = Double(preferences.bufferDuration)
        preferredInput = preferences.input
    }
}
