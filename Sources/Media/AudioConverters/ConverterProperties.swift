// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats
import PCMConversion
import Resampling

/// The quality of a rate conversion, as the two properties state it.
struct RateQuality: Equatable {
    static let linear = FourCC.code("line")
    static let normal = FourCC.code("norm")
    static let mastering = FourCC.code("bats")

    static let complexities = [linear, normal, mastering]

    /// `kAudioConverterQuality_…`: a converter begins with Medium.
    var quality: UInt32 = 0x40
    var complexity = RateQuality.normal

    /// The quality of the resampler's filter.
    var filter: FilterQuality {
        if complexity == RateQuality.linear { return .linear }
        if complexity == RateQuality.mastering { return .max }
        return FilterQuality(platform: quality)
    }
}

/// The properties of converters. A property that has no row is not supported.
private struct ConverterProperty {
    typealias Get = @Sendable (Converter, UnsafeRawBufferPointer) throws(ConverterError) -> [UInt8]
    typealias Set = @Sendable (Converter, UnsafeRawBufferPointer) throws(ConverterError) -> Void

    let id: UInt32
    /// Returns the bytes of the value. The second argument is the content of the caller's buffer.
    let get: Get
    let set: Set?
    /// Only converters for which this holds have the set.
    let canSet: @Sendable (Converter) -> Bool

    init(_ id: UInt32, get: @escaping Get, set: Set? = nil, where canSet: @escaping @Sendable (Converter) -> Bool = { _ in true })
    {
        self.id = id
        self.get = get
        self.set = set
        self.canSet = canSet
    }

    static let all = sizes + rates + codecs + lists + layouts + descriptions

    private static let sizes: [ConverterProperty] = [
        // 'xips', 'xops': the largest bytes of a packet in one buffer.
        ConverterProperty(FourCC.code("xips"), get: { converter, _ in number(converter.largestInputPacket) }),
        ConverterProperty(FourCC.code("xops"), get: { converter, _ in number(converter.output.largestPacket) }),
        // 'mibs', 'mobs': the input bytes that one output packet needs, and the bytes of that packet.
        ConverterProperty(
            FourCC.code("mibs"), get: { converter, _ in number(converter.inputBytes(forOutput: converter.output.largestPacket)) }),
        ConverterProperty(FourCC.code("mobs"), get: { converter, _ in number(converter.output.largestPacket) }),
        // 'cibs', 'cobs': the caller's buffer contains the size of the other side.
        ConverterProperty(
            FourCC.code("cibs"),
            get: { converter, size throws(ConverterError) in number(converter.inputBytes(forOutput: Int(try argument(size)))) }),
        ConverterProperty(
            FourCC.code("cobs"),
            get: { converter, size throws(ConverterError) in number(converter.outputBytes(forInput: Int(try argument(size)))) }),
    ]

    private static let rates: [ConverterProperty] = [
        // 'srcq'
        ConverterProperty(
            FourCC.code("srcq"),
            get: { converter, _ throws(ConverterError) in [UInt8](nativeBytesOf: try converter.rateQuality().quality) },
            set: { converter, value throws(ConverterError) in
                let quality = try uint32(value)
                guard quality <= 0x7F else { throw .parameter }
                try converter.changeQuality { $0.quality = quality }
            }),
        // 'srca'
        ConverterProperty(
            FourCC.code("srca"),
            get: { converter, _ throws(ConverterError) in [UInt8](nativeBytesOf: try converter.rateQuality().complexity) },
            set: { converter, value throws(ConverterError) in
                let complexity = try uint32(value)
                guard RateQuality.complexities.contains(complexity) else { throw .parameter }
                try converter.changeQuality { $0.complexity = complexity }
            }),
        // 'prmm'
        ConverterProperty(
            FourCC.code("prmm"), get: { converter, _ in [UInt8](nativeBytesOf: converter.settings.primeMethod.rawValue) },
            set: { converter, value throws(ConverterError) in
                guard let method = PrimeMethod(rawValue: try uint32(value)) else { throw .parameter }
                var settings = converter.settings
                settings.primeMethod = method
                try converter.apply(settings)
            }),
        // 'prim'
        ConverterProperty(
            FourCC.code("prim"),
            get: { converter, _ in
                if let set = converter.settings.decoderPriming {
                    return [UInt8](nativeBytesOf: set.leading) + [UInt8](nativeBytesOf: set.trailing)
                }
                // With an encoder: the frames that a decoder of its packets adds.
                let frames = converter.variableEncoding?.primeFrames ?? converter.rate?.primeFrames ?? (leading: 0, trailing: 0)
                return number(frames.leading) + number(frames.trailing)
            },
            // A decoder drops the leading frames after a reset. The program ends the input behind the sound.
            set: { converter, value throws(ConverterError) in
                guard value.count == 8 else { throw .badPropertySize }
                let frames = PrimingFrames(
                    leading: value.loadUnaligned(as: UInt32.self),
                    trailing: value.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
                converter.store { $0.decoderPriming = frames }
                converter.reset()
            },
            where: { $0.reader.decoder != nil }),
    ]

    private static let codecs: [ConverterProperty] = [
        // 'dmgc': a decoder's cookie can be set only.
        ConverterProperty(
            FourCC.code("dmgc"),
            get: { converter, _ throws(ConverterError) in
                guard converter.reader.decoder != nil else { throw .propertyNotSupported }
                return []
            },
            set: { converter, value throws(ConverterError) in
                guard let decoder = converter.reader.decoder else { throw .propertyNotSupported }
                try decoder.setMagicCookie(value)
            }),
        // 'cmgc': the cookie that a decoder of the packets needs.
        ConverterProperty(
            FourCC.code("cmgc"),
            get: { converter, _ throws(ConverterError) in
                guard let cookie = converter.variableEncoding?.encoder.magicCookie, !cookie.isEmpty else {
                    throw .propertyNotSupported
                }
                return cookie
            }),
        // 'brat': only encoders have a bit rate. With packets of one size it follows from the size.
        ConverterProperty(
            FourCC.code("brat"),
            get: { converter, _ throws(ConverterError) in
                if let rate = converter.variableEncoding?.encoder.bitRate, rate > 0 { return [UInt8](nativeBytesOf: rate) }
                guard let rate = converter.constantBitRate else { throw .propertyNotSupported }
                return number(Int(rate))
            },
            set: { converter, value throws(ConverterError) in
                guard let encoding = converter.variableEncoding else { throw .operationNotSupported }
                try encoding.encoder.setBitRate(try uint32(value))
                converter.reset()
            },
            where: { $0.variableEncoding != nil }),
    ]

    private static let lists: [ConverterProperty] = [
        // 'aebr', 'vebr', 'vesr': ranges of two doubles.
        ConverterProperty(FourCC.code("aebr"), get: { converter, _ throws(ConverterError) in try converter.encoderBitRates() }),
        ConverterProperty(FourCC.code("vebr"), get: { converter, _ throws(ConverterError) in try converter.encoderBitRates() }),
        ConverterProperty(FourCC.code("aesr"), get: { converter, _ throws(ConverterError) in try converter.encoderRates() }),
        ConverterProperty(FourCC.code("vesr"), get: { converter, _ throws(ConverterError) in try converter.encoderRates() }),
    ]

    private static let layouts: [ConverterProperty] = [
        // 'icl ', 'ocl '
        ConverterProperty(
            FourCC.code("icl "),
            get: { converter, _ in ChannelLayout.bytes(converter.settings.inputLayout, channels: converter.source) },
            set: { converter, value throws(ConverterError) in
                let layout = try layout(value, of: converter.source)
                converter.store { $0.inputLayout = layout }
            }),
        ConverterProperty(
            FourCC.code("ocl "),
            get: { converter, _ in ChannelLayout.bytes(converter.settings.outputLayout, channels: converter.target) },
            set: { converter, value throws(ConverterError) in
                let layout = try layout(value, of: converter.target)
                converter.store { $0.outputLayout = layout }
            }),
        // 'cdqu'
        ConverterProperty(
            FourCC.code("cdqu"), get: { converter, _ in [UInt8](nativeBytesOf: converter.settings.codecQuality) },
            set: { converter, value throws(ConverterError) in
                let quality = try uint32(value)
                guard quality <= 0x7F else { throw .parameter }
                converter.store { $0.codecQuality = quality }
            }),
    ]

    /// A layout with the number of channels of the format.
    private static func layout(
        _ value: UnsafeRawBufferPointer, of format: StreamDescription
    ) throws(ConverterError) -> [UInt8] {
        guard let channels = ChannelLayout.channelCount(value) else { throw .badPropertySize }
        guard channels == format.channelsPerFrame else { throw .parameter }
        return Array(value)
    }

    private static let descriptions: [ConverterProperty] = [
        // 'chmp'
        ConverterProperty(
            FourCC.code("chmp"),
            get: { converter, _ throws(ConverterError) in
                try converter.currentChannelMap().reduce(into: []) { $0 += [UInt8](nativeBytesOf: $1) }
            },
            set: { converter, value throws(ConverterError) in try converter.setChannelMap(value) }),
        // 'acod', 'acid'
        ConverterProperty(FourCC.code("acod"), get: { converter, _ in converter.target.bytes }),
        ConverterProperty(FourCC.code("acid"), get: { converter, _ in converter.source.bytes }),
        // 'crfi': always 1. Codecs are software, which an interruption does not take away.
        ConverterProperty(FourCC.code("crfi"), get: { _, _ in number(1) }),
    ]

    private static func number(_ value: Int) -> [UInt8] { [UInt8](nativeBytesOf: UInt32(clamping: value)) }

    /// A number in a buffer of the caller. The buffer may be larger.
    private static func argument(_ buffer: UnsafeRawBufferPointer) throws(ConverterError) -> UInt32 {
        guard buffer.count >= 4 else { throw .badPropertySize }
        return buffer.loadUnaligned(as: UInt32.self)
    }

    private static func uint32(_ value: UnsafeRawBufferPointer) throws(ConverterError) -> UInt32 {
        guard value.count == 4 else { throw .badPropertySize }
        return value.loadUnaligned(as: UInt32.self)
    }
}

extension Converter {
    /// The size of a property's value, and whether it can be set.
    public func propertyInfo(_ id: UInt32) throws(ConverterError) -> (size: Int, isWritable: Bool) {
        let row = try Converter.row(id)
        // The size of these values does not depend on the buffer.
        let zero: UInt32 = 0
        var size = 0
        var failure: ConverterError?
        withUnsafeBytes(of: zero) { argument in
            do throws(ConverterError) { size = try row.get(self, argument).count } catch { failure = error }
        }
        if let failure { throw failure }
        return (size, row.set != nil && row.canSet(self))
    }

    /// The bytes of a property. `argument` is the content of the caller's buffer.
    public func property(_ id: UInt32, _ argument: UnsafeRawBufferPointer) throws(ConverterError) -> [UInt8] {
        try Converter.row(id).get(self, argument)
    }

    public func setProperty(_ id: UInt32, _ value: UnsafeRawBufferPointer) throws(ConverterError) {
        let row = try Converter.row(id)
        guard let set = row.set, row.canSet(self) else { throw .operationNotSupported }
        try set(self, value)
    }

    private static func row(_ id: UInt32) throws(ConverterError) -> ConverterProperty {
        guard let row = ConverterProperty.all.first(where: { $0.id == id }) else { throw .propertyNotSupported }
        return row
    }

    /// Only a conversion of the rate has a quality.
    fileprivate func rateQuality() throws(ConverterError) -> RateQuality {
        guard rate != nil else { throw .propertyNotSupported }
        return settings.quality
    }

    fileprivate func changeQuality(_ change: (inout RateQuality) -> Void) throws(ConverterError) {
        _ = try rateQuality()
        var next = settings
        change(&next.quality)
        try apply(next)
    }

    fileprivate var largestInputPacket: Int {
        input.bytesPerPacket > 0 ? input.bytesPerPacket : reader.decoder?.largestPacket ?? 0
    }

    /// Input bytes in one buffer that suffice for `bytes` output bytes, from the first packet on.
    fileprivate func inputBytes(forOutput bytes: Int) -> Int {
        let frames = (bytes / output.largestPacket) * output.framesPerPacket
        var needed = Double(frames)
        if let rate {
            needed = (needed * input.format.sampleRate / output.format.sampleRate).rounded(.up)
            needed += Double(rate.primeFrames.leading + rate.primeFrames.trailing)
        }
        let packets = (needed / Double(input.framesPerPacket)).rounded(.up)
        return Int(min(packets * Double(largestInputPacket), 4_294_967_295))
    }

    /// The largest number of output bytes in one buffer that `bytes` input bytes yield.
    fileprivate func outputBytes(forInput bytes: Int) -> Int {
        let frames = Double(bytes / max(largestInputPacket, 1)) * Double(input.framesPerPacket)
        let converted = (frames * output.format.sampleRate / input.format.sampleRate).rounded(.up)
        let packets = (converted / Double(output.framesPerPacket)).rounded(.up)
        return Int(min(packets * Double(output.largestPacket), 4_294_967_295))
    }

    /// An empty map restores the standard mix.
    fileprivate func setChannelMap(_ value: UnsafeRawBufferPointer) throws(ConverterError) {
        guard value.isEmpty || value.count == output.format.channels * 4 else { throw .badPropertySize }
        let map = (0..<value.count / 4).map { value.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
        guard map.allSatisfy({ $0 < input.format.channels }) else { throw .parameter }
        var next = settings
        next.channelMap = map
        try apply(next)
    }

    /// The map that was set, or the one that the converter uses. A converter that takes the mean of two channels has no map.
    fileprivate func currentChannelMap() throws(ConverterError) -> [Int32] {
        if !settings.channelMap.isEmpty { return settings.channelMap }
        guard case .map(let map) = ChannelMix.standard(from: input.format.channels, to: output.format.channels) else {
            throw .propertyNotSupported
        }
        return map.map { $0.map { Int32(clamping: $0) } ?? -1 }
    }
}
