// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Reads a file that begins with `.snd`. The identifier has been read.
func readAU(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    let offset = UInt64(try reader.uint32())
    let size = try reader.uint32()
    let encoding = try reader.uint32()
    let rate = Double(try reader.uint32())
    let channels = try reader.uint32()
    guard offset >= 24, offset <= reader.size else { throw .invalidFile }
    let integer: FormatFlags = [.signedInteger, .bigEndian]
    func pcm(_ bytes: UInt32, _ flags: FormatFlags) throws(SoundFileError) -> StreamDescription {
        try linearPCM(rate: rate, channels: channels, bits: bytes * 8, bytes: bytes, flags: flags)
    }
    let format: StreamDescription
    switch encoding {
    case 2: format = try pcm(1, integer)
    case 3: format = try pcm(2, integer)
    case 4: format = try pcm(3, integer)
    case 5: format = try pcm(4, integer)
    case 6: format = try pcm(4, [.float, .bigEndian])
    case 7: format = try pcm(8, [.float, .bigEndian])
    case 1, 27:
        guard let codec = try simpleCodec(encoding == 1 ? FormatID.uLaw : FormatID.aLaw, rate: rate, channels: channels) else {
            throw .unsupportedFormat
        }
        format = codec
    default: throw .unsupportedFormat
    }
    let available = reader.size - offset
    return SoundFile(
        type: .next, format: format, dataOffset: offset, dataSize: size == .max ? available : min(UInt64(size), available))
}
