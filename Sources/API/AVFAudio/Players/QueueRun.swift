// SPDX-License-Identifier: Apache-2.0

/// Whether a player or recorder runs, from a start of its queue to the next pause, stop or end.
///
/// The queue reports a stop on a thread of its own, and the reason is read after that: the program may have started the queue again
/// meanwhile. A stop ends only the run that was there before its reason was read.
struct QueueRun {
    private(set) var isOn = false
    private(set) var number: UInt64 = 0
    private var formerStops: UInt64 = 0

    /// The queue has started. Called after its start: a stop that is reported later concerns this run. `stops`: the stops of the
    /// session that were reported before the start.
    mutating func begin(after stops: UInt64) { (isOn, number, formerStops) = (true, number &+ 1, stops) }

    /// Whether the session has stopped a stream since the run began. The begin of an interruption may be delivered after the program
    /// has started the queue again.
    func isBefore(_ stops: UInt64) -> Bool { stops != formerStops }

    /// False when nothing ran.
    @discardableResult
    mutating func end() -> Bool {
        defer { isOn = false }
        return isOn
    }

    /// Ends the run of this number. False when it has ended.
    mutating func end(_ number: UInt64) -> Bool { number == self.number && end() }
}
