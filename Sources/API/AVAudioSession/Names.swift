// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, DontRepeatTypeInStaticProperties

internal import SessionModel

// The names of categories, modes and ports, each as a type.
extension AVAudioSession {
    /// The purpose of a session.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Mixes with others. The silent switch and the screen lock silence it.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// The default: as ambient, but it interrupts others.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Plays the main sound of the program, also with the screen locked.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Records, and silences the playback of others.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Records and plays, at once or alternately.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Neither plays nor records.
        public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
        /// Plays to all eligible outputs at once.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// A refinement of a category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Fits every category.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Speech in both directions; only with `playAndRecord`. Implies `allowBluetooth`.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// As `voiceChat`, for games.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Only with `record` and `playAndRecord`.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Minimal processing; with `record`, `playAndRecord` and `playback`.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// Only with `playback`.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Only with `playAndRecord`. Implies `allowBluetooth` and `defaultToSpeaker`.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech, which pauses instead of being ducked; with every category that plays.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Speech that guides the user; with every category that plays. The route is that of `default`.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    }

    /// A kind of port.
    public struct Port: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        // Inputs.
        public static let lineIn = Port(rawValue: "LineIn")
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        // Outputs.
        public static let lineOut = Port(rawValue: "LineOut")
        public static let headphones = Port(rawValue: "Headphones")
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        public static let builtInReceiver = Port(rawValue: "Receiver")
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        public static let HDMI = Port(rawValue: "HDMIOutput")
        public static let airPlay = Port(rawValue: "AirPlay")
        /// Never found on Linux.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        // Either.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// Never found on Linux.
        public static let carAudio = Port(rawValue: "CarAudio")
        // Later releases have these kinds. No port on Linux has one of them.
        public static let virtual = Port(rawValue: "Virtual")
        public static let PCI = Port(rawValue: "PCI")
        public static let fireWire = Port(rawValue: "FireWire")
        public static let displayPort = Port(rawValue: "DisplayPort")
        public static let AVB = Port(rawValue: "AVB")
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
    }

    /// The position of a data source on the device.
    public struct Location: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let upper = Location(rawValue: "Upper")
        public static let lower = Location(rawValue: "Lower")
    }

    /// The direction of a data source.
    public struct Orientation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let top = Orientation(rawValue: "Top")
        public static let bottom = Orientation(rawValue: "Bottom")
        public static let front = Orientation(rawValue: "Front")
        public static let back = Orientation(rawValue: "Back")
        public static let left = Orientation(rawValue: "Left")
        public static let right = Orientation(rawValue: "Right")
    }

    /// The directivity of a data source.
    public struct PolarPattern: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
        public static let cardioid = PolarPattern(rawValue: "Cardioid")
        public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
        public static let stereo = PolarPattern(rawValue: "Stereo")
    }
}

// MARK: Values of the session model

extension AVAudioSession.Category {
    static let known: [(name: AVAudioSession.Category, category: SessionModel.Category)] = [
        (.ambient, .ambientSound), (.soloAmbient, .soloAmbientSound), (.playback, .mediaPlayback), (.record, .recordAudio),
        (.playAndRecord, .playAndRecord), (.audioProcessing, .audioProcessing), (.multiRoute, .multiRoute),
    ]

    init(_ category: SessionModel.Category) {
        self = Self.known.first { $0.category == category.equivalent }?.name ?? .soloAmbient
    }

    func meaning() throws(ResultCode) -> SessionModel.Category {
        guard let category = Self.known.first(where: { $0.name == self })?.category else { throw .parameter }
        return category
    }
}

extension AVAudioSession.Mode {
    static let known: [(name: AVAudioSession.Mode, mode: SessionModel.Mode)] = [
        (.default, .standard), (.voiceChat, .voiceChat), (.gameChat, .gameChat), (.videoRecording, .videoRecording),
        (.measurement, .measurement), (.moviePlayback, .moviePlayback), (.videoChat, .videoChat), (.spokenAudio, .spokenAudio),
        (.voicePrompt, .voicePrompt),
    ]

    init(_ mode: SessionModel.Mode) { self = Self.known.first { $0.mode == mode }?.name ?? .default }

    func meaning() throws(ResultCode) -> SessionModel.Mode {
        guard let mode = Self.known.first(where: { $0.name == self })?.mode else { throw .parameter }
        return mode
    }
}

extension AVAudioSession.Port {
    init(_ kind: PortKind) { self.init(rawValue: kind.portType.description) }
}
