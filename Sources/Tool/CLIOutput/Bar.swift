// SPDX-License-Identifier: Apache-2.0
// A level as a bar: a heavy line up to the level, a light one beyond it.
extension ScreenLine {
    /// A nil level leaves the bar blank. One column after the bar is blank.
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

/// A level from 0 to 1 with two decimals.
func hundredths(_ level: Float) -> String {
    let hundredths = Int(max(0, min(1, level)) * 100 + 0.5)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}
