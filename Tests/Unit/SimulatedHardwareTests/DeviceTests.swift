// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import Foundation
import LinuxSystem
import SessionModel
import TestSupport
import Testing

@testable import SimulatedHardware

@Suite struct DeviceTests {
    @Test("Each device has its ports and its rates")
    func devices() throws {
        let hardware = SimulatedHardware(file: nil)
        for device in SimulatedDevice.allCases { try hardware.simulate(.plug(device)) }
        let ports = hardware.snapshot().ports
        #expect(Set(ports.map { $0.kind }) == Set(PortKind.allCases))
        let rates = Dictionary(
            ports.map { ($0.kind, hardware.format(of: $0, sampleRate: 0, bufferDuration: 0)?.sampleRate) },
            uniquingKeysWith: { first, _ in first })
        #expect(rates[.bluetoothHFPInput] == 16_000 && rates[.bluetoothHFPOutput] == 16_000)
        #expect(rates[.airPlay] == 44_100 && rates[.bluetoothA2DP] == 44_100)
        #expect(rates[.usbInput] == 48_000 && rates[.usbOutput] == 48_000)
        #expect(!hardware.isOtherProcessPlaying(on: []))
        #expect(hardware.mayRecord)
    }

    @Test("Source, destination and gain of a device are saved in the file")
    func choices() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("simulation")
        let hardware = SimulatedHardware(file: path)
        try hardware.simulate(.plug(.usb))
        let input = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
        try hardware.perform(.inputSource(2), on: input)
        try hardware.perform(.outputDestination(2), on: input)
        try hardware.perform(.inputGain(0.25), on: input)
        let again = SimulatedHardware(file: path).snapshot().ports
        #expect(again.first { $0.kind == .usbInput }?.selected == 2)
        #expect(again.first { $0.kind == .usbOutput }?.selected == 2)
        #expect(again.first { $0.kind == .usbInput }?.gain == 0.25)
        try hardware.simulate(.unplug(.usb))
        #expect(throws: ResultCode.noHardware) { try hardware.perform(.inputGain(1), on: input) }
    }

    @Test("A file that is too large or has a mistake leaves the last valid state")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("simulation")
        try "plug hdmi\n".write(toFile: path, atomically: false, encoding: .utf8)
        let hardware = SimulatedHardware(file: path)
        #expect(hardware.snapshot().ports.last?.kind == .hdmi)
        try String(repeating: "#", count: 70_000).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(!hardware.processEvents())
        try "plug toaster\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(!hardware.processEvents())
        #expect(hardware.snapshot().ports.last?.kind == .hdmi)
    }

    @Test("A mistake in the file is printed once, and again when it was repaired and is made again")
    func repeatedMistakes() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("simulation")
        let hardware = SimulatedHardware(file: path)
        func lines(_ text: String) throws -> Int {
            try Log.lines {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                _ = hardware.processEvents()
            }.count
        }
        for _ in 1...2 {
            #expect(try lines("plug toaster\n") == 1)
            #expect(try lines("plug toaster\n") == 0)
            #expect(try lines("plug kettle\n") == 1)
            #expect(try lines("plug toaster\n") == 1)
            #expect(try lines("plug hdmi\n") == 0)
        }
    }

    @Test("The file of a machine may be in the current folder or in the root folder")
    func names() {
        #expect(SimulatedHardware(file: "no-such-simulation").snapshot().ports.count == 3)
        #expect(SimulatedHardware(file: "/no-such-simulation").snapshot().ports.count == 3)
    }

    @Test("A request for a port of an earlier plugging is refused and changes nothing")
    func earlierPlugging() throws {
        let hardware = SimulatedHardware(file: nil)
        try hardware.simulate(.plug(.usb))
        let earlier = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
        try hardware.simulate(.unplug(.usb))
        try hardware.simulate(.plug(.usb))
        let before = hardware.snapshot()
        #expect(throws: ResultCode.noHardware) { try hardware.perform(.inputGain(1), on: earlier) }
        #expect(hardware.snapshot() == before)
    }

    @Test("Channels, levels and latencies of each port are those of such a device")
    func ports() throws {
        let hardware = SimulatedHardware(file: nil)
        for device in SimulatedDevice.allCases where device != .headset { try hardware.simulate(.plug(device)) }
        func port(_ kind: PortKind) -> SessionModel.Port? { hardware.snapshot().ports.first { $0.kind == kind } }
        for kind in [PortKind.builtInReceiver, .builtInMicrophone, .bluetoothHFPInput, .bluetoothHFPOutput] {
            #expect(port(kind)?.channels == 1, "\(kind)")
        }
        for kind in [PortKind.builtInSpeaker, .headphones, .hdmi, .lineIn, .usbInput, .usbOutput] {
            #expect(port(kind)?.channels == 2, "\(kind)")
        }
        #expect(port(.usbOutput)?.latency == 0.005 && port(.usbInput)?.latency == 0.005)
        #expect(port(.bluetoothHFPInput)?.latency == 0.06 && port(.bluetoothA2DP)?.latency == 0.15)
        #expect(port(.airPlay)?.latency == 2 && port(.builtInSpeaker)?.latency == 0.01)
        for kind in [PortKind.lineOut, .hdmi, .airPlay] { #expect(port(kind)?.volume == nil, "\(kind)") }
        #expect(port(.lineIn)?.gain == nil && port(.builtInMicrophone)?.gain == 0.75)
        #expect(port(.headphones)?.isHeadset == false)
        try hardware.simulate(.unplug(.headphones))
        try hardware.simulate(.plug(.headset))
        #expect(port(.headphones)?.isHeadset == true)
        #expect(port(.headphones)?.device == port(.headsetMicrophone)?.device)
    }

    /// A port of a simulated device: its name, its channels, whether it has a volume or a gain, its latency, and its choices.
    private typealias Described = (
        kind: PortKind, name: String, channels: UInt32, hasLevel: Bool, latency: Float, choices: [String]
    )

    private static let described: [(device: SimulatedDevice, ports: [Described])] = [
        (.receiver, [(.builtInReceiver, "Receiver", 1, true, 0.01, [])]),
        (.speaker, [(.builtInSpeaker, "Speaker", 2, true, 0.01, [])]),
        (.microphone, [(.builtInMicrophone, "Microphone", 1, true, 0.01, [])]),
        (.headphones, [(.headphones, "Headphones", 2, true, 0.01, [])]),
        (
            .headset,
            [(.headsetMicrophone, "Headset Microphone", 1, true, 0.01, []), (.headphones, "Headset", 2, true, 0.01, [])]
        ),
        (.lineOut, [(.lineOut, "Line Out", 2, false, 0.01, [])]), (.lineIn, [(.lineIn, "Line In", 2, false, 0.01, [])]),
        (.hdmi, [(.hdmi, "HDMI", 2, false, 0.01, [])]),
        (
            .usb,
            [
                (.usbInput, "USB Audio", 2, true, 0.005, ["Microphone", "Line"]),
                (.usbOutput, "USB Audio", 2, true, 0.005, ["Front", "Rear"]),
            ]
        ),
        (
            .bluetoothHFP,
            [(.bluetoothHFPInput, "Hands-Free", 1, false, 0.06, []), (.bluetoothHFPOutput, "Hands-Free", 1, true, 0.06, [])]
        ),
        (.bluetoothA2DP, [(.bluetoothA2DP, "Bluetooth Headphones", 2, true, 0.15, [])]),
        (.airPlay, [(.airPlay, "AirPlay", 2, false, 2, [])]),
    ]

    @Test("The ports of a device have its names, channels, levels, latencies and choices", arguments: described.indices)
    func wholePorts(row: Int) throws {
        let (device, wanted) = Self.described[row]
        #expect(Self.described.count == SimulatedDevice.allCases.count)
        let hardware = SimulatedHardware(file: nil)
        try hardware.simulate(.volume(0.25))
        for other in SimulatedDevice.allCases { try hardware.simulate(.unplug(other)) }
        try hardware.simulate(.plug(device))
        let ports = hardware.snapshot().ports
        #expect(ports.count == wanted.count)
        for (port, wanted) in zip(ports, wanted) {
            #expect(port.kind == wanted.kind && port.name == wanted.name && port.channels == wanted.channels)
            #expect(port.volume == (wanted.hasLevel && !port.kind.isInput ? 0.25 : nil))
            #expect(port.gain == (wanted.hasLevel && port.kind.isInput ? 0.75 : nil))
            #expect(port.latency == wanted.latency && port.alsaDevice == "null")
            #expect(
                port.selectables.map { $0.name } == wanted.choices
                    && port.selectables.map { $0.id } == (wanted.choices.isEmpty ? [] : [1, 2]))
            #expect(port.selected == (wanted.choices.isEmpty ? nil : 1))
            #expect(port.uid == "simulated:\(device.word):\(port.kind.isInput ? "input" : "output")")
            #expect(port.isHeadset == (device == .headset && port.kind == .headphones))
        }
    }

    private static let rates: [(kinds: [PortKind], rates: [Double])] = [
        ([.bluetoothHFPInput, .bluetoothHFPOutput], [16_000, 8_000]), ([.airPlay, .bluetoothA2DP], [44_100]),
        ([.usbInput, .usbOutput], [48_000, 44_100, 96_000]),
        (
            [.builtInSpeaker, .builtInReceiver, .builtInMicrophone, .headphones, .headsetMicrophone, .lineOut, .lineIn, .hdmi],
            [44_100, 8_000, 16_000, 22_050, 32_000, 48_000]
        ),
    ]

    @Test(
        "A device grants each of its rates, and the nearest of them for any other; the first is its own", arguments: rates.indices
    )
    func grantedRates(row: Int) {
        let (kinds, rates) = Self.rates[row]
        for kind in kinds {
            let port = Port(kind: kind, device: 1, uid: "", name: "", alsaDevice: "null", channels: 2)
            func granted(_ rate: Double) -> Double { grantedFormat(of: port, sampleRate: rate, bufferDuration: 0).sampleRate }
            #expect(granted(0) == rates[0] && granted(-1) == rates[0])
            for rate in rates {
                #expect(granted(rate) == rate)
                for near in [rate - 100, rate + 100] { #expect(granted(near) == rate) }
            }
            #expect(granted(1) == rates.min() && granted(1e9) == rates.max())
        }
    }

    /// The preferred and the granted period, in frames.
    static let periods: [(asked: Double, granted: Double)] = [
        (0, 1024), (1, 64), (64, 64), (90, 64), (91, 128), (128, 128), (1448, 1024), (1449, 2048), (4096, 4096), (48_000, 4096),
        (1e12, 4096),
    ]

    @Test(
        "A device grants the period of a power of two frames, from 64 to 4096, that is nearest to the preference",
        arguments: periods)
    func grantedPeriods(asked: Double, granted: Double) {
        let port = Port(kind: .usbOutput, device: 1, uid: "", name: "", alsaDevice: "null", channels: 2)
        let format = grantedFormat(of: port, sampleRate: 48_000, bufferDuration: Float(asked / 48_000))
        #expect(format == StreamFormat(sampleRate: 48_000, bufferDuration: Float(granted / 48_000)))
    }

    @Test("Plugging a port that is plugged in changes nothing, and so does unplugging one that is not")
    func unchanged() throws {
        let hardware = SimulatedHardware(file: nil)
        try hardware.simulate(.plug(.headphones))
        try hardware.simulate(.plug(.hdmi))
        let before = hardware.snapshot()
        try hardware.simulate(.plug(.headphones))
        try hardware.simulate(.unplug(.usb))
        #expect(hardware.snapshot() == before)
    }
}
