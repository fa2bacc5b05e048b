// SPDX-License-Identifier: Apache-2.0
extension Float {
    /// 20 log10 of a linear level; -160 for silence.
    public static func decibels(_ level: Float) -> Float {
        guard level > 1e-8 else { return -160 }
        guard level.isFinite else { return 0 }
        return Float(Double(level).naturalLogarithm * 20 / 2.302_585_092_994_046)
    }
}

extension Double {
    /// The natural logarithm. The number is positive and finite.
    var naturalLogarithm: Double {
        // ln(m) = 2 atanh((m - 1) / (m + 1)), with m between 1 and 2.
        let mantissa = significand
        let root = (mantissa - 1) / (mantissa + 1)
        let square = root * root
        var (term, sum) = (root, 0.0)
        for power in 0..<12 {
            sum += term / Double(2 * power + 1)
            term *= square
        }
        return 2 * sum + Double(exponent) * Double.logarithmOf2
    }

    static let logarithmOf2 = 0.693_147_180_559_945_3
}
