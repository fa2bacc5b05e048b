public import SessionModel

/// The sound hardware of the machine, real or simulated. Any thread may call any of this; only the
/// session's monitor thread calls `heed`.
public protocol AudioHardware: AnyObject {
    /// Becomes readable when `heed` has something to do; -1 for hardware that never changes.
    var descriptor: Int32 { get }

    /// Takes in what the kernel has reported. True when a snapshot may have changed.
    func heed() -> Bool

    /// What is there now.
    func snapshot() -> HardwareSnapshot

    /// What the port's device runs at, or would run at given the preference (0: none).
    func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat?

    /// Changes a level or a selection of the port's device.
    func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode)

    /// Whether a kernel PCM runs under another process than this one (and than the sound server that
    /// stands behind the route).
    func isOtherProcessPlaying() -> Bool

    /// Whether this process may open an input; true where there is none.
    var mayRecord: Bool { get }

    /// Changes the simulated machine. Real hardware refuses with `unsupportedProperty`.
    func simulate(_ change: SimulatedChange) throws(ResultCode)
}

extension AudioHardware {
    public var mayRecord: Bool { true }
}

/// A change to a simulated machine.
public enum SimulatedChange: Equatable, Sendable {
    case plug(SimulatedDevice)
    case unplug(SimulatedDevice)
    case volume(Float)
    case server(alive: Bool)
    case wake
}

/// What can be plugged into a simulated machine, by the words of the command line.
public enum SimulatedDevice: UInt8, CaseIterable, Sendable {
    case receiver, speaker, microphone, headphones, headset, lineOut, lineIn, hdmi, usb, bluetoothHFP, bluetoothA2DP, airPlay

    public var word: StaticString {
        switch self {
        case .receiver: "receiver"
        case .speaker: "speaker"
        case .microphone: "microphone"
        case .headphones: "headphones"
        case .headset: "headset"
        case .lineOut: "line-out"
        case .lineIn: "line-in"
        case .hdmi: "hdmi"
        case .usb: "usb"
        case .bluetoothHFP: "bluetooth-hfp"
        case .bluetoothA2DP: "bluetooth-a2dp"
        case .airPlay: "airplay"
        }
    }
}
