// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import SessionArbiter
import SessionModel
import SessionRegistry

/// The state of the session and of the hardware at one moment, which determines the targets of the streams.
struct StreamConditions {
    let view: SessionView
    let snapshot: HardwareSnapshot
    private let hardware: any AudioHardware
    private let isSimulated: Bool
    private let playsSystemSounds: Bool
    /// The name of the session, for people.
    private let title: String

    init(
        _ view: SessionView, _ snapshot: HardwareSnapshot, _ hardware: any AudioHardware, isSimulated: Bool,
        playsSystemSounds: Bool = false, title: String = ""
    ) {
        self.playsSystemSounds = playsSystemSounds
        self.title = title
        self.view = view
        self.snapshot = snapshot
        self.hardware = hardware
        self.isSimulated = isSimulated
    }

    // MARK: Pushed streams

    func target(of stream: PushedStream) -> StreamTarget {
        var target = StreamTarget()
        target.isHeld = !view.isActive
        target.isWithoutServer = !snapshot.serverIsAlive
        target.gain = view.effect.isSilenced && !stream.isCapture ? 0 : stream.isCapture ? 1 : view.effect.gain
        let port = port(for: stream)
        if stream.options.stopsOnRouteLoss, let former = stream.port, stream.isRunning {
            target.isLost = !snapshot.ports.contains { $0.isSame(as: former) }
        }
        if !target.isLost { stream.port = port }
        target.device = device(of: port, for: stream)
        return target
    }

    private func port(for stream: PushedStream) -> Port? {
        guard let settings = view.settings else { return nil }
        let route = Route(for: settings, among: snapshot.ports)
        if stream.isCapture { return route.inputs.first }
        guard let wanted = stream.options.port?.kind, settings.category == .multiRoute else { return route.outputs.first }
        return route.outputs.first { $0.kind == wanted }
    }

    private func device(of port: Port?, for stream: PushedStream) -> DeviceChoice? {
        if let slave = stream.options.slave { return .alsa([slave]) }
        guard let port else { return snapshot.isPending ? nil : .silence }
        guard !isSimulated else { return .simulated }
        if let definition = definition(for: port) { return .server(definition.converting) }
        return .alsa(PCMNames(port.alsaDevice).converting(playback: !stream.isCapture))
    }

    /// Nil for a device of a card.
    private func definition(for port: Port) -> ServerStream? {
        port.server.map { ServerStream(server: $0, device: port.alsaDevice, title: title, role: role(of: port)) }
    }

    /// The microphone of a call makes a session manager choose the profile of a headset that has one.
    private func role(of port: Port) -> StreamRole? {
        if playsSystemSounds { return .notification }
        return port.kind.isInput && view.settings?.category.equivalent == .playAndRecord ? .communication : nil
    }

    // MARK: Pulled streams

    /// The reason why a stream of these directions must not run; nil if it may run.
    func stopReason(_ directions: StreamDirections) -> StopReason? {
        if !snapshot.serverIsAlive { return .deadServer }
        if !view.isActive { return .interruption }
        return directions.isPermitted(in: view.settings?.category) ? nil : .category
    }

    func target(of directions: StreamDirections) -> PullTarget {
        var target = PullTarget()
        target.gain = view.effect.isSilenced ? 0 : view.effect.gain
        if directions.contains(.output) { target.output = deviceTarget(.output) }
        if directions.contains(.input) { target.input = deviceTarget(.input) }
        return target
    }

    private func port(_ direction: StreamDirections) -> Port? {
        guard let settings = view.settings else { return nil }
        let route = Route(for: settings, among: snapshot.ports)
        return direction == .input ? route.inputs.first : route.outputs.first
    }

    private var preferredRate: Double { view.settings?.preferredSampleRate ?? 0 }

    /// Without a port the stream moves silence by the clock. An ALSA device is opened near the preferred rate, and grants its own
    /// rate.
    private func deviceTarget(_ direction: StreamDirections) -> DeviceTarget {
        var target = DeviceTarget()
        target.rate = UInt32(min(max(preferredRate > 0 ? preferredRate.rounded() : 48_000, 1000), 768_000))
        let port = port(direction)
        target.channels = min(max(port?.channels ?? (direction == .input ? 1 : 2), 1), 8)
        guard let port else { return target }
        guard !isSimulated else {
            target.choice = .simulated
            if let granted = rate(of: port) { target.rate = UInt32(min(max(granted, 1000), 768_000)) }
            return target
        }
        // Most devices have two channels. A microphone with one channel can be a part of such a device.
        target.channels = min(target.channels, 2)
        let names = PCMNames(port.alsaDevice)
        target.source = names.clockSource
        if let definition = definition(for: port) {
            target.choice = .server(definition.direct)
        } else {
            target.choice = .alsa(names.direct(playback: direction == .output))
        }
        return target
    }

    private func rate(of port: Port) -> Double? {
        let duration = Float(view.settings?.preferredBufferDuration ?? 0)
        guard let granted = hardware.format(of: port, sampleRate: preferredRate, bufferDuration: duration)?.sampleRate,
            granted.isFinite, granted > 0
        else { return nil }
        return granted
    }

    func grantedRate(_ direction: StreamDirections) -> Double? { port(direction).flatMap { rate(of: $0) } }

    func hasDevice(for directions: StreamDirections) -> Bool {
        (directions.contains(.output) && port(.output) != nil) || (directions.contains(.input) && port(.input) != nil)
    }

    /// The format before the devices are open; nil without any device.
    func format(of directions: StreamDirections) -> pull_format? {
        guard hasDevice(for: directions) else { return nil }
        var format = pull_format()
        let target = target(of: directions)
        if let output = target.output {
            format.output_rate = grantedRate(.output) ?? Double(output.rate)
            format.output_channels = output.channels
        }
        if let input = target.input {
            format.input_rate = grantedRate(.input) ?? Double(input.rate)
            format.input_channels = input.channels
        }
        format.shares_clock = target.output.flatMap { output in target.input.map { output.source.isSame(as: $0.source) } } ?? true
        return format
    }
}
