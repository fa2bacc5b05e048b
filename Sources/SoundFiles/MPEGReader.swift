// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The header of a frame of MPEG audio.
struct MPEGHeader: Equatable {
    static let size = 4
    /// Files with more packets are refused, so that their table stays small.
    static let largestPacketCount = 1 << 22

    /// 0: MPEG 1, 1: MPEG 2, 2: MPEG 2.5.
    let version: Int
    let layer: Int
    let rate: Double
    let channels: UInt32
    /// The bytes of the frame, with its header.
    let bytes: UInt32

    /// Nil for bytes that are no header, and for frames of free bit rate, which do not state their size.
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

    /// Frames of one stream.
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

// Constants of the file: the compiler may confuse constant arrays inside of functions that several modules use.
private let mpegRates: [UInt32] = [44_100, 48_000, 32_000]
private let kilobitsOfLayer1: [UInt32] = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
private let kilobitsOfLayer2: [UInt32] = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
private let kilobitsOfLayer3: [UInt32] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
private let kilobitsOfLowLayer1: [UInt32] = [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
private let kilobitsOfLowLayers: [UInt32] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/// Reads a file of frames of MPEG audio. The whole file is read, because each frame states the place of the next one only.
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

/// Moves to the next frame that is whole, and that another one follows where it is the first.
private func nextMPEGFrame(_ reader: inout ByteReader, after first: MPEGHeader?) throws(SoundFileError) -> MPEGHeader? {
    try nextPacket(&reader, isFirst: first == nil, headerSize: UInt64(MPEGHeader.size)) {
        (reader, word, _) throws(SoundFileError) in
        guard let header = MPEGHeader(word), UInt64(header.bytes) >= 4, UInt64(header.bytes) <= reader.remaining else {
            return nil
        }
        // The frame before has led here: this one belongs to the stream.
        if let first { return header.continues(first) ? header : nil }
        return try isFollowed(&reader, header) ? header : nil
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

/// Reads the frame that holds information instead of sound. False where the frame is sound.
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
    /// The frames that the encoder has added, where the frame holds the information of Xing or of VBRI instead of sound.
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
        // A decoder adds 529 at the start.
        return (delays >> 12 + 529, delays & 0xFFF > 529 ? delays & 0xFFF - 529 : 0)
    }
}
