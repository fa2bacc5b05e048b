// SPDX-License-Identifier: Apache-2.0
import MediaFormats

// The tables of files whose packets differ in size. They lie behind the data, because they grow with it.

extension SoundFile {
    /// Packets differ in size.
    public var hasVariablePackets: Bool { format.bytesPerPacket == 0 }

    /// The chunk or box that describes the packets, as bytes of the file.
    var packetTable: [UInt8] {
        guard hasVariablePackets else { return [] }
        return switch type {
        case .caf: cafPacketTable
        case .m4a, .mp4: movie
        default: []
        }
    }

    private var cafPacketTable: [UInt8] {
        var table = ByteWriter()
        table.put64(packetCount)
        table.put64(frameCount)
        table.put32(primingFrames)
        table.put32(remainderFrames)
        for packet in packets { table.putPacketNumber(packet.size) }
        var writer = ByteWriter()
        writer.putCode(FourCC.pakt)
        writer.put64(UInt64(table.bytes.count))
        writer.put(table.bytes)
        return writer.bytes
    }
}

extension ByteWriter {
    /// A number in groups of 7 bits, the highest first. All groups but the last have the top bit set.
    fileprivate mutating func putPacketNumber(_ number: UInt32) {
        var shift: UInt32 = 28
        while shift > 0, number >> shift == 0 { shift -= 7 }
        while shift > 0 {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift) | 0x80)
            shift -= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number) & 0x7F)
    }
}
