internal import SessionModel

extension AVAudioSession {
    /// What refines a category. Each says with which categories it may be given; with another one it
    /// is `badParam`.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others play on: `playback`, `playAndRecord`, `multiRoute`. `ambient` always does.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Others play on, but lower: as `mixWithOthers`, which it brings, and `ambient`.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        /// Hands-free devices may be the input and output: `record`, `playAndRecord`.
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        /// The speaker instead of the receiver: `playAndRecord`.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        /// Others play on, except spoken audio, which is interrupted: as `mixWithOthers`, which it brings.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Bluetooth headphones may be the output: `playAndRecord`. Dropped from `record` and `multiRoute`.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// AirPlay may be the output: `playAndRecord`. Dropped from `record` and `multiRoute`.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    }

    /// What goes with activation and deactivation.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Whom this session has interrupted may resume when it is deactivated.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// With whom a session shares where its sound goes. On Linux a policy is kept and checked; nothing
    /// else follows from it.
    public enum RouteSharingPolicy: UInt, Sendable {
        case `default` = 0
        /// Only with `playback`, without options, in the modes `default`, `spokenAudio` and `moviePlayback`.
        case longFormAudio = 1
        /// The system's to choose.
        case independent = 2
        /// As `longFormAudio`.
        case longFormVideo = 3

        public static var longForm: RouteSharingPolicy { .longFormAudio }
    }

    /// Where the output goes in spite of the route.
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

    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The program may activate its session and go on.
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
