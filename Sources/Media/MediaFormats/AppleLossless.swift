// SPDX-License-Identifier: Apache-2.0

/// The configuration of Apple Lossless, which a magic cookie contains, and the format flags that state the bits of the source.
public enum AppleLossless {
    /// The flag for a number of bits of the source; 0 if there is none.
    private static func flag(ofBits bits: UInt32) -> UInt32 {
        switch bits {
        case 16: 1
        case 20: 2
        case 24: 3
        case 32: 4
        default: 0
        }
    }

    /// The flags for the smallest number of bits that is large enough for the source. The largest number is 32.
    public static func flags(holding bits: UInt32) -> FormatFlags {
        switch bits {
        case ...16: FormatFlags(rawValue: 1)
        case ...20: FormatFlags(rawValue: 2)
        case ...24: FormatFlags(rawValue: 3)
        default: FormatFlags(rawValue: 4)
        }
    }

    /// The bits that the flags state. Nil for 0, which does not state the bits, and for unknown flags.
    public static func bits(of flags: UInt32) -> UInt32? {
        switch flags {
        case 1: 16
        case 2: 20
        case 3: 24
        case 4: 32
        default: nil
        }
    }

    /// The flags for the bits in a cookie. Nil if the cookie has no configuration, or a number of bits without a flag.
    public static func flags(ofCookie cookie: [UInt8]) -> FormatFlags? {
        guard let configuration = configuration(in: cookie) else { return nil }
        let flag = flag(ofBits: UInt32(configuration[5]))
        return flag > 0 ? FormatFlags(rawValue: flag) : nil
    }

    /// The 24 bytes of the configuration. Older files have them in boxes of QuickTime, newer files without a box.
    public static func configuration(in cookie: [UInt8]) -> [UInt8]? {
        var cookie = cookie[...]
        for id in ["frma", "alac"] as [StaticString] where begins(cookie, with: id) { cookie = cookie.dropFirst(12) }
        return cookie.count >= 24 ? Array(cookie.prefix(24)) : nil
    }

    /// A box begins with its size and its name.
    public static func begins(_ cookie: ArraySlice<UInt8>, with id: StaticString) -> Bool {
        guard cookie.count >= 12 else { return false }
        return id.withUTF8Buffer { id in
            for index in 0..<4 where cookie[cookie.startIndex + 4 + index] != id[index] { return false }
            return true
        }
    }
}
