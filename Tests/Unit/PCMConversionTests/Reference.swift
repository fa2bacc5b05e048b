// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// A sample as an exact number, or what a float may be beside one. All arithmetic is that of integers.
enum ExactSample: Equatable {
    /// magnitude × 2^exponent
    case number(isNegative: Bool, magnitude: UInt64, exponent: Int)
    case infinity(isNegative: Bool)
    case notANumber

    init(_ bytes: [UInt8], _ format: SampleFormat) {
        var container: UInt64 = 0
        for byte in format.byteOrder == .little ? bytes.reversed() : bytes { container = container << 8 | UInt64(byte) }
        switch (format.encoding, format.bytes) {
        case (.float, 4): self = ExactSample.float(container, exponentBits: 8, fractionBits: 23)
        case (.float, _): self = ExactSample.float(container, exponentBits: 11, fractionBits: 52)
        default:
            if format.alignment == .high { container >>= UInt64(format.bytes * 8 - format.bits) }
            var value = Int64(container & (1 << UInt64(format.bits) - 1))
            let half = Int64(1) << Int64(format.bits - 1)
            if format.encoding == .unsignedInteger { value -= half } else if value >= half { value -= 2 * half }
            self = .number(isNegative: value < 0, magnitude: value.magnitude, exponent: -format.fractionBits)
        }
    }

    private static func float(_ bits: UInt64, exponentBits: UInt64, fractionBits: UInt64) -> ExactSample {
        let isNegative = bits >> (exponentBits + fractionBits) == 1
        let fraction = bits & (1 << fractionBits - 1)
        let exponent = Int(bits >> fractionBits & (1 << exponentBits - 1))
        let bias = 1 << Int(exponentBits - 1) - 1
        if exponent == 1 << Int(exponentBits) - 1 { return fraction == 0 ? .infinity(isNegative: isNegative) : .notANumber }
        let magnitude = exponent == 0 ? fraction : fraction | 1 << fractionBits
        return .number(isNegative: isNegative, magnitude: magnitude, exponent: max(exponent, 1) - bias - Int(fractionBits))
    }

    /// The bytes of this sample in a format; nil where it is a float that is not a number.
    func bytes(_ format: SampleFormat) -> [UInt8]? {
        let container: UInt64
        if format.encoding == .float {
            guard let bits = floatBits(exponentBits: format.bytes == 4 ? 8 : 11, fractionBits: format.bytes == 4 ? 23 : 52) else {
                return nil
            }
            container = bits
        } else {
            var value = integer(bits: format.bits, fractionBits: format.fractionBits)
            if format.encoding == .unsignedInteger { value += 1 << Int64(format.bits - 1) }
            if format.alignment == .high { value <<= Int64(format.bytes * 8 - format.bits) }
            container = UInt64(bitPattern: value)
        }
        let bytes = (0..<format.bytes).map { UInt8(truncatingIfNeeded: container >> UInt64($0 * 8)) }
        return format.byteOrder == .little ? bytes : bytes.reversed()
    }

    private func integer(bits: Int, fractionBits: Int) -> Int64 {
        let high = Int64(1) << Int64(bits - 1) - 1
        switch self {
        case .notANumber: return 0
        case .infinity(let isNegative): return isNegative ? -high - 1 : high
        case .number(let isNegative, let magnitude, let exponent):
            let shift = exponent + fractionBits
            var rounded: UInt64
            if magnitude == 0 {
                rounded = 0
            } else if shift >= 0 {
                rounded = shift > magnitude.leadingZeroBitCount ? .max : magnitude << UInt64(shift)
            } else {
                rounded = roundedDown(magnitude, by: -shift)
            }
            rounded = min(rounded, UInt64(isNegative ? high + 1 : high))
            return isNegative ? -Int64(rounded) : Int64(rounded)
        }
    }

    private func floatBits(exponentBits: UInt64, fractionBits: UInt64) -> UInt64? {
        let bias = 1 << Int(exponentBits - 1) - 1
        let infinity = UInt64(1 << exponentBits - 1) << fractionBits
        func signed(_ isNegative: Bool, _ bits: UInt64) -> UInt64 {
            isNegative ? bits | 1 << (exponentBits + fractionBits) : bits
        }
        switch self {
        case .notANumber: return nil
        case .infinity(let isNegative): return signed(isNegative, infinity)
        case .number(let isNegative, let magnitude, let exponent):
            guard magnitude > 0 else { return signed(isNegative, 0) }
            // The exponent of the lowest bit of the result: as high as the precision wants, or the least one.
            let width = 64 - magnitude.leadingZeroBitCount
            let lowest = max(exponent + width - Int(fractionBits) - 1, 1 - bias - Int(fractionBits))
            var significand =
                lowest > exponent ? roundedDown(magnitude, by: lowest - exponent) : magnitude << UInt64(exponent - lowest)
            var biased = lowest + bias + Int(fractionBits)
            if significand >> (fractionBits + 1) == 1 {
                significand >>= 1
                biased += 1
            }
            if significand >> fractionBits == 0 { return signed(isNegative, significand) }
            if biased >= 1 << Int(exponentBits) - 1 { return signed(isNegative, infinity) }
            return signed(isNegative, UInt64(biased) << fractionBits | significand & (1 << fractionBits - 1))
        }
    }
}

/// magnitude / 2^bits, to the nearest integer, ties to even.
private func roundedDown(_ magnitude: UInt64, by bits: Int) -> UInt64 {
    guard bits <= 64 else { return 0 }
    let quotient = bits == 64 ? 0 : magnitude >> UInt64(bits)
    let rest = bits == 64 ? magnitude : magnitude & (1 << UInt64(bits) - 1)
    let half = UInt64(1) << UInt64(bits - 1)
    return rest > half || rest == half && quotient & 1 == 1 ? quotient + 1 : quotient
}
