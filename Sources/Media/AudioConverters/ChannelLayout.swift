// SPDX-License-Identifier: Apache-2.0
public import MediaFormats

/// The fields of `AudioChannelLayout`, with the labels that its tag or its bitmap stands for.
public struct ChannelLayout: Equatable, Sendable {
    static let useDescriptions: UInt32 = 0
    static let useBitmap: UInt32 = 1 << 16
    static let discreteInOrder: UInt32 = 147 << 16
    static let unknown: UInt32 = 0xFFFF_0000
    private static let headerSize = 12
    private static let descriptionSize = 20

    public let tag: UInt32
    public let bitmap: UInt32
    /// The label of each channel.
    public let labels: [UInt32]

    /// Reads an `AudioChannelLayout`. Nil when the size contradicts the number of descriptions, or the tag is unknown.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= ChannelLayout.headerSize else { return nil }
        func field(_ offset: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        tag = field(0)
        bitmap = field(4)
        switch tag {
        case ChannelLayout.useDescriptions:
            let count = Int(min(field(8), 1_024))
            guard count == field(8), bytes.count >= ChannelLayout.headerSize + count * ChannelLayout.descriptionSize else {
                return nil
            }
            labels = (0..<count).map { field(ChannelLayout.headerSize + $0 * ChannelLayout.descriptionSize) }
        case ChannelLayout.useBitmap: labels = ChannelLayout.labels(ofBitmap: bitmap)
        default:
            guard let labels = ChannelLayout.labels(ofTag: tag) else { return nil }
            self.labels = labels
        }
    }

    /// The channels of an `AudioChannelLayout`, also of one with an unknown tag. Nil when the size contradicts the number of
    /// descriptions.
    public static func channelCount(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard bytes.count >= headerSize else { return nil }
        let tag = bytes.loadUnaligned(as: UInt32.self)
        // The low bits of a tag state the channels.
        guard tag == useDescriptions || tag == useBitmap else { return tag & 0xFFFF }
        return ChannelLayout(bytes).map { UInt32(clamping: $0.labels.count) }
    }

    /// The layout that was set, or the usual one of a format.
    public static func bytes(_ layout: [UInt8], channels format: StreamDescription) -> [UInt8] {
        layout.isEmpty ? bytes(tag: usualTag(of: format), bitmap: 0, labels: []) : layout
    }

    /// The tag of the layout that a decoder of the format produces.
    public static func usualTag(of format: StreamDescription) -> UInt32 {
        let channels = format.channelsPerFrame
        switch channels {
        case 1: return 100 << 16 | 1
        case 2: return 101 << 16 | 2
        default: break
        }
        // AAC has a layout for each number of channels, except 7. The decoders of the codec modules have this order.
        let isAAC = [CodecFormat.aac, CodecFormat.aacHE, CodecFormat.aacHEv2].contains(format.formatID)
        return AACConfiguration.layoutTag(channels: isAAC ? channels : 0) ?? unknown | min(channels, 0xFFFF)
    }

    /// Bit n of a bitmap is the channel with label n + 1.
    static func labels(ofBitmap bitmap: UInt32) -> [UInt32] { (0..<32).filter { bitmap & 1 << $0 != 0 }.map { $0 + 1 } }

    /// The labels of a tag. Nil for an unknown tag.
    static func labels(ofTag tag: UInt32) -> [UInt32]? {
        if tag & 0xFFFF_0000 == discreteInOrder { return (0..<min(tag & 0xFFFF, 1_024)).map { 1 << 16 | $0 } }
        for row in tags where row.tag == tag { return row.labels }
        return nil
    }

    /// The bitmap of labels, which have to be in the order of its bits. Nil for other orders and labels.
    static func bitmap(ofLabels labels: [UInt32]) -> UInt32? {
        var bitmap: UInt32 = 0
        for label in labels {
            guard 1...18 ~= label, bitmap >> (label - 1) == 0 else { return nil }
            bitmap |= 1 << (label - 1)
        }
        return bitmap
    }

    /// The tag that has exactly these labels. Nil when no tag has them.
    static func tag(ofLabels labels: [UInt32]) -> UInt32? {
        for row in tags where row.labels == labels { return row.tag }
        return nil
    }

    static func tags(ofCount count: UInt32) -> [UInt32] {
        tags.filter { $0.labels.count == count }.map { $0.tag } + (count > 0 && count <= 1_024 ? [discreteInOrder | count] : [])
    }

    /// The bytes of an `AudioChannelLayout` with a description of each channel.
    static func bytes(tag: UInt32, bitmap: UInt32, labels: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in [tag, bitmap, UInt32(clamping: labels.count)] { bytes += [UInt8](nativeBytesOf: field) }
        for label in labels { bytes += [UInt8](nativeBytesOf: label) + [UInt8](repeating: 0, count: 16) }
        return bytes
    }
}
