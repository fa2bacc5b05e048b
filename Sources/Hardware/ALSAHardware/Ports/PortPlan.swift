// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The evidence for a port.
enum Evidence: Sendable {
    case useCase, jack, name, nothing, user, server

    var text: StaticString {
        switch self {
        case .useCase: "its use-case profile"
        case .jack: "its jack"
        case .name: "its name"
        case .nothing: "default, without evidence"
        case .user: "your configuration"
        case .server: "the sound server"
        }
    }
}

/// A port that a card can have. The values of its jacks decide whether it is present.
struct PortPlan: Equatable, Sendable {
    var kind: PortKind
    var name: String
    /// Distinguishes the port from the other ports of the card.
    var key: String
    /// The ports of a group are plugged in and unplugged together.
    var group: String
    var pcm: UInt32
    /// Nil: the PCM device of the card by its number.
    var alsaDevice: String?
    var channels: UInt32 = 2
    /// The port is present when one of these elements is true. Without an element it is always present.
    var jacks: [UInt32] = []
    /// When one of these elements is true as well, the group has a microphone.
    var headsetJacks: [UInt32] = []
    var level = Level()
    /// The element that chooses one of several sources or destinations.
    var selector: UInt32?
    var evidence: Evidence

    /// The elements whose values decide the state of the port.
    var watched: [UInt32] { jacks + headsetJacks + [level.volume, level.mute, selector].compactMap { $0 } }
}

/// The numbers of the elements of a volume and of its switch. Each can be missing.
struct Level: Equatable, Sendable {
    var volume: UInt32?
    var mute: UInt32?
}
