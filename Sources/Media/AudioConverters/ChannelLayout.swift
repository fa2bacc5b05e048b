// SPDX-License-Identifier: Apache-2.0
import MediaFormats

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

    /// The tags, with their channels in order.
    static let tags: [(tag: UInt32, labels: [UInt32])] = {
        let rows: [(number: UInt32, labels: [UInt32])] = [
            (100, [mono]), (101, [left, right]), (102, [301, 302]), (103, [38, 39]), (104, [204, 205]), (105, [206, 207]),
            (106, [left, right]), (107, [200, 201, 202, 203]), (108, [left, right, leftSide, rightSide]),
            (109, [left, right, leftSide, rightSide, center]),
            (110, [left, right, leftSide, rightSide, center, centerBack]),
            (113, [left, right, center]), (114, [center, left, right]), (115, [left, right, center, centerBack]),
            (116, [center, left, right, centerBack]), (117, [left, right, center, leftSide, rightSide]),
            (118, [left, right, leftSide, rightSide, center]), (119, [left, center, right, leftSide, rightSide]),
            (120, [center, left, right, leftSide, rightSide]), (121, [left, right, center, effects, leftSide, rightSide]),
            (122, [left, right, leftSide, rightSide, center, effects]),
            (123, [left, center, right, leftSide, rightSide, effects]),
            (124, [center, left, right, leftSide, rightSide, effects]),
            (125, [left, right, center, effects, leftSide, rightSide, centerBack]),
            (126, [left, right, center, effects, leftSide, rightSide, leftCenter, rightCenter]),
            (127, [center, leftCenter, rightCenter, left, right, leftSide, rightSide, effects]),
            (128, [left, right, center, effects, leftSide, rightSide, leftBack, rightBack]),
            (129, [left, right, leftSide, rightSide, center, effects, leftCenter, rightCenter]),
            (131, [left, right, centerBack]), (132, [left, right, leftSide, rightSide]), (133, [left, right, effects]),
            (134, [left, right, effects, centerBack]), (135, [left, right, effects, leftSide, rightSide]),
            (136, [left, right, center, effects]), (137, [left, right, center, effects, centerBack]),
            (138, [left, right, leftSide, rightSide, effects]),
            (139, [left, right, leftSide, rightSide, center, centerBack]),
            (140, [left, right, leftSide, rightSide, center, leftBack, rightBack]),
            (141, [center, left, right, leftSide, rightSide, centerBack]),
            (142, [center, left, right, leftSide, rightSide, centerBack, effects]),
            (143, [center, left, right, leftSide, rightSide, leftBack, rightBack]),
            (144, [center, left, right, leftSide, rightSide, leftBack, rightBack, centerBack]),
            (148, [left, right, leftSide, rightSide, center, leftCenter, rightCenter]),
            (149, [center, effects]), (150, [left, center, right]), (151, [left, center, right, centerBack]),
            (152, [left, center, right, effects]), (153, [left, right, centerBack, effects]),
            (154, [left, center, right, centerBack, effects]),
        ]
        return rows.map { ($0.number << 16 | UInt32(clamping: $0.labels.count), $0.labels) }
    }()

    private static let left: UInt32 = 1, right: UInt32 = 2, center: UInt32 = 3, effects: UInt32 = 4
    private static let leftSide: UInt32 = 5, rightSide: UInt32 = 6, leftCenter: UInt32 = 7, rightCenter: UInt32 = 8
    private static let centerBack: UInt32 = 9, leftBack: UInt32 = 33, rightBack: UInt32 = 34, mono: UInt32 = 42
}

/// The names of channels, by label.
enum ChannelNames {
    static func name(_ label: UInt32) -> String {
        for row in all where row.label == label { return "\(row.name)" }
        if label >> 16 == 1 { return "Discrete \(label & 0xFFFF)" }
        return "Channel \(label)"
    }

    static func shortName(_ label: UInt32) -> String {
        for row in all where row.label == label { return "\(row.short)" }
        if label >> 16 == 1 { return "\(label & 0xFFFF)" }
        return "\(label)"
    }

    private static let all: [(label: UInt32, short: StaticString, name: StaticString)] = [
        (1, "L", "Left"), (2, "R", "Right"), (3, "C", "Center"), (4, "LFE", "LFE Screen"), (5, "Ls", "Left Surround"),
        (6, "Rs", "Right Surround"), (7, "Lc", "Left Center"), (8, "Rc", "Right Center"), (9, "Cs", "Center Surround"),
        (10, "Lsd", "Left Surround Direct"), (11, "Rsd", "Right Surround Direct"), (12, "Ts", "Top Center Surround"),
        (33, "Rls", "Rear Surround Left"), (34, "Rrs", "Rear Surround Right"), (37, "LFE2", "LFE 2"),
        (38, "Lt", "Left Total"), (39, "Rt", "Right Total"), (42, "M", "Mono"), (301, "HL", "Headphones Left"),
        (302, "HR", "Headphones Right"),
    ]
}
