// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The state that the session and the hardware give to a stream.
public struct StreamTarget: Equatable, Sendable {
    public var gain: Float = 1
    /// The session is not active: the stream does not move.
    public var isHeld = false
    /// Nil while the sound cards have not been explored.
    public var device: DeviceChoice? = .silence
    /// The device was removed, and the stream has the option to end in this case.
    public var isLost = false
    /// The audio server behind the route is dead.
    public var isWithoutServer = false

    public init() {}
}

/// The behavior of a running stream during an interruption or deactivation of its session.
public enum OnInterrupt: Sendable, Equatable {
    /// The stream stops moving, and continues at the same frame.
    case hold
    /// The stream ends with an xrun.
    case xrun
    /// The stream continues without sound.
    case silence
}

extension StreamTarget {
    /// The device to use now; nil: no frame moves.
    func device(on interruption: OnInterrupt) -> DeviceChoice? {
        guard isHeld else { return device }
        return interruption == .silence ? .silence : nil
    }

    /// The error that ends a running stream now.
    func end(on interruption: OnInterrupt) -> SystemError? {
        if isWithoutServer || (isHeld && interruption == .xrun) { return .late }
        return isLost ? .noDevice : nil
    }
}

/// The state of the stream as the program has set it.
enum Phase: Equatable {
    case idle, prepared, running, draining, paused
    var flows: Bool { self == .running || self == .draining }
}
