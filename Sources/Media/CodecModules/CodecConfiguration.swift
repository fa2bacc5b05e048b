// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The configuration of a decoder, which magic cookies contain in several ways.
enum CodecConfiguration {
    /// The configuration from a cookie. If the cookie is empty, a configuration derived from the description. Nil: the cookie
    /// contains none. Empty: the format needs none.
    static func bytes(of format: StreamDescription, cookie: [UInt8]) -> [UInt8]? {
        switch format.formatID {
        case CodecFormat.aac: aac(format, cookie)
        case CodecFormat.aacHE, CodecFormat.aacHEv2:
            (cookie.isEmpty ? usualReplication(format) : AACConfiguration(cookie: cookie))?.bytes
        case CodecFormat.appleLossless: cookie.isEmpty ? usualAppleLossless(format) : AppleLossless.configuration(in: cookie)
        case CodecFormat.flac: cookie.isEmpty ? [] : FLACConfiguration.block(in: cookie)
        default: []
        }
    }

    /// Plain AAC has no spectral band replication.
    private static func aac(_ format: StreamDescription, _ cookie: [UInt8]) -> [UInt8]? {
        if !cookie.isEmpty { return AACConfiguration(cookie: cookie)?.withoutExtension }
        let type = format.formatFlags.rawValue
        guard let rate = UInt32(exactly: format.sampleRate.rounded()) else { return nil }
        // Flags of 0, and flags of an extension, stand for LC.
        return AACConfiguration(objectType: 1...4 ~= type ? type : 2, rate: rate, channels: format.channelsPerFrame)?
            .withoutExtension
    }

    /// A program that plays packets sets the cookie after it has made the decoder. Until then, LC lies below the replication.
    private static func usualReplication(_ format: StreamDescription) -> AACConfiguration? {
        guard let rate = UInt32(exactly: format.sampleRate.rounded()) else { return nil }
        let isStereo = format.formatID == CodecFormat.aacHEv2
        // Parametric stereo makes two channels of one.
        guard !isStereo || format.channelsPerFrame == 2 else { return nil }
        return AACConfiguration(
            extendedRate: rate, channels: isStereo ? 1 : format.channelsPerFrame, hasParametricStereo: isStereo)
    }

    /// The configuration that encoders use by default.
    static func usualAppleLossless(_ format: StreamDescription) -> [UInt8]? {
        guard 1...8 ~= format.channelsPerFrame, let rate = UInt32(exactly: format.sampleRate.rounded()) else { return nil }
        let bits = UInt8(truncatingIfNeeded: AppleLossless.bits(of: format.formatFlags.rawValue) ?? 16)
        let frames = format.framesPerPacket > 0 ? min(format.framesPerPacket, 65_535) : 4_096
        func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        // The fields of the algorithm (40, 10, 14 and 255), the channels, and two sizes that are not stated.
        return number(frames) + [0, bits, 40, 10, 14, UInt8(format.channelsPerFrame), 0, 255] + number(0) + number(0)
            + number(rate)
    }
}
