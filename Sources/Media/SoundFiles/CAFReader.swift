// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// Reads a file that begins with `caff`. The identifier has been read.
func readCAF(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    guard try reader.uint16() == 1 else { throw .unsupportedType }
    _ = try reader.uint16()
    guard try reader.uint32() == FourCC.desc, try reader.uint64() == 32 else { throw .invalidFile }
    var file = SoundFile(type: .caf, format: try cafFormat(&reader), dataOffset: 0, dataSize: 0)
    var hasTable = false
    // Chunks follow in any order. A file that is being written ends after its data.
    for _ in 0..<ByteReader.largestChunkCount where reader.remaining >= 12 {
        let id = try reader.uint32()
        let stated = try reader.uint64()
        let start = reader.offset
        let size = min(stated, reader.remaining)
        switch id {
        case FourCC.data:
            guard size >= 4 else { throw .invalidFile }
            (file.dataOffset, file.dataSize) = (start + 4, size - 4)
        case FourCC.kuki: file.magicCookie = try reader.bytes(Int(clamping: min(size, 1 << 24)))
        case FourCC.chan: file.channelLayout = try reader.bytes(Int(clamping: min(size, 1 << 16)))
        // A file whose program was killed may have an older table after its present table.
        case FourCC.pakt where !hasTable:
            try readPacketTable(&reader, size, &file)
            hasTable = true
        default: break
        }
        reader.offset = start
        reader.skip(stated)
    }
    guard file.dataOffset > 0 else { throw .invalidFile }
    try checkPackets(&file, hasTable: hasTable)
    return file
}

private func cafFormat(_ reader: inout ByteReader) throws(SoundFileError) -> StreamDescription {
    let rate = Double(bitPattern: try reader.uint64())
    let id = try reader.uint32()
    let flags = try reader.uint32()
    let bytesPerPacket = try reader.uint32()
    let framesPerPacket = try reader.uint32()
    let channels = try reader.uint32()
    let bits = try reader.uint32()
    guard rate.isFinite, rate >= 0 else { throw .invalidFile }
    guard id == FormatID.linearPCM else {
        return StreamDescription(
            sampleRate: rate, formatID: id, formatFlags: FormatFlags(rawValue: flags), bytesPerPacket: bytesPerPacket,
            framesPerPacket: framesPerPacket, bytesPerFrame: framesPerPacket == 1 ? bytesPerPacket : 0,
            channelsPerFrame: channels, bitsPerChannel: bits)
    }
    guard channels > 0, framesPerPacket == 1, bytesPerPacket % channels == 0 else { throw .invalidFile }
    var pcm: FormatFlags = flags & 1 != 0 ? .float : .signedInteger
    if flags & 2 == 0 { pcm.insert(.bigEndian) }
    return try linearPCM(rate: rate, channels: channels, bits: bits, bytes: bytesPerPacket / channels, flags: pcm)
}

private func readPacketTable(
    _ reader: inout ByteReader, _ size: UInt64, _ file: inout SoundFile
) throws(SoundFileError) {
    guard size >= 24 else { throw .invalidFile }
    let count = try reader.uint64()
    file.statedFrames = try reader.uint64()
    file.primingFrames = try reader.uint32()
    file.remainderFrames = try reader.uint32()
    let sizesVary = file.format.bytesPerPacket == 0
    let framesVary = file.format.framesPerPacket == 0
    guard sizesVary || framesVary else { return }
    // Each packet has at least one byte in the table, and at most five for its size and five for its frames.
    guard count <= size - 24 else { throw .invalidFile }
    guard count <= UInt64(MPEGHeader.largestPacketCount) else { throw .tooLarge }
    let table = try reader.bytes(Int(min(size - 24, count * 10)))
    var (index, offset): (Int, UInt64) = (0, 0)
    for _ in 0..<count {
        let size = sizesVary ? try packetNumber(table, &index) : file.format.bytesPerPacket
        let frames = framesVary ? try packetNumber(table, &index) : 0
        file.packets.append(SoundFile.Packet(offset: offset, size: size, frames: frames))
        offset += UInt64(size)
    }
}

/// A number in groups of 7 bits, the highest first. All groups except the last one have the top bit set.
private func packetNumber(_ table: [UInt8], _ index: inout Int) throws(SoundFileError) -> UInt32 {
    var value: UInt64 = 0
    while index < table.count {
        value = value << 7 | UInt64(table[index] & 0x7F)
        guard value <= UInt64(UInt32.max) else { throw .invalidFile }
        index += 1
        if table[index - 1] & 0x80 == 0 { return UInt32(value) }
    }
    throw .invalidFile
}

/// Drops packets after the end of the data, because the file is truncated. Drops data after the packets, which is room for
/// further packets.
private func checkPackets(_ file: inout SoundFile, hasTable: Bool) throws(SoundFileError) {
    guard file.format.bytesPerPacket == 0 || file.format.framesPerPacket == 0 else { return }
    guard hasTable || file.dataSize == 0 else { throw .invalidFile }
    let size = file.dataSize
    let complete = file.packets.firstIndex { $0.offset + UInt64($0.size) > size } ?? file.packets.count
    file.packets.removeSubrange(complete...)
    file.dataSize = file.packets.last.map { $0.offset + UInt64($0.size) } ?? 0
}
