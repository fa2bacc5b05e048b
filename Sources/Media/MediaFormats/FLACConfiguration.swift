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

    /// The flags for the bits in a cookie. Nil if the cookie has no configuration.
    public static func flags(ofCookie cookie: [UInt8]) -> FormatFlags? {
        guard let block = block(in: cookie) else { return nil }
        return AppleLossless.flags(holding: (UInt32(block[12] & 1) << 4 | UInt32(block[13] >> 4)) + 1)
    }
}
