// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

private let adtsRates: [Double] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

/// The header of an AAC packet of ADTS.
struct ADTSHeader {
    static let size: UInt64 = 7

    let format: StreamDescription
    /// The bytes of the packet including its header, and the bytes of the header: 7 or 9.
    let bytes: UInt32
    let headerBytes: UInt32
    /// The header states the channels. Otherwise a packet describes them.
    let statesChannels: Bool

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
        statesChannels = configuration > 0
    }

    /// True if both packets can belong to one stream.
    func continues(_ first: ADTSHeader) -> Bool { format.sampleRate == first.format.sampleRate }
}

extension SoundFile {
    /// Sets what the headers state: the channel layout, and the magic cookie. A decoder needs it, because the packets do not
    /// contain their headers.
    mutating func describeADTS() {
        let configuration = AACConfiguration(
            objectType: format.formatFlags.rawValue, rate: UInt32(format.sampleRate), channels: format.channelsPerFrame)
        magicCookie = configuration?.cookie(bitRate: 0) ?? []
        channelLayout = LoudspeakerLayout.bytes(channelsOfAAC: format.channelsPerFrame)
    }
}

/// Reads a file of AAC packets with headers of 7 or 9 bytes. The packets do not include the headers.
func readADTS(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    try skipID3(&reader)
    guard let first = try nextADTSPacket(&reader, after: nil) else { throw .unsupportedType }
    var file = SoundFile(type: .adts, format: first.format, dataOffset: reader.offset, dataSize: 0)
    if first.statesChannels { file.describeADTS() }
    while let header = try nextADTSPacket(&reader, after: first) {
        guard file.packets.count < MPEGHeader.largestPacketCount else { throw .tooLarge }
        let offset = reader.offset - file.dataOffset
        file.packets.append(
            SoundFile.Packet(
                offset: offset + UInt64(header.headerBytes), size: header.bytes - header.headerBytes, frames: 0))
        file.dataSize = offset + UInt64(header.bytes)
        reader.skip(UInt64(header.bytes))
    }
    return file
}

/// Moves to the next complete packet. The first packet, and a packet after skipped bytes, is accepted only if another packet
/// follows it or the file ends after it.
private func nextADTSPacket(_ reader: inout ByteReader, after first: ADTSHeader?) throws(SoundFileError) -> ADTSHeader? {
    try nextPacket(&reader, isFirst: first == nil, headerSize: ADTSHeader.size) {
        (reader, word, isBehindOthers) throws(SoundFileError) in
        guard word >> 20 == 0xFFF, let header = ADTSHeader(try reader.bytes(Int(ADTSHeader.size))) else { return nil }
        let rest = UInt64(header.bytes) - ADTSHeader.size
        guard rest <= reader.remaining, first.map({ header.continues($0) }) ?? true else { return nil }
        guard first == nil || isBehindOthers else { return header }
        reader.skip(rest)
        guard reader.remaining >= ADTSHeader.size else { return reader.remaining == 0 ? header : nil }
        guard let next = ADTSHeader(try reader.bytes(Int(ADTSHeader.size))), next.continues(header) else { return nil }
        return header
    }
}
