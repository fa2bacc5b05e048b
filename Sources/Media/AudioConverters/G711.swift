// SPDX-License-Identifier: Apache-2.0
/// µ-law of ITU-T G.711: 14-bit samples in 8 bits. The samples are in the upper bits of 16.
public enum ULaw {
    private static let bias: Int32 = 0x84
    private static let clip: Int32 = 32_635

    public static func decode(_ code: UInt8) -> Int16 {
        let bits = Int32(~code)
        let magnitude = ((bits & 0x0F) << 3 + bias) << ((bits & 0x70) >> 4) - bias
        return Int16(truncatingIfNeeded: bits & 0x80 == 0 ? magnitude : -magnitude)
    }

    public static func encode(_ sample: Int16) -> UInt8 {
        let sign: UInt8 = sample < 0 ? 0x80 : 0
        let magnitude = min(Int32(sample.magnitude), clip) + bias
        let segment = Int32(24 - magnitude.leadingZeroBitCount)
        let code = UInt8(truncatingIfNeeded: segment << 4 | (magnitude >> (segment + 3)) & 0x0F)
        return ~(sign | code)
    }
}

/// A-law of ITU-T G.711: 13-bit samples in 8 bits. The samples are in the upper bits of 16.
public enum ALaw {
    public static func decode(_ code: UInt8) -> Int16 {
        let bits = Int32(code ^ 0x55)
        let segment = (bits & 0x70) >> 4
        let step = (bits & 0x0F) << 4 + 8
        let magnitude = segment == 0 ? step : (step + 0x100) << (segment - 1)
        return Int16(truncatingIfNeeded: bits & 0x80 != 0 ? magnitude : -magnitude)
    }

    public static func encode(_ sample: Int16) -> UInt8 {
        // The decision levels of negative samples are those of their complement.
        let magnitude = Int32(sample < 0 ? ~sample : sample) >> 4
        let sign: UInt8 = sample < 0 ? 0 : 0x80
        let segment = max(Int32(28 - magnitude.leadingZeroBitCount), 0)
        let mantissa = segment > 1 ? magnitude >> (segment - 1) : magnitude
        let code = segment == 0 ? magnitude : segment << 4 | mantissa & 0x0F
        return (sign | UInt8(truncatingIfNeeded: code)) ^ 0x55
    }
}
