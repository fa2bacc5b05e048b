// SPDX-License-Identifier: Apache-2.0
/// The configuration of an AAC decoder: the AudioSpecificConfig of MPEG-4.
public struct AACConfiguration: Equatable, Sendable {
    public static let rates: [UInt32] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// 2: LC. Spectral band replication (5) and parametric stereo (29) extend another type.
    public var objectType: UInt32
    public var rate: UInt32
    /// 0 when the packets state the channels.
    public var channels: UInt32
    /// The rate with spectral band replication; nil without it.
    public var extendedRate: UInt32?
    /// The bytes of the AudioSpecificConfig.
    public var bytes: [UInt8]

    /// The configuration of packets without extensions. Nil for a rate that has no index, and for channels that need a table.
    public init?(objectType: UInt32, rate: UInt32, channels: UInt32) {
        guard 1...4 ~= objectType, let index = AACConfiguration.rates.firstIndex(of: rate), 1...6 ~= channels || channels == 8
        else {
            return nil
        }
        self.objectType = objectType
        self.rate = rate
        self.channels = channels
        let word = objectType << 11 | UInt32(index) << 7 | (channels == 8 ? 7 : channels) << 3
        bytes = [UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word)]
    }

    /// Reads a configuration. Nil for a configuration that is too short or has unknown values.
    public init?(_ bytes: [UInt8]) {
        var reader = BitReader(bytes)
        var type = reader.objectType()
        rate = reader.rate()
        let configuration = reader.bits(4)
        extendedRate = nil
        if type == 5 || type == 29 {
            extendedRate = reader.rate()
            type = reader.objectType()
            objectType = 5
        } else {
            objectType = type
        }
        guard !reader.isBeyondEnd, type != 0, rate > 0, configuration <= 7, extendedRate != 0 else { return nil }
        channels = configuration == 7 ? 8 : configuration
        self.bytes = bytes
    }

    /// The configuration of a magic cookie, which may be inside the descriptors of MPEG-4.
    public init?(cookie: [UInt8]) {
        guard cookie.first == 3 else {
            self.init(cookie)
            return
        }
        guard let bytes = AACConfiguration.descriptors(cookie).configuration else { return nil }
        self.init(bytes)
    }

    /// The configuration for a decoder that ignores spectral band replication. Packets may have it without a statement in the
    /// configuration, and a decoder that detects it makes twice the number of frames.
    public var withoutExtension: [UInt8] {
        guard let plain = AACConfiguration(objectType: objectType == 5 ? 2 : objectType, rate: rate, channels: channels) else {
            return bytes
        }
        // The last bits of a plain configuration are 0: 1,024 frames, no core coder, no extension.
        guard objectType == 5 || bytes.prefix(2) == plain.bytes[...] else { return bytes }
        // An extension with the statement that there is no replication.
        return plain.bytes + [0x56, 0xE5, 0x00]
    }

    /// A magic cookie: the descriptor of an elementary stream, around this configuration.
    public func cookie(bitRate: UInt32) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            [tag, 0x80, 0x80, 0x80, UInt8(clamping: content.count)] + content
        }
        // 0x40: AAC of MPEG-4. 0x15: an audio stream. The size of the decoder's buffer is not stated.
        let decoder = [0x40, 0x15, 0, 0, 0] + number(bitRate) + number(bitRate) + descriptor(5, Array(bytes.prefix(64)))
        return descriptor(3, [0, 0, 0] + descriptor(4, decoder) + descriptor(6, [2]))
    }

    /// The kind of the stream that a cookie describes: 0x40 is AAC, 0x69 and 0x6B are MPEG audio. Nil if the cookie does not
    /// state it.
    public static func streamKind(cookie: [UInt8]) -> UInt8? { descriptors(cookie).kind }

    /// Reads the descriptors of a cookie. The descriptor of the stream contains the descriptor of the decoder, which contains the
    /// configuration.
    private static func descriptors(_ cookie: [UInt8]) -> (kind: UInt8?, configuration: [UInt8]?) {
        var index = 0
        var kind: UInt8?
        while index < cookie.count {
            let tag = cookie[index]
            index += 1
            var size = 0
            for _ in 0..<4 where index < cookie.count {
                size = size << 7 | Int(cookie[index] & 0x7F)
                index += 1
                if cookie[index - 1] & 0x80 == 0 { break }
            }
            switch tag {
            case 3:
                guard index + 3 <= cookie.count else { return (kind, nil) }
                let flags = cookie[index + 2]
                index += 3 + (flags & 0x80 != 0 ? 2 : 0) + (flags & 0x20 != 0 ? 2 : 0)
                // An address follows, with its length in the first byte.
                if flags & 0x40 != 0 { index += index < cookie.count ? 1 + Int(cookie[index]) : 0 }
            case 4:
                kind = index < cookie.count ? cookie[index] : nil
                index += 13
            case 5: return (kind, index <= cookie.count - size ? Array(cookie[index..<index + size]) : nil)
            default: index += size
            }
        }
        return (kind, nil)
    }
}

/// Reads bits, the highest first. Bits after the end are 0.
private struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isBeyondEnd: Bool { position > bytes.count * 8 }

    mutating func bits(_ count: Int) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            let byte = position / 8 < bytes.count ? bytes[position / 8] : 0
            value = value << 1 | UInt32(byte >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }

    mutating func objectType() -> UInt32 {
        let type = bits(5)
        return type == 31 ? 32 + bits(6) : type
    }

    /// 0 for an invalid rate.
    mutating func rate() -> UInt32 {
        let index = Int(bits(4))
        if index == 15 { return bits(24) }
        return index < AACConfiguration.rates.count ? AACConfiguration.rates[index] : 0
    }
}
