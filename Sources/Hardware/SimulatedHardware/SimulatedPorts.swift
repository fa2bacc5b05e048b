// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionModel

// The ports of the devices of a simulated machine.
extension SimulatedMachine {
    /// `arrival` distinguishes the device from an earlier device of its kind.
    func ports(of device: SimulatedDevice, arrival: UInt32) -> [Port] {
        func port(
            _ kind: PortKind, _ name: String, channels: UInt32, volume: Float? = nil, gain: Float? = nil, latency: Float = 0.01,
            selectables: [Selectable] = [], selected: UInt32? = nil, isHeadset: Bool = false
        ) -> Port {
            // The ALSA device "null" exists on every machine.
            Port(
                kind: kind, device: arrival, uid: "simulated:\(device.word):\(kind.isInput ? "input" : "output")", name: name,
                alsaDevice: "null", channels: channels, volume: volume, gain: gain, latency: latency,
                selectables: selectables, selected: selected.map { Int32(clamping: $0) }, isHeadset: isHeadset)
        }
        let gain = gain(of: device)
        switch device {
        case .receiver: return [port(.builtInReceiver, "Receiver", channels: 1, volume: volume)]
        case .speaker: return [port(.builtInSpeaker, "Speaker", channels: 2, volume: volume)]
        case .microphone: return [port(.builtInMicrophone, "Microphone", channels: 1, gain: gain)]
        case .headphones: return [port(.headphones, "Headphones", channels: 2, volume: volume)]
        case .headset:
            return [
                port(.headsetMicrophone, "Headset Microphone", channels: 1, gain: gain),
                port(.headphones, "Headset", channels: 2, volume: volume, isHeadset: true),
            ]
        case .lineOut: return [port(.lineOut, "Line Out", channels: 2)]
        case .lineIn: return [port(.lineIn, "Line In", channels: 2)]
        case .hdmi: return [port(.hdmi, "HDMI", channels: 2)]
        case .usb:
            return [
                port(
                    .usbInput, "USB Audio", channels: 2, gain: gain, latency: 0.005,
                    selectables: [Selectable(id: 1, name: "Microphone"), Selectable(id: 2, name: "Line")], selected: source),
                port(
                    .usbOutput, "USB Audio", channels: 2, volume: volume, latency: 0.005,
                    selectables: [Selectable(id: 1, name: "Front"), Selectable(id: 2, name: "Rear")], selected: destination),
            ]
        case .bluetoothHFP:
            return [
                port(.bluetoothHFPInput, "Hands-Free", channels: 1, latency: 0.06),
                port(.bluetoothHFPOutput, "Hands-Free", channels: 1, volume: volume, latency: 0.06),
            ]
        case .bluetoothA2DP: return [port(.bluetoothA2DP, "Bluetooth Headphones", channels: 2, volume: volume, latency: 0.15)]
        case .airPlay: return [port(.airPlay, "AirPlay", channels: 2, latency: 2)]
        }
    }
}

// Globals, not literals of the function: Embedded Swift (6.3.1) numbers the constant arrays of a function
// differently in each module that contains it, and the linker then confuses them.
private let handsFreeRates: [Double] = [16_000, 8_000]
private let wirelessRates: [Double] = [44_100]
private let usbRates: [Double] = [48_000, 44_100, 96_000]
private let builtInRates: [Double] = [44_100, 8_000, 16_000, 22_050, 32_000, 48_000]

/// The format that a simulated device grants for a preference: the nearest of its rates, and a period of a power
/// of two frames.
func grantedFormat(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat {
    let rates =
        switch port.kind {
        case .bluetoothHFPInput, .bluetoothHFPOutput: handsFreeRates
        case .airPlay, .bluetoothA2DP: wirelessRates
        case .usbInput, .usbOutput: usbRates
        default: builtInRates
        }
    // The first rate is the default.
    var rate = rates[0]
    if sampleRate > 0 {
        for candidate in rates where (candidate - sampleRate).magnitude < (rate - sampleRate).magnitude { rate = candidate }
    }
    let wanted = bufferDuration > 0 ? Double(bufferDuration) * rate : 1024
    var frames = 64.0
    while frames < 4096, frames * 2.0.squareRoot() < wanted { frames *= 2 }
    return StreamFormat(sampleRate: rate, bufferDuration: Float(frames / rate))
}
