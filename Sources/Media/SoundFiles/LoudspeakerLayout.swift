// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The layouts of loudspeakers that files of other systems state, as the bytes of an `AudioChannelLayout` in big-endian order.
enum LoudspeakerLayout {
    /// The number of the tag whose layout is the bitmap of a layout without a tag.
    private static let useBitmap: UInt32 = 1 << 16

    /// The layout of the mask of WAVE_FORMAT_EXTENSIBLE, whose bits are those of `AudioChannelBitmap`. Bits without a channel are
    /// ignored. Empty if a channel has no bit.
    static func bytes(mask: UInt32, channels: UInt32) -> [UInt8] {
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for bit in UInt32(0)..<18 where mask >> bit & 1 == 1 && count < channels {
            bits |= 1 << bit
            count += 1
        }
        guard count == channels, channels > 0 else { return [] }
        guard let tag = tag(bits) else { return bytes(tag: useBitmap, bitmap: bits) }
        return bytes(tag: tag, bitmap: 0)
    }

    /// The layout of AAC with this number of channels. Empty for numbers that have none.
    static func bytes(channelsOfAAC channels: UInt32) -> [UInt8] {
        AACConfiguration.layoutTag(channels: channels).map { bytes(tag: $0, bitmap: 0) } ?? []
    }

    private static func bytes(tag: UInt32, bitmap: UInt32) -> [UInt8] {
        bigEndianBytes(tag) + bigEndianBytes(bitmap) + bigEndianBytes(UInt32(0))
    }

    /// The tag of a usual layout.
    private static func tag(_ bits: UInt32) -> UInt32? {
        switch bits {
        case 0x4: 100 << 16 | 1
        case 0x3: 101 << 16 | 2
        case 0x33: 108 << 16 | 4
        case 0x7: 113 << 16 | 3
        case 0x107: 115 << 16 | 4
        case 0x37: 117 << 16 | 5
        case 0x3F: 121 << 16 | 6
        case 0x13F: 125 << 16 | 7
        case 0xFF: 126 << 16 | 8
        default: nil
        }
    }
}
