// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Every sample format of 8, 12, 16, 20, 24 and 32 bits in every container, and some fixed points.
func everySample() throws -> [SampleFormat] {
    var samples: Set<SampleFormat> = [.float32(.little), .float32(.big), .float64(.little), .float64(.big)]
    for bits in [8, 12, 16, 20, 24, 32] {
        for bytes in (bits + 7) / 8...4 {
            for isSigned in [true, false] {
                for order in [SampleFormat.ByteOrder.little, .big] {
                    for alignment in [SampleFormat.Alignment.low, .high] {
                        for fraction in [1, bits / 2, bits - 1, bits] {
                            samples.insert(
                                try .fixedPoint(
                                    bits, fractionBits: fraction, bytes: bytes, isSigned: isSigned, byteOrder: order,
                                    alignment: alignment))
                        }
                    }
                }
            }
        }
    }
    return Array(samples)
}

/// The formats whose pairs are all tested: all integers without fraction bits, some fixed points, floats.
func principalSamples() throws -> [SampleFormat] {
    try everySample().filter { sample in
        if sample.encoding == .float || sample.isPlainInteger { return true }
        return sample.isPacked && sample.encoding == .signedInteger && sample.fractionBits == sample.bits / 2
    } + [.fixedPoint(32, fractionBits: 24), .fixedPoint(32, fractionBits: 24, byteOrder: .big)]
}
