// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The configuration of a decoder, which magic cookies contain in several ways.
enum CodecConfiguration {
    /// The configuration from a cookie. If the cookie is empty, a configuration derived from the description. Nil: the cookie
    /// contains none. Empty: the format needs none.
    static func bytes(of format: StreamDescription, cookie: [UInt8]) -> [UInt8]? {
        switch format.formatID {
        case CodecFormat.aac: aac(format, cookie)
        case CodecFormat.aacHE, CodecFormat.aacHEv2: AACConfiguration(cookie: cookie)?.bytes
        case CodecFormat.appleLossless: cookie.isEmpty ? usualAppleLossless(format) : appleLossless(cookie)
        case CodecFormat.flac: cookie.isEmpty ? [] : flac(cookie)
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

    /// The 24 bytes of the configuration. Older files have them in boxes of QuickTime, newer files without a box.
    private static func appleLossless(_ cookie: [UInt8]) -> [UInt8]? {
        var cookie = cookie[...]
        for id in ["frma", "alac"] as [StaticString] where begins(cookie, with: id) { cookie = cookie.dropFirst(12) }
        return cookie.count >= 24 ? Array(cookie.prefix(24)) : nil
    }

    /// A box begins with its size and its name.
    private static func begins(_ cookie: ArraySlice<UInt8>, with id: StaticString) -> Bool {
        guard cookie.count >= 12 else { return false }
        return id.withUTF8Buffer { id in
            for index in 0..<4 where cookie[cookie.startIndex + 4 + index] != id[index] { return false }
            return true
        }
    }

    /// The configuration that encoders use by default.
    static func usualAppleLossless(_ format: StreamDescription) -> [UInt8]? {
        guard 1...8 ~= format.channelsPerFrame, let rate = UInt32(exactly: format.sampleRate.rounded()) else { return nil }
        let bits: UInt8 =
            switch format.formatFlags.rawValue {
            case 2: 20
            case 3: 24
            case 4: 32
            default: 16
            }
        let frames = format.framesPerPacket > 0 ? min(format.framesPerPacket, 65_535) : 4_096
        func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        // The fields of the algorithm (40, 10, 14 and 255), the channels, and two sizes that are not stated.
        return number(frames) + [0, bits, 40, 10, 14, UInt8(format.channelsPerFrame), 0, 255] + number(0) + number(0)
            + number(rate)
    }

    /// The first block of metadata, alone or after the signature of a file or of a box.
    private static func flac(_ cookie: [UInt8]) -> [UInt8]? {
        var cookie = cookie[...]
        if begins(cookie, with: "dfLa") { cookie = cookie.dropFirst(12) }
        if cookie.count >= 8, cookie.prefix(4).elementsEqual([0x66, 0x4C, 0x61, 0x43]) { cookie = cookie.dropFirst(4) }
        if cookie.count >= 38, cookie.dropFirst().prefix(3).elementsEqual([0, 0, 34]) { cookie = cookie.dropFirst(4) }
        return cookie.count >= 34 ? Array(cookie.prefix(34)) : nil
    }
}
