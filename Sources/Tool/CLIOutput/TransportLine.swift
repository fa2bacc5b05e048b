// SPDX-License-Identifier: Apache-2.0
/// The line of a sound that plays, is recorded or is converted: time, progress, levels and route.
public struct TransportLine: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case playing, recording, converting, interrupted
    }

    public var state: State
    /// In seconds.
    public var position: Double
    /// Nil: the end is not known.
    public var duration: Double?
    /// Peaks in decibels, one for each channel.
    public var levels: [Float]
    public var route: String

    public init(_ state: State, position: Double = 0, duration: Double? = nil, levels: [Float] = [], route: String = "") {
        self.state = state
        self.position = position
        self.duration = duration
        self.levels = levels
        self.route = route
    }

    private static let meterWidth = 10
    /// The level at which a meter is empty.
    private static let floor: Float = -60

    /// A line for a terminal with this number of columns. Three columns stay free: the terminal shows "^C" behind the line, and
    /// some terminals wrap a full line. After a wrap the line could not be erased.
    public func line(onTerminalOf columns: Int) -> ScreenLine { line(in: columns - 3) }

    /// A line with at most this number of columns. The bar of the progress uses the columns that the other parts leave.
    public func line(in columns: Int) -> ScreenLine {
        var line = ScreenLine()
        line.add(mark.text + " ", mark.style)
        line.add(soundTime(position))
        let end = tail
        if let duration {
            line.add(" / " + soundTime(duration), .dim)
            let room = columns - line.width - end.width - 4
            if room >= 4 {
                line.add("  ")
                line.addBar(duration > 0 ? Float(min(max(position / duration, 0), 1)) : 1, of: room, .level)
            }
        }
        line.add(end)
        return line.cut(to: columns)
    }

    private var mark: (text: String, style: ScreenLine.Style) {
        switch state {
        case .playing: ("▶", .active)
        case .recording: ("●", .alert)
        case .converting: ("▶", .level)
        case .interrupted: ("‖", .interrupted)
        }
    }

    /// The meters of the first two channels, and the route.
    private var tail: ScreenLine {
        var line = ScreenLine()
        for (index, level) in levels.prefix(2).enumerated() {
            line.add(levels.count == 1 ? " " : index == 0 ? " L" : "R")
            line.add(" ")
            line.addBar(TransportLine.part(level), of: TransportLine.meterWidth, level > -1 ? .alert : .active)
        }
        if !route.isEmpty { line.add(" " + route, .dim) }
        return line
    }

    /// The fraction of a meter that a level fills.
    static func part(_ level: Float) -> Float {
        guard level.isFinite else { return 0 }
        return min(max((level - floor) / -floor, 0), 1)
    }
}

extension TerminalEncoder {
    /// Replaces the line that the cursor is on.
    public func replacement(_ line: ScreenLine) -> String { "\r" + painted(line) + "\u{1B}[K" }
    /// Empties the line that the cursor is on.
    public static let emptied = "\r\u{1B}[K"
    /// Empties the screen.
    public static let erased = "\u{1B}[2J"
}
