// SPDX-License-Identifier: Apache-2.0
public import SessionModel

/// The sound hardware of the machine, real or simulated. Any thread may call it; only the monitor thread of the
/// session calls `processEvents`.
public protocol AudioHardware: AnyObject {
    /// Readable when events are queued for `processEvents`; -1 for hardware that never changes.
    var descriptor: Int32 { get }

    /// Applies the events of the kernel. True when the snapshot may have changed.
    func processEvents() -> Bool

    /// The present ports and the state of the server. Waits for hardware that has not been explored yet.
    func snapshot() -> HardwareSnapshot

    /// The last snapshot, without a wait. Nil for hardware that has not been explored yet.
    var knownSnapshot: HardwareSnapshot? { get }

    /// The format at which the port's device runs, or would run with the preference (0: no preference).
    func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat?

    /// Changes a level or a selection of the port's device.
    func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode)

    /// The present gain of an input, read from the device: the snapshot may be older. Nil when the device does not
    /// answer or has no gain.
    func gain(of port: Port) -> Float?

    /// Whether another process plays: on a PCM of the kernel, or behind a sound server on one of these outputs. The server itself
    /// does not count.
    func isOtherProcessPlaying(on outputs: [Port]) -> Bool

    /// Whether this process may open an input; true without an input.
    var mayRecord: Bool { get }

    /// The clock of devices without hardware.
    var clock: any DeviceClock { get }

    /// Changes the simulated machine. Real hardware throws `unsupportedProperty`.
    func simulate(_ change: SimulatedChange) throws(ResultCode)
}

extension AudioHardware {
    public var knownSnapshot: HardwareSnapshot? { snapshot() }
    public func gain(of port: Port) -> Float? { snapshot().ports.first { $0.isSame(as: port) }?.gain }
    public var mayRecord: Bool { true }
    public var clock: any DeviceClock { MonotonicClock.shared }
}

/// A change to a simulated machine.
public enum SimulatedChange: Equatable, Sendable {
    case plug(SimulatedDevice)
    case unplug(SimulatedDevice)
    case volume(Float)
    case server(alive: Bool)
    case wake
}

/// The devices of a simulated machine, with their names on the command line.
public enum SimulatedDevice: UInt8, CaseIterable, Sendable {
    case receiver, speaker, microphone, headphones, headset, lineOut, lineIn, hdmi, usb, bluetoothHFP, bluetoothA2DP, airPlay

    public var word: StaticString { kind.word }

    /// The port that names the device.
    private var kind: PortKind {
        switch self {
        case .receiver: .builtInReceiver
        case .speaker: .builtInSpeaker
        case .microphone: .builtInMicrophone
        case .headphones: .headphones
        case .headset: .headsetMicrophone
        case .lineOut: .lineOut
        case .lineIn: .lineIn
        case .hdmi: .hdmi
        case .usb: .usbOutput
        case .bluetoothHFP: .bluetoothHFPOutput
        case .bluetoothA2DP: .bluetoothA2DP
        case .airPlay: .airPlay
        }
    }
}
