// SPDX-License-Identifier: Apache-2.0

/// The configuration of FLAC, which a magic cookie contains. Its format flags are those of Apple Lossless.
public enum FLACConfiguration {
    /// The first block of metadata, alone or after the signature of a file or of a box.
    public static func block(in cookie: [UInt8]) -> [UInt8]? {
        var cookie = cookie[...]
        if AppleLossless.begins(cookie, with: "dfLa") { cookie = cookie.dropFirst(12) }
        if cookie.count >= 8, cookie.prefix(4).elementsEqual([0x66, 0x4C, 0x61, 0x43]) { cookie = cookie.dropFirst(4) }
        if cookie.count >= 38, cookie.dropFirst().prefix(3).elementsEqual([0, 0, 34]) { cookie = cookie.dropFirst(4) }
        return cookie.count >= 34 ? Array(cookie.prefix(34)) : nil
    }

    /// The rate and the channels in a cookie, and the frames of a packet; 0 if the packets differ. Nil if the cookie has no
    /// configuration.
    public static func facts(ofCookie cookie: [UInt8]) -> (rate: UInt32, channels: UInt32, framesPerPacket: UInt32)? {
        guard let block = block(in: cookie) else { return nil }
        let (least, most) = (UInt32(block[0]) << 8 | UInt32(block[1]), UInt32(block[2]) << 8 | UInt32(block[3]))
        let rate = UInt32(block[10]) << 12 | UInt32(block[11]) << 4 | UInt32(block[12]) >> 4
        guard rate > 0 else { return nil }
        return (rate, UInt32(block[12] >> 1 & 7) + 1, least == most ? most : 0)
    }

    /// The flags for the bits in a cookie. Nil if the cookie has no configuration.
    public static func flags(ofCookie cookie: [UInt8]) -> FormatFlags? {
        guard let block = block(in: cookie) else { return nil }
        return AppleLossless.flags(holding: (UInt32(block[12] & 1) << 4 | UInt32(block[13] >> 4)) + 1)
    }
}
