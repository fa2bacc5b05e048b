// SPDX-License-Identifier: Apache-2.0
/// Input frames per output frame as a fraction.
struct RateRatio: Equatable, Sendable {
    /// The limit for the terms of a ratio that does not change. Most rates that are not whole numbers are exact with it.
    static let largestTerm = 4_194_303.0
    /// The limit for the terms of a ratio with short periods.
    static let largestShortTerm = 65_535.0
    /// The denominator of all ratios that can change. The position of the next frame stays exact when another ratio follows. A
    /// ratio is within 0.4 parts per million, and the product of a term and 2^30 frames does not overflow.
    static let commonDenominator = 1 << 26

    let numerator: Int
    let denominator: Int

    var value: Double { Double(numerator) / Double(denominator) }

    private init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The ratio of two rates: exact if the terms of the reduced fraction are at most `largestTerm`, as with all usual rates;
    /// otherwise the last convergent of its continued fraction with such terms.
    ///
    /// Nil when the ratio is not in `range`.
    init?(
        from input: Double, to output: Double, in range: ClosedRange<Double>, largestTerm: Double = RateRatio.largestTerm
    ) {
        guard RateRatio.isUsable(input, output, range) else { return nil }
        var (dividend, divisor) = (input, output)
        var (previous, current) = ((0.0, 1.0), (1.0, 0.0))
        while divisor > 0 {
            let quotient = (dividend / divisor).rounded(.down)
            let next = (quotient * current.0 + previous.0, quotient * current.1 + previous.1)
            guard next.0 <= largestTerm, next.1 <= largestTerm else { break }
            (previous, current) = (current, next)
            (dividend, divisor) = (divisor, dividend.truncatingRemainder(dividingBy: divisor))
        }
        guard current.0 > 0, current.1 > 0 else { return nil }
        self.init(Int(current.0), Int(current.1))
    }

    /// The ratio of two rates with the common denominator. Nil when the ratio is not in `range`.
    init?(changeable input: Double, to output: Double, in range: ClosedRange<Double>) {
        guard RateRatio.isUsable(input, output, range) else { return nil }
        let numerator = input / output * Double(RateRatio.commonDenominator)
        self.init(max(Int(numerator.rounded()), 1), RateRatio.commonDenominator)
    }

    private static func isUsable(_ input: Double, _ output: Double, _ range: ClosedRange<Double>) -> Bool {
        input.isFinite && output.isFinite && input > 0 && output > 0 && range.contains(input / output)
    }
}
