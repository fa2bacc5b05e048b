// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
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
    var formatID: UInt32 { layer == 1 ? FourCC.code(".mp1") : layer == 2 ? FourCC.code(".mp2") : FourCC.code(".mp3") }
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

/// Reads a file of MPEG audio frames. The whole file is read, because each frame states only the offset of the next one.
func readMPEG(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    try skipID3(&reader)
    guard let first = try nextMPEGFrame(&reader, after: nil) else { throw .unsupportedType }
    let start = reader.offset
    let format = StreamDescription(
        sampleRate: first.rate, formatID: first.formatID, framesPerPacket: first.framesPerPacket,
        channelsPerFrame: first.channels)
    var file = SoundFile(type: first.type, format: format, dataOffset: start, dataSize: 0)
    let information = try readInformation(&reader, first)
    if information != nil { reader.skip(UInt64(first.bytes)) }
    file.dataOffset = min(reader.offset, reader.size)
    while let frame = try nextMPEGFrame(&reader, after: first) {
        guard file.packets.count < MPEGHeader.largestPacketCount else { throw .tooLarge }
        file.packets.append(SoundFile.Packet(offset: reader.offset - file.dataOffset, size: frame.bytes, frames: 0))
        reader.skip(UInt64(frame.bytes))
    }
    file.dataSize = file.packets.last.map { $0.offset + UInt64($0.size) } ?? 0
    if let information {
        file.primingFrames = information.priming
        // The encoder has added these frames to the last packets. A file that has lost its end does not have these packets.
        let isWhole = information.isWhole(packets: file.packets.count, bytes: reader.size - start)
        file.remainderFrames = isWhole ? information.remainder : 0
    }
    return file
}

/// Moves to the next complete frame. The first frame is accepted only if another frame follows it or the file ends after it.
private func nextMPEGFrame(_ reader: inout ByteReader, after first: MPEGHeader?) throws(SoundFileError) -> MPEGHeader? {
    try nextPacket(&reader, isFirst: first == nil, headerSize: UInt64(MPEGHeader.size)) {
        (reader, word, _) throws(SoundFileError) in
        guard let header = MPEGHeader(word), UInt64(header.bytes) >= 4, UInt64(header.bytes) <= reader.remaining else {
            return nil
        }
        // The previous frame ends here. Therefore this frame belongs to the stream.
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

/// Reads the frame that contains information instead of sound. Nil if the frame contains sound.
private func readInformation(_ reader: inout ByteReader, _ header: MPEGHeader) throws(SoundFileError) -> MPEGInformation? {
    let start = reader.offset
    defer { reader.offset = start }
    return header.information(try reader.bytes(Int(header.bytes)))
}

/// The contents of a frame that contains information instead of sound.
struct MPEGInformation {
    /// The frames that the encoder has added before and after the sound.
    var priming: UInt32 = 0
    var remainder: UInt32 = 0
    /// The number of packets after the frame, and the number of bytes including the frame. Nil if the frame does not state it.
    var packets: UInt32?
    var bytes: UInt32?

    /// True if the file is not cut off. Some encoders include the frame in the number of packets: if packets are missing, the
    /// number of bytes decides.
    func isWhole(packets: Int, bytes: UInt64) -> Bool {
        guard let stated = self.packets, packets < Int(stated) else { return true }
        return self.bytes.map { bytes >= UInt64($0) } ?? false
    }
}

extension MPEGHeader {
    /// The information of Xing or VBRI. Nil if the frame contains sound.
    func information(_ frame: [UInt8]) -> MPEGInformation? {
        guard layer == 3, frame.count >= 64 else { return nil }
        func word(_ offset: Int) -> UInt32 {
            guard offset + 4 <= frame.count else { return 0 }
            return frame[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        if word(36) == FourCC.code("VBRI") { return MPEGInformation() }
        let sideInformation = version == 0 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17)
        let xing = 4 + sideInformation
        guard word(xing) == FourCC.code("Xing") || word(xing) == FourCC.code("Info") else { return nil }
        let flags = word(xing + 4)
        var information = MPEGInformation()
        var encoder = xing + 8
        func next(_ flag: UInt32, size: Int) -> UInt32? {
            guard flags & flag != 0 else { return nil }
            encoder += size
            return word(encoder - size)
        }
        information.packets = next(1, size: 4)
        information.bytes = next(2, size: 4)
        // The table of contents and the quality.
        _ = next(4, size: 100)
        _ = next(8, size: 4)
        let delays = word(encoder + 21) >> 8
        guard encoder + 24 <= frame.count, delays > 0 else { return information }
        // A decoder adds 529 frames at the start.
        information.priming = delays >> 12 + 529
        information.remainder = delays & 0xFFF > 529 ? delays & 0xFFF - 529 : 0
        return information
    }
}
