// SPDX-License-Identifier: Apache-2.0
import CRateKernels

/// The continuous low-pass filter: a sinc with a Kaiser window. The rows of a table are samples of it.
struct FilterPrototype {
    private let taps: Int
    private let cutoff: Double
    private let beta: Double

    init(_ shape: RateFilter.Shape) {
        taps = shape.taps
        cutoff = shape.quality.design.cutoff / shape.stretch
        beta = shape.quality.design.beta
    }

    /// Computes the taps for an output frame that lies `phase` input frames after the middle of the window. Their sum is 1, so that
    /// a constant stays as it is.
    func compute(_ row: inout [Double], phase: Double) {
        var sum = 0.0
        for tap in row.indices {
            let value = value(at: Double(tap - taps / 2 + 1) - phase)
            row[tap] = value
            sum += value
        }
        for tap in row.indices { row[tap] /= sum }
    }

    private func value(at time: Double) -> Double {
        let angle = Double.pi * cutoff * time
        let sinc = abs(angle) < 1e-9 ? 1 : rate_sine(angle) / angle
        let distance = time / Double(taps / 2)
        return sinc * FilterPrototype.bessel(beta * beta * (1 - distance * distance))
    }

    /// The modified Bessel function of order 0, of the root of `square`. The series continues it smoothly to negative squares, which
    /// the interpolated rows need at the edges of the window.
    private static func bessel(_ square: Double) -> Double {
        var (sum, term, index) = (1.0, 1.0, 1.0)
        while term.magnitude > sum.magnitude * 1e-17, index < 200 {
            term *= square / (4 * index * index)
            sum += term
            index += 1
        }
        return sum
    }
}
