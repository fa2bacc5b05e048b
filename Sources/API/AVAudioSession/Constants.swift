// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names as plain strings, for programs that are older than the types.

public let AVAudioSessionCategoryAmbient = AVAudioSession.Category.ambient.rawValue
public let AVAudioSessionCategorySoloAmbient = AVAudioSession.Category.soloAmbient.rawValue
public let AVAudioSessionCategoryPlayback = AVAudioSession.Category.playback.rawValue
public let AVAudioSessionCategoryRecord = AVAudioSession.Category.record.rawValue
public let AVAudioSessionCategoryPlayAndRecord = AVAudioSession.Category.playAndRecord.rawValue
public let AVAudioSessionCategoryAudioProcessing = AVAudioSession.Category.audioProcessing.rawValue
public let AVAudioSessionCategoryMultiRoute = AVAudioSession.Category.multiRoute.rawValue

public let AVAudioSessionModeDefault = AVAudioSession.Mode.default.rawValue
public let AVAudioSessionModeVoiceChat = AVAudioSession.Mode.voiceChat.rawValue
public let AVAudioSessionModeGameChat = AVAudioSession.Mode.gameChat.rawValue
public let AVAudioSessionModeVideoRecording = AVAudioSession.Mode.videoRecording.rawValue
public let AVAudioSessionModeMeasurement = AVAudioSession.Mode.measurement.rawValue
public let AVAudioSessionModeMoviePlayback = AVAudioSession.Mode.moviePlayback.rawValue
public let AVAudioSessionModeVideoChat = AVAudioSession.Mode.videoChat.rawValue
public let AVAudioSessionModeSpokenAudio = AVAudioSession.Mode.spokenAudio.rawValue
public let AVAudioSessionModeVoicePrompt = AVAudioSession.Mode.voicePrompt.rawValue

public let AVAudioSessionPortLineIn = AVAudioSession.Port.lineIn.rawValue
public let AVAudioSessionPortBuiltInMic = AVAudioSession.Port.builtInMic.rawValue
public let AVAudioSessionPortHeadsetMic = AVAudioSession.Port.headsetMic.rawValue
public let AVAudioSessionPortLineOut = AVAudioSession.Port.lineOut.rawValue
public let AVAudioSessionPortHeadphones = AVAudioSession.Port.headphones.rawValue
public let AVAudioSessionPortBluetoothA2DP = AVAudioSession.Port.bluetoothA2DP.rawValue
public let AVAudioSessionPortBuiltInReceiver = AVAudioSession.Port.builtInReceiver.rawValue
public let AVAudioSessionPortBuiltInSpeaker = AVAudioSession.Port.builtInSpeaker.rawValue
public let AVAudioSessionPortHDMI = AVAudioSession.Port.HDMI.rawValue
public let AVAudioSessionPortAirPlay = AVAudioSession.Port.airPlay.rawValue
public let AVAudioSessionPortBluetoothLE = AVAudioSession.Port.bluetoothLE.rawValue
public let AVAudioSessionPortBluetoothHFP = AVAudioSession.Port.bluetoothHFP.rawValue
public let AVAudioSessionPortUSBAudio = AVAudioSession.Port.usbAudio.rawValue
public let AVAudioSessionPortCarAudio = AVAudioSession.Port.carAudio.rawValue

public let AVAudioSessionLocationUpper = AVAudioSession.Location.upper.rawValue
public let AVAudioSessionLocationLower = AVAudioSession.Location.lower.rawValue
public let AVAudioSessionOrientationTop = AVAudioSession.Orientation.top.rawValue
public let AVAudioSessionOrientationBottom = AVAudioSession.Orientation.bottom.rawValue
public let AVAudioSessionOrientationFront = AVAudioSession.Orientation.front.rawValue
public let AVAudioSessionOrientationBack = AVAudioSession.Orientation.back.rawValue
public let AVAudioSessionOrientationLeft = AVAudioSession.Orientation.left.rawValue
public let AVAudioSessionOrientationRight = AVAudioSession.Orientation.right.rawValue
public let AVAudioSessionPolarPatternOmnidirectional = AVAudioSession.PolarPattern.omnidirectional.rawValue
public let AVAudioSessionPolarPatternCardioid = AVAudioSession.PolarPattern.cardioid.rawValue
public let AVAudioSessionPolarPatternSubcardioid = AVAudioSession.PolarPattern.subcardioid.rawValue

public typealias AVAudioSessionCategoryOptions = AVAudioSession.CategoryOptions
public typealias AVAudioSessionSetActiveOptions = AVAudioSession.SetActiveOptions
public typealias AVAudioSessionRouteSharingPolicy = AVAudioSession.RouteSharingPolicy
public typealias AVAudioSessionPortOverride = AVAudioSession.PortOverride
public typealias AVAudioSessionRecordPermission = AVAudioSession.RecordPermission
public typealias AVAudioSessionInterruptionType = AVAudioSession.InterruptionType
public typealias AVAudioSessionInterruptionOptions = AVAudioSession.InterruptionOptions
public typealias AVAudioSessionRouteChangeReason = AVAudioSession.RouteChangeReason
public typealias AVAudioSessionSilenceSecondaryAudioHintType = AVAudioSession.SilenceSecondaryAudioHintType
public typealias AVAudioSessionErrorCode = AVAudioSession.ErrorCode

/// A name that compares equal to its string.
public protocol AVAudioSessionName: RawRepresentable<String>, Hashable, Sendable {}
extension AVAudioSession.Category: AVAudioSessionName {}
extension AVAudioSession.Mode: AVAudioSessionName {}
extension AVAudioSession.Port: AVAudioSessionName {}
extension AVAudioSession.Location: AVAudioSessionName {}
extension AVAudioSession.Orientation: AVAudioSessionName {}
extension AVAudioSession.PolarPattern: AVAudioSessionName {}

extension AVAudioSessionName {
    public static func == (name: Self, string: String) -> Bool { name.rawValue == string }
    public static func == (string: String, name: Self) -> Bool { name.rawValue == string }
    public static func != (name: Self, string: String) -> Bool { name.rawValue != string }
    public static func != (string: String, name: Self) -> Bool { name.rawValue != string }
    public static func ~= (string: String, name: Self) -> Bool { name.rawValue == string }
}

// The functions that take such strings.
extension AVAudioSession {
    public func setCategory(_ category: String) throws { try setCategory(Category(rawValue: category)) }

    public func setCategory(_ category: String, options: CategoryOptions) throws {
        try setCategory(Category(rawValue: category), options: options)
    }

    public func setCategory(_ category: String, with options: CategoryOptions) throws {
        try setCategory(Category(rawValue: category), options: options)
    }

    public func setCategory(_ category: String, mode: String, options: CategoryOptions = []) throws {
        try setCategory(Category(rawValue: category), mode: Mode(rawValue: mode), options: options)
    }

    public func setCategory(
        _ category: String, mode: String, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        try setCategory(Category(rawValue: category), mode: Mode(rawValue: mode), policy: policy, options: options)
    }

    public func setMode(_ mode: String) throws { try setMode(Mode(rawValue: mode)) }

    public func setActive(_ active: Bool, with options: SetActiveOptions) throws { try setActive(active, options: options) }
}
