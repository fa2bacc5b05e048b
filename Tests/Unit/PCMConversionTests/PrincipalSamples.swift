// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport

/// The formats whose pairs are all tested: all integers without fraction bits, some fixed points, floats.
func principalSamples() throws -> [SampleFormat] {
    try everySample().filter { sample in
        if sample.encoding == .float || sample.isPlainInteger { return true }
        return sample.isPacked && sample.encoding == .signedInteger && sample.fractionBits == sample.bits / 2
    } + [.fixedPoint(32, fractionBits: 24), .fixedPoint(32, fractionBits: 24, byteOrder: .big)]
}
