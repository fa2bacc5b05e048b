// SPDX-License-Identifier: Apache-2.0
import MediaFormats

// Packets that differ in size, and the table that describes them behind the data.
//
// While the file grows, room for data lies before the table, so that the file is valid when the program is killed: the header
// counts the room to the data, and packets are written into it before the table describes them. A table whose room is full is
// written once more, behind more room, before the header refers to it. `synchronize` writes it directly behind the data.

/// The place in the file of the table and of the chunks of the program before it.
struct StoredTable {
    var start: UInt64
    var end: UInt64
    /// The start of the chunk of the table itself.
    var chunk: UInt64
}

extension SoundFileWriter {
    /// The least room for data before a table. Packets in the room of an MPEG-4 table are not described.
    private var leastRoom: UInt64 { file.type == .caf ? 1 << 16 : 1 << 12 }

    /// Appends packets that differ in size. After an error the file has the packets before.
    ///
    /// `framesOfLast` are the frames of the last packet where it has fewer than others: the file ends with them. `describing`
    /// updates the table: that of CAF with each packet, that of MPEG-4 at times.
    public mutating func append(
        _ packets: UnsafeRawBufferPointer, sizes: [UInt32], framesOfLast: UInt32 = 0, describing: Bool = true
    ) throws(SoundFileError) {
        guard file.hasVariablePackets else { throw .unsupportedFormat }
        var end = file.dataSize
        for size in sizes { end = end.addingReportingOverflow(UInt64(size)).partialValue }
        guard end == file.dataSize + UInt64(packets.count) else { throw .invalidFile }
        guard end <= file.type.largestData, file.packets.count + sizes.count <= MPEGHeader.largestPacketCount else {
            throw .tooLarge
        }
        if describing, sink.allowsGaps { makeRoom(for: file.dataOffset + end) }
        // The data overwrites a table without room before it.
        if let storedTable, file.dataOffset + end > storedTable.start { self.storedTable = nil }
        try sink.write(packets, at: file.dataOffset + file.dataSize)
        let former = (packets: file.packets.count, size: file.dataSize, remainder: file.remainderFrames, short: hasShortPacket)
        for size in sizes {
            file.packets.append(SoundFile.Packet(offset: file.dataSize, size: size, frames: 0))
            file.dataSize += UInt64(size)
        }
        if !sizes.isEmpty { setFramesOfLastPacket(framesOfLast) }
        guard describing else { return }
        do throws(SoundFileError) { try describe(sizes) } catch {
            file.packets.removeSubrange(former.packets...)
            file.dataSize = former.size
            (file.remainderFrames, hasShortPacket) = (former.remainder, former.short)
            throw error
        }
    }

    /// Numbers that the program has set stay behind packets that state no frames.
    private mutating func setFramesOfLastPacket(_ frames: UInt32) {
        let isShort = frames > 0 && frames < file.format.framesPerPacket
        guard isShort || hasShortPacket else { return }
        file.remainderFrames = isShort ? file.format.framesPerPacket - frames : 0
        hasShortPacket = isShort
    }

    /// Moves the table where data up to `end` would overwrite it. A disk without room for that keeps the data only, until
    /// `synchronize`.
    private mutating func makeRoom(for end: UInt64) {
        guard let table = storedTable, end > table.start else { return }
        do throws(SoundFileError) {
            storedTable = try writeTable(at: max(end + max(leastRoom, end / 64), table.end))
        } catch {
            storedTable = nil
        }
    }

    /// Writes the table for the packets so far, and then the header that refers to it.
    private func writeTable(at start: UInt64) throws(SoundFileError) -> StoredTable {
        let table = file.packetTable
        try write(trailingChunks + table, in: start)
        var header = file
        header.dataSize = start - file.dataOffset
        try write(header.header, in: 0)
        let chunk = start + UInt64(trailingChunks.count)
        return StoredTable(start: start, end: chunk + UInt64(table.count), chunk: chunk)
    }

    /// Adds the sizes of the last packets to the table of a CAF file: first the numbers, then the count of them.
    private mutating func describe(_ sizes: [UInt32]) throws(SoundFileError) {
        guard let table = storedTable, file.type == .caf else { return }
        var numbers = ByteWriter()
        for size in sizes { numbers.putPacketNumber(size) }
        try write(numbers.bytes, in: table.end)
        let end = table.end + UInt64(numbers.bytes.count)
        let counts = file.cafPacketCounts(numbers: 0)
        try write(file.cafPacketCounts(numbers: end - table.chunk - UInt64(counts.count)), in: table.chunk)
        storedTable?.end = end
    }

    /// Writes the table directly behind the data. A disk that is full has no room for it: then the last packets give theirs,
    /// and the file is valid without them.
    mutating func synchronizeTable() throws(SoundFileError) {
        var failure: SoundFileError?
        while true {
            do throws(SoundFileError) {
                copyTable()
                // The header names data that is there: it grows before the header says so, and shrinks afterwards.
                let table = try writeTable(at: file.dataOffset + file.dataSize)
                storedTable = table
                try sink.setSize(table.end)
                break
            } catch {
                failure = failure ?? error
                guard dropLastPackets() else { break }
            }
        }
        if let failure { throw failure }
    }

    /// Keeps a copy of the table, behind the last one, where that one overwrites the present one. A disk without room does
    /// without.
    private mutating func copyTable() {
        let place = file.dataOffset + file.dataSize
        let end = place + UInt64(trailingChunks.count + file.packetTable.count)
        guard let table = storedTable, table.start > place, table.start < end else { return }
        do throws(SoundFileError) { storedTable = try writeTable(at: max(table.end, end)) } catch {}
    }

    /// Gives up an eighth of the packets. False where none is left, or the storage fails.
    private mutating func dropLastPackets() -> Bool {
        storedTable = nil
        guard !file.packets.isEmpty else { return false }
        let kept = file.packets.count - max(file.packets.count / 8, 1)
        file.dataSize = file.packets[kept].offset
        file.packets.removeSubrange(kept...)
        file.remainderFrames = 0
        do throws(SoundFileError) { try sink.setSize(file.dataOffset + file.dataSize) } catch { return false }
        return true
    }
}
