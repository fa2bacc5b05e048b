// SPDX-License-Identifier: Apache-2.0
import SessionArbiter

/// The events of a period and the state of each session over it: the data of a trace and of its picture.
public struct History: Sendable {
    /// The state of one session between two changes.
    public struct Span: Equatable, Sendable {
        public enum State: UInt8, Sendable { case inactive, active, ducked, silenced, interrupted }

        public var state: State
        public var gain: Float
        public var start: UInt64
        public var end: UInt64
    }

    public struct Track: Equatable, Sendable {
        /// The session, with its latest name.
        public fileprivate(set) var session: Event.SessionLine
        public fileprivate(set) var spans: [Span]
    }

    public struct TimedEvent: Equatable, Sendable {
        public let time: UInt64
        public let event: Event
    }

    public private(set) var tracks: [Track] = []
    public private(set) var events: [TimedEvent] = []
    public let start: UInt64
    public private(set) var end: UInt64
    private var last: Report

    /// Times are nanoseconds of the monotonic clock.
    public init(from report: Report, at time: UInt64) {
        start = time
        end = time
        last = report
        append(report, at: time)
    }

    /// Appends the current report. Returns the events since the last one.
    public mutating func advance(to report: Report, at time: UInt64) -> [Event] {
        let new = report.events(since: last)
        for event in new { events.append(TimedEvent(time: time, event: event)) }
        append(report, at: time)
        last = report
        return new
    }

    private mutating func append(_ report: Report, at time: UInt64) {
        end = time
        let lines = report.lines
        for line in lines {
            let index = tracks.firstIndex { $0.session.slot == line.slot && $0.session.serial == line.entry.serial }
            let span = Span(state: line.state, gain: line.height, start: time, end: time)
            guard let index else {
                tracks.append(Track(session: line.session, spans: [span]))
                continue
            }
            tracks[index].session = line.session
            tracks[index].extend(to: time)
            if let before = tracks[index].spans.last, before.state != span.state || before.gain != span.gain {
                tracks[index].spans.append(span)
            }
        }
    }
}

extension History.Track {
    fileprivate mutating func extend(to time: UInt64) {
        if let last = spans.indices.last { spans[last].end = time }
    }
}

extension Report.Line {
    var state: History.Span.State {
        if entry.isInterrupted { return .interrupted }
        guard entry.isActive else { return .inactive }
        if effect.isSilenced { return .silenced }
        return effect.gain < 1 ? .ducked : .active
    }

    /// The height in the picture.
    var height: Float { entry.isActive && !effect.isSilenced ? effect.gain : 0 }
}
