// SPDX-License-Identifier: Apache-2.0
/// The route strings of releases that had no route descriptions. Old programs read them.
public enum OldRouteName: UInt8, CaseIterable, Sendable {
    case none, speaker, speakerAndMicrophone, receiver, receiverAndMicrophone
    case headphone, headphonesAndMicrophone, headset, headsetInOut
    case lineOut, lineInOut, headsetBluetooth, headphonesBluetooth
    case hdmiOutput, airTunes, usbOutput
    case microphoneBuiltIn, microphoneWired, lineIn, usbInput

    public var text: StaticString {
        switch self {
        case .none: ""
        case .speaker: "Speaker"
        case .speakerAndMicrophone: "SpeakerAndMicrophone"
        case .receiver: "Receiver"
        case .receiverAndMicrophone: "ReceiverAndMicrophone"
        case .headphone: "Headphone"
        case .headphonesAndMicrophone: "HeadphonesAndMicrophone"
        case .headset: "Headset"
        case .headsetInOut: "HeadsetInOut"
        case .lineOut: "LineOut"
        case .lineInOut: "LineInOut"
        case .headsetBluetooth: "HeadsetBT"
        case .headphonesBluetooth: "HeadphonesBT"
        case .hdmiOutput: "HDMIOutput"
        case .airTunes: "AirTunes"
        case .usbOutput: "USBOutput"
        case .microphoneBuiltIn: "MicrophoneBuiltIn"
        case .microphoneWired: "MicrophoneWired"
        case .lineIn: "LineIn"
        case .usbInput: "USBInput"
        }
    }

    public init(of route: Route, in category: Category) {
        // Several outputs at the same time have no old name. The result is the name of the first output, without an input.
        let input = category == .multiRoute ? nil : route.inputs.first
        guard let output = route.outputs.first else {
            self = OldRouteName(recordingFrom: input)
            return
        }
        self = OldRouteName(playingTo: output, with: input)
    }

    private init(playingTo output: Port, with input: Port?) {
        self =
            switch output.kind {
            case .builtInSpeaker: input == nil ? .speaker : .speakerAndMicrophone
            case .builtInReceiver: input == nil ? .receiver : .receiverAndMicrophone
            case .headphones: OldRouteName(ofHeadphones: output, with: input)
            case .lineOut: input?.kind == .lineIn ? .lineInOut : .lineOut
            case .bluetoothHFPOutput: .headsetBluetooth
            case .bluetoothA2DP: .headphonesBluetooth
            case .hdmi: .hdmiOutput
            case .airPlay: .airTunes
            case .usbOutput: .usbOutput
            default: .none
            }
    }

    private init(ofHeadphones output: Port, with input: Port?) {
        guard let input else {
            self = output.isHeadset ? .headset : .headphone
            return
        }
        self = input.kind == .headsetMicrophone ? .headsetInOut : .headphonesAndMicrophone
    }

    private init(recordingFrom input: Port?) {
        self =
            switch input?.kind {
            case .builtInMicrophone: .microphoneBuiltIn
            case .headsetMicrophone: .microphoneWired
            case .lineIn: .lineIn
            case .usbInput: .usbInput
            case .bluetoothHFPInput: .headsetBluetooth
            default: .none
            }
    }
}
