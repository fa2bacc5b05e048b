// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The numbers by which a kernel converts the container of an integer sample to its value and back.
struct SampleTransform: Sendable {
    /// Moves the sample to the top of 32 bits.
    let shiftToTop: UInt32
    /// The sample at the top of 32 bits, without padding.
    let mask: UInt32
    /// Converts an unsigned sample at the top of 32 bits to a signed one.
    let signFlip: UInt32
    /// The value of the lowest of the 32 bits.
    let unit: Double
    /// Full scale as an integer of the sample: 2^fractionBits.
    let scale: Double
    let low: Double
    let high: Double
    /// Converts a signed sample to an unsigned one, before the shift.
    let offset: UInt32
    /// Moves the sample to its end of the container.
    let shiftIntoContainer: UInt32

    init(_ sample: SampleFormat) {
        let bits = sample.encoding == .float ? 32 : sample.bits
        let padding = UInt32(sample.bytes * 8 - sample.bits)
        let isUnsigned = sample.encoding == .unsignedInteger
        let half = SampleTransform.power(bits - 1)
        shiftToTop = sample.alignment == .low ? UInt32(32 - bits) : UInt32(max(32 - sample.bytes * 8, 0))
        mask = ~UInt32(0) << UInt32(32 - bits)
        signFlip = isUnsigned ? 1 << 31 : 0
        unit = 1 / (SampleTransform.power(32 - bits) * SampleTransform.power(sample.fractionBits))
        scale = SampleTransform.power(sample.fractionBits)
        low = -half
        high = half - 1
        offset = isUnsigned ? 1 << UInt32(bits - 1) : 0
        shiftIntoContainer = sample.alignment == .high ? padding : 0
    }

    private static func power(_ exponent: Int) -> Double { Double(UInt64(1) << UInt64(exponent)) }

    @inline(__always)
    func value(_ container: UInt32) -> Double {
        Double(Int32(bitPattern: ((container &<< shiftToTop) & mask) ^ signFlip)) * unit
    }

    @inline(__always)
    func container(_ value: Double) -> UInt32 {
        (UInt32(bitPattern: rounded(value * scale, low, high)) &+ offset) &<< shiftIntoContainer
    }
}
