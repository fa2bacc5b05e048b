// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import SessionModel
import Testing

@testable import AVAudioSession

/// The values that programs compare, store and print.
@Suite struct SessionValueTests {
    private static let names: [(constant: String, value: String)] = [
        (AVAudioSessionCategoryAmbient, "AVAudioSessionCategoryAmbient"),
        (AVAudioSessionCategorySoloAmbient, "AVAudioSessionCategorySoloAmbient"),
        (AVAudioSessionCategoryPlayback, "AVAudioSessionCategoryPlayback"),
        (AVAudioSessionCategoryRecord, "AVAudioSessionCategoryRecord"),
        (AVAudioSessionCategoryPlayAndRecord, "AVAudioSessionCategoryPlayAndRecord"),
        (AVAudioSessionCategoryAudioProcessing, "AVAudioSessionCategoryAudioProcessing"),
        (AVAudioSessionCategoryMultiRoute, "AVAudioSessionCategoryMultiRoute"),
        (AVAudioSessionModeDefault, "AVAudioSessionModeDefault"), (AVAudioSessionModeVoiceChat, "AVAudioSessionModeVoiceChat"),
        (AVAudioSessionModeGameChat, "AVAudioSessionModeGameChat"),
        (AVAudioSessionModeVideoRecording, "AVAudioSessionModeVideoRecording"),
        (AVAudioSessionModeMeasurement, "AVAudioSessionModeMeasurement"),
        (AVAudioSessionModeMoviePlayback, "AVAudioSessionModeMoviePlayback"),
        (AVAudioSessionModeVideoChat, "AVAudioSessionModeVideoChat"),
        (AVAudioSessionModeSpokenAudio, "AVAudioSessionModeSpokenAudio"),
        (AVAudioSessionModeVoicePrompt, "AVAudioSessionModeVoicePrompt"), (AVAudioSessionPortLineIn, "LineIn"),
        (AVAudioSessionPortBuiltInMic, "MicrophoneBuiltIn"), (AVAudioSessionPortHeadsetMic, "MicrophoneWired"),
        (AVAudioSessionPortLineOut, "LineOut"), (AVAudioSessionPortHeadphones, "Headphones"),
        (AVAudioSessionPortBluetoothA2DP, "BluetoothA2DPOutput"), (AVAudioSessionPortBuiltInReceiver, "Receiver"),
        (AVAudioSessionPortBuiltInSpeaker, "Speaker"), (AVAudioSessionPortHDMI, "HDMIOutput"),
        (AVAudioSessionPortAirPlay, "AirPlay"), (AVAudioSessionPortBluetoothLE, "BluetoothLE"),
        (AVAudioSessionPortBluetoothHFP, "BluetoothHFP"), (AVAudioSessionPortUSBAudio, "USBAudio"),
        (AVAudioSessionPortCarAudio, "CarAudio"), (AVAudioSession.Port.virtual.rawValue, "Virtual"),
        (AVAudioSession.Port.PCI.rawValue, "PCI"), (AVAudioSession.Port.fireWire.rawValue, "FireWire"),
        (AVAudioSession.Port.displayPort.rawValue, "DisplayPort"), (AVAudioSession.Port.AVB.rawValue, "AVB"),
        (AVAudioSession.Port.thunderbolt.rawValue, "Thunderbolt"), (AVAudioSessionLocationUpper, "Upper"),
        (AVAudioSessionLocationLower, "Lower"), (AVAudioSessionOrientationTop, "Top"),
        (AVAudioSessionOrientationBottom, "Bottom"),
        (AVAudioSessionOrientationFront, "Front"), (AVAudioSessionOrientationBack, "Back"),
        (AVAudioSessionOrientationLeft, "Left"),
        (AVAudioSessionOrientationRight, "Right"), (AVAudioSessionPolarPatternOmnidirectional, "Omnidirectional"),
        (AVAudioSessionPolarPatternCardioid, "Cardioid"), (AVAudioSessionPolarPatternSubcardioid, "Subcardioid"),
        (AVAudioSession.PolarPattern.stereo.rawValue, "Stereo"),
        (AVAudioSessionInterruptionTypeKey, "AVAudioSessionInterruptionTypeKey"),
        (AVAudioSessionInterruptionOptionKey, "AVAudioSessionInterruptionOptionKey"),
        (AVAudioSessionInterruptionWasSuspendedKey, "AVAudioSessionInterruptionWasSuspendedKey"),
        (AVAudioSessionInterruptionReasonKey, "AVAudioSessionInterruptionReasonKey"),
        (AVAudioSessionRouteChangeReasonKey, "AVAudioSessionRouteChangeReasonKey"),
        (AVAudioSessionRouteChangePreviousRouteKey, "AVAudioSessionRouteChangePreviousRouteKey"),
        (AVAudioSessionSilenceSecondaryAudioHintTypeKey, "AVAudioSessionSilenceSecondaryAudioHintTypeKey"),
    ]

    @Test("Each constant is the string of the platform", arguments: names.indices)
    func name(row: Int) { #expect(Self.names[row].constant == Self.names[row].value) }

    @Test("Each notification has the name of the platform, by its old and its new constant")
    func notifications() {
        let rows: [(old: Notification.Name, new: Notification.Name, name: String)] = [
            (.AVAudioSessionInterruption, AVAudioSession.interruptionNotification, "Interruption"),
            (.AVAudioSessionRouteChange, AVAudioSession.routeChangeNotification, "RouteChange"),
            (.AVAudioSessionMediaServicesWereLost, AVAudioSession.mediaServicesWereLostNotification, "MediaServicesWereLost"),
            (.AVAudioSessionMediaServicesWereReset, AVAudioSession.mediaServicesWereResetNotification, "MediaServicesWereReset"),
            (
                .AVAudioSessionSilenceSecondaryAudioHint, AVAudioSession.silenceSecondaryAudioHintNotification,
                "SilenceSecondaryAudioHint"
            ),
        ]
        for row in rows { #expect(row.old == row.new && row.new.rawValue == "AVAudioSession\(row.name)Notification") }
    }

    @Test("Each number is that of the platform")
    func numbers() {
        typealias Options = AVAudioSession.CategoryOptions
        let options: [(Options, UInt)] = [
            (.mixWithOthers, 1), (.duckOthers, 2), (.allowBluetooth, 4), (.defaultToSpeaker, 8),
            (.interruptSpokenAudioAndMixWithOthers, 0x11), (.allowBluetoothA2DP, 0x20), (.allowAirPlay, 0x40),
            (.overrideMutedMicrophoneInterruption, 0x80),
        ]
        for (option, value) in options { #expect(option.rawValue == value) }
        func code(_ text: String) -> UInt { text.utf8.reduce(0) { $0 << 8 | UInt($1) } }
        #expect(AVAudioSession.PortOverride.none.rawValue == 0 && AVAudioSession.PortOverride.speaker.rawValue == code("spkr"))
        let permissions: [(UInt, UInt, String)] = [
            (
                AVAudioSession.RecordPermission.undetermined.rawValue, AVAudioApplication.recordPermission.undetermined.rawValue,
                "undt"
            ),
            (AVAudioSession.RecordPermission.denied.rawValue, AVAudioApplication.recordPermission.denied.rawValue, "deny"),
            (AVAudioSession.RecordPermission.granted.rawValue, AVAudioApplication.recordPermission.granted.rawValue, "grnt"),
        ]
        for (session, application, text) in permissions { #expect(session == code(text) && application == code(text)) }
        #expect(AVAudioSession.InterruptionType.ended.rawValue == 0 && AVAudioSession.InterruptionType.began.rawValue == 1)
        #expect(AVAudioSession.InterruptionOptions.shouldResume.rawValue == 1)
        #expect(AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation.rawValue == 1)
        typealias Hint = AVAudioSession.SilenceSecondaryAudioHintType
        #expect(Hint.end.rawValue == 0 && Hint.begin.rawValue == 1)
        typealias Reason = AVAudioSession.InterruptionReason
        #expect(
            [Reason.default, .appWasSuspended, .builtInMicMuted, .routeDisconnected].map { $0.rawValue } == [0, 1, 2, 4])
    }

    @Test("Each policy and each reason of a route change is that of the session, with the number of the platform")
    func meanings() throws {
        typealias Policy = AVAudioSession.RouteSharingPolicy
        for policy in RouteSharingPolicy.allCases {
            let named = Policy(policy)
            #expect(named.rawValue == policy.rawValue && named.meaning == policy)
        }
        #expect([Policy.default, .longFormAudio, .independent, .longFormVideo].map { $0.rawValue } == [0, 1, 2, 3])
        #expect(Policy.longForm == .longFormAudio)
        for reason in RouteChangeReason.allCases {
            #expect(AVAudioSession.RouteChangeReason(reason).rawValue == UInt(reason.rawValue))
        }
        for category in SessionModel.Category.allCases {
            #expect(try AVAudioSession.Category(category).meaning() == category.equivalent)
        }
        for mode in SessionModel.Mode.allCases { #expect(try AVAudioSession.Mode(mode).meaning() == mode) }
    }

    @Test("Each error has a sentence of its own for people")
    func sentences() {
        let sentences: [AVAudioSession.ErrorCode: String] = [
            .none: "No error.", .mediaServicesFailed: "The audio server is not running.",
            .isBusy: "Audio was running when the session was deactivated; it has been stopped.",
            .incompatibleCategory: "The session's category does not allow this.",
            .cannotInterruptOthers: "The session cannot interrupt the active phone call.",
            .missingEntitlement: "The program lacks an entitlement.", .siriIsRecording: "The assistant is recording.",
            .cannotStartPlaying: "Playback cannot start.", .cannotStartRecording: "Recording cannot start.",
            .badParam: "An argument is not valid.", .insufficientPriority: "A phone call is active.",
            .resourceNotAvailable: "The required hardware is not present.", .expiredSession: "The session has expired.",
            .sessionNotActive: "The session is not active.", .unspecified: "The audio session failed; its log states the cause.",
        ]
        for code in AVAudioSession.ErrorCode.allCases {
            #expect(code.error.localizedDescription == sentences[code] && code.error.code == code.rawValue)
            #expect(AVAudioSession.ErrorCode(code.error) == code)
        }
    }
}

@Suite struct PortValueTests {
    private func session() throws -> AVAudioSession { try singleProgram().session }

    private func port(
        _ kind: PortKind = .usbOutput, channels: UInt32 = 2, uid: String = "uid", selectables: [Selectable] = [],
        selected: Int32? = nil
    ) throws -> AVAudioSessionPortDescription {
        let port = SessionModel.Port(
            kind: kind, device: 1, uid: uid, name: "Name", alsaDevice: "hw:1", channels: channels, selectables: selectables,
            selected: selected)
        return AVAudioSessionPortDescription(port, of: try session())
    }

    @Test("A channel is mono, left or right, or has the number of a discrete channel")
    func channels() throws {
        for (channels, labels) in [
            (0, []), (1, [42]), (2, [1, 2]), (3, [0x1_0000, 0x1_0001, 0x1_0002]), (4, [0x1_0000, 0x1_0001, 0x1_0002, 0x1_0003]),
        ] as [(UInt32, [UInt32])] {
            let found = try #require(try port(channels: channels).channels)
            #expect(found.map { $0.channelLabel } == labels)
            #expect(found.map { $0.channelNumber } == labels.indices.map { $0 + 1 })
            #expect(found.map { $0.channelName } == labels.indices.map { "Name \($0 + 1)" })
            #expect(found.allSatisfy { $0.owningPortUID == "uid" })
        }
    }

    @Test(
        "A word of the name of a data source states its orientation",
        arguments: [
            ("Front", .front), ("back", .back), ("Rear Mic", .back), ("Top", .top), ("BOTTOM", .bottom), ("Mic (left)", .left),
            ("Right 2", .right), ("Line", nil), ("Frontal", nil), ("", nil),
        ] as [(String, AVAudioSession.Orientation?)])
    func orientation(name: String, orientation: AVAudioSession.Orientation?) {
        #expect(AVAudioSessionDataSourceDescription(Selectable(id: 1, name: name), of: "uid").orientation == orientation)
    }

    @Test("Ports are equal by kind and UID, and sources by port, number and name; equal ones have equal hashes")
    func equality() throws {
        let first = try port()
        #expect(try first == port(channels: 5) && first.hash == port(channels: 5).hash)
        #expect(try first != port(.usbInput) && first != port(uid: "other") && !first.isEqual("uid"))
        #expect(first.description == "Name (USBAudio, uid)" && first.alsaDevice == "hw:1")
        func source(_ id: Int32 = 1, _ name: String = "Mic", of port: String = "uid") -> AVAudioSessionDataSourceDescription {
            AVAudioSessionDataSourceDescription(Selectable(id: id, name: name), of: port)
        }
        #expect(source() == source() && source().hash == source().hash && source().description == "Mic (1)")
        #expect(
            source() != source(2) && source() != source(1, "Line") && source() != source(of: "other") && !source().isEqual("Mic"))
        #expect(source(7).dataSourceID == 7 && source().dataSourceName == "Mic")
        let session = try session()
        func route(_ inputs: [PortKind], _ outputs: [PortKind]) throws -> AVAudioSessionRouteDescription {
            func ports(_ kinds: [PortKind]) throws -> [SessionModel.Port] { try kinds.map { try port($0, uid: "\($0)").port } }
            return AVAudioSessionRouteDescription(Route(inputs: try ports(inputs), outputs: try ports(outputs)), of: session)
        }
        #expect(try route([.lineIn], [.hdmi]) == route([.lineIn], [.hdmi]))
        #expect(try route([.lineIn], [.hdmi]).hash == route([.lineIn], [.hdmi]).hash)
        #expect(try route([.lineIn], [.hdmi]) != route([], [.hdmi]) && route([.lineIn], [.hdmi]) != route([.lineIn], []))
        #expect(try route([], []).description == "inputs: [], outputs: []" && !route([], []).isEqual("route"))
    }

    @Test("The selected data source is the one that the port has selected")
    func selected() throws {
        let sources = [Selectable(id: 3, name: "Mic"), Selectable(id: 5, name: "Line")]
        #expect(try port(selectables: sources, selected: 5).selectedDataSource?.dataSourceName == "Line")
        #expect(try port(selectables: sources, selected: 3).selectedDataSource?.dataSourceName == "Mic")
        #expect(try port(selectables: sources, selected: 4).selectedDataSource == nil)
        #expect(try port(selectables: sources).dataSources?.map { $0.dataSourceID } == [3, 5] && port().dataSources == nil)
    }
}
