/// What the session and the hardware make of a stream just now.
public struct Situation: Equatable, Sendable {
    public var gain: Float = 1
    /// Its session is not active: nothing of it moves.
    public var isHeld = false
    /// Nil: not known yet, the cards have not answered.
    public var device: DeviceChoice? = .silence
    /// Its device has gone, and the program wants to hear of that instead of being moved to another one.
    public var isLost = false
    /// The audio server behind the route is dead.
    public var isWithoutServer = false

    public init() {}
}

/// What becomes of a running stream whose session is interrupted or deactivated.
public enum OnInterrupt: Sendable, Equatable {
    /// It stands still, and goes on at the same frame.
    case hold
    /// It ends as if the program had been late.
    case xrun
    /// Time goes on without a sound.
    case silence
}

extension Situation {
    /// Where a stream is to be heard, or to hear, now; nil: it stands still.
    func device(on interruption: OnInterrupt) -> DeviceChoice? {
        guard isHeld else { return device }
        return interruption == .silence ? .silence : nil
    }

    /// What a running stream ends by now, if it does.
    func end(on interruption: OnInterrupt) -> StreamError? {
        if isWithoutServer || (isHeld && interruption == .xrun) { return .late }
        return isLost ? .noDevice : nil
    }
}

/// What the program wants its stream to do.
enum Phase: Equatable {
    case idle, prepared, running, draining, paused
    var flows: Bool { self == .running || self == .draining }
}
