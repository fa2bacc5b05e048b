// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The packets of a file whose header states their offsets.
struct DataPackets {
    /// The index of the next packet, in files with a table of packets.
    private var index = 0

    /// `target` is the offset of the next bytes.
    mutating func move(to target: UInt64, _ file: SoundFile) {
        index = file.packets.firstIndex { file.dataOffset + $0.offset >= target } ?? file.packets.count
    }

    mutating func next(in bytes: [UInt8], at position: UInt64, _ file: SoundFile) throws(SoundStreamError) -> PacketBatch {
        var batch = PacketBatch()
        batch.available = bytes.count
        // The bytes are before the data or, with a table, before the next packet.
        let wanted = file.dataOffset + (file.packets.indices.contains(index) ? file.packets[index].offset : 0)
        if position < wanted {
            batch.consumed = Int(clamping: wanted - position)
            return batch
        }
        if !file.packets.isEmpty {
            try parse(bytes, position, file, &batch)
        } else {
            parseEqual(bytes, position, file, &batch)
        }
        return batch
    }

    private func parseEqual(_ bytes: [UInt8], _ position: UInt64, _ file: SoundFile, _ batch: inout PacketBatch) {
        let size = Int(file.format.bytesPerPacket)
        let end = file.dataOffset + file.dataSize
        let left = end > position ? Int(clamping: end - position) : 0
        guard size > 0, left >= size else {
            batch.consumed = bytes.count
            return
        }
        batch.count = min(bytes.count, left) / size
        batch.end = batch.count * size
        batch.packetBytes = batch.end
        batch.consumed = batch.end
    }

    private mutating func parse(
        _ bytes: [UInt8], _ position: UInt64, _ file: SoundFile, _ batch: inout PacketBatch
    ) throws(SoundStreamError) {
        guard index < file.packets.count else {
            batch.consumed = bytes.count
            return
        }
        while index < file.packets.count {
            let packet = file.packets[index]
            guard try batch.append(packet, at: file.dataOffset + packet.offset, bytes, position) else { break }
            index += 1
        }
        batch.consumed = batch.end
    }
}

/// The packets of MPEG audio and of ADTS. Each has a header that states its size.
struct FramePackets {
    /// The number of bytes that are searched for the first packet.
    private static let searchLimit = 1 << 16
    /// The number of bytes that suffice to recognize a header of both kinds.
    private static let headerSize = 7

    private(set) var first: FrameHeader?
    private var isInSync = true
    private var searched = 0
    private var information = MPEGInformation()

    mutating func loseSync() { isInSync = false }

    /// The header of the stream. Its first packet is at `offset`.
    func file(_ first: FrameHeader, at offset: UInt64) -> SoundFile {
        var file = SoundFile(type: first.type, format: first.format, dataOffset: offset, dataSize: 0)
        (file.primingFrames, file.remainderFrames) = (information.priming, information.remainder)
        if first.type == .adts, first.statesChannels { file.describeADTS() }
        return file
    }

    mutating func next(in bytes: [UInt8]) throws(SoundStreamError) -> PacketBatch {
        guard let first else { return try findFirst(bytes) }
        var batch = PacketBatch()
        batch.available = bytes.count
        if !isInSync {
            batch.consumed = search(bytes, like: first)
            // The bytes before the packet are consumed first.
            if batch.consumed > 0 || !isInSync { return batch }
        }
        var offset = 0
        while let header = FrameHeader(bytes, at: offset) {
            guard header.continues(first) else {
                isInSync = false
                break
            }
            guard header.size <= bytes.count - offset else { break }
            batch.packets.append(
                SoundFile.Packet(
                    offset: UInt64(offset + header.prefix), size: UInt32(header.size - header.prefix), frames: 0))
            offset += header.size
        }
        if bytes.count - offset >= FramePackets.headerSize, FrameHeader(bytes, at: offset) == nil { isInSync = false }
        batch.count = batch.packets.count
        (batch.end, batch.packetBytes, batch.consumed) = (offset, offset, offset)
        // The next call searches after bytes that are not a header.
        if offset == 0, !isInSync { batch.consumed = 1 }
        return batch
    }

    /// The last packet of a stream, which no header and no other byte follows.
    mutating func last(in bytes: [UInt8]) -> PacketBatch? {
        guard !isInSync, let header = FrameHeader(bytes, at: 0), header.size == bytes.count,
            first.map({ header.continues($0) }) ?? true, header.information(bytes, at: 0) == nil
        else { return nil }
        first = first ?? header
        var batch = PacketBatch()
        batch.packets = [SoundFile.Packet(offset: UInt64(header.prefix), size: UInt32(header.size - header.prefix), frames: 0)]
        (batch.count, batch.end, batch.packetBytes) = (1, bytes.count, bytes.count)
        (batch.consumed, batch.available) = (bytes.count, bytes.count)
        return batch
    }

    /// Looks for two adjacent packets, because any two bytes may look like a header.
    private mutating func findFirst(_ bytes: [UInt8]) throws(SoundStreamError) -> PacketBatch {
        var batch = PacketBatch()
        batch.available = bytes.count
        let offset = search(bytes, like: nil)
        searched += offset
        guard searched <= FramePackets.searchLimit else { throw .unsupportedType }
        batch.consumed = offset
        guard isInSync, let header = FrameHeader(bytes, at: offset) else { return batch }
        first = header
        if let found = header.information(bytes, at: offset) {
            information = found
            batch.consumed += header.size
        }
        return batch
    }

    /// The number of bytes before the next packet that another packet follows, or before a possible packet. `isInSync` states
    /// which of them was found.
    private mutating func search(_ bytes: [UInt8], like first: FrameHeader?) -> Int {
        isInSync = false
        var offset = 0
        while bytes.count - offset >= FramePackets.headerSize {
            defer { offset += 1 }
            guard let header = FrameHeader(bytes, at: offset), first.map({ header.continues($0) }) ?? true else { continue }
            guard bytes.count - offset >= header.size + FramePackets.headerSize else { return offset }
            guard let next = FrameHeader(bytes, at: offset + header.size), next.continues(header) else { continue }
            isInSync = true
            return offset
        }
        return offset
    }
}

/// The header of one packet of MPEG audio or of ADTS.
struct FrameHeader: Equatable {
    let type: SoundFileType
    let format: StreamDescription
    /// The bytes of the packet with its header, and the bytes of a header that is not a part of the packet.
    let size: Int
    let prefix: Int
    let statesChannels: Bool
    private let mpeg: MPEGHeader?

    /// Nil for bytes that are not a header, and for too few bytes.
    init?(_ bytes: [UInt8], at offset: Int) {
        guard bytes.count - offset >= 4 else { return nil }
        if let header = MPEGHeader(bigEndian(bytes, offset)) {
            mpeg = header
            type = header.type
            size = Int(header.bytes)
            prefix = 0
            statesChannels = true
            format = StreamDescription(
                sampleRate: header.rate, formatID: header.formatID, framesPerPacket: header.framesPerPacket,
                channelsPerFrame: header.channels)
            guard size >= 4 else { return nil }
            return
        }
        guard let header = ADTSHeader(bytes, at: offset) else { return nil }
        mpeg = nil
        type = .adts
        statesChannels = header.statesChannels
        (size, prefix, format) = (Int(header.bytes), Int(header.headerBytes), header.format)
    }

    func continues(_ first: FrameHeader) -> Bool {
        if let mpeg { return first.mpeg.map { mpeg.continues($0) } ?? false }
        return first.mpeg == nil && format.sampleRate == first.format.sampleRate
    }

    /// The information in this packet. Nil if the packet contains sound.
    func information(_ bytes: [UInt8], at offset: Int) -> MPEGInformation? {
        guard let mpeg, bytes.count - offset >= size else { return nil }
        return mpeg.information(Array(bytes[offset..<offset + size]))
    }
}
