// A level as a line that is heavy up to it.
extension ScreenLine {
    /// Nil: there is no level. One column is left free.
    mutating func addBar(_ level: Float?, of columns: Int, _ style: Style) {
        let end = width + columns + 1
        if let level, columns > 0 {
            let halves = Int(max(0, min(1, level)) * Float(2 * columns) + 0.5)
            add(String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╾" : ""), style)
            add(String(repeating: "─", count: columns - (halves + 1) / 2), .dim)
        }
        pad(to: end)
    }
}

/// A level from 0 to 1.
func hundredths(_ level: Float) -> String {
    let hundredths = Int(max(0, min(1, level)) * 100 + 0.5)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}
