// SPDX-License-Identifier: Apache-2.0
import CAudioStreams

/// A stream as its group sees it. The group calls these members under its lock.
protocol GroupMember: AnyObject {
    var directions: StreamDirections { get }
    /// A pushed stream has options.
    var hasOptions: Bool { get }
    /// The group counts it as running.
    var isRunning: Bool { get set }
    /// The program has started it. The group may not have counted it as running yet.
    var isStarted: Bool { get }
    /// The stream ran when the present interruption began.
    var wasInterrupted: Bool { get set }
    /// The stream ducks the sound of other sessions while it runs.
    var ducksOthers: Bool { get }
    func apply(_ conditions: StreamConditions)
    /// Called without the lock of the group: tells the owner of the stream that the session has stopped the stream, and calls `count`
    /// then, if the owner had not been told before. While another thread does both, this call waits for it.
    func reportStop(_ count: () -> Void)
}

extension GroupMember {
    var ducksOthers: Bool { false }
    func reportStop(_ count: () -> Void) {}
}
