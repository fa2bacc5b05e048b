// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The header of a frame of MPEG audio.
struct MPEGHeader: Equatable {
    static let size = 4
    /// Files with more packets are refused, to bound the size of their table.
    static let largestPacketCount = 1 << 22

    /// 0: MPEG 1, 1: MPEG 2, 2: MPEG 2.5.
    let version: Int
    let layer: Int
    let rate: Double
    let channels: UInt32
    /// The bytes of the frame, including its header.
    let bytes: UInt32

    /// Nil for bytes that are not a header, and for frames of free bit rate, which do not state their size.
    init?(_ word: UInt32) {
        guard word >> 21 == 0x7FF else { return nil }
        let (versionBits, layerBits) = (Int(word >> 19 & 3), Int(word >> 17 & 3))
        guard versionBits != 1, layerBits != 0 else { return nil }
        let version = versionBits == 0 ? 2 : 3 - versionBits
        let layer = 4 - layerBits
        let (bitIndex, rateIndex) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
        guard 1...14 ~= bitIndex, rateIndex < 3 else { return nil }
        let rate = mpegRates[rateIndex] >> UInt32(version)
        let kilobits = MPEGHeader.kilobits(version: version, layer: layer, bitIndex)
        let padding = word >> 9 & 1
        self.version = version
        self.layer = layer
        self.rate = Double(rate)
        channels = word >> 6 & 3 == 3 ? 1 : 2
        switch layer {
        case 1: bytes = (12 * kilobits * 1_000 / rate + padding) * 4
        case 3 where version > 0: bytes = 72 * kilobits * 1_000 / rate + padding
        default: bytes = 144 * kilobits * 1_000 / rate + padding
        }
    }

    var framesPerPacket: UInt32 { layer == 1 ? 384 : layer == 3 && version > 0 ? 576 : 1_152 }
    var formatID: UInt32 { FourCC.code(layer == 1 ? ".mp1" : layer == 2 ? ".mp2" : ".mp3") }
    var type: SoundFileType { layer == 1 ? .mp1 : layer == 2 ? .mp2 : .mp3 }

    /// Whether both frames belong to one stream.
    func continues(_ first: MPEGHeader) -> Bool { version == first.version && layer == first.layer && rate == first.rate }

    private static func kilobits(version: Int, layer: Int, _ index: Int) -> UInt32 {
        switch (version, layer) {
        case (0, 1): kilobitsOfLayer1[index - 1]
        case (0, 2): kilobitsOfLayer2[index - 1]
        case (0, _): kilobitsOfLayer3[index - 1]
        case (_, 1): kilobitsOfLowLayer1[index - 1]
        default: kilobitsOfLowLayers[index - 1]
        }
    }
}

// At file scope, because the compiler may confuse constant arrays in functions that several modules use.
private let mpegRates: [UInt32] = [44_100, 48_000, 32_000]
private let kilobitsOfLayer1: [UInt32] = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
private let kilobitsOfLayer2: [UInt32] = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
private let kilobitsOfLayer3: [UInt32] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
private let kilobitsOfLowLayer1: [UInt32] = [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
private let kilobitsOfLowLayers: [UInt32] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
private let adtsRates: [Double] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

/// Skips the tags at the start of a file.
func skipID3(_ reader: inout ByteReader) throws(SoundFileError) {
    while reader.remaining >= 10 {
        let start = reader.offset
        let tag = try reader.bytes(10)
        guard tag[0] == 0x49, tag[1] == 0x44, tag[2] == 0x33 else {
            reader.offset = start
            return
        }
        var size: UInt64 = 0
        for byte in tag[6..<10] { size = size << 7 | UInt64(byte & 0x7F) }
        reader.skip(size + (tag[5] & 0x10 == 0 ? 0 : 10))
    }
}

/// Reads a file of MPEG audio frames. The whole file is read, because each frame states only the offset of the next one.
func readMPEG(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    try skipID3(&reader)
    guard let first = try nextMPEGFrame(&reader, after: nil) else { throw .unsupportedType }
    let start = reader.offset
    let format = StreamDescription(
        sampleRate: first.rate, formatID: first.formatID, framesPerPacket: first.framesPerPacket,
        channelsPerFrame: first.channels)
    var file = SoundFile(type: first.type, format: format, dataOffset: start, dataSize: 0)
    if try readInformation(&reader, first, &file) { reader.offset = start + UInt64(first.bytes) }
    file.dataOffset = min(reader.offset, reader.size)
    while let frame = try nextMPEGFrame(&reader, after: first) {
        guard file.packets.count < MPEGHeader.largestPacketCount else { throw .tooLarge }
        file.packets.append(SoundFile.Packet(offset: reader.offset - file.dataOffset, size: frame.bytes, frames: 0))
        reader.skip(UInt64(frame.bytes))
    }
    file.dataSize = file.packets.last.map { $0.offset + UInt64($0.size) } ?? 0
    return file
}

/// The number of bytes that are searched for a frame, before the first frame and after each frame.
private let mpegSearchLimit: UInt64 = 65_536

/// Advances to the next complete frame. Bytes that do not belong to a frame are skipped. Nil at the end, and after too many
/// skipped bytes. The contents of tags are not counted: files that were joined have tags with pictures between their frames.
///
/// Any two bytes may look like a header: a frame is accepted if another frame follows, or the file ends after it.
private func nextMPEGFrame(_ reader: inout ByteReader, after first: MPEGHeader?) throws(SoundFileError) -> MPEGHeader? {
    var limit = reader.offset + mpegSearchLimit
    while reader.remaining >= UInt64(MPEGHeader.size), reader.offset < limit {
        let start = reader.offset
        let word = try reader.uint32()
        reader.offset = start
        if let tag = try TagHeader(&reader, word) {
            reader.offset = start
            reader.skip(tag.headerSize + tag.contentSize)
            limit += tag.contentSize
            continue
        }
        reader.offset = start
        let header = MPEGHeader(word)
        if let header, UInt64(header.bytes) >= 4, UInt64(header.bytes) <= reader.remaining {
            if let first {
                // The previous frame ends here. Therefore this frame belongs to the stream.
                if header.continues(first) { return header }
            } else if try isFollowed(&reader, header) {
                return header
            }
        }
        // The tag at the end of a file is not searched.
        if first != nil, reader.remaining <= 128 { return nil }
        reader.skip(1)
    }
    return nil
}

/// The header of a tag between frames: ID3 of version 2, or APE.
private struct TagHeader {
    let headerSize: UInt64
    let contentSize: UInt64

    /// Nil for other bytes. `word` is the first four bytes. Advances the reader.
    init?(_ reader: inout ByteReader, _ word: UInt32) throws(SoundFileError) {
        if word >> 8 == FourCC.code("ID3"), reader.remaining >= 10 {
            let tag = try reader.bytes(10)
            guard tag[3] < 0xFF, tag[4] < 0xFF, tag[6..<10].allSatisfy({ $0 < 0x80 }) else { return nil }
            headerSize = 10
            let footer: UInt64 = tag[5] & 0x10 == 0 ? 0 : 10
            contentSize = tag[6..<10].reduce(0) { $0 << 7 | UInt64($1) } + footer
        } else if word == FourCC.code("APET"), reader.remaining >= 32 {
            let tag = try reader.bytes(32)
            guard tag[4..<8].elementsEqual([0x41, 0x47, 0x45, 0x58]) else { return nil }
            headerSize = 32
            // A footer has the same form, and follows the content.
            let isHeader = tag[23] & 0x20 != 0
            contentSize = isHeader ? tag[12..<16].reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0
        } else {
            return nil
        }
    }
}

private func isFollowed(_ reader: inout ByteReader, _ header: MPEGHeader) throws(SoundFileError) -> Bool {
    let start = reader.offset
    defer { reader.offset = start }
    reader.skip(UInt64(header.bytes))
    guard reader.remaining >= 4 else { return reader.remaining == 0 }
    guard let next = MPEGHeader(try reader.uint32()) else { return false }
    return next.continues(header)
}

/// Reads the frame that contains information instead of sound. False if the frame contains sound.
private func readInformation(
    _ reader: inout ByteReader, _ header: MPEGHeader, _ file: inout SoundFile
) throws(SoundFileError) -> Bool {
    let start = reader.offset
    defer { reader.offset = start }
    guard let information = header.information(try reader.bytes(Int(header.bytes))) else { return false }
    (file.primingFrames, file.remainderFrames) = information
    return true
}

extension MPEGHeader {
    /// The frames that the encoder has added. Nil if the frame contains sound and no information of Xing or VBRI.
    func information(_ frame: [UInt8]) -> (priming: UInt32, remainder: UInt32)? {
        guard layer == 3, frame.count >= 64 else { return nil }
        func word(_ offset: Int) -> UInt32 {
            guard offset + 4 <= frame.count else { return 0 }
            return frame[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        if word(36) == FourCC.code("VBRI") { return (0, 0) }
        let sideInformation = version == 0 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17)
        let xing = 4 + sideInformation
        guard word(xing) == FourCC.code("Xing") || word(xing) == FourCC.code("Info") else { return nil }
        let flags = word(xing + 4)
        var encoder = xing + 8
        // The numbers of frames and bytes, the table of contents, the quality.
        if flags & 1 != 0 { encoder += 4 }
        if flags & 2 != 0 { encoder += 4 }
        if flags & 4 != 0 { encoder += 100 }
        if flags & 8 != 0 { encoder += 4 }
        let delays = word(encoder + 21) >> 8
        guard encoder + 24 <= frame.count, delays > 0 else { return (0, 0) }
        // A decoder adds 529 frames at the start.
        return (delays >> 12 + 529, delays & 0xFFF > 529 ? delays & 0xFFF - 529 : 0)
    }
}

/// The header of an AAC packet of ADTS.
struct ADTSHeader {
    let format: StreamDescription
    /// The bytes of the packet including its header, and the bytes of the header: 7 or 9.
    let bytes: UInt32
    let headerBytes: UInt32

    /// Nil for bytes that are not a header.
    init?(_ header: [UInt8], at offset: Int = 0) {
        guard header.count - offset >= 7, header[offset] == 0xFF, header[offset + 1] & 0xF6 == 0xF0 else { return nil }
        headerBytes = header[offset + 1] & 1 == 0 ? 9 : 7
        bytes = UInt32(header[offset + 3] & 3) << 11 | UInt32(header[offset + 4]) << 3 | UInt32(header[offset + 5] >> 5)
        let rate = Int(header[offset + 2] >> 2 & 15)
        guard rate < adtsRates.count, bytes > headerBytes else { return nil }
        let configuration = UInt32(header[offset + 2] & 1) << 2 | UInt32(header[offset + 3] >> 6)
        format = StreamDescription(
            sampleRate: adtsRates[rate], formatID: FourCC.code("aac "),
            formatFlags: FormatFlags(rawValue: UInt32(header[offset + 2] >> 6) + 1), framesPerPacket: 1_024,
            channelsPerFrame: configuration == 7 ? 8 : max(configuration, 1))
    }
}

/// Reads a file of AAC packets with headers of 7 or 9 bytes. The packets do not include the headers.
func readADTS(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    try skipID3(&reader)
    var file: SoundFile?
    while reader.remaining >= 7 {
        let start = reader.offset
        guard let header = ADTSHeader(try reader.bytes(7)), start + UInt64(header.bytes) <= reader.size else { break }
        var current = file ?? SoundFile(type: .adts, format: header.format, dataOffset: start, dataSize: 0)
        guard current.packets.count < MPEGHeader.largestPacketCount else { throw .tooLarge }
        current.packets.append(
            SoundFile.Packet(
                offset: start - current.dataOffset + UInt64(header.headerBytes), size: header.bytes - header.headerBytes,
                frames: 0))
        current.dataSize = start + UInt64(header.bytes) - current.dataOffset
        file = current
        reader.offset = start + UInt64(header.bytes)
    }
    // A single header may be a coincidence.
    guard let file, file.packets.count > 1 || reader.remaining == 0 else { throw .unsupportedType }
    return file
}
