// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// The tables of the audio track of an MPEG-4 file.
private struct TrackTables {
    var isSound = false
    /// The number of the track. Fragments refer to it.
    var number: UInt32 = 0
    var timescale: UInt32 = 0
    var format: StreamDescription?
    var magicCookie: [UInt8] = []
    var channelLayout: [UInt8] = []
    /// The sizes of all packets. If `constantSize` is not 0, all packets have this size.
    var constantSize: UInt32 = 0
    var sizes: [UInt32] = []
    var packetCount = 0
    /// The number of packets of each chunk, from the chunk `first` on.
    var packetsOfChunks: [(first: UInt32, packets: UInt32)] = []
    var chunkOffsets: [UInt64] = []
    var frames: [(count: UInt32, frames: UInt32)] = []
    var edits: [MovieEdit] = []
    /// The packets of the fragments of the file, by their offsets in it.
    var fragmentPackets: [SoundFile.Packet] = []

    /// Appends packets to those of the tables.
    mutating func append(_ packets: [SoundFile.Packet]) {
        fragmentPackets = packets
        for packet in packets {
            if let last = frames.last, last.frames == packet.frames, last.count < .max {
                frames[frames.count - 1].count += 1
            } else {
                frames.append((1, packet.frames))
            }
        }
    }
}

/// Reads an MPEG-4 file, which begins with the box `ftyp`.
func readM4A(_ reader: inout ByteReader) throws(SoundFileError) -> SoundFile {
    reader.offset = 0
    var movie = Movie()
    try movie.read(&reader, end: reader.size)
    return try movie.makeFile(size: reader.size)
}

/// The metadata in the boxes of an MPEG-4 file. The first audio track is used.
struct Movie {
    private var tables: TrackTables?
    private var movieScale: UInt32 = 0
    private var brand: UInt32 = 0
    private var gapless: GaplessText?
    private(set) var fragments: MovieFragments

    init(_ fragments: MovieFragments = MovieFragments()) { self.fragments = fragments }

    /// Reads the boxes up to `end`.
    mutating func read(_ reader: inout ByteReader, end: UInt64) throws(SoundFileError) {
        var start = reader.offset
        try forEachBox(&reader, end: end, limit: .max) { (reader, id, end) throws(SoundFileError) in
            try fragments.countBox()
            switch id {
            case FourCC.code("ftyp"): brand = try reader.uint32()
            case FourCC.code("moov"): if tables == nil { try readMovie(&reader, end) }
            case FourCC.code("moof"): if tables != nil { try fragments.readFragment(&reader, from: start, to: end) }
            default: break
            }
            start = end
        }
    }

    private mutating func readMovie(_ reader: inout ByteReader, _ end: UInt64) throws(SoundFileError) {
        try forEachBox(&reader, end: end) { (reader, id, end) throws(SoundFileError) in
            if id == FourCC.code("mvhd") { movieScale = try readTimescale(&reader) }
            if id == FourCC.code("udta"), gapless == nil { gapless = try GaplessText.find(&reader, end) }
            if id == FourCC.code("mvex") {
                try forEachBox(&reader, end: end) { (reader, id, _) throws(SoundFileError) in
                    if id == FourCC.code("trex") { try fragments.readDefaults(&reader) }
                }
            }
            guard id == FourCC.code("trak"), tables == nil else { return }
            var track = TrackTables()
            try readTrack(&reader, end, &track)
            guard track.isSound else { return }
            fragments.track = track.number
            tables = track
        }
    }

    /// Makes the file, with the packets of its tables and fragments.
    func makeFile(size: UInt64) throws(SoundFileError) -> SoundFile {
        guard var tables, let format = tables.format else { throw .unsupportedFormat }
        tables.append(fragments.packets)
        let type: SoundFileType = brand >> 8 == FourCC.code("M4A ") >> 8 ? .m4a : .mp4
        var file = try makeSoundFile(tables, format, type, size)
        applyTimes(tables, movieScale, gapless, &file)
        return file
    }
}

/// Calls `body` for each box up to `end`.
func forEachBox(
    _ reader: inout ByteReader, end: UInt64, limit: Int = ByteReader.largestChunkCount,
    _ body: (inout ByteReader, UInt32, UInt64) throws(SoundFileError) -> Void
) throws(SoundFileError) {
    guard reader.depth < ByteReader.largestDepth else { return }
    reader.depth += 1
    defer { reader.depth -= 1 }
    var count = 0
    while count < limit, reader.offset + 8 <= min(end, reader.size) {
        count += 1
        let start = reader.offset
        var size = UInt64(try reader.uint32())
        let id = try reader.uint32()
        if size == 1 { size = try reader.uint64() }
        // The last box may extend to the end of the file.
        if size == 0 { size = end - start }
        guard size >= reader.offset - start, size <= end - start else { return }
        try body(&reader, id, start + size)
        reader.offset = start + size
    }
}

private func readTimescale(_ reader: inout ByteReader) throws(SoundFileError) -> UInt32 {
    let version = try reader.uint32() >> 24
    reader.skip(version == 1 ? 16 : 8)
    return try reader.uint32()
}

private func readTrack(_ reader: inout ByteReader, _ end: UInt64, _ tables: inout TrackTables) throws(SoundFileError) {
    try forEachBox(&reader, end: end) { (reader, id, end) throws(SoundFileError) in
        switch id {
        case FourCC.code("edts"), FourCC.code("mdia"), FourCC.code("minf"), FourCC.code("stbl"):
            try readTrack(&reader, end, &tables)
        case FourCC.code("tkhd"):
            let version = try reader.uint32() >> 24
            reader.skip(version == 1 ? 16 : 8)
            tables.number = try reader.uint32()
        case FourCC.code("elst"): tables.edits = try MovieEdit.read(&reader, end)
        case FourCC.code("mdhd"): tables.timescale = try readTimescale(&reader)
        case FourCC.code("hdlr"):
            reader.skip(8)
            tables.isSound = try reader.uint32() == FourCC.code("soun")
        case FourCC.code("stsd"): try readDescription(&reader, &tables)
        case FourCC.code("stsz"): try readSizes(&reader, &tables)
        case FourCC.code("stsc"):
            for _ in 0..<(try tableCount(&reader, end, 12)) {
                tables.packetsOfChunks.append((try reader.uint32(), try reader.uint32()))
                _ = try reader.uint32()
            }
        case FourCC.code("stco"):
            for _ in 0..<(try tableCount(&reader, end, 4)) { tables.chunkOffsets.append(UInt64(try reader.uint32())) }
        case FourCC.code("co64"):
            for _ in 0..<(try tableCount(&reader, end, 8)) { tables.chunkOffsets.append(try reader.uint64()) }
        case FourCC.code("stts"):
            for _ in 0..<(try tableCount(&reader, end, 8)) { tables.frames.append((try reader.uint32(), try reader.uint32())) }
        default: break
        }
    }
}

/// The number of entries of a table. All of them are in its box.
private func tableCount(_ reader: inout ByteReader, _ end: UInt64, _ entrySize: UInt64) throws(SoundFileError) -> Int {
    _ = try reader.uint32()
    let count = UInt64(try reader.uint32())
    guard count <= (end - min(reader.offset, end)) / entrySize, count <= UInt64(MPEGHeader.largestPacketCount) else {
        throw .invalidFile
    }
    return Int(count)
}

private func readSizes(_ reader: inout ByteReader, _ tables: inout TrackTables) throws(SoundFileError) {
    _ = try reader.uint32()
    tables.constantSize = try reader.uint32()
    let count = try reader.uint32()
    guard count <= MPEGHeader.largestPacketCount, tables.constantSize > 0 || UInt64(count) * 4 <= reader.remaining else {
        throw .invalidFile
    }
    tables.packetCount = Int(count)
    if tables.constantSize == 0 { for _ in 0..<count { tables.sizes.append(try reader.uint32()) } }
}

/// The name of a description of packets, and the name of its box that a decoder needs; 0 if the decoder needs none.
private struct SampleEntry {
    let codec: UInt32
    let configuration: UInt32
    let format: UInt32
    /// The default, which the table of durations may replace.
    let framesPerPacket: UInt32
}

private let sampleEntries = [
    SampleEntry(
        codec: FourCC.code("mp4a"), configuration: FourCC.code("esds"), format: FourCC.code("aac "), framesPerPacket: 1_024),
    SampleEntry(
        codec: FourCC.code("alac"), configuration: FourCC.code("alac"), format: FourCC.code("alac"), framesPerPacket: 4_096),
    SampleEntry(
        codec: FourCC.code("fLaC"), configuration: FourCC.code("dfLa"), format: FourCC.code("flac"), framesPerPacket: 4_096),
    SampleEntry(codec: FourCC.code("ac-3"), configuration: 0, format: FourCC.code("ac-3"), framesPerPacket: 1_536),
    SampleEntry(codec: FourCC.code("Opus"), configuration: 0, format: FourCC.code("opus"), framesPerPacket: 960),
]

private func readDescription(_ reader: inout ByteReader, _ tables: inout TrackTables) throws(SoundFileError) {
    _ = try reader.uint32()
    guard try reader.uint32() > 0 else { throw .invalidFile }
    let start = reader.offset
    let end = start + UInt64(try reader.uint32())
    let codec = try reader.uint32()
    reader.skip(8)
    let version = try reader.uint16()
    reader.skip(6)
    var channels = try reader.uint16()
    _ = try reader.uint16()
    reader.skip(4)
    let rate = Double(try reader.uint32()) / 65_536
    if version == 1 { reader.skip(16) }
    guard let entry = sampleEntries.first(where: { $0.codec == codec }) else { return }
    var cookie: [UInt8] = []
    try forEachBox(&reader, end: min(end, reader.size)) { (reader, id, end) throws(SoundFileError) in
        if id == FourCC.code("dac3") { channels = channelsOfAC3(try reader.uint16()) }
        guard id == entry.configuration, cookie.isEmpty else { return }
        _ = try reader.uint32()
        cookie = try reader.bytes(Int(min(end - min(reader.offset, end), 65_536)))
    }
    tables.magicCookie = cookie
    tables.format = StreamDescription(
        sampleRate: rate, formatID: entry.format, framesPerPacket: entry.framesPerPacket, channelsPerFrame: channels)
    if entry.format == FourCC.code("aac ") { applySpecificConfiguration(cookie, &tables) }
}

/// Every description of AC-3 states 2 channels. Its box `dac3` states the loudspeakers: a mode of 3 bits, and one bit for the
/// subwoofer.
private func channelsOfAC3(_ word: UInt32) -> UInt32 {
    let mode = word >> 3 & 7
    return (mode == 0 ? 2 : mode < 3 ? mode : 3 + (mode - 3) / 2) + (word >> 2 & 1)
}

/// Sets the object type, the channels and the rate from the decoder's configuration.
private func applySpecificConfiguration(_ cookie: [UInt8], _ tables: inout TrackTables) {
    if let kind = AACConfiguration.streamKind(cookie: cookie), kind == 0x6B || kind == 0x69 {
        tables.format?.formatID = FourCC.code(".mp3")
        return
    }
    guard let configuration = AACConfiguration(cookie: cookie) else { return }
    tables.format?.formatFlags = FormatFlags(rawValue: configuration.objectType)
    tables.format?.framesPerPacket = configuration.framesPerPacket
    if configuration.channels > 0 { tables.format?.channelsPerFrame = configuration.channels }
    tables.channelLayout = LoudspeakerLayout.bytes(channelsOfAAC: tables.format?.channelsPerFrame ?? 0)
    // With another object type the packets are those of plain AAC, and the list of formats has the extension.
    guard configuration.objectType == 5, let rate = configuration.extendedRate else { return }
    tables.format?.formatID = FourCC.code("aach")
    tables.format?.sampleRate = Double(rate)
    tables.format?.framesPerPacket = configuration.rate == rate ? 1_024 : 2_048
}

/// The frames of the file's rate in a unit of the track's times: the times may count frames without spectral band replication,
/// which doubles the number of frames.
private func framesPerUnit(_ tables: TrackTables) -> UInt32 {
    guard let format = tables.format else { return 1 }
    return format.framesPerPacket == 2_048 && format.sampleRate == 2 * Double(tables.timescale) ? 2 : 1
}

/// The frames of a packet; 0 where the packets differ. The table of durations states them. In some files this differs from the default of the codec.
private func framesPerPacket(_ tables: TrackTables, _ format: StreamDescription) -> UInt32 {
    if format.formatID == CodecFormat.appleLossless, let stated = AppleLosslessConfiguration(cookie: tables.magicCookie) {
        return stated.framesPerPacket
    }
    if format.formatID == CodecFormat.flac, let stated = FLACConfiguration.facts(ofCookie: tables.magicCookie),
        stated.framesPerPacket > 0
    {
        return stated.framesPerPacket
    }
    if [CodecFormat.opus, CodecFormat.flac].contains(format.formatID), tables.durationsDiffer { return 0 }
    guard let first = tables.frames.first, 1...65_536 ~= first.frames, tables.frames.count <= 2 else {
        return format.framesPerPacket
    }
    let frames = first.frames * framesPerUnit(tables)
    // The only packet of a file may be its last one, which can be shorter. The codec or its configuration states the frames of the others, but
    // not those of Opus.
    let isStated = format.formatID != CodecFormat.opus
    return isStated && first.count == 1 && tables.frames.count == 1 ? max(frames, format.framesPerPacket) : frames
}

private func makeSoundFile(
    _ tables: TrackTables, _ format: StreamDescription, _ type: SoundFileType, _ size: UInt64
) throws(SoundFileError) -> SoundFile {
    var format = format
    format.framesPerPacket = framesPerPacket(tables, format)
    guard format.sampleRate > 0 || tables.timescale > 0 else { throw .invalidFile }
    if framesPerUnit(tables) == 1, format.sampleRate == 0 || format.framesPerPacket != 1_024 && tables.timescale > 0 {
        format.sampleRate = Double(tables.timescale)
    }
    let packets = placedPackets(tables, size)
    let lowest = packets.reduce(UInt64.max) { min($0, $1.offset) }
    let highest = packets.reduce(UInt64(0)) { max($0, $1.offset + UInt64($1.size)) }
    var file = SoundFile(type: type, format: format, dataOffset: min(lowest, size), dataSize: highest - min(lowest, highest))
    file.packets = packets.map { SoundFile.Packet(offset: $0.offset - lowest, size: $0.size, frames: 0) }
    if format.framesPerPacket == 0 { file.setFramesOfPackets(tables.frames) }
    file.magicCookie = tables.magicCookie
    file.channelLayout = tables.channelLayout
    return file
}

extension TrackTables {
    /// Packets have several durations, apart from the last one, which may be shorter than the others.
    fileprivate var durationsDiffer: Bool {
        let rows = frames.filter { $0.count > 0 }
        guard rows.count == 2 else { return rows.count > 2 }
        return rows[1].count > 1 || rows[1].frames > rows[0].frames
    }
}

extension SoundFile {
    /// Sets the frames of each packet from the table of durations. Packets that it does not describe have none.
    fileprivate mutating func setFramesOfPackets(_ rows: [(count: UInt32, frames: UInt32)]) {
        var index = 0
        for row in rows {
            for _ in 0..<min(Int(row.count), packets.count - index) {
                packets[index].frames = min(row.frames, 65_536)
                index += 1
            }
        }
    }
}

/// The packets by their offsets in the file. For a truncated file, the packets before its end.
private func placedPackets(_ tables: TrackTables, _ size: UInt64) -> [SoundFile.Packet] {
    var packets: [SoundFile.Packet] = []
    var row = 0
    for (index, chunk) in tables.chunkOffsets.enumerated() {
        while row + 1 < tables.packetsOfChunks.count, Int(tables.packetsOfChunks[row + 1].first) <= index + 1 { row += 1 }
        guard row < tables.packetsOfChunks.count else { break }
        var offset = chunk
        for _ in 0..<tables.packetsOfChunks[row].packets {
            guard packets.count < tables.packetCount else { return packets + tables.fragmentPackets }
            let bytes = tables.constantSize > 0 ? tables.constantSize : tables.sizes[packets.count]
            guard offset <= size, UInt64(bytes) <= size - offset else { return packets }
            packets.append(SoundFile.Packet(offset: offset, size: bytes, frames: 0))
            offset += UInt64(bytes)
        }
    }
    return packets + tables.fragmentPackets
}

/// Sets the frames to play. The edits decide, and without them the text of iTunes. The table of durations may state the end more
/// exactly: its last row can make the last packet shorter.
private func applyTimes(
    _ tables: TrackTables, _ movieScale: UInt32, _ gapless: GaplessText?, _ file: inout SoundFile
) {
    let (scale, decoded) = (UInt64(framesPerUnit(tables)), file.framesOfPackets)
    let edited = MovieEdit.range(tables.edits, Double(movieScale > 0 ? tables.timescale : 0) / Double(max(movieScale, 1)))
    let first = edited?.first ?? 0
    file.primingFrames = UInt32(clamping: first.multipliedReportingOverflow(by: scale).partialValue)
    if edited == nil, let gapless, let played = gapless.frames(of: decoded) {
        (file.primingFrames, file.remainderFrames, file.statedFrames) = (played.priming, played.remainder, played.valid)
        return
    }
    let described = tables.frames.reduce(UInt64(0)) { $0 &+ UInt64($1.count) &* UInt64($1.frames) &* scale }
    let packetsDescribed = tables.frames.reduce(UInt64(0)) { $0 &+ UInt64($1.count) }
    if packetsDescribed == file.packets.count, decoded > described, decoded - described < file.format.framesPerPacket,
        described > file.primingFrames
    {
        file.statedFrames = described - UInt64(file.primingFrames)
    }
    if let edited, let duration = edited.duration {
        let unit = Double(tables.timescale) * Double(scale) / Double(movieScale)
        let frames = (min(duration * Double(scale), 9e15)).rounded()
        // If the edit agrees within its unit, it is less exact.
        if file.statedFrames.map({ abs(Double($0) - frames) > unit }) ?? true { file.statedFrames = UInt64(frames) }
    }
    guard let stated = file.statedFrames else { return }
    let (played, overflow) = UInt64(file.primingFrames).addingReportingOverflow(stated)
    if !overflow, decoded > played { file.remainderFrames = UInt32(clamping: decoded - played) }
}
