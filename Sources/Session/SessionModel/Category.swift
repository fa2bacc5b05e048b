// SPDX-License-Identifier: Apache-2.0
/// The purpose of a session. Two categories are older names that behave as their equivalents.
public enum Category: UInt32, CaseIterable, Sendable {
    case ambientSound = 0x616D_6269  // 'ambi'
    case soloAmbientSound = 0x736F_6C6F  // 'solo'
    case mediaPlayback = 0x6D65_6469  // 'medi'
    case recordAudio = 0x7265_6361  // 'reca'
    case playAndRecord = 0x706C_6172  // 'plar'
    case audioProcessing = 0x7072_6F63  // 'proc'
    case multiRoute = 0x6D75_6C74  // 'mult': beyond the C API
    case userInterfaceSoundEffects = 0x7569_6678  // 'uifx': as ambientSound
    case liveAudio = 0x6C69_7665  // 'live': as mediaPlayback

    /// The category with the same behaviour.
    public var equivalent: Category {
        switch self {
        case .userInterfaceSoundEffects: .ambientSound
        case .liveAudio: .mediaPlayback
        default: self
        }
    }

    public struct Traits: Sendable {
        public let name: StaticString
        public let alwaysMixes: Bool
        public let mayMix: Bool
        public let obeysSilentSwitch: Bool
        public let hasInput: Bool
        public let hasOutput: Bool
    }

    public var traits: Traits {
        switch self {
        case .ambientSound: Category.ambient("kAudioSessionCategory_AmbientSound")
        case .userInterfaceSoundEffects: Category.ambient("kAudioSessionCategory_UserInterfaceSoundEffects")
        case .soloAmbientSound:
            Traits(
                name: "kAudioSessionCategory_SoloAmbientSound", alwaysMixes: false, mayMix: false,
                obeysSilentSwitch: true, hasInput: false, hasOutput: true)
        case .mediaPlayback: Category.playback("kAudioSessionCategory_MediaPlayback")
        case .liveAudio: Category.playback("kAudioSessionCategory_LiveAudio")
        case .recordAudio:
            Traits(
                name: "kAudioSessionCategory_RecordAudio", alwaysMixes: false, mayMix: false,
                obeysSilentSwitch: false, hasInput: true, hasOutput: false)
        case .playAndRecord: Category.duplex("kAudioSessionCategory_PlayAndRecord")
        case .audioProcessing:
            Traits(
                name: "kAudioSessionCategory_AudioProcessing", alwaysMixes: false, mayMix: false,
                obeysSilentSwitch: false, hasInput: false, hasOutput: false)
        case .multiRoute: Category.duplex("kAudioSessionLinuxCategory_MultiRoute")
        }
    }

    private static func ambient(_ name: StaticString) -> Traits {
        Traits(name: name, alwaysMixes: true, mayMix: true, obeysSilentSwitch: true, hasInput: false, hasOutput: true)
    }

    private static func playback(_ name: StaticString) -> Traits {
        Traits(name: name, alwaysMixes: false, mayMix: true, obeysSilentSwitch: false, hasInput: false, hasOutput: true)
    }

    private static func duplex(_ name: StaticString) -> Traits {
        Traits(name: name, alwaysMixes: false, mayMix: true, obeysSilentSwitch: false, hasInput: true, hasOutput: true)
    }
}
