// SPDX-License-Identifier: Apache-2.0
internal import SessionModel

extension AVAudioSession {
    /// Options that refine a category. Each lists the categories that accept it; another category throws
    /// `badParam`.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other sessions continue: `playback`, `playAndRecord`, `multiRoute`. `ambient` always mixes.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Other sessions continue at a lower volume: `ambient`, `playback`, `playAndRecord`, `multiRoute`. Implies
        /// `mixWithOthers`.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        /// Hands-free devices may be the input and output: `record`, `playAndRecord`.
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        /// The speaker instead of the receiver: `playAndRecord`.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        /// Other sessions continue, except spoken audio, which is interrupted: `playback`, `playAndRecord`, `multiRoute`. Implies
        /// `mixWithOthers`.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Bluetooth headphones may be the output: `playAndRecord`. Dropped from `record` and `multiRoute`.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// AirPlay may be the output: `playAndRecord`. Dropped from `record` and `multiRoute`.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// A muted microphone does not interrupt the session: `record`, `playAndRecord`, `multiRoute`. Stored without an effect: no
        /// microphone here interrupts a session.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
    }

    /// Options of an activation or deactivation.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The sessions that this session has interrupted may resume.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The policy by which a session shares its route. Linux stores and checks a policy; it has no other effect.
    public enum RouteSharingPolicy: UInt, Sendable {
        case `default` = 0
        /// Only with `playback`, without options, in the modes `default`, `spokenAudio` and `moviePlayback`.
        case longFormAudio = 1
        /// The system chooses it. A program cannot.
        case independent = 2
        /// As `longFormAudio`.
        case longFormVideo = 3

        public static var longForm: RouteSharingPolicy { .longFormAudio }
    }

    /// An override of the output.
    public enum PortOverride: UInt, Sendable {
        case none = 0
        case speaker = 0x7370_6B72  // 'spkr'
    }

    /// Whether the program may record.
    public enum RecordPermission: UInt, Sendable {
        case undetermined = 0x756E_6474  // 'undt'
        case denied = 0x6465_6E79  // 'deny'
        case granted = 0x6772_6E74  // 'grnt'
    }

    public enum InterruptionType: UInt, Sendable {
        case ended = 0
        case began = 1
    }

    /// The value of `AVAudioSessionInterruptionReasonKey`, which no notification has on Linux.
    public enum InterruptionReason: UInt, Sendable {
        case `default` = 0
        case appWasSuspended = 1
        case builtInMicMuted = 2
        case routeDisconnected = 4
    }

    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The program may activate its session and resume.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    public enum RouteChangeReason: UInt, Sendable {
        case unknown = 0
        case newDeviceAvailable = 1
        case oldDeviceUnavailable = 2
        case categoryChange = 3
        case override = 4
        case wakeFromSleep = 6
        case noSuitableRouteForCategory = 7
        case routeConfigurationChange = 8
    }

    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        case end = 0
        case begin = 1
    }
}

extension AVAudioSession.CategoryOptions {
    init(_ options: SessionModel.CategoryOptions) { self.init(rawValue: options.rawValue) }
    var meaning: SessionModel.CategoryOptions { SessionModel.CategoryOptions(rawValue: rawValue) }
}

extension AVAudioSession.RouteSharingPolicy {
    init(_ policy: SessionModel.RouteSharingPolicy) {
        self =
            switch policy {
            case .standard: .default
            case .longFormAudio: .longFormAudio
            case .independent: .independent
            case .longFormVideo: .longFormVideo
            }
    }

    var meaning: SessionModel.RouteSharingPolicy {
        switch self {
        case .default: .standard
        case .longFormAudio: .longFormAudio
        case .independent: .independent
        case .longFormVideo: .longFormVideo
        }
    }
}

extension AVAudioSession.RouteChangeReason {
    init(_ reason: SessionModel.RouteChangeReason) {
        self =
            switch reason {
            case .unknown: .unknown
            case .newDeviceAvailable: .newDeviceAvailable
            case .oldDeviceUnavailable: .oldDeviceUnavailable
            case .categoryChange: .categoryChange
            case .override: .override
            case .wakeFromSleep: .wakeFromSleep
            case .noSuitableRouteForCategory: .noSuitableRouteForCategory
            case .routeConfigurationChange: .routeConfigurationChange
            }
    }
}
