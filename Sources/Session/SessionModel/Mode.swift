// SPDX-License-Identifier: Apache-2.0
/// A refinement of a category.
public enum Mode: UInt32, CaseIterable, Sendable {
    case standard = 0x6466_6C74  // 'dflt'
    case voiceChat = 0x7663_6374  // 'vcct'
    case gameChat = 0x676D_6374  // 'gmct'
    case videoRecording = 0x7672_6364  // 'vrcd'
    case measurement = 0x6D73_6D74  // 'msmt'
    case moviePlayback = 0x6D76_7062  // 'mvpb': beyond the C API
    case videoChat = 0x7664_6374  // 'vdct': beyond the C API
    case spokenAudio = 0x7370_6B61  // 'spka': beyond the C API
    case voicePrompt = 0x7670_6D74  // 'vpmt': beyond the C API

    /// The constant's name in the C headers.
    public var name: StaticString {
        switch self {
        case .standard: "kAudioSessionMode_Default"
        case .voiceChat: "kAudioSessionMode_VoiceChat"
        case .gameChat: "kAudioSessionMode_GameChat"
        case .videoRecording: "kAudioSessionMode_VideoRecording"
        case .measurement: "kAudioSessionMode_Measurement"
        case .moviePlayback: "kAudioSessionLinuxMode_MoviePlayback"
        case .videoChat: "kAudioSessionLinuxMode_VideoChat"
        case .spokenAudio: "kAudioSessionLinuxMode_SpokenAudio"
        case .voicePrompt: "kAudioSessionLinuxMode_VoicePrompt"
        }
    }

    public func fits(_ category: Category) -> Bool {
        let category = category.equivalent
        return switch self {
        case .standard: true
        case .voiceChat, .gameChat, .videoChat: category == .playAndRecord
        case .videoRecording: category == .recordAudio || category == .playAndRecord
        case .measurement: category == .recordAudio || category == .playAndRecord || category == .mediaPlayback
        case .moviePlayback: category == .mediaPlayback
        case .spokenAudio, .voicePrompt: category.traits.hasOutput
        }
    }

    /// A mode for conversations: the route uses only the ports of a telephone, a headset or a hands-free device.
    public var isChat: Bool { self == .voiceChat || self == .gameChat || self == .videoChat }
}
