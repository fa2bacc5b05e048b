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
    /// The rate with spectral band replication; nil without it. If the object type is not 5, decoders that do not know the
    /// replication decode the packets as well: the statement follows the configuration of the plain packets.
    public var extendedRate: UInt32?
    /// Parametric stereo: the packets have one channel, and a decoder makes two of it.
    public var hasParametricStereo = false
    /// The frames of a packet without spectral band replication.
    public var framesPerPacket: UInt32 = 1_024
    /// The configuration describes the loudspeakers, because no number stands for them.
    private var hasProgram = false
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

    /// The configuration of packets of LC whose spectral band replication doubles the rate. Nil for a rate that has no index, or
    /// whose half has none, and for channels that need a table.
    public init?(extendedRate: UInt32, channels: UInt32, hasParametricStereo: Bool = false) {
        guard extendedRate % 2 == 0, let index = AACConfiguration.rates.firstIndex(of: extendedRate),
            let half = AACConfiguration.rates.firstIndex(of: extendedRate / 2),
            let plain = AACConfiguration(objectType: 2, rate: extendedRate / 2, channels: channels)
        else { return nil }
        self = plain
        (objectType, self.extendedRate, self.hasParametricStereo) = (5, extendedRate, hasParametricStereo)
        let first: UInt32 = (hasParametricStereo ? 29 : 5) << 27 | UInt32(half) << 23
        let word = first | (channels == 8 ? 7 : channels) << 19 | UInt32(index) << 15 | 2 << 10
        bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    /// Reads a configuration. Nil for a configuration that is too short or has unknown values.
    public init?(_ bytes: [UInt8]) {
        var reader = BitReader(bytes)
        var type = reader.objectType()
        rate = reader.rate()
        let configuration = reader.bits(4)
        extendedRate = nil
        if type == 5 || type == 29 {
            hasParametricStereo = type == 29
            extendedRate = reader.rate()
            type = reader.objectType()
            objectType = 5
        } else {
            objectType = type
        }
        guard !reader.isBeyondEnd, type != 0, rate > 0, configuration <= 7, extendedRate != 0 else { return nil }
        channels = configuration == 7 ? 8 : configuration
        self.bytes = bytes
        readPackets(&reader, type)
    }

    /// Reads the sizes of the packets and the statement of spectral band replication after them. A configuration may end before
    /// them.
    private mutating func readPackets(_ reader: inout BitReader, _ type: UInt32) {
        guard 1...4 ~= type, reader.remaining >= 3 else { return }
        if reader.bits(1) == 1 { framesPerPacket = 960 }
        if reader.bits(1) == 1 { _ = reader.bits(14) }
        _ = reader.bits(1)
        if channels == 0 {
            let stated = reader.channelsOfProgram()
            guard !reader.isBeyondEnd, 1...8 ~= stated else { return }
            (channels, hasProgram) = (stated, true)
        }
        guard objectType != 5, reader.remaining >= 16, reader.bits(11) == 0x2B7, reader.objectType() == 5, reader.bits(1) == 1
        else { return }
        let extended = reader.rate()
        guard !reader.isBeyondEnd, extended > 0 else { return }
        extendedRate = extended
        if reader.remaining >= 12, reader.bits(11) == 0x548 { hasParametricStereo = reader.bits(1) == 1 }
    }

    /// The channels that a decoder makes. 0 when the packets state them.
    public var decodedChannels: UInt32 { hasParametricStereo && channels == 1 ? 2 : channels }

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
        guard !hasProgram,
            let plain = AACConfiguration(objectType: objectType == 5 ? 2 : objectType, rate: rate, channels: channels)
        else { return bytes }
        // The last bits of a plain configuration are 0: 1,024 frames, no core coder, no extension.
        guard objectType == 5 || bytes.prefix(2) == plain.bytes[...] else { return bytes }
        // An extension with the statement that there is no replication.
        return plain.bytes + [0x56, 0xE5, 0x00]
    }

    /// The tag of the channel layout of a number of channels, in the order of the decoders. Nil for other numbers.
    public static func layoutTag(channels: UInt32) -> UInt32? {
        switch channels {
        case 1: 100 << 16 | 1
        case 2: 101 << 16 | 2
        // L R C, then Cs, or Ls Rs, then LFE before the surrounds, then Lc Rc.
        case 3: 113 << 16 | 3
        case 4: 115 << 16 | 4
        case 5: 117 << 16 | 5
        case 6: 121 << 16 | 6
        case 8: 126 << 16 | 8
        default: nil
        }
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
                index += 3 + (flags & 0x80 != 0 ? 2 : 0)
                // An address, with its length in the first byte, lies before the number of the stream of the clock.
                if flags & 0x40 != 0 { index += index < cookie.count ? 1 + Int(cookie[index]) : 0 }
                if flags & 0x20 != 0 { index += 2 }
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
