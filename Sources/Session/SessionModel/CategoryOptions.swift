// SPDX-License-Identifier: Apache-2.0
/// The options of AVAudioSession, which refine a category. The option to interrupt spoken audio mixes as well: its
/// value has both bits.
public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// Has no effect: no microphone here reports that it is muted.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)

    static let interruptSpokenAudio = CategoryOptions(rawValue: 0x10)

    /// The options that result in a category: with the options that other options imply, and without those that the category
    /// clears. Throws for an option that the category does not accept.
    func admitted(in category: Category) throws(ResultCode) -> CategoryOptions {
        var unknown = self
        var admitted = self
        for rule in optionRules where contains(rule.option) {
            unknown.remove(rule.option)
            if rule.cleared.contains(category.equivalent) {
                admitted.remove(rule.option)
            } else {
                guard rule.valid.contains(category.equivalent) else { throw .parameter }
                admitted.formUnion(rule.implied)
            }
        }
        guard unknown.isEmpty else { throw .parameter }
        return admitted
    }
}

extension CategoryOptions {
    /// All flags that an option can set.
    static let allFlags = optionRules.reduce(into: SessionSettings.Flags()) { $0.formUnion($1.flag) }

    /// The flags of these options. A category that always mixes needs no flag for mixing.
    func flags(in category: Category) -> SessionSettings.Flags {
        var flags: SessionSettings.Flags = []
        for rule in optionRules where contains(rule.option) { flags.formUnion(rule.flag) }
        if category.traits.alwaysMixes { flags.remove(.mixWithOthers) }
        return flags
    }
}

/// One option: the flag that stores it, the categories that accept it, those that clear it, and what it implies.
private struct OptionRule: Sendable {
    let option: CategoryOptions
    let flag: SessionSettings.Flags
    let valid: [Category]
    var cleared: [Category] = []
    var implied: CategoryOptions = []
}

private let optionRules: [OptionRule] = [
    // A category that always mixes reports the option. Therefore it accepts the option as well.
    OptionRule(
        option: .mixWithOthers, flag: .mixWithOthers, valid: [.ambientSound, .mediaPlayback, .playAndRecord, .multiRoute]),
    OptionRule(
        option: .duckOthers, flag: .duckOthers, valid: [.ambientSound, .mediaPlayback, .playAndRecord, .multiRoute],
        implied: .mixWithOthers),
    OptionRule(option: .allowBluetooth, flag: .enableBluetoothInput, valid: [.recordAudio, .playAndRecord]),
    OptionRule(option: .defaultToSpeaker, flag: .defaultToSpeaker, valid: [.playAndRecord]),
    OptionRule(
        option: .interruptSpokenAudio, flag: .interruptSpokenAudio, valid: [.mediaPlayback, .playAndRecord, .multiRoute],
        implied: .mixWithOthers),
    OptionRule(
        option: .allowBluetoothA2DP, flag: .allowBluetoothA2DP, valid: [.playAndRecord], cleared: [.recordAudio, .multiRoute]),
    OptionRule(option: .allowAirPlay, flag: .allowAirPlay, valid: [.playAndRecord], cleared: [.recordAudio, .multiRoute]),
    OptionRule(
        option: .overrideMutedMicrophoneInterruption, flag: .overrideMutedMicrophone,
        valid: [.recordAudio, .playAndRecord, .multiRoute]),
]

/// The sessions with which a session shares its route.
public enum RouteSharingPolicy: UInt, CaseIterable, Sendable {
    case standard = 0
    case longFormAudio = 1
    /// The system chooses this policy. A program cannot choose it.
    case independent = 2
    case longFormVideo = 3

    func isValid(for category: Category, _ mode: Mode, _ options: CategoryOptions) -> Bool {
        switch self {
        case .standard: true
        case .independent: false
        case .longFormAudio, .longFormVideo:
            category.equivalent == .mediaPlayback && options.isEmpty
                && (mode == .standard || mode == .moviePlayback || mode == .spokenAudio)
        }
    }
}

extension SessionSettings {
    /// The options in effect, including those that the category, the mode or the C API's overrides imply.
    public var options: CategoryOptions {
        var options: CategoryOptions = []
        for rule in optionRules where !flags.isDisjoint(with: rule.flag) { options.insert(rule.option) }
        // An option that has no effect now is not reported.
        options.set(.mixWithOthers, mixes)
        options.set(.duckOthers, ducks)
        return options
    }
}
