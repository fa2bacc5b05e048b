// SPDX-License-Identifier: Apache-2.0
public import AudioConverters
import MediaFormats
public import SoundFiles

// The packets of a file.

extension AudioFile {
    public var packetCount: UInt64 { file.packetCount }

    /// The size of a packet and its offset in the data. Nil after the last packet.
    public func packet(_ index: Int64) -> SoundFile.Packet? {
        guard let index = UInt64(exactly: index), index < packetCount else { return nil }
        let size = file.format.bytesPerPacket
        if size > 0 { return SoundFile.Packet(offset: index * UInt64(size), size: size, frames: 0) }
        return file.packets[Int(index)]
    }

    /// Reads whole packets into a buffer. Returns their number and their bytes; both are 0 after the last packet.
    public func readPackets(
        _ first: Int64, count: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> (packets: Int, bytes: Int) {
        guard file.format.bytesPerPacket > 0 else { return try readPackets(first, count: count, buffer) { _, _ in } }
        guard let start = try start(first) else { return (0, 0) }
        let size = Int(file.format.bytesPerPacket)
        let packets = min(count, Int(clamping: packetCount - UInt64(first)), buffer.count / size)
        guard packets > 0 else { return (0, 0) }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(packets * size)])
        // The file may have become shorter since it was opened.
        guard try read(at: Int64(clamping: start.offset), wanted) == wanted.count else { throw .invalidFile }
        return (packets, wanted.count)
    }

    /// Reads whole packets in the same way. `describe` is called for each packet, with its offset in the buffer.
    public func readPackets(
        _ first: Int64, count: Int, _ buffer: UnsafeMutableRawBufferPointer, _ describe: (Int, PacketDescription) -> Void
    ) throws(AudioFileError) -> (packets: Int, bytes: Int) {
        let size = file.format.bytesPerPacket
        guard size == 0 else {
            let read = try readPackets(first, count: count, buffer)
            for index in 0..<read.packets {
                describe(index, PacketDescription(startOffset: Int64(index) * Int64(size), byteSize: size))
            }
            return read
        }
        guard try start(first) != nil else { return (0, 0) }
        return try readVariablePackets(first, count: min(count, Int(clamping: packetCount - UInt64(first))), buffer, describe)
    }

    private func start(_ first: Int64) throws(AudioFileError) -> SoundFile.Packet? {
        guard first >= 0 else { throw .invalidPacketOffset }
        return packet(first)
    }

    /// Reads adjacent packets with one read. Other data may lie between packets.
    private func readVariablePackets(
        _ first: Int64, count: Int, _ buffer: UnsafeMutableRawBufferPointer, _ describe: (Int, PacketDescription) -> Void
    ) throws(AudioFileError) -> (packets: Int, bytes: Int) {
        var (packets, bytes) = (0, 0)
        while packets < count, let start = packet(first + Int64(packets)) {
            var (size, next) = (0, packets)
            while next < count, let packet = packet(first + Int64(next)), packet.offset == start.offset + UInt64(size),
                bytes + size + Int(packet.size) <= buffer.count
            {
                describe(
                    next,
                    PacketDescription(
                        startOffset: Int64(bytes + size), variableFrames: packet.frames, byteSize: packet.size))
                size += Int(packet.size)
                next += 1
            }
            guard next > packets else { break }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[bytes..<bytes + size])
            // The file may have become shorter since it was opened.
            guard try read(at: Int64(clamping: start.offset), room) == size else { throw .invalidFile }
            bytes += size
            packets = next
        }
        return (packets, bytes)
    }

    /// Writes packets of one size. They begin after the last packet at the latest.
    public func writePackets(_ first: Int64, count: Int, _ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        let size = Int(file.format.bytesPerPacket)
        // Packets that differ in size need descriptions.
        guard size > 0 else { throw isWritable ? .parameter : .operationNotSupported }
        guard let index = UInt64(exactly: first), index <= packetCount else { throw .invalidPacketOffset }
        let (needed, overflow) = count.multipliedReportingOverflow(by: size)
        guard count >= 0, !overflow, needed <= bytes.count else { throw .badPropertySize }
        try write(UnsafeRawBufferPointer(rebasing: bytes[..<needed]), at: Int64(clamping: index * UInt64(size)))
    }

    /// Appends packets that differ in size and lie one after the other in `bytes`. The last packet of a sound may have fewer
    /// frames than others; `framesOfLast` states this number.
    public func appendPackets(
        _ first: Int64, _ bytes: UnsafeRawBufferPointer, sizes: [UInt32], framesOfLast: UInt32 = 0
    ) throws(AudioFileError) {
        _ = try changeableWriter()
        guard file.hasVariablePackets else { throw .operationNotSupported }
        guard UInt64(exactly: first) == packetCount else { throw .invalidPacketOffset }
        try change { (writer: inout SoundFileWriter) throws(SoundFileError) in
            try writer.append(bytes, sizes: sizes, framesOfLast: framesOfLast, describing: !defersSizes)
        }
        largestVariablePacket = sizes.reduce(largestVariablePacket) { max($0, $1) }
    }
}
