// SPDX-License-Identifier: Apache-2.0
/// The content of the monitor screen: the current report and the recent events.
public struct MonitorView: Sendable {
    public struct Recent: Equatable, Sendable {
        public let time: TimeOfDay
        public let event: Event
    }

    public struct Size: Equatable, Sendable {
        public let columns: Int
        public let rows: Int

        public init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    public private(set) var report: Report
    private(set) var lines: [Report.Line]
    /// The recent events, the latest at the end. Their number is the number of lines of a tall screen.
    public private(set) var recent: [Recent] = []

    private static let longestMemory = 200

    public init(of report: Report) {
        self.report = report
        lines = report.lines
    }

    public mutating func advance(to report: Report, at time: TimeOfDay) {
        for event in report.events(since: self.report) { recent.append(Recent(time: time, event: event)) }
        if recent.count > MonitorView.longestMemory { recent.removeFirst(recent.count - MonitorView.longestMemory) }
        self.report = report
        lines = report.lines
    }

    /// At most as many lines as rows, none wider than the screen.
    public func lines(in size: Size) -> [ScreenLine] {
        let footer = size.rows >= Layout.rowsForFooter ? [ScreenLine(" q quits", .dim)] : []
        let isAiry = size.rows >= Layout.rowsForGaps
        let sections = [sessions(in: size.columns)] + sounds + ports(in: size.columns) + [events]
        // One blank line above each section, and one above the footer.
        let gaps = isAiry ? sections.count + 1 : 0
        let shares = share(size.rows - 1 - footer.count - gaps, among: sections)
        var lines = [title(in: size.columns)]
        for (section, rows) in zip(sections, shares) where rows > 0 {
            if isAiry { lines.append(ScreenLine()) }
            lines += section.lines(in: rows)
        }
        if !footer.isEmpty {
            while lines.count < size.rows - 1 { lines.append(ScreenLine()) }
            lines += footer
        }
        return lines.prefix(max(0, size.rows)).map { $0.cut(to: size.columns) }
    }

    private enum Layout {
        static let rowsForFooter = 10
        static let rowsForGaps = 16
    }

    /// Distributes the rows round-robin. If the last sections
    /// would get only their heading, which is useless without a row, they get nothing.
    private func share(_ room: Int, among sections: [Section]) -> [Int] {
        var shares = sections.map { _ in 0 }
        for kept in stride(from: sections.count, to: 0, by: -1) {
            shares = share(room, among: sections, upTo: kept)
            if shares.prefix(kept).allSatisfy({ $0 > 1 }) { return shares }
        }
        return sections.map { _ in 0 }
    }

    private func share(_ room: Int, among sections: [Section], upTo end: Int) -> [Int] {
        var shares = sections.map { _ in 0 }
        var left = room
        var isAsked = true
        while left > 0, isAsked {
            isAsked = false
            for index in 0..<end where left > 0 && shares[index] < sections[index].height {
                shares[index] += 1
                left -= 1
                isAsked = true
            }
        }
        return shares
    }
}

/// A heading with the rows that fit.
struct Section {
    enum Kept { case first, last }

    let heading: ScreenLine
    let rows: [ScreenLine]
    /// The rows that are shown when not all fit.
    let kept: Kept

    var height: Int { rows.count + 1 }

    func lines(in height: Int) -> [ScreenLine] {
        let room = height - 1
        guard rows.count > room else { return [heading] + rows }
        switch kept {
        case .last: return [heading] + rows.suffix(room)
        case .first where room == 1: return [heading] + rows.prefix(1)
        case .first: return [heading] + rows.prefix(room - 1) + [ScreenLine("   … \(rows.count - room + 1) more", .dim)]
        }
    }
}
