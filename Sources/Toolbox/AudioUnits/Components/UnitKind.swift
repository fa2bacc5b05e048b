// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The units of this library.
public enum UnitKind: UInt32, CaseIterable, Sendable {
    case remoteIO
    case voiceProcessingIO
    case genericOutput
    case converter
    case mixer
    case soundPlayer
    case filePlayer
    case varispeed
    case timePitch

    /// The units in the order in which a search finds them.
    public static let components = ComponentTable(allCases.map { $0.row })

    /// Nil when the table has no such component.
    public init?(component index: Int) {
        guard UnitKind.allCases.indices.contains(index) else { return nil }
        self = UnitKind.allCases[index]
    }

    /// The names are the names of the platform's components: the manufacturer, a colon and the unit.
    private var row: ComponentTable.Row {
        switch self {
        case .remoteIO: .init(.init(type: kAudioUnitType_Output, subtype: kAudioUnitSubType_RemoteIO), name: "Apple: AURemoteIO")
        case .voiceProcessingIO:
            .init(.init(type: kAudioUnitType_Output, subtype: kAudioUnitSubType_VoiceProcessingIO), name: "Apple: AUVoiceIO")
        case .genericOutput:
            .init(.init(type: kAudioUnitType_Output, subtype: kAudioUnitSubType_GenericOutput), name: "Apple: GenericOutput")
        case .converter:
            .init(.init(type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_AUConverter), name: "Apple: AUConverter")
        case .mixer:
            .init(
                .init(type: kAudioUnitType_Mixer, subtype: kAudioUnitSubType_MultiChannelMixer),
                name: "Apple: AUMultiChannelMixer")
        case .soundPlayer:
            .init(
                .init(type: kAudioUnitType_Generator, subtype: kAudioUnitSubType_ScheduledSoundPlayer),
                name: "Apple: AUScheduledSoundPlayer")
        case .filePlayer:
            .init(
                .init(type: kAudioUnitType_Generator, subtype: kAudioUnitSubType_AudioFilePlayer),
                name: "Apple: AUAudioFilePlayer")
        case .varispeed:
            .init(.init(type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_Varispeed), name: "Apple: AUVarispeed")
        case .timePitch:
            .init(
                .init(type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_NewTimePitch),
                name: "Apple: AUNewTimePitch")
        }
    }

    /// The name of the subtype's constant, for messages.
    public var name: StaticString {
        switch self {
        case .remoteIO: "RemoteIO"
        case .voiceProcessingIO: "VoiceProcessingIO"
        case .genericOutput: "GenericOutput"
        case .converter: "AUConverter"
        case .mixer: "MultiChannelMixer"
        case .soundPlayer: "ScheduledSoundPlayer"
        case .filePlayer: "AudioFilePlayer"
        case .varispeed: "Varispeed"
        case .timePitch: "NewTimePitch"
        }
    }
    var subtype: UInt32 { row.description.subtype }

    /// The unit is connected to the hardware: element 0 plays, element 1 records.
    public var isIO: Bool { self == .remoteIO || self == .voiceProcessingIO }
    /// `AudioOutputUnitStart` and `AudioOutputUnitStop` can be called.
    public var isOutput: Bool { isIO || self == .genericOutput }

    /// The unit has no input: it plays what the program has scheduled.
    public var isPlayer: Bool { self == .soundPlayer || self == .filePlayer }

    /// The unit changes the speed of its source.
    public var changesSpeed: Bool { self == .varispeed || self == .timePitch }

    var set: UnitKinds { UnitKinds(rawValue: 1 << rawValue) }
}

/// A set of kinds.
struct UnitKinds: OptionSet, Sendable {
    let rawValue: UInt32
    static let voice = UnitKind.voiceProcessingIO.set
    static let io: UnitKinds = [UnitKind.remoteIO.set, .voice]
    static let mixer = UnitKind.mixer.set
    static let pulled: UnitKinds = [.converting, .mixer]
    static let output: UnitKinds = [.io, UnitKind.genericOutput.set]
    /// The units that convert one input to one output.
    static let converting: UnitKinds = [
        UnitKind.genericOutput.set, UnitKind.converter.set, UnitKind.varispeed.set, UnitKind.timePitch.set,
    ]
    /// The units with a channel map and a clock of their own.
    static let mapped: UnitKinds = [.io, .converting]
    static let filePlayer = UnitKind.filePlayer.set
    static let soundPlayer = UnitKind.soundPlayer.set
    static let players: UnitKinds = [.filePlayer, .soundPlayer]
    /// The units with an input.
    static let fed: UnitKinds = [.io, .pulled]
    static let all: UnitKinds = [.fed, .players]
}

extension ComponentDescription {
    /// A component of this library's manufacturer, 'appl'.
    fileprivate init(type: Int, subtype: Int) {
        self.init(type: UInt32(type), subtype: UInt32(subtype), manufacturer: UInt32(kAudioUnitManufacturer_Apple))
    }
}
