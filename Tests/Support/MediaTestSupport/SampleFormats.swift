// SPDX-License-Identifier: Apache-2.0
public import MediaFormats

/// Every sample format of 8, 12, 16, 20, 24 and 32 bits in every container, and some fixed points, each once, in an order that does
/// not change from process to process.
public func everySample() throws -> [SampleFormat] {
    var samples: [SampleFormat] = [.float32(.little), .float32(.big), .float64(.little), .float64(.big)]
    var known = Set(samples)
    for bits in [8, 12, 16, 20, 24, 32] {
        for bytes in (bits + 7) / 8...4 {
            for isSigned in [true, false] {
                for order in [SampleFormat.ByteOrder.little, .big] {
                    for alignment in [SampleFormat.Alignment.low, .high] {
                        for fraction in [1, bits / 2, bits - 1, bits] {
                            let sample = try SampleFormat.fixedPoint(
                                bits, fractionBits: fraction, bytes: bytes, isSigned: isSigned, byteOrder: order,
                                alignment: alignment)
                            if known.insert(sample).inserted { samples.append(sample) }
                        }
                    }
                }
            }
        }
    }
    return samples
}
