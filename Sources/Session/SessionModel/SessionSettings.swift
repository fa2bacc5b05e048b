// SPDX-License-Identifier: Apache-2.0
/// The settings of a session. The setters, the session and the records of the shared table use this one type.
/// Each setter checks the rules of its property. A setter that throws leaves the settings unchanged.
public struct SessionSettings: Equatable, Sendable {
    public private(set) var category = Category.soloAmbientSound
    public private(set) var mode = Mode.standard
    public var flags: Flags = []
    public private(set) var preferredSampleRate = 0.0
    /// In seconds. The get of each API returns exactly the value of its set.
    public private(set) var preferredBufferDuration = 0.0

    // Preferences that only AVAudioSession has.
    public private(set) var sharingPolicy = RouteSharingPolicy.standard
    public private(set) var preferredInputChannels: UInt16 = 0
    public private(set) var preferredOutputChannels: UInt16 = 0
    /// The hash of the port's UID; 0 without a preference.
    public private(set) var preferredInput: UInt64 = 0

    public init() {}

    /// The settings of a session as the shared table stores them. A number that no setter accepts counts as no
    /// preference.
    public init(
        category: Category, mode: Mode, flags: Flags, sampleRate: Double, bufferDuration: Double,
        sharingPolicy: RouteSharingPolicy, inputChannels: UInt16, outputChannels: UInt16, input: UInt64
    ) {
        self.category = category
        self.mode = mode
        self.flags = flags.intersection(.all)
        if SessionSettings.isSampleRate(sampleRate) { preferredSampleRate = sampleRate }
        if SessionSettings.isBufferDuration(bufferDuration) { preferredBufferDuration = bufferDuration }
        self.sharingPolicy = sharingPolicy
        preferredInputChannels = inputChannels
        preferredOutputChannels = outputChannels
        preferredInput = input
    }

    /// The settings of a session that mixes, ducks or interrupts spoken audio by options.
    public init(category: Category, mode: Mode = .standard, mixes: Bool, ducks: Bool = false, interruptsSpokenAudio: Bool = false)
    {
        self.category = category
        self.mode = mode
        if mixes { flags.insert(.mixWithOthers) }
        if ducks { flags.insert(.duckOthers) }
        if interruptsSpokenAudio { flags.insert(.interruptSpokenAudio) }
    }

    /// The settings of the system sounds of a process: they mix with all sessions, and the user's switches silence them.
    public static let ofSystemSounds: SessionSettings = {
        var settings = SessionSettings(category: .ambientSound, mixes: true)
        settings.flags = .systemSounds
        return settings
    }()

    // MARK: The meaning of the flags

    public var areOfSystemSounds: Bool { flags.contains(.systemSounds) }

    /// True by the option or by the override.
    public var mixesWithOthers: Bool { !flags.isDisjoint(with: [.mixWithOthers, .overrideToMix]) }
    public var ducksOthers: Bool { flags.contains(.duckOthers) }
    public var interruptsSpokenAudio: Bool { flags.contains(.interruptSpokenAudio) }
    public var overridesToSpeaker: Bool { flags.contains(.overrideToSpeaker) }
    public var defaultsToSpeaker: Bool { flags.contains(.defaultToSpeaker) }
    public var enablesBluetoothInput: Bool { flags.contains(.enableBluetoothInput) }
    public var allowsBluetoothA2DP: Bool { flags.contains(.allowBluetoothA2DP) }
    public var allowsAirPlay: Bool { flags.contains(.allowAirPlay) }
    public var allowsHapticsDuringRecording: Bool { flags.contains(.allowHapticsDuringRecording) }
    public var prefersNoSystemAlerts: Bool { flags.contains(.preferNoSystemAlerts) }

    /// Whether the session mixes: by category, by override, or by option.
    public var mixes: Bool {
        category.traits.alwaysMixes || (category.traits.mayMix && (mixesWithOthers || interruptsSpokenAudio))
    }

    /// Ducking counts only while the session mixes.
    public var ducks: Bool { mixes && ducksOthers }

    // MARK: Category and mode

    public mutating func setCategory(_ new: Category) {
        guard new != category else { return }
        category = new
        flags.formIntersection(.keptByCategory)
        sharingPolicy = .standard
        if !mode.fits(new) { mode = .standard }
    }

    /// Sets the mode by the rule of the C API: the mode cannot change while the session is active or mixes by choice.
    public mutating func setMode(_ new: Mode, whileActive isActive: Bool) throws(ResultCode) {
        guard new.fits(category) else { throw .incompatibleCategory }
        guard new != mode else { return }
        guard !isActive, !mixes || category.traits.alwaysMixes else { throw .unspecified }
        apply(new)
    }

    /// Sets the mode by the rule of AVAudioSession: at any time.
    public mutating func changeMode(_ new: Mode) throws(ResultCode) {
        guard new.fits(category) else { throw .incompatibleCategory }
        apply(new)
    }

    private mutating func apply(_ new: Mode) {
        mode = new
        if new.isChat { flags.insert(.enableBluetoothInput) }
        if new == .videoChat { flags.insert(.defaultToSpeaker) }
    }

    /// Sets category and options as AVAudioSession does: the options replace the present options. Without a `mode` the present
    /// mode stays if the category accepts it.
    public mutating func configure(
        _ category: Category, mode: Mode?, policy: RouteSharingPolicy, options: CategoryOptions
    ) throws(ResultCode) {
        if let mode, !mode.fits(category) { throw .incompatibleCategory }
        let options = try options.admitted(in: category)
        var new = self
        new.setCategory(category)
        new.flags.subtract(CategoryOptions.allFlags.union(.overrideToMix))
        new.flags.formUnion(options.flags(in: category))
        new.apply(mode ?? new.mode)
        guard policy.isValid(for: category, new.mode, options) else { throw .parameter }
        new.sharingPolicy = policy
        self = new
    }

    // MARK: Overrides

    public mutating func setMixesWithOthers(_ on: Bool) throws(ResultCode) {
        guard !on || (category.traits.mayMix && !category.traits.alwaysMixes) else { throw .incompatibleCategory }
        if !on { flags.subtract([.mixWithOthers, .overrideToMix]) } else if !mixesWithOthers { flags.insert(.overrideToMix) }
    }

    public mutating func setInterruptsSpokenAudio(_ on: Bool) throws(ResultCode) {
        guard !on || category.traits.mayMix else { throw .incompatibleCategory }
        flags.set(.interruptSpokenAudio, on)
    }

    public mutating func setDucksOthers(_ on: Bool) {
        flags.set(.duckOthers, on)
        if on, category.traits.mayMix, !category.traits.alwaysMixes, !mixesWithOthers { flags.insert(.overrideToMix) }
    }

    public mutating func setDefaultsToSpeaker(_ on: Bool) throws(ResultCode) {
        guard !on || category == .playAndRecord else { throw .incompatibleCategory }
        flags.set(.defaultToSpeaker, on)
    }

    public mutating func setEnablesBluetoothInput(_ on: Bool) throws(ResultCode) {
        guard !on || category == .playAndRecord || category == .recordAudio else { throw .incompatibleCategory }
        flags.set(.enableBluetoothInput, on)
    }

    public mutating func setOverridesToSpeaker(_ on: Bool) throws(ResultCode) {
        guard category == .playAndRecord else { throw .incompatibleCategory }
        flags.set(.overrideToSpeaker, on)
    }

    /// Reverts the override after the arrival or departure of a device that the category can use.
    public mutating func revertRouteOverride() { flags.remove(.overrideToSpeaker) }

    /// Reverts the overrides at the begin of an interruption.
    public mutating func revertOverrides() { flags.subtract(.revertedByInterruption) }

    // MARK: Preferences. Zero removes a preference.

    static func isSampleRate(_ rate: Double) -> Bool { rate.isFinite && rate >= 0 }
    static func isBufferDuration(_ seconds: Double) -> Bool { Float(seconds).isFinite && seconds >= 0 }

    public mutating func setPreferredSampleRate(_ rate: Double) throws(ResultCode) {
        guard SessionSettings.isSampleRate(rate) else { throw .unsupportedProperty }
        preferredSampleRate = rate
    }

    public mutating func setPreferredBufferDuration(_ seconds: Double) throws(ResultCode) {
        guard SessionSettings.isBufferDuration(seconds) else { throw .unsupportedProperty }
        preferredBufferDuration = seconds
    }

    public mutating func setPreferredInputChannels(_ count: Int, upTo most: UInt32) throws(ResultCode) {
        preferredInputChannels = try SessionSettings.channels(count, upTo: most)
    }

    public mutating func setPreferredOutputChannels(_ count: Int, upTo most: UInt32) throws(ResultCode) {
        preferredOutputChannels = try SessionSettings.channels(count, upTo: most)
    }

    private static func channels(_ count: Int, upTo most: UInt32) throws(ResultCode) -> UInt16 {
        guard let exact = UInt16(exactly: count), exact <= most else { throw .parameter }
        return exact
    }

    public mutating func setAllowsHapticsDuringRecording(_ on: Bool) { flags.set(.allowHapticsDuringRecording, on) }
    public mutating func setPrefersNoSystemAlerts(_ on: Bool) { flags.set(.preferNoSystemAlerts, on) }

    public mutating func setPreferredInput(_ uid: String?, among available: [Port]) throws(ResultCode) {
        guard let uid else {
            preferredInput = 0
            return
        }
        guard let port = available.last(where: { $0.uid == uid }) else { throw .parameter }
        preferredInput = port.uidHash
    }
}

extension SetAlgebra {
    mutating func set(_ member: Element, _ isMember: Bool) {
        if isMember { insert(member) } else { remove(member) }
    }
}
