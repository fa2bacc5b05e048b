// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Resampling

// The lists of what an encoder accepts, each an array of `AudioValueRange`.

extension Converter {
    /// The bit rates of the encoder. With packets of one size there is one. A lossless encoder has none.
    func encoderBitRates() throws(ConverterError) -> [UInt8] {
        if let constantBitRate { return range(constantBitRate, constantBitRate) }
        guard let encoder = variableEncoding?.encoder else { throw .propertyNotSupported }
        guard encoder.bitRate > 0 else { return [] }
        // A packet of AAC has at most 6,144 bits for each channel. Below the lowest rate nothing is left of the sound.
        let channels = Double(encoder.input.channels)
        let most = 6_144 * channels * encoder.input.sampleRate / Double(encoder.framesPerPacket)
        return range(min(8_000 * channels, most), most)
    }

    /// The sample rates of the encoder. Formats without a list have those that a converter converts to.
    func encoderRates() throws(ConverterError) -> [UInt8] {
        guard encoder != nil || variableEncoding != nil else { throw .propertyNotSupported }
        guard target.formatID == CodecFormat.aac else {
            return range(BlockResampler.rates.lowerBound, BlockResampler.rates.upperBound)
        }
        return AACConfiguration.rates.reversed().flatMap { range(Double($0), Double($0)) }
    }

    /// The bit rate of packets of one size, which follows from the size. Nil without such an encoder.
    var constantBitRate: Double? {
        guard encoder != nil else { return nil }
        let bits = Double(output.largestPacket * 8)
        return min(output.format.sampleRate * bits / Double(output.framesPerPacket), 4e9).rounded(.down)
    }

    private func range(_ least: Double, _ most: Double) -> [UInt8] {
        [UInt8](nativeBytesOf: least.bitPattern) + [UInt8](nativeBytesOf: most.bitPattern)
    }
}
