// SPDX-License-Identifier: Apache-2.0
// Cents are hundredths of a semitone: 1,200 are an octave.
extension Double {
    /// The ratio of two frequencies that are `cents` apart, at most 100 octaves.
    public init(cents: Double) {
        let octaves = Swift.min(Swift.max(cents / 1_200, -100), 100)
        let whole = octaves.rounded()
        // e^x for an x of at most 0.35.
        let power = (octaves - whole) * Double.logarithmOf2
        var (term, sum) = (1.0, 1.0)
        for index in 1..<16 {
            term *= power / Double(index)
            sum += term
        }
        self = Double(sign: .plus, exponent: Int(whole), significand: sum)
    }

    /// The cents between two frequencies with this ratio; 0 for a ratio that is not positive or not finite.
    public var cents: Double {
        guard self > 0, isFinite else { return 0 }
        return naturalLogarithm / Double.logarithmOf2 * 1_200
    }
}
