// SPDX-License-Identifier: Apache-2.0
// The history as SVG: one track per session, time to the right, gain as height.
extension History {
    public var svg: String {
        let tracks = tracks.filter { track in track.spans.contains { $0.state != .inactive } }
        let height = Layout.top + tracks.count * Layout.row + Layout.eventLines(events.filter { $0.event.session == nil }.count)
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Layout.width)" height="\(height)" \
            viewBox="0 0 \(Layout.width) \(height)" font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="16" y="24" font-size="15">Audio sessions, \(seconds(end)) s</text>\n
            """
        svg += legend
        for (index, track) in tracks.enumerated() { svg += drawing(of: track, at: Layout.top + index * Layout.row) }
        svg += drawingOfEvents(from: Layout.top - 8, to: Layout.top + tracks.count * Layout.row)
        return svg + "</svg>\n"
    }

    private enum Layout {
        static let width = 960
        static let left = 150
        static let right = 24
        static let top = 56
        static let row = 64
        static let bar = 44

        static func eventLines(_ count: Int) -> Int { 16 + count * 16 }
    }

    /// The colours of the states that occur, aligned to the right.
    private var legend: String {
        let states = [Span.State.active, .ducked, .silenced, .interrupted].filter { state in
            tracks.contains { $0.spans.contains { $0.state == state } }
        }
        var svg = ""
        var right = Layout.width - Layout.right
        for state in states.reversed() {
            right -= 8 * state.name.utf8.count
            svg += "<text x=\"\(right)\" y=\"24\" fill=\"#444\">\(state.name)</text>\n"
            svg += "<rect x=\"\(right - 16)\" y=\"14\" width=\"10\" height=\"10\" fill=\"\(state.colour)\"/>\n"
            right -= 32
        }
        return svg
    }

    private func drawing(of track: Track, at y: Int) -> String {
        let base = y + Layout.bar
        var svg = "<text x=\"16\" y=\"\(y + 20)\">\(escaped(track.session.name))</text>\n"
        svg += "<text x=\"16\" y=\"\(y + 36)\" fill=\"#777\">\(track.session.pid)</text>\n"
        svg +=
            "<line x1=\"\(Layout.left)\" x2=\"\(Layout.width - Layout.right)\" y1=\"\(base)\" y2=\"\(base)\" stroke=\"#ccc\"/>\n"
        for span in track.spans where span.state != .inactive {
            let from = x(span.start)
            let width = max(1, x(span.end) - from)
            // A silenced or interrupted session is a thin band, so that it stays visible.
            let tall = span.gain > 0 ? max(4, Int(span.gain * Float(Layout.bar))) : 6
            svg += "<rect x=\"\(from)\" y=\"\(base - tall)\" width=\"\(width)\" height=\"\(tall)\" fill=\"\(span.state.colour)\">"
            svg += "<title>\(span.state.name), \(seconds(span.start)) s to \(seconds(span.end)) s</title></rect>\n"
        }
        return svg
    }

    private func drawingOfEvents(from top: Int, to bottom: Int) -> String {
        var svg = ""
        var line = bottom + 16
        for timed in events where timed.event.session == nil {
            let at = x(timed.time)
            svg +=
                "<line x1=\"\(at)\" x2=\"\(at)\" y1=\"\(top)\" y2=\"\(line - 10)\" stroke=\"#888\" stroke-dasharray=\"3 3\"/>\n"
            let anchor = at > Layout.width / 2 ? "end" : "start"
            svg +=
                "<text x=\"\(at)\" y=\"\(line)\" fill=\"#444\" text-anchor=\"\(anchor)\">\(escaped(timed.event.text))</text>\n"
            line += 16
        }
        return svg
    }

    private func x(_ time: UInt64) -> Int {
        let whole = Double(max(1, end &- start))
        let part = Double(min(time &- start, end &- start)) / whole
        return Layout.left + Int(part * Double(Layout.width - Layout.left - Layout.right))
    }

    /// With two decimals.
    private func seconds(_ time: UInt64) -> String {
        let hundredths = (time &- start) / 10_000_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension History.Span.State {
    fileprivate var colour: String {
        switch self {
        case .inactive: "#eee"
        case .active: "#2a7de1"
        case .ducked: "#8ab6ea"
        case .silenced: "#b9b9b9"
        case .interrupted: "#e0803c"
        }
    }
}
