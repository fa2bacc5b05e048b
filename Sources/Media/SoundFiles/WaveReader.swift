// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// The format tags of a WAV file.
enum WaveTag {
    static let pcm: UInt32 = 1
    static let float: UInt32 = 3
    static let aLaw: UInt32 = 6
    static let uLaw: UInt32 = 7
    static let dviIMA: UInt32 = 0x11
    static let gsm: UInt32 = 0x31
    static let extensible: UInt32 = 0xFFFE
}

extension SoundFile {
    /// A chunk `ds64` states the sizes of the file and of the data, and the number of frames, in 64 bits each. The next chunk
    /// begins within a shorter one, which is ignored.
    static let largeSizesBytes = 24
}

/// Reads a file that begins with RIFF, RF64 or BW64. The identifier has been read.
func readWave(_ reader: inout ByteReader, isLarge: Bool) throws(SoundFileError) -> SoundFile {
    reader.isBigEndian = false
    _ = try reader.uint32()
    guard try reader.fourCC() == FourCC.wave else { throw .unsupportedType }
    var format: (description: StreamDescription, layout: [UInt8])?
    var (largeData, statedFrames): (UInt64?, UInt64?) = (nil, nil)
    for _ in 0..<ByteReader.largestChunkCount {
        let id = try reader.fourCC()
        let stated = try reader.uint32()
        let start = reader.offset
        switch id {
        case FourCC.ds64 where stated >= SoundFile.largeSizesBytes:
            _ = try reader.uint64()
            largeData = try reader.uint64()
        case FourCC.fmt: format = try waveFormat(&reader, size: stated)
        case FourCC.fact: statedFrames = UInt64(try reader.uint32())
        case FourCC.data:
            guard let format else { throw .invalidFile }
            // A writer that cannot seek does not state the size.
            let size = stated == .max ? largeData ?? reader.remaining : UInt64(stated)
            var file = SoundFile(
                type: .wave, format: format.description, dataOffset: start, dataSize: min(size, reader.remaining))
            file.channelLayout = format.layout
            if format.description.framesPerPacket > 1 { file.statedFrames = statedFrames }
            file.hasLargeSizes = isLarge && largeData != nil
            return file
        default: break
        }
        // Chunks begin at even offsets.
        reader.offset = start
        reader.skip(UInt64(stated) + UInt64(stated & 1))
    }
    throw .invalidFile
}

/// The format, and the layout of its channels; empty if the file does not state it.
private func waveFormat(
    _ reader: inout ByteReader, size: UInt32
) throws(SoundFileError) -> (description: StreamDescription, layout: [UInt8]) {
    guard size >= 16 else { throw .invalidFile }
    var tag = try reader.uint16()
    let channels = try reader.uint16()
    let rate = Double(try reader.uint32())
    _ = try reader.uint32()
    let blockSize = try reader.uint16()
    var bits = try reader.uint16()
    let container = (bits + 7) / 8
    var (framesPerBlock, layout): (UInt32, [UInt8]) = (0, [])
    if size >= 20, tag != WaveTag.pcm {
        _ = try reader.uint16()
        framesPerBlock = try reader.uint16()
        if tag == WaveTag.extensible, size >= 40 {
            // In this format the field states the number of valid bits of a sample.
            if framesPerBlock >= 1, framesPerBlock <= bits { bits = framesPerBlock }
            layout = LoudspeakerLayout.bytes(mask: try reader.uint32(), channels: channels)
            tag = try reader.uint16()
        }
    }
    let description = try waveDescription(
        tag, rate, channels, bits: bits, container: container, blockSize: blockSize, framesPerBlock: framesPerBlock)
    return (description, layout)
}

private func waveDescription(
    _ tag: UInt32, _ rate: Double, _ channels: UInt32, bits: UInt32, container: UInt32, blockSize: UInt32,
    framesPerBlock: UInt32
) throws(SoundFileError) -> StreamDescription {
    switch tag {
    case WaveTag.pcm:
        return try linearPCM(
            rate: rate, channels: channels, bits: bits, bytes: container, flags: container == 1 ? [] : .signedInteger)
    case WaveTag.float: return try linearPCM(rate: rate, channels: channels, bits: bits, bytes: container, flags: .float)
    case WaveTag.aLaw, WaveTag.uLaw:
        guard let format = try simpleCodec(tag == WaveTag.aLaw ? FormatID.aLaw : FormatID.uLaw, rate: rate, channels: channels)
        else { throw .unsupportedFormat }
        return format
    case WaveTag.dviIMA, WaveTag.gsm:
        guard blockSize > 0, framesPerBlock > 0 else { throw .invalidFile }
        if tag == WaveTag.dviIMA {
            guard bits == 4, DVIPacket.holds(frames: framesPerBlock, bytes: blockSize, channels: channels) else {
                throw .unsupportedFormat
            }
        } else {
            guard blockSize == GSMPacket.bytes, framesPerBlock == GSMPacket.frames, channels == 1 else {
                throw .unsupportedFormat
            }
        }
        return constantPackets(
            FourCC.code("ms\0\0") | tag, rate: rate, channels: channels, bytesPerPacket: blockSize,
            framesPerPacket: framesPerBlock)
    default: throw .unsupportedFormat
    }
}
