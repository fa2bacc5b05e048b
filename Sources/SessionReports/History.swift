import SessionArbiter

/// What has happened over time, and how each session's sound went: what a trace and a picture are drawn from.
public struct History: Sendable {
    /// One session's sound from one moment to the next change.
    public struct Span: Equatable, Sendable {
        public enum State: UInt8, Sendable { case inactive, active, ducked, silenced, interrupted }

        public var state: State
        public var gain: Float
        public var start: UInt64
        public var end: UInt64
    }

    public struct Track: Equatable, Sendable {
        /// With the name that it has now.
        public fileprivate(set) var who: Happening.Who
        public fileprivate(set) var spans: [Span]
    }

    public struct Note: Equatable, Sendable {
        public let time: UInt64
        public let happening: Happening
    }

    public private(set) var tracks: [Track] = []
    public private(set) var notes: [Note] = []
    public let start: UInt64
    public private(set) var end: UInt64
    private var last: Report

    /// Times are nanoseconds of the monotonic clock.
    public init(from report: Report, at time: UInt64) {
        start = time
        end = time
        last = report
        follow(report, at: time)
    }

    /// Takes in how things are now; returns what has happened since.
    public mutating func advance(to report: Report, at time: UInt64) -> [Happening] {
        let happenings = report.happenings(since: last)
        for happening in happenings { notes.append(Note(time: time, happening: happening)) }
        follow(report, at: time)
        last = report
        return happenings
    }

    private mutating func follow(_ report: Report, at time: UInt64) {
        end = time
        let lines = report.lines
        for line in lines {
            let place = tracks.firstIndex { $0.who.slot == line.slot && $0.who.serial == line.entry.serial }
            let span = Span(state: line.state, gain: line.loudness, start: time, end: time)
            guard let place else {
                tracks.append(Track(who: line.who, spans: [span]))
                continue
            }
            tracks[place].who = line.who
            tracks[place].extend(to: time)
            if let before = tracks[place].spans.last, before.state != span.state || before.gain != span.gain {
                tracks[place].spans.append(span)
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

    /// What the picture shows as height.
    var loudness: Float { entry.isActive && !effect.isSilenced ? effect.gain : 0 }
}
