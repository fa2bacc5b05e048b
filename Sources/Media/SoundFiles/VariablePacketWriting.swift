// SPDX-License-Identifier: Apache-2.0
import MediaFormats

// Writes packets that differ in size, and the table after the data that describes them.
//
// While the file grows, it has free room for data before the table, so that the file is valid when the program is killed: the
// header counts the room as data, and packets are written into it before the table describes them. When the room of a table is
// full, the table is written again after more room, and then the header refers to it. `synchronize` writes the table directly
// after the data.

/// The position in the file of the table, and of the program's chunks before it.
struct StoredTable {
    var start: UInt64
    var end: UInt64
    /// The offset of the chunk of the table.
    var chunk: UInt64
}

extension SoundFileWriter {
    /// The minimum of room for data before a table. Packets in the room of an MPEG-4 table are not described.
    private var leastRoom: UInt64 { file.type == .caf ? 1 << 16 : 1 << 12 }

    /// Appends packets that differ in size. After an error the file has the packets that were written before.
    ///
    /// `framesOfLast` is the number of frames of the last packet if it has fewer than others: the file ends with this packet.
    /// `describing` updates the table: in CAF with each packet, in MPEG-4 from time to time.
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
        // The data overwrites a table that has no room before it.
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

    /// Keeps the numbers that the program has set if the packets state no frames.
    private mutating func setFramesOfLastPacket(_ frames: UInt32) {
        let isShort = frames > 0 && frames < file.format.framesPerPacket
        guard isShort || hasShortPacket else { return }
        file.remainderFrames = isShort ? file.format.framesPerPacket - frames : 0
        hasShortPacket = isShort
    }

    /// Moves the table if data up to `end` would overwrite it. If the disk has no room for the table, the file has only the data
    /// until `synchronize`.
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

    /// Adds the sizes of the last packets to the table of a CAF file: first the numbers, then their count.
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

    /// Writes the table directly after the data. If the disk is full, the last packets are removed to make room for it. The file
    /// is valid without them.
    mutating func synchronizeTable() throws(SoundFileError) {
        var failure: SoundFileError?
        while true {
            do throws(SoundFileError) {
                copyTable()
                // The header only counts existing data: the file grows before the header changes, and shrinks afterwards.
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

    /// Writes a copy of the table after its end if the new table overwrites the present one. Without room on the disk, no copy is
    /// written.
    private mutating func copyTable() {
        let start = file.dataOffset + file.dataSize
        let end = start + UInt64(trailingChunks.count + file.packetTable.count)
        guard let table = storedTable, table.start > start, table.start < end else { return }
        do throws(SoundFileError) { storedTable = try writeTable(at: max(table.end, end)) } catch {}
    }

    /// Removes an eighth of the packets. False if none is left, or the storage fails.
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
