// SPDX-License-Identifier: Apache-2.0
import CRateKernels

/// The tables of a low-pass filter, which all resamplers of its shape share.
final class RateFilter: @unchecked Sendable {
    /// The values that determine the tables.
    struct Shape: Equatable {
        var quality: FilterQuality
        /// The input frames of an output frame, at least 1: a rate that falls has a lower cutoff, and a longer filter.
        var stretch: Double
        /// The number of rows for one input frame.
        var phases: Int
        /// The rows are interpolated: any position between two input frames has a row.
        var interpolates: Bool

        /// The shape for every ratio up to `ratio`.
        static func interpolating(_ quality: FilterQuality, upTo ratio: Double) -> Shape {
            let stretch = max(ratio, 1)
            let phases = (Double(quality.design.interpolatedPhases) / stretch).rounded(.up)
            return Shape(quality: quality, stretch: stretch, phases: Int(phases), interpolates: true)
        }

        /// The shape for a fraction. Fractions with large tables are interpolated.
        static func exact(_ quality: FilterQuality, _ ratio: RateRatio) -> Shape {
            let stretch = max(ratio.value, 1)
            guard ratio.denominator * quality.design.taps <= largestTable else { return interpolating(quality, upTo: stretch) }
            return Shape(quality: quality, stretch: stretch, phases: ratio.denominator, interpolates: false)
        }

        /// In taps of a rate that does not fall: the table fits into the second cache of usual processors.
        private static let largestTable = 192 * 1_024

        /// An even number: the latency is a whole number of frames.
        var taps: Int { 2 * Int((Double(quality.design.taps) * stretch / 2).rounded(.up)) }
        var latency: Int { taps / 2 }

        /// The zeros between two rows. The vectors of a group begin at an aligned frame, before the first window, and end after the
        /// last one. A drifting ratio is at most a fiftieth above the stretch.
        fileprivate var gap: Int { RateFilter.aligned(Int(Double(RATE_GROUP - 1) * stretch * 1.02) + 2 * RATE_ALIGNMENT) }

        fileprivate var rows: Int { interpolates ? phases + RATE_POINTS - 1 : phases }
    }

    let shape: Shape
    let filter: UnsafeMutablePointer<rate_filter>
    private let rows: UnsafeMutableBufferPointer<Float>
    private let middle: UnsafeMutableBufferPointer<Double>?

    /// Computes the tables.
    init(_ shape: Shape) {
        self.shape = shape
        let (taps, gap) = (shape.taps, shape.gap)
        let stride = RateFilter.aligned(taps) + gap
        rows = .allocate(capacity: shape.rows * stride + gap)
        rows.initialize(repeating: 0)
        let middleTaps = RateFilter.aligned(Int(Double(shape.quality.design.middleTaps) * shape.stretch))
        let middleStride = middleTaps + gap
        let middle: UnsafeMutableBufferPointer<Double>? =
            middleTaps == 0 ? nil : .allocate(capacity: shape.rows * middleStride + gap)
        middle?.initialize(repeating: 0)
        self.middle = middle
        filter = .allocate(capacity: 1)
        filter.initialize(
            to: rate_filter(
                rows: rows.baseAddress.map { UnsafePointer($0 + gap) },
                middle: middle?.baseAddress.map { UnsafePointer($0 + gap) },
                taps: taps, stride: stride, gap: gap, middle_first: RateFilter.aligned((taps - middleTaps) / 2),
                middle_taps: middleTaps, middle_stride: middleStride, phases: Int64(shape.phases),
                interpolates: shape.interpolates ? 1 : 0))
        fill()
    }

    deinit {
        rows.deallocate()
        middle?.deallocate()
        filter.deallocate()
    }

    private static func aligned(_ count: Int) -> Int {
        let alignment = RATE_ALIGNMENT
        return (count + alignment - 1) / alignment * alignment
    }

    private func fill() {
        var row = [Double](repeating: 0, count: shape.taps)
        let prototype = FilterPrototype(shape)
        for index in 0..<shape.rows {
            let phase = shape.interpolates ? index - 1 : index
            prototype.compute(&row, phase: Double(phase) / Double(shape.phases))
            store(row, index)
        }
    }

    private func store(_ row: [Double], _ index: Int) {
        let layout = filter.pointee
        let isMiddle = layout.middle_first..<layout.middle_first + layout.middle_taps
        let start = layout.gap + index * layout.stride
        let middleStart = layout.gap + index * layout.middle_stride - layout.middle_first
        for tap in row.indices {
            if let middle, isMiddle.contains(tap) {
                middle[middleStart + tap] = row[tap]
            } else {
                rows[start + tap] = Float(row[tap])
            }
        }
    }
}
