// SPDX-License-Identifier: Apache-2.0
import CAudioSessionServices
import CoreFoundationTable
import SessionModel

/// The constant strings that appear in values. They are immortal: a release has no effect.
enum ConstantString {
    typealias Object = CoreFoundation.Object

    static var reason: Object? { Object(kAudioSession_RouteChangeKey_Reason) }
    static var previousRoute: Object? {
        Object(kAudioSession_AudioRouteChangeKey_PreviousRouteDescription)
    }
    static var currentRoute: Object? {
        Object(kAudioSession_AudioRouteChangeKey_CurrentRouteDescription)
    }
    static var oldRoute: Object? { audio_session_key_old_route }
    static var newRoute: Object? { audio_session_key_new_route }
    static var inputs: Object? { Object(kAudioSession_AudioRouteKey_Inputs) }
    static var outputs: Object? { Object(kAudioSession_AudioRouteKey_Outputs) }
    static var portType: Object? { Object(kAudioSession_AudioRouteKey_Type) }
    static var portName: Object? { audio_session_key_port_name }
    static var portUID: Object? { audio_session_key_port_uid }
    static var portChannels: Object? { audio_session_key_port_channels }
    static var inputSourceID: Object? { Object(kAudioSession_InputSourceKey_ID) }
    static var inputSourceDescription: Object? { Object(kAudioSession_InputSourceKey_Description) }
    static var outputDestinationID: Object? { Object(kAudioSession_OutputDestinationKey_ID) }
    static var outputDestinationDescription: Object? {
        Object(kAudioSession_OutputDestinationKey_Description)
    }

    static func of(_ kind: PortKind) -> Object? {
        switch kind {
        case .builtInMicrophone: Object(kAudioSessionInputRoute_BuiltInMic)
        case .headsetMicrophone: Object(kAudioSessionInputRoute_HeadsetMic)
        case .lineIn: Object(kAudioSessionInputRoute_LineIn)
        case .usbInput: Object(kAudioSessionInputRoute_USBAudio)
        case .bluetoothHFPInput: Object(kAudioSessionInputRoute_BluetoothHFP)
        case .builtInSpeaker: Object(kAudioSessionOutputRoute_BuiltInSpeaker)
        case .builtInReceiver: Object(kAudioSessionOutputRoute_BuiltInReceiver)
        case .headphones: Object(kAudioSessionOutputRoute_Headphones)
        case .lineOut: Object(kAudioSessionOutputRoute_LineOut)
        case .hdmi: Object(kAudioSessionOutputRoute_HDMI)
        case .usbOutput: Object(kAudioSessionOutputRoute_USBAudio)
        case .bluetoothHFPOutput: Object(kAudioSessionOutputRoute_BluetoothHFP)
        case .bluetoothA2DP: Object(kAudioSessionOutputRoute_BluetoothA2DP)
        case .airPlay: Object(kAudioSessionOutputRoute_AirPlay)
        }
    }

    static func of(_ name: OldRouteName) -> Object? {
        switch name {
        case .none: audio_session_route_none
        case .speaker: audio_session_route_speaker
        case .speakerAndMicrophone: audio_session_route_speaker_and_microphone
        case .receiver: audio_session_route_receiver
        case .receiverAndMicrophone: audio_session_route_receiver_and_microphone
        case .headphone: audio_session_route_headphone
        case .headphonesAndMicrophone: audio_session_route_headphones_and_microphone
        case .headset: audio_session_route_headset
        case .headsetInOut: audio_session_route_headset_in_out
        case .lineOut: audio_session_route_line_out
        case .lineInOut: audio_session_route_line_in_out
        case .headsetBluetooth: audio_session_route_headset_bluetooth
        case .headphonesBluetooth: audio_session_route_headphones_bluetooth
        case .hdmiOutput: audio_session_route_hdmi_output
        case .airTunes: audio_session_route_air_tunes
        case .usbOutput: audio_session_route_usb_output
        case .microphoneBuiltIn: audio_session_route_microphone_built_in
        case .microphoneWired: audio_session_route_microphone_wired
        case .lineIn: audio_session_route_line_in
        case .usbInput: audio_session_route_usb_input
        }
    }
}
