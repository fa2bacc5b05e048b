// SPDX-License-Identifier: Apache-2.0
public import MediaFormats

/// Decodes packets to interleaved linear PCM.
public protocol PacketDecoder: AnyObject {
    /// The bytes of a packet; 0 when packets differ in size. Such packets are decoded one at a time.
    var bytesPerPacket: Int { get }
    var largestPacket: Int { get }
    /// The most frames that one packet yields.
    var framesPerPacket: Int { get }
    /// Packets differ in frames. The frames in a description mean something only then: a program may leave that field as it is.
    var hasVariableFrames: Bool { get }
    var output: PCMFormat { get }
    /// Decodes whole packets until the room is full. Returns the number of frames.
    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int
    /// The number of packets that were replaced by silence, because they cannot be decoded.
    var damagedPackets: Int { get }
    /// Takes the data that the decoder needs in addition to the packets.
    func setMagicCookie(_ cookie: UnsafeRawBufferPointer) throws(ConverterError)
    /// Discards the state of earlier packets.
    func reset()
}

/// Encodes interleaved linear PCM to packets of one size.
public protocol PacketEncoder: AnyObject {
    var bytesPerPacket: Int { get }
    var framesPerPacket: Int { get }
    var input: PCMFormat { get }
    /// Encodes the frames of whole packets. `packets` has room for all of them.
    func encode(_ frames: UnsafeRawBufferPointer, into packets: UnsafeMutableRawBufferPointer)
    func reset()
}

extension PacketDecoder {
    public var largestPacket: Int { bytesPerPacket }
    public var hasVariableFrames: Bool { false }
    public var damagedPackets: Int { 0 }
    public func setMagicCookie(_ cookie: UnsafeRawBufferPointer) throws(ConverterError) { throw .propertyNotSupported }
}

/// The codecs that every installation has: µ-law, A-law and IMA4, and the decoder of DVI ADPCM.
public enum PacketCodecs {
    public static let formatIDs = [FormatID.uLaw, FormatID.aLaw, FormatID.appleIMA4]
    static let decodedFormatIDs = formatIDs + [DVIPacket.formatID]

    public static func decoder(for format: StreamDescription) -> (any PacketDecoder)? {
        if format.formatID == DVIPacket.formatID { return DVIPacketDecoder.make(format) }
        guard let samples = linear(format) else { return nil }
        if format.formatID == FormatID.appleIMA4 { return IMA4PacketDecoder(samples) }
        return LawDecoder(samples, isALaw: format.formatID == FormatID.aLaw)
    }

    public static func encoder(for format: StreamDescription) -> (any PacketEncoder)? {
        guard let samples = linear(format) else { return nil }
        if format.formatID == FormatID.appleIMA4 { return IMA4PacketEncoder(samples) }
        return LawEncoder(samples, isALaw: format.formatID == FormatID.aLaw)
    }

    /// The 16-bit samples of a format of one of these codecs. Nil for other formats.
    private static func linear(_ format: StreamDescription) -> PCMFormat? {
        guard formatIDs.contains(format.formatID), let channels = Int(exactly: format.channelsPerFrame) else { return nil }
        return try? PCMFormat(sampleRate: format.sampleRate, channels: channels, sample: .integer(16))
    }
}

private final class LawDecoder: PacketDecoder {
    let output: PCMFormat
    private let table: [Int16]

    init(_ output: PCMFormat, isALaw: Bool) {
        self.output = output
        table = (0..<256).map {
            let code = UInt8(truncatingIfNeeded: $0)
            return isALaw ? ALaw.decode(code) : ULaw.decode(code)
        }
    }

    var bytesPerPacket: Int { output.channels }
    var framesPerPacket: Int { 1 }
    func reset() {}

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        let count = min(packets.count / output.channels, frames.count / output.bytesPerFrame)
        table.withUnsafeBufferPointer { table in
            for index in 0..<count &* output.channels {
                frames.storeBytes(of: table[Int(packets[index])], toByteOffset: index &* 2, as: Int16.self)
            }
        }
        return count
    }
}

private final class LawEncoder: PacketEncoder {
    let input: PCMFormat
    private let isALaw: Bool

    init(_ input: PCMFormat, isALaw: Bool) {
        self.input = input
        self.isALaw = isALaw
    }

    var bytesPerPacket: Int { input.channels }
    var framesPerPacket: Int { 1 }
    func reset() {}

    func encode(_ frames: UnsafeRawBufferPointer, into packets: UnsafeMutableRawBufferPointer) {
        for index in 0..<min(frames.count / 2, packets.count) {
            let sample = frames.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
            packets[index] = isALaw ? ALaw.encode(sample) : ULaw.encode(sample)
        }
    }
}

private final class IMA4PacketDecoder: PacketDecoder {
    let output: PCMFormat
    private var decoder: IMA4Decoder

    init(_ output: PCMFormat) {
        self.output = output
        decoder = IMA4Decoder(channels: output.channels)
    }

    var bytesPerPacket: Int { IMA4.bytesPerChannel * output.channels }
    var framesPerPacket: Int { IMA4.framesPerPacket }
    func reset() { decoder.reset() }

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        decoder.decode(packets, into: frames.bindMemory(to: Int16.self)) * IMA4.framesPerPacket
    }
}

private final class IMA4PacketEncoder: PacketEncoder {
    let input: PCMFormat
    private var encoder: IMA4Encoder

    init(_ input: PCMFormat) {
        self.input = input
        encoder = IMA4Encoder(channels: input.channels)
    }

    var bytesPerPacket: Int { IMA4.bytesPerChannel * input.channels }
    var framesPerPacket: Int { IMA4.framesPerPacket }
    func reset() { encoder.reset() }

    func encode(_ frames: UnsafeRawBufferPointer, into packets: UnsafeMutableRawBufferPointer) {
        _ = encoder.encode(frames.bindMemory(to: Int16.self), into: packets)
    }
}
