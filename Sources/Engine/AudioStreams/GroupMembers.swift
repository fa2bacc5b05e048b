// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import SessionArbiter
import SessionModel
import SessionRegistry

/// The streams of a group: which of them run, and what they need of a session. The group calls all members under its lock.
struct GroupMembers {
    private(set) var all: [any GroupMember] = []

    var isEmpty: Bool { all.isEmpty }
    /// A pushed stream is among them.
    var hasOptions: Bool { all.contains { $0.hasOptions } }
    /// The program has started one of them.
    var hasStarted: Bool { all.contains { $0.isStarted } }

    mutating func append(_ stream: any GroupMember) { all.append(stream) }

    mutating func remove(_ stream: any GroupMember) { all.removeAll { $0 === stream } }

    /// The activity of the session of these streams.
    var activity: StreamActivity {
        let running = all.filter { $0.isRunning }
        guard !running.isEmpty else { return .stopped }
        return running.contains { $0.ducksOthers } ? .runningVoice : .running
    }

    /// A pulled stream counts while it runs: a program that calls no session function and plays with units or queues has the default
    /// category.
    func needs(adding directions: StreamDirections = [], withOptions hasOptions: Bool = false) -> GroupSession.Needs {
        let counted = all.filter { $0.hasOptions || $0.isRunning }
        return GroupSession.Needs(
            recording: directions.contains(.input) || counted.contains { $0.directions.contains(.input) },
            hasOptions: hasOptions || counted.contains { $0.hasOptions })
    }

    /// A new interruption affects the streams that run now.
    func markInterrupted(from former: SessionView, to view: SessionView) {
        for stream in all {
            stream.wasInterrupted = view.isInterrupted && (former.isInterrupted ? stream.wasInterrupted : stream.isRunning)
        }
    }

    func apply(_ conditions: StreamConditions) { for stream in all { stream.apply(conditions) } }

    /// Tells the owners of the streams that the session has stopped, and calls `count` for each that had not been told before. Called on
    /// a copy, without the lock of the group.
    func reportStops(_ count: () -> Void) { for stream in all { stream.reportStop(count) } }
}
