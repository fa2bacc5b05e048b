// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import Foundation
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
