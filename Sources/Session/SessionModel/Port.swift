// SPDX-License-Identifier: Apache-2.0
/// The kind of an input or output of the machine.
public enum PortKind: UInt8, CaseIterable, Sendable {
    case builtInMicrophone, headsetMicrophone, lineIn, usbInput, bluetoothHFPInput
    case builtInSpeaker, builtInReceiver, headphones, lineOut, hdmi, usbOutput
    case bluetoothHFPOutput, bluetoothA2DP, airPlay

    /// The value of the kind's constant in the C API.
    public var type: StaticString {
        switch self {
        case .builtInMicrophone: "MicrophoneBuiltIn"
        case .headsetMicrophone: "MicrophoneWired"
        case .lineIn: "LineIn"
        case .usbInput: "USBInput"
        case .bluetoothHFPInput: "MicrophoneBluetooth"
        case .builtInSpeaker: "Speaker"
        case .builtInReceiver: "Receiver"
        case .headphones: "Headphones"
        case .lineOut: "LineOut"
        case .hdmi: "HDMIOutput"
        case .usbOutput: "USBOutput"
        case .bluetoothHFPOutput: "BluetoothHFPOutput"
        case .bluetoothA2DP: "BluetoothA2DPOutput"
        case .airPlay: "AirPlay"
        }
    }

    /// The value of the kind's constant of AVAudioSession, which has one name for both directions of a device.
    public var portType: StaticString {
        switch self {
        case .usbInput, .usbOutput: "USBAudio"
        case .bluetoothHFPInput, .bluetoothHFPOutput: "BluetoothHFP"
        default: type
        }
    }

    public var isInput: Bool { rawValue <= PortKind.bluetoothHFPInput.rawValue }
    public var isBuiltIn: Bool { self == .builtInMicrophone || self == .builtInSpeaker || self == .builtInReceiver }
}

/// One of several inputs or outputs that a USB device offers to choose from.
public struct Selectable: Equatable, Sendable {
    public let id: Int32
    public let name: String

    public init(id: Int32, name: String) {
        self.id = id
        self.name = name
    }
}

/// A sound server that plays ALSA's device `default`.
public enum ServerKind: UInt8, Sendable {
    case pulseAudio, pipeWire
}

public struct Port: Equatable, Sendable {
    public let kind: PortKind
    /// The device of the port: the two ports of a headset have the same number. A device that arrived later has a greater number.
    public let device: UInt32
    /// The number of the arrival of the port, or of its last choice as the default of a sound server: a route takes the port with
    /// the greatest. 0: a built-in port that nobody has chosen.
    public let order: UInt32
    public let uid: String
    public let name: String
    /// The name for `snd_pcm_open`.
    public let alsaDevice: String
    /// Nil for the device of a card.
    public let server: ServerKind?
    /// The card of the port has another profile now, with which the port does not run.
    public let needsProfile: Bool
    public var channels: UInt32
    /// Nil if the port has no such control. A muted output has volume 0.
    public var volume: Float?
    public var gain: Float?
    /// Seconds.
    public var latency: Float
    public var selectables: [Selectable]
    public var selected: Int32?
    /// Headphones of a headset with a microphone.
    public let isHeadset: Bool

    public init(
        kind: PortKind, device: UInt32, order: UInt32? = nil, uid: String, name: String, alsaDevice: String,
        server: ServerKind? = nil, needsProfile: Bool = false, channels: UInt32,
        volume: Float? = nil, gain: Float? = nil, latency: Float = 0,
        selectables: [Selectable] = [], selected: Int32? = nil, isHeadset: Bool = false
    ) {
        self.kind = kind
        self.device = device
        self.order = order ?? (kind.isBuiltIn ? 0 : max(device, 1))
        self.uid = uid
        self.name = name
        self.alsaDevice = alsaDevice
        self.server = server
        self.needsProfile = needsProfile
        self.channels = channels
        self.volume = volume
        self.gain = gain
        self.latency = latency
        self.selectables = selectables
        self.selected = selected
        self.isHeadset = isHeadset
    }

    /// A hash (FNV-1a) of the uid, for records that have no room for the text. Equal in all processes, and never 0.
    public var uidHash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in uid.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash == 0 ? 1 : hash
    }

    /// The key of the profile of a Bluetooth headset, in the same records; nil for other ports.
    public var profileHash: UInt64? {
        kind == .bluetoothHFPInput && server != nil ? ~uidHash | 1 : nil
    }

    /// Whether both are the same port of the same arrival. The levels may differ.
    public func isSame(as other: Port) -> Bool { kind == other.kind && device == other.device && uid == other.uid }
}

/// A move of a sound server's default to another sink or source.
public struct DefaultMove: Equatable, Sendable {
    /// The number of this move, counted since the start.
    public var number: UInt32 = 0
    /// `override`: the user has chosen the default. Otherwise the server has moved it after a device came or went.
    public var reason = RouteChangeReason.unknown

    public init() {}
}

/// The hardware of the machine at one moment.
public struct HardwareSnapshot: Equatable, Sendable {
    /// In order of arrival; built-in ports are first.
    public var ports: [Port]
    public var serverIsAlive: Bool
    /// The number of wake-ups from sleep since the hardware was first read.
    public var wakes: UInt32
    /// The last move of the sound server's default that came with no device.
    public var move: DefaultMove
    /// The hardware has not answered yet. Its ports are unknown.
    public var isPending: Bool

    public init(
        ports: [Port] = [], serverIsAlive: Bool = true, wakes: UInt32 = 0, move: DefaultMove = DefaultMove(),
        isPending: Bool = false
    ) {
        self.ports = ports
        self.isPending = isPending
        self.serverIsAlive = serverIsAlive
        self.wakes = wakes
        self.move = move
    }
}

/// The format that a device grants, or with which it runs.
public struct StreamFormat: Equatable, Sendable {
    public let sampleRate: Double
    /// One period, in seconds.
    public let bufferDuration: Float

    public init(sampleRate: Double, bufferDuration: Float) {
        self.sampleRate = sampleRate
        self.bufferDuration = bufferDuration
    }
}

/// A change of the hardware that a program requests.
public enum HardwareRequest: Equatable, Sendable {
    case inputGain(Float)
    case inputSource(Int32)
    case outputDestination(Int32)
    /// Changes to the profile with which a Bluetooth headset has a microphone, or back to the one that this replaced.
    case headsetProfile(Bool)
}
