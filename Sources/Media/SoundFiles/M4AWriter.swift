// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

// The boxes of an MPEG-4 file with one audio track. The data precedes the box that describes it.

extension SoundFile {
    /// The brand, and the header of the box with the data.
    var m4aHeader: [UInt8] {
        var writer = ByteWriter()
        writer.put(box("ftyp") { $0.put(type == .m4a ? "M4A \0\0\0\0M4A mp42isom" : "mp42\0\0\0\0mp42isom") })
        // A size of 1 means that a size of 64 bits follows.
        writer.put32(1)
        writer.put("mdat")
        writer.put64(dataSize + 16)
        return writer.bytes
    }

    /// Times are in frames.
    private var timescale: UInt32 { UInt32(min(max(format.sampleRate.rounded(), 1), 4_294_967_295)) }
    /// True if times do not fit into 32 bits. They then have 64 bits.
    private var isLong: Bool { framesOfPackets > 0x7FFF_FFFF }

    private func box(_ name: StaticString, _ content: (inout ByteWriter) -> Void) -> [UInt8] {
        var inner = ByteWriter()
        content(&inner)
        var writer = ByteWriter()
        writer.put32(UInt32(clamping: inner.bytes.count + 8))
        writer.put(name)
        writer.put(inner.bytes)
        return writer.bytes
    }

    /// A box with a version: 1 if times have 64 bits.
    private func fullBox(
        _ name: StaticString, hasTimes: Bool = false, flags: UInt32 = 0, _ content: (inout ByteWriter) -> Void
    ) -> [UInt8] {
        box(name) { writer in
            writer.put32((hasTimes && isLong ? 1 << 24 : 0) | flags)
            content(&writer)
        }
    }

    private func putTime(_ writer: inout ByteWriter, _ time: UInt64) {
        if isLong { writer.put64(time) } else { writer.put32(UInt32(truncatingIfNeeded: time)) }
    }

    /// The box that describes the data.
    var movie: [UInt8] {
        box("moov") { moov in
            moov.put(movieHeader)
            moov.put(
                box("trak") { track in
                    track.put(trackHeader)
                    track.put(box("edts") { $0.put(edits) })
                    track.put(box("mdia") { $0.put(media) })
                })
        }
    }

    private var movieHeader: [UInt8] {
        fullBox("mvhd", hasTimes: true) { writer in
            putTime(&writer, 0)
            putTime(&writer, 0)
            writer.put32(timescale)
            putTime(&writer, frameCount)
            // The default speed and volume, and the number of the next track.
            writer.put32(0x0001_0000)
            writer.put16(0x0100)
            writer.putZeros(10)
            writer.putUnitMatrix()
            writer.putZeros(24)
            writer.put32(2)
        }
    }

    private var trackHeader: [UInt8] {
        // The track is enabled and used in the movie.
        fullBox("tkhd", hasTimes: true, flags: 3) { writer in
            putTime(&writer, 0)
            putTime(&writer, 0)
            writer.put32(1)
            writer.put32(0)
            putTime(&writer, frameCount)
            writer.putZeros(12)
            writer.put16(0x0100)
            writer.put16(0)
            writer.putUnitMatrix()
            writer.putZeros(8)
        }
    }

    /// The list of edits, which states the frames to play.
    private var edits: [UInt8] {
        fullBox("elst", hasTimes: true) { writer in
            writer.put32(1)
            putTime(&writer, frameCount)
            putTime(&writer, UInt64(primingFrames))
            writer.put32(0x0001_0000)
        }
    }

    private var media: [UInt8] {
        let header = fullBox("mdhd", hasTimes: true) { writer in
            putTime(&writer, 0)
            putTime(&writer, 0)
            writer.put32(timescale)
            putTime(&writer, framesOfDurations)
            // The language is not stated.
            writer.put16(0x55C4)
            writer.put16(0)
        }
        let handler = fullBox("hdlr") { writer in
            writer.put32(0)
            writer.put("soun")
            writer.putZeros(13)
        }
        // The data is in this file.
        let data = box("dinf") { writer in
            writer.put(
                fullBox("dref") { list in
                    list.put32(1)
                    list.put(fullBox("url ", flags: 1) { _ in })
                })
        }
        let information = box("minf") { writer in
            writer.put(fullBox("smhd") { $0.put32(0) })
            writer.put(data)
            writer.put(box("stbl") { $0.put(sampleTables) })
        }
        return header + handler + information
    }

    private var sampleTables: [UInt8] {
        let description = fullBox("stsd") { writer in
            writer.put32(1)
            writer.put(sampleEntry)
        }
        return description + durations + chunks
    }

    private var isAppleLossless: Bool { format.formatID == FourCC.code("alac") }

    private var sampleEntry: [UInt8] {
        box(isAppleLossless ? "alac" : "mp4a") { writer in
            writer.putZeros(6)
            writer.put16(1)
            writer.putZeros(8)
            writer.put16(format.channelsPerFrame)
            writer.put16(isAppleLossless && magicCookie.count >= 24 ? UInt32(magicCookie[5]) : 16)
            writer.put32(0)
            // The field for the rate has 16 bits before the point. The configuration states higher rates.
            writer.put32(timescale < 65_536 ? timescale << 16 : 0)
            writer.put(fullBox(isAppleLossless ? "alac" : "esds") { $0.put(magicCookie) })
        }
    }

    /// The frames of the last packet, which is shorter by the frames after the sound.
    private var framesOfLastPacket: UInt32 {
        remainderFrames < format.framesPerPacket ? format.framesPerPacket - remainderFrames : format.framesPerPacket
    }

    /// The sum of the table of durations.
    private var framesOfDurations: UInt64 {
        packets.isEmpty ? 0 : framesOfPackets - UInt64(format.framesPerPacket) + UInt64(framesOfLastPacket)
    }

    /// The frames of the packets.
    private var durations: [UInt8] {
        let count = UInt32(clamping: packets.count)
        let last = framesOfLastPacket
        let isShorter = count > 0 && last < format.framesPerPacket
        var rows: [(packets: UInt32, frames: UInt32)] = [(isShorter ? count - 1 : count, format.framesPerPacket)]
        if isShorter { rows.append((packets: 1, frames: last)) }
        rows.removeAll { $0.packets == 0 }
        return fullBox("stts") { writer in
            writer.put32(UInt32(rows.count))
            for row in rows {
                writer.put32(row.packets)
                writer.put32(row.frames)
            }
        }
    }

    /// The packets of each chunk. Packets lie one after another. A chunk has about half a second of them.
    private var chunks: [UInt8] {
        let perChunk = max(Int(timescale / 2 / max(format.framesPerPacket, 1)), 1)
        let offsets = stride(from: 0, to: packets.count, by: perChunk).map { dataOffset + packets[$0].offset }
        let isFar = (offsets.last ?? 0) > 0xFFFF_FFFF
        // Each row has the first chunk, and the number of packets of this chunk and the following ones. The last chunk may have
        // fewer.
        let rest = UInt32(packets.count % perChunk)
        var rows: [(chunk: UInt32, packets: UInt32)] = []
        if packets.count >= perChunk { rows.append((chunk: 1, packets: UInt32(perChunk))) }
        if rest > 0 { rows.append((chunk: UInt32(offsets.count), packets: rest)) }
        let packetsOfChunks = fullBox("stsc") { writer in
            writer.put32(UInt32(rows.count))
            for row in rows { for field in [row.chunk, row.packets, 1] { writer.put32(field) } }
        }
        let sizes = fullBox("stsz") { writer in
            writer.put32(0)
            writer.put32(UInt32(clamping: packets.count))
            for packet in packets { writer.put32(packet.size) }
        }
        let chunks = fullBox(isFar ? "co64" : "stco") { writer in
            writer.put32(UInt32(clamping: offsets.count))
            for offset in offsets { if isFar { writer.put64(offset) } else { writer.put32(UInt32(offset)) } }
        }
        return packetsOfChunks + sizes + chunks
    }
}

extension ByteWriter {
    fileprivate mutating func put(_ text: StaticString) { text.withUTF8Buffer { bytes += $0 } }
    fileprivate mutating func putZeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// A matrix that neither rotates nor scales the picture of a track.
    fileprivate mutating func putUnitMatrix() {
        for value: UInt32 in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] { put32(value) }
    }
}
