// SPDX-License-Identifier: Apache-2.0
/// Input frames per output frame as a fraction.
///
/// The arithmetic of the library is exact for terms of 16 bits if the ratio can change, and for terms of 22 bits if it is
/// fixed.
struct RateRatio: Equatable, Sendable {
    static let largestTerm = 65_535.0
    static let largestFixedTerm = 4_194_303.0

    let numerator: UInt32
    let denominator: UInt32

    private init(_ numerator: Double, _ denominator: Double) {
        self.numerator = UInt32(numerator)
        self.denominator = UInt32(denominator)
    }

    /// The ratio of two rates: exact if the terms of the reduced fraction are at most `largestTerm`, as with all usual rates;
    /// otherwise the last convergent of its continued fraction with such terms.
    ///
    /// Nil when the ratio is not in `range`.
    init?(
        from input: Double, to output: Double, in range: ClosedRange<Double>, largestTerm: Double = RateRatio.largestTerm
    ) {
        guard input.isFinite, output.isFinite, input > 0, output > 0, range.contains(input / output) else { return nil }
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
        self.init(current.0, current.1)
    }

    /// A ratio within 16 parts per million of two rates, with the largest possible terms. The position of the
    /// next frame is a multiple of 1 / denominator: with a large denominator it hardly moves when this ratio replaces
    /// another one.
    init?(near input: Double, to output: Double, in range: ClosedRange<Double>) {
        let ratio = input / output
        guard input.isFinite, output.isFinite, input > 0, output > 0, range.contains(ratio) else { return nil }
        let quotient = max(ratio, 1 / ratio)
        let short = (RateRatio.largestTerm / quotient).rounded(.down) - 1
        var long = (short * quotient).rounded()
        while RateRatio.commonDivisor(long, short) > 1 { long += 1 }
        if ratio > 1 { self.init(long, short) } else { self.init(short, long) }
    }

    private static func commonDivisor(_ first: Double, _ second: Double) -> Double {
        var (first, second) = (first, second)
        while second > 0 { (first, second) = (second, first.truncatingRemainder(dividingBy: second)) }
        return first
    }

    /// Ratios that together need the longest filter and the largest tables of all ratios in `range`.
    ///
    /// The filter grows with the ratio. The library halves the resolution of its table above ratios of 2, 4, 8 and
    /// 16, so that the table is largest below these ratios. Small denominators have a smaller table: these
    /// fractions have large ones.
    static func extremes(of range: ClosedRange<Double>) -> [RateRatio] {
        var ratios = [longest(range.upperBound), longest(range.lowerBound)]
        for limit in [2.0, 4, 8, 16] where range.lowerBound < limit && limit <= range.upperBound {
            let denominator = (largestTerm / limit).rounded(.down)
            ratios.append(RateRatio(denominator * limit - 1, denominator))
        }
        return ratios
    }

    /// A fraction with a large denominator that is not less than `ratio`.
    private static func longest(_ ratio: Double) -> RateRatio {
        ratio < 1
            ? RateRatio((ratio * largestTerm).rounded(.up), largestTerm)
            : RateRatio(largestTerm, (largestTerm / ratio).rounded(.down))
    }
}
