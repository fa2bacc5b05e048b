// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The devices of the tests, with their ports.
enum Device: String, CaseIterable {
    case headphones, headset, lineOut, lineIn, hdmi, usb, handsFree, a2dp, airPlay

    var kinds: [PortKind] {
        switch self {
        case .headphones: [.headphones]
        case .headset: [.headsetMicrophone, .headphones]
        case .lineOut: [.lineOut]
        case .lineIn: [.lineIn]
        case .hdmi: [.hdmi]
        case .usb: [.usbInput, .usbOutput]
        case .handsFree: [.bluetoothHFPInput, .bluetoothHFPOutput]
        case .a2dp: [.bluetoothA2DP]
        case .airPlay: [.airPlay]
        }
    }
}

func port(
    _ kind: PortKind, device: UInt32, order: UInt32? = nil, isHeadset: Bool = false, channels: UInt32 = 2, selected: Int32? = nil
) -> Port {
    Port(
        kind: kind, device: device, order: order, uid: "\(kind)", name: "\(kind)", alsaDevice: "null", channels: channels,
        selected: selected, isHeadset: isHeadset)
}

let phone = [port(.builtInReceiver, device: 1), port(.builtInSpeaker, device: 2), port(.builtInMicrophone, device: 3)]

func ports(_ devices: [Device], onto builtIn: [Port] = phone) -> [Port] {
    var ports = builtIn
    for (index, device) in devices.enumerated() {
        for kind in device.kinds { ports.append(port(kind, device: UInt32(10 + index), isHeadset: device == .headset)) }
    }
    return ports
}

/// Every selection of up to `count` devices in every order of arrival.
func arrivals(upTo count: Int) -> [[Device]] {
    guard count > 0 else { return [[]] }
    var all: [[Device]] = [[]]
    var longest: [[Device]] = [[]]
    for _ in 0..<count {
        longest = longest.flatMap { order in Device.allCases.filter { !order.contains($0) }.map { order + [$0] } }
        all += longest
    }
    return all
}

extension SessionState {
    init(_ category: Category, _ devices: [Device] = [], onto builtIn: [Port] = phone) {
        self.init()
        settings.setCategory(category)
        hardware.ports = ports(devices, onto: builtIn)
    }
}
