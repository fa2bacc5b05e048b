// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// Reads a file that begins with FORM. The identifier has been read.
func readAIFF(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    _ = try reader.uint32()
    let form = try reader.uint32()
    guard form == FourCC.aiff || form == FourCC.aifc else { throw .unsupportedType }
    var common: (format: StreamDescription, units: UInt32)?
    var data: (offset: UInt64, size: UInt64, stated: UInt64)?
    for _ in 0..<ByteReader.largestChunkCount {
        let id = try reader.uint32()
        let size = try reader.uint32()
        let start = reader.offset
        if id == FourCC.comm { common = try aiffCommon(&reader, isAIFC: form == FourCC.aifc) }
        if id == FourCC.ssnd {
            guard size >= 8 else { throw .invalidFile }
            let skipped = UInt64(try reader.uint32())
            _ = try reader.uint32()
            let size = UInt64(size) - 8
            guard skipped <= min(size, reader.remaining) else { throw .invalidFile }
            data = (reader.offset + skipped, min(size, reader.remaining) - skipped, size - skipped)
        }
        if let common, let data {
            var file = SoundFile(
                type: form == FourCC.aifc ? .aifc : .aiff, format: common.format, dataOffset: data.offset, dataSize: data.size)
            let stated = statedSize(common.units, common.format, inChunkOf: data.stated)
            if stated > 0 { file.dataSize = min(file.dataSize, stated) }
            return file
        }
        reader.offset = start
        reader.skip(UInt64(size) + UInt64(size & 1))
    }
    throw .invalidFile
}

/// The bytes of sound that the header states. The header counts sample frames of PCM and packets of compressed sound.
///
/// libsndfile divides the number of IMA4 packets by the number of channels, and rounds down.
private func statedSize(_ units: UInt32, _ format: StreamDescription, inChunkOf size: UInt64) -> UInt64 {
    let stated = UInt64(units) * UInt64(format.bytesPerPacket)
    guard format.formatID == FormatID.appleIMA4 else { return stated }
    let packets = size / UInt64(format.bytesPerPacket)
    return packets > 0 && UInt64(units) == packets / UInt64(format.channelsPerFrame) ? size : stated
}

private func aiffCommon(
    _ reader: inout ByteReader, isAIFC: Bool
) throws(SoundFileError) -> (format: StreamDescription, units: UInt32) {
    let channels = try reader.uint16()
    let units = try reader.uint32()
    let bits = try reader.uint16()
    let rate = ExtendedFloat.value(try reader.bytes(10))
    guard rate.isFinite, rate >= 0 else { throw .invalidFile }
    let bytes = (bits + 7) / 8
    func pcm(_ flags: FormatFlags, bits: UInt32, bytes: UInt32) throws(SoundFileError) -> StreamDescription {
        try linearPCM(rate: rate, channels: channels, bits: bits, bytes: bytes, flags: flags)
    }
    guard isAIFC else { return (try pcm([.signedInteger, .bigEndian], bits: bits, bytes: bytes), units) }
    let compression = try reader.uint32()
    switch compression {
    case FourCC.code("NONE"), FourCC.code("twos"):
        return (try pcm([.signedInteger, .bigEndian], bits: bits, bytes: bytes), units)
    case FourCC.code("sowt"): return (try pcm(.signedInteger, bits: bits, bytes: bytes), units)
    case FourCC.code("raw "): return (try pcm([], bits: 8, bytes: 1), units)
    case FourCC.code("in24"): return (try pcm([.signedInteger, .bigEndian], bits: 24, bytes: 3), units)
    case FourCC.code("in32"): return (try pcm([.signedInteger, .bigEndian], bits: 32, bytes: 4), units)
    case FourCC.code("fl32"), FourCC.code("FL32"): return (try pcm([.float, .bigEndian], bits: 32, bytes: 4), units)
    case FourCC.code("fl64"), FourCC.code("FL64"): return (try pcm([.float, .bigEndian], bits: 64, bytes: 8), units)
    default: break
    }
    // Files may also name µ-law and A-law in capitals.
    let codec: UInt32 =
        switch compression {
        case FourCC.code("ULAW"): FormatID.uLaw
        case FourCC.code("ALAW"): FormatID.aLaw
        default: compression
        }
    guard let format = try simpleCodec(codec, rate: rate, channels: channels) else { throw .unsupportedFormat }
    return (format, units)
}

/// The 80-bit floats of AIFF: sign and 15 bits of exponent, then 64 bits of significand.
enum ExtendedFloat {
    static func value(_ bytes: [UInt8]) -> Double {
        let exponent = Int(bytes[0] & 0x7F) << 8 | Int(bytes[1])
        var significand: UInt64 = 0
        for byte in bytes[2...] { significand = significand << 8 | UInt64(byte) }
        guard significand > 0 else { return 0 }
        let value = Double(sign: .plus, exponent: exponent - 16_383 - 63, significand: Double(significand))
        return bytes[0] & 0x80 == 0 ? value : -value
    }

    static func bytes(_ value: Double) -> [UInt8] {
        guard value > 0, value.isFinite else { return [UInt8](repeating: 0, count: 10) }
        let exponent = UInt16(truncatingIfNeeded: Int(value.exponent) + 16_383)
        let significand = UInt64(1) << 63 | value.significandBitPattern << 11
        return bigEndianBytes(exponent) + bigEndianBytes(significand)
    }
}

func bigEndianBytes<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<Integer.bitWidth / 8 {
        bytes.append(UInt8(truncatingIfNeeded: value >> Integer(truncatingIfNeeded: Integer.bitWidth - 8 - index * 8)))
    }
    return bytes
}
