// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem

/// A simulated machine as its file describes it: the default machine with all changes.
struct SimulatedMachine: Equatable {
    /// In order of arrival.
    private(set) var devices: [SimulatedDevice] = SimulatedMachine.builtIn
    var volume: Float = SimulatedMachine.defaultVolume
    private(set) var gains: [Gain] = []
    /// The source and the destination that the USB device uses: 1 or 2.
    var source: UInt32 = 1
    var destination: UInt32 = 1
    var serverIsAlive = true
    var wakes: UInt32 = 0

    struct Gain: Equatable {
        let device: SimulatedDevice
        var level: Float
    }

    private static let builtIn: [SimulatedDevice] = [.receiver, .speaker, .microphone]
    static func isBuiltIn(_ device: SimulatedDevice) -> Bool { builtIn.contains(device) }

    private static let defaultVolume: Float = 0.5
    static let defaultGain: Float = 0.75

    func gain(of device: SimulatedDevice) -> Float {
        gains.first { $0.device == device }?.level ?? SimulatedMachine.defaultGain
    }

    mutating func setGain(of device: SimulatedDevice, to level: Float) {
        gains = gains.filter { $0.device != device }
        if level != SimulatedMachine.defaultGain { gains.append(Gain(device: device, level: level)) }
    }

    /// Applies a change. Plugging in a device that is plugged in has no effect; the other changes are treated in the same way.
    mutating func apply(_ change: SimulatedChange) {
        switch change {
        case .plug(let device): if !devices.contains(device) { insert(device) }
        case .unplug(let device): devices = devices.filter { $0 != device }
        case .volume(let level): volume = level
        case .server(let alive): serverIsAlive = alive
        case .wake: wakes &+= 1
        }
    }

    /// Inserts a device. Built-in devices precede the others, in their own order.
    private mutating func insert(_ device: SimulatedDevice) {
        devices.append(device)
        let attached = devices.filter { !SimulatedMachine.isBuiltIn($0) }
        devices = SimulatedMachine.builtIn.filter { devices.contains($0) } + attached
    }
}

// MARK: As text

extension SimulatedMachine {
    struct Malformed: Error, Equatable {
        let line: Int
        let text: String
    }

    /// Reads one statement per line. Empty lines and comments, which begin with #, are ignored.
    init(text: String) throws(Malformed) {
        var number = 0
        for line in text.parts(withEmpty: true, between: { $0 == 0x0A }) {
            number += 1
            let statement = String(decoding: line.utf8.prefix { $0 != 0x23 }, as: UTF8.self)
            do throws(SimulationCommand.Malformed) { try apply(statement) } catch {
                throw Malformed(line: number, text: error.text)
            }
        }
    }

    private mutating func apply(_ statement: String) throws(SimulationCommand.Malformed) {
        var words = SimulationWords(statement)
        guard !words.isEmpty else { return }
        if words.consume("gain") {
            let device = try words.device()
            setGain(of: device, to: try words.level())
        } else if words.consume("source") {
            source = max(1, try words.count(upTo: 2))
        } else if words.consume("destination") {
            destination = max(1, try words.count(upTo: 2))
        } else if words.consume("woken") {
            wakes = try words.count(upTo: .max)
        } else {
            guard case .hardware(let change) = try SimulationCommand(statement) else {
                // These commands change states of the user.
                throw SimulationCommand.Malformed(expected: "a statement about the machine", insteadOf: words.next())
            }
            apply(change)
            return
        }
        try words.end()
    }

    /// The statements that change the default machine to this one.
    var text: String {
        var lines = "# The simulated machine: changes of the default machine.\n"
        for device in SimulatedMachine.builtIn where !devices.contains(device) { lines += "unplug \(device.word)\n" }
        for device in devices where !SimulatedMachine.isBuiltIn(device) { lines += "plug \(device.word)\n" }
        if volume != SimulatedMachine.defaultVolume { lines += "volume \(Number.text(volume))\n" }
        for gain in gains { lines += "gain \(gain.device.word) \(Number.text(gain.level))\n" }
        if source != 1 { lines += "source \(source)\n" }
        if destination != 1 { lines += "destination \(destination)\n" }
        if !serverIsAlive { lines += "server die\n" }
        if wakes != 0 { lines += "woken \(wakes)\n" }
        return lines
    }
}
