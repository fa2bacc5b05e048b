// SPDX-License-Identifier: Apache-2.0
public import MediaFormats
public import PCMConversion
import Resampling

/// The settings that a program changes by properties.
struct ConverterSettings {
    /// Empty: the standard mix.
    var channelMap: [Int32] = []
    var quality = RateQuality()
    var primeMethod = PrimeMethod.normal
    /// The frames that a decoder's packets have before and after the sound, as the program has set them. The converter drops those
    /// before the sound.
    var decoderPriming: PrimingFrames?
    /// The layouts that the program has set; empty: none. They have no effect: the channels keep their order.
    var inputLayout: [UInt8] = []
    var outputLayout: [UInt8] = []
    /// `kAudioConverterQuality_Medium`. No codec has one.
    var codecQuality: UInt32 = 0x40
}

/// Frames of a codec that are no sound.
struct PrimingFrames {
    let leading: UInt32
    let trailing: UInt32
}

/// Converts one stream to another: sample format, channels, rate, and the packets of codecs.
///
/// The input is pulled: `fill` asks a procedure for packets as it needs them. Only the initializer, properties and decoders
/// allocate memory.
public final class Converter {
    public var source: StreamDescription { input.description }
    public var target: StreamDescription { output.description }
    /// The buffers of the input: their number, and the channels of each.
    public var inputBuffers: (count: Int, channels: Int, bytesPerPacket: Int) {
        (input.bufferCount, input.format.channelsPerBuffer, input.bytesPerPacket)
    }
    /// The number of output buffers, and the bytes of a packet in each; 0 when packets differ in size.
    public var outputBuffers: (count: Int, bytesPerPacket: Int) { (output.bufferCount, output.bytesPerPacket) }
    /// The bytes of the largest packet of the output in one buffer.
    public var largestOutputPacket: Int { output.largestPacket }
    let input: ConverterSide
    let output: ConverterSide
    let reader: FrameReader
    let encoder: (any PacketEncoder)?
    let variableEncoding: VariableEncoding?
    /// Frames that wait for the rest of their packet.
    private let pending: FrameStore?
    /// Either `direct` or `rate` is set.
    private var direct: PCMConverter?
    /// The conversion of one buffer of linear PCM by a kernel, if `direct` is such a conversion and no codec is used.
    private(set) var bufferConversion: BufferConversion?
    private(set) var rate: RateStage?

    private(set) var settings = ConverterSettings()

    private init(
        _ input: ConverterSide, _ output: ConverterSide, _ reader: FrameReader, _ encoder: (any PacketEncoder)?,
        _ variableEncoder: (any VariablePacketEncoder)?
    ) {
        self.input = input
        self.output = output
        self.reader = reader
        self.encoder = encoder
        variableEncoding = variableEncoder.map { VariableEncoding($0) }
        pending = encoder.map { FrameStore($0.input, capacity: max($0.framesPerPacket, 512)) }
    }

    /// A converter between two descriptions. `decoder` and `encoder` replace the built-in codecs.
    ///
    /// A rate of 0 stands for the rate of the other side.
    public static func make(
        from source: StreamDescription, to target: StreamDescription, decoder: (any PacketDecoder)? = nil,
        encoder variableEncoder: (any VariablePacketEncoder)? = nil
    ) throws(ConverterError) -> Converter {
        let (input, reader) = try inputSide(source, otherRate: target.sampleRate, decoder)
        if let variableEncoder {
            let converter = Converter(input, variableSide(target, variableEncoder), reader, nil, variableEncoder)
            try converter.apply(ConverterSettings())
            return converter
        }
        let (output, encoder) = try outputSide(target, otherRate: input.format.sampleRate)
        let converter = Converter(input, output, reader, encoder, nil)
        try converter.apply(ConverterSettings())
        return converter
    }

    private static func inputSide(
        _ source: StreamDescription, otherRate: Double, _ decoder: (any PacketDecoder)?
    ) throws(ConverterError) -> (ConverterSide, FrameReader) {
        if source.formatID == FormatID.linearPCM {
            let format = try source.linear(defaultRate: otherRate)
            return (ConverterSide(format), FrameReader(format))
        }
        var source = source
        if source.sampleRate == 0 { source.sampleRate = otherRate }
        let description = decoder == nil ? source.completedForDecoder : source
        guard let description, let decoder = decoder ?? PacketCodecs.decoder(for: description) else {
            throw .formatNotSupported
        }
        let side = ConverterSide(
            description, decoder.output, bytesPerPacket: decoder.bytesPerPacket, largestPacket: decoder.largestPacket,
            framesPerPacket: decoder.framesPerPacket)
        return (side, FrameReader(decoder))
    }

    private static func outputSide(
        _ target: StreamDescription, otherRate: Double
    ) throws(ConverterError) -> (ConverterSide, (any PacketEncoder)?) {
        if target.formatID == FormatID.linearPCM {
            return (ConverterSide(try target.linear(defaultRate: otherRate)), nil)
        }
        var target = target
        if target.sampleRate == 0 { target.sampleRate = otherRate }
        guard let description = target.completedForSimpleCodec(), let encoder = PacketCodecs.encoder(for: description) else {
            throw .formatNotSupported
        }
        let side = ConverterSide(
            description, encoder.input, bytesPerPacket: encoder.bytesPerPacket, largestPacket: encoder.bytesPerPacket,
            framesPerPacket: encoder.framesPerPacket)
        return (side, encoder)
    }

    private static func variableSide(_ target: StreamDescription, _ encoder: any VariablePacketEncoder) -> ConverterSide {
        var description = target
        description.sampleRate = encoder.input.sampleRate
        description.bytesPerPacket = 0
        description.framesPerPacket = UInt32(clamping: encoder.framesPerPacket)
        return ConverterSide(
            description, encoder.input, bytesPerPacket: 0, largestPacket: encoder.largestPacket,
            framesPerPacket: encoder.framesPerPacket)
    }

    /// Creates the stages with these settings. Discards the input. After an error the former settings stay in force.
    func apply(_ next: ConverterSettings) throws(ConverterError) {
        let mix: ChannelMix? =
            next.channelMap.isEmpty ? nil : .map(next.channelMap.map { $0 < 0 ? nil : Int($0) })
        if input.format.sampleRate == output.format.sampleRate {
            direct = try pcmConverter(input.format, output.format, mix)
            bufferConversion = isLinear ? direct?.bufferConversion : nil
        } else {
            rate = try RateStage.make(
                from: input.format, to: output.format, mix: mix, quality: next.quality, method: next.primeMethod)
        }
        settings = next
        reset()
    }

    /// Changes settings that have no stage. Keeps the input.
    func store(_ change: (inout ConverterSettings) -> Void) { change(&settings) }

    /// Neither side has a codec.
    var isLinear: Bool { reader.decoder == nil && encoder == nil && variableEncoding == nil }

    /// Packets of the output depend on frames before them, or frames wait for the rest of their packet.
    public var keepsFrames: Bool { !isLinear || rate != nil }

    /// Discards all input.
    public func reset() {
        reader.reset()
        reader.trim(skipping: Int(settings.decoderPriming?.leading ?? 0), limit: nil)
        rate?.restart()
        pending?.removeAll()
        encoder?.reset()
        variableEncoding?.reset()
    }

    /// Stops using the memory of the last packets that the input procedure returned. Returns the number of packets in this
    /// memory that were not read.
    public func forgetInput() -> Int { reader.forgetPackets() }

    /// Drops the first `frames` frames of the input and ends it after `limit` further frames. Call it directly after a reset. A
    /// codec adds frames at both ends that are not sound.
    public func trimInput(skipping frames: Int, limit: Int?) { reader.trim(skipping: frames, limit: limit) }

    /// The magic cookie, which a decoder of the output needs in addition to the packets. Nil for formats without a cookie.
    public var magicCookie: [UInt8]? { variableEncoding?.encoder.magicCookie }

    /// The frames that an encoder adds before the sound.
    public var primingFrames: Int { variableEncoding?.encoder.primingFrames ?? 0 }

    /// The input and output rates.
    public var rates: (input: Double, output: Double) { (input.format.sampleRate, output.format.sampleRate) }

    /// Fills `buffers` with at most `packets` packets. Returns the packets, their bytes in one buffer, and the error that ended the
    /// call. Fewer packets than fit mean that the input has ended. The next call begins with a new input.
    ///
    /// `describe` is called for each packet of a format whose packets differ in size.
    public func fill(
        _ buffers: SampleBuffers, packets: Int, _ supply: PacketSupply,
        describe: (Int, PacketDescription) -> Void = { _, _ in }
    ) -> (packets: Int, bytes: Int, error: ConverterError?) {
        let room = min(packets, buffers.smallest(of: output.bufferCount) / max(output.bytesPerPacket, 1))
        var (produced, bytes) = (0, 0)
        guard room > 0 else { return (0, 0, packets > 0 ? .invalidOutputSize : nil) }
        do throws(ConverterError) {
            if let variableEncoding {
                try variableEncoding.write(into: buffers[0], packets: room, &produced, &bytes, describe) {
                    (frames: UnsafeMutableRawBufferPointer, count: Int, read: inout Int) throws(ConverterError) in
                    try readLinear(SampleBuffers(frames), frames: count, &read, supply)
                }
            } else if let encoder, let pending {
                try encode(encoder, pending, into: buffers[0], packets: room, &produced, supply)
            } else {
                _ = try readLinear(buffers, frames: room, &produced, supply)
            }
            return (produced, max(bytes, produced &* output.bytesPerPacket), nil)
        } catch {
            return (produced, max(bytes, produced &* output.bytesPerPacket), error)
        }
    }

    /// Converts linear PCM at the same rate, without the input procedure and without the packets that it has given.
    func convertDirectly(_ input: SampleBuffers, into output: SampleBuffers, frames: Int) {
        reader.forgetPackets()
        direct?.convert(input, to: output, frames: frames)
    }

    /// Reads frames of the output's linear format after the first `produced` frames. False at the end of the input.
    private func readLinear(
        _ buffers: SampleBuffers, frames: Int, _ produced: inout Int, _ supply: PacketSupply
    ) throws(ConverterError) -> Bool {
        if let rate { return try rate.read(reader, into: buffers, frames: frames, &produced, supply) }
        guard let direct else { return false }
        while produced < frames {
            let next = try reader.next(frames &- produced, supply)
            guard next.frames > 0 else { return false }
            let converted = direct.convert(
                next.buffers, to: buffers.dropping(produced &* output.format.bytesPerFrame), frames: next.frames)
            guard converted > 0 else { throw .invalidInputSize }
            reader.consume(converted)
            produced &+= converted
        }
        return true
    }

    private func encode(
        _ encoder: any PacketEncoder, _ pending: FrameStore, into packets: UnsafeMutableRawBufferPointer, packets room: Int,
        _ produced: inout Int, _ supply: PacketSupply
    ) throws(ConverterError) {
        var isOpen = true
        while produced < room, isOpen {
            let step = max(min(room &- produced, pending.capacity / encoder.framesPerPacket), 1)
            var missing = step &* encoder.framesPerPacket &- pending.count
            var read = 0
            let failure: ConverterError?
            do throws(ConverterError) {
                isOpen = try readLinear(SampleBuffers(pending.room), frames: missing, &read, supply)
                failure = nil
            } catch { failure = error }
            pending.append(read)
            // The last packet is completed with silence.
            missing = pending.count % encoder.framesPerPacket
            if !isOpen, missing > 0 { pending.pad(to: pending.count &- missing &+ encoder.framesPerPacket) }
            let count = pending.count / encoder.framesPerPacket
            let start = produced &* encoder.bytesPerPacket
            encoder.encode(
                UnsafeRawBufferPointer(
                    rebasing: pending.frames[..<(count &* encoder.framesPerPacket &* pending.format.bytesPerFrame)]),
                into: UnsafeMutableRawBufferPointer(rebasing: packets[start..<start &+ count &* encoder.bytesPerPacket]))
            pending.remove(count &* encoder.framesPerPacket)
            pending.moveToStart()
            produced &+= count
            if !isOpen { encoder.reset() }
            if let failure { throw failure }
        }
    }
}
