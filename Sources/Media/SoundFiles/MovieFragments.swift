// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The fragments of an MPEG-4 file: boxes after the movie that describe further packets of its tracks.
struct MovieFragments {
    /// The default values of packets.
    private struct Defaults {
        var track: UInt32 = 0
        var frames: UInt32 = 0
        var size: UInt32 = 0
    }

    /// A file with more packets, boxes or tracks is refused, to bound memory and time.
    private let largestPacketCount: Int
    private let largestBoxCount: Int
    private static let largestTrackCount = 256

    /// The track that is read.
    var track: UInt32 = 0
    /// The packets of the track, by their offsets in the file, with their durations as frames.
    private(set) var packets: [SoundFile.Packet] = []
    private var defaults: [Defaults] = []
    private var boxes = 0
    /// A packet lies after the end of the truncated file. Only the packets before it are used.
    private var isCut = false

    init(largestPacketCount: Int = MPEGHeader.largestPacketCount, largestBoxCount: Int = 1 << 23) {
        self.largestPacketCount = largestPacketCount
        self.largestBoxCount = largestBoxCount
    }

    /// The movie states that fragments follow, or a fragment was read.
    var areExpected: Bool { !defaults.isEmpty || !packets.isEmpty }

    /// Removes the packets. The limits apply again to the following fragments.
    mutating func removePackets() { (packets, boxes) = ([], 0) }

    /// Reads a box `trex`, which states the default values of a track.
    mutating func readDefaults(_ reader: inout ByteReader) throws(SoundFileError) {
        guard defaults.count < MovieFragments.largestTrackCount else { throw .tooLarge }
        _ = try reader.uint32()
        let track = try reader.uint32()
        _ = try reader.uint32()
        defaults.append(Defaults(track: track, frames: try reader.uint32(), size: try reader.uint32()))
    }

    /// Reads a box `moof`, which begins at `start`.
    mutating func readFragment(_ reader: inout ByteReader, from start: UInt64, to end: UInt64) throws(SoundFileError) {
        // Data without a stated offset follows the data of the previous track.
        var offset = start
        try forEachBox(&reader, end: end) { (reader, id, end) throws(SoundFileError) in
            try countBox()
            guard id == FourCC.code("traf") else { return }
            try readTrack(&reader, end, fragment: start, &offset)
        }
    }

    private mutating func readTrack(
        _ reader: inout ByteReader, _ end: UInt64, fragment: UInt64, _ offset: inout UInt64
    ) throws(SoundFileError) {
        var values = Defaults()
        var base = offset
        try forEachBox(&reader, end: end) { (reader, id, end) throws(SoundFileError) in
            try countBox()
            switch id {
            case FourCC.code("tfhd"):
                try readHeader(&reader, fragment: fragment, &base, &values)
                offset = base
            case FourCC.code("trun"): try readRun(&reader, end, base, &offset, values, isWanted: values.track == track)
            default: break
            }
        }
    }

    /// Counts a box of the file or of a fragment.
    mutating func countBox() throws(SoundFileError) {
        boxes += 1
        guard boxes <= largestBoxCount else { throw .tooLarge }
    }

    /// Reads the number of the track, the base of its data offsets, and its default values.
    private func readHeader(
        _ reader: inout ByteReader, fragment: UInt64, _ base: inout UInt64, _ values: inout Defaults
    ) throws(SoundFileError) {
        let flags = try reader.uint32()
        let track = try reader.uint32()
        values = defaults.first { $0.track == track } ?? Defaults(track: track)
        if flags & 1 != 0 { base = try reader.uint64() } else if flags & 0x2_0000 != 0 { base = fragment }
        if flags & 2 != 0 { reader.skip(4) }
        if flags & 8 != 0 { values.frames = try reader.uint32() }
        if flags & 0x10 != 0 { values.size = try reader.uint32() }
    }

    /// Reads the descriptions of packets that lie one after another.
    private mutating func readRun(
        _ reader: inout ByteReader, _ end: UInt64, _ base: UInt64, _ offset: inout UInt64, _ values: Defaults, isWanted: Bool
    ) throws(SoundFileError) {
        let flags = try reader.uint32()
        let count = UInt64(try reader.uint32())
        if flags & 1 != 0 { offset = base &+ UInt64(bitPattern: Int64(Int32(bitPattern: try reader.uint32()))) }
        if flags & 4 != 0 { reader.skip(4) }
        // Each packet has up to four fields of 32 bits: its duration, its size, and two that sound does not need.
        let fields = (flags & 0xF00).nonzeroBitCount
        guard count * UInt64(fields * 4) <= end - min(reader.offset, end) else { throw .invalidFile }
        let statesSizes = flags & 0x200 != 0
        guard statesSizes || isWanted && values.size > 0 else {
            offset = offset &+ count * UInt64(values.size)
            return
        }
        for _ in 0..<count {
            guard !isCut else { return }
            let frames = flags & 0x100 != 0 ? try reader.uint32() : values.frames
            let size = statesSizes ? try reader.uint32() : values.size
            reader.skip(UInt64((flags & 0xC00).nonzeroBitCount * 4))
            if isWanted { try append(SoundFile.Packet(offset: offset, size: size, frames: frames), reader.size) }
            offset = offset &+ UInt64(size)
        }
    }

    private mutating func append(_ packet: SoundFile.Packet, _ fileSize: UInt64) throws(SoundFileError) {
        isCut = packet.offset > fileSize || UInt64(packet.size) > fileSize - packet.offset
        guard !isCut else { return }
        guard packets.count < largestPacketCount else { throw .tooLarge }
        packets.append(packet)
    }
}
