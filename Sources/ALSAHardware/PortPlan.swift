import SessionModel

/// How a port was recognised.
enum Evidence: Sendable {
    case useCase, jack, name, nothing, user, server

    var text: StaticString {
        switch self {
        case .useCase: "its use-case profile"
        case .jack: "its jack"
        case .name: "its name"
        case .nothing: "default, since nothing tells"
        case .user: "your configuration"
        case .server: "the sound server"
        }
    }
}

/// A port that a card can have: what is there at a moment is decided by its jacks' values.
struct PortPlan: Equatable, Sendable {
    var kind: PortKind
    var name: String
    /// Tells it from the card's other ports.
    var key: String
    /// The thing it belongs to: ports of one thing come and go together.
    var thing: String
    var pcm: UInt32
    /// Nil: the card's PCM device by its number.
    var alsaDevice: String?
    var channels: UInt32 = 2
    /// It is there when one of these elements is true; none: always.
    var jacks: [UInt32] = []
    /// When one of these is true as well, its thing has a microphone.
    var headsetJacks: [UInt32] = []
    var level = Level()
    /// The element that chooses one of several sources or destinations.
    var selector: UInt32?
    var evidence: Evidence

    /// The elements whose values decide how it is.
    var watched: [UInt32] { jacks + headsetJacks + [level.volume, level.mute, selector].compactMap { $0 } }
}

/// A volume with its switch, by the elements' numbers. Either may be missing.
struct Level: Equatable, Sendable {
    var volume: UInt32?
    var mute: UInt32?
}
