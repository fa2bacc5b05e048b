// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Writes a sound file packet after packet.
///
/// The file is valid up to the last packet whenever `synchronize` has returned.
public struct SoundFileWriter {
    public private(set) var file: SoundFile
    private let sink: any ByteSink

    /// Writes the header of a file without packets.
    public init(
        _ sink: any ByteSink, type: SoundFileType, format: StreamDescription, magicCookie: [UInt8] = [],
        channelLayout: [UInt8] = []
    ) throws(SoundFileError) {
        guard type.holds(format) else { throw .unsupportedFormat }
        file = SoundFile(type: type, format: format, dataOffset: 0, dataSize: 0)
        if type == .caf {
            file.magicCookie = magicCookie
            file.channelLayout = channelLayout
        }
        file.dataOffset = UInt64(file.header.count)
        self.sink = sink
        try synchronize()
    }

    /// Appends whole packets. Bytes behind the last whole packet are an error, and nothing is written then.
    public mutating func append(_ packets: UnsafeRawBufferPointer) throws(SoundFileError) {
        guard packets.count % Int(file.format.bytesPerPacket) == 0 else { throw .invalidFile }
        let size = file.dataSize + UInt64(packets.count)
        guard size <= file.type.largestData else { throw .tooLarge }
        try sink.write(packets, at: file.dataOffset + file.dataSize)
        file.dataSize = size
    }

    /// Sets the frames that a decoder produces before and after the sound. Only CAF stores them.
    public mutating func setFrames(priming: UInt32, remainder: UInt32) {
        guard file.type == .caf, file.format.framesPerPacket > 1 else { return }
        file.primingFrames = priming
        file.remainderFrames = remainder
    }

    /// Makes the header state what is written, and pads the last chunk.
    public mutating func synchronize() throws(SoundFileError) {
        if file.dataSize & 1 == 1, file.type.padsChunks { try write([0], at: file.dataOffset + file.dataSize) }
        try write(file.header, at: 0)
    }

    private func write(_ bytes: [UInt8], at offset: UInt64) throws(SoundFileError) {
        var failure: SoundFileError?
        bytes.withUnsafeBytes { bytes in
            do throws(SoundFileError) { try sink.write(bytes, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension SoundFileType {
    var padsChunks: Bool { self == .wave || self == .aiff || self == .aifc }

    /// Sizes of chunks have 32 bits in all types but CAF. The header is far smaller than what is left.
    var largestData: UInt64 { self == .caf ? 1 << 62 : 0xFFFF_FF00 }

    /// A file of this type can hold data of this format.
    public func holds(_ format: StreamDescription) -> Bool {
        guard 1...1_024 ~= format.channelsPerFrame, 1...0xFFFF_FFFF ~= format.sampleRate else { return false }
        guard format.formatID == FormatID.linearPCM else {
            guard let codec = try? simpleCodec(format.formatID, rate: format.sampleRate, channels: format.channelsPerFrame),
                codec.bytesPerPacket == format.bytesPerPacket, codec.framesPerPacket == format.framesPerPacket
            else { return false }
            return format.formatID != FormatID.appleIMA4 && self != .aiff || self == .caf || self == .aifc
        }
        let flags = format.formatFlags
        let isFloat = flags.contains(.float)
        let bits = format.bitsPerChannel
        guard !flags.contains(.nonInterleaved), flags.fractionBits == 0, format.framesPerPacket == 1,
            isFloat ? bits == 32 || bits == 64 : bits == 8 || bits == 16 || bits == 24 || bits == 32,
            format.bytesPerFrame == bits / 8 * format.channelsPerFrame, format.bytesPerPacket == format.bytesPerFrame
        else { return false }
        let isSigned = isFloat || flags.contains(.signedInteger)
        let isBigEndian = flags.contains(.bigEndian) || bits == 8
        let isLittleEndian = !flags.contains(.bigEndian)
        switch self {
        case .wave: return isLittleEndian && isSigned == (bits > 8)
        case .aiff: return isBigEndian && isSigned && !isFloat
        case .aifc: return isSigned && (isBigEndian || bits == 16)
        case .next: return isBigEndian && isSigned
        case .caf: return isSigned
        }
    }
}
