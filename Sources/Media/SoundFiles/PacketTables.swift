// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

// The tables of files whose packets differ in size. They follow the data, because they grow with it.

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
        var numbers = ByteWriter()
        for packet in packets { numbers.putPacketNumber(packet.size) }
        return cafPacketCounts(numbers: UInt64(numbers.bytes.count)) + numbers.bytes
    }

    /// The beginning of the chunk, which states the number of bytes of the numbers.
    func cafPacketCounts(numbers: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.putCode(FourCC.pakt)
        writer.put64(24 + numbers)
        writer.put64(packetCount)
        writer.put64(frameCount)
        writer.put32(primingFrames)
        writer.put32(remainderFrames)
        return writer.bytes
    }
}

extension ByteWriter {
    /// A number in groups of 7 bits, the highest first. All groups except the last one have the top bit set.
    mutating func putPacketNumber(_ number: UInt32) {
        var shift: UInt32 = 28
        while shift > 0, number >> shift == 0 { shift -= 7 }
        while shift > 0 {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift) | 0x80)
            shift -= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number) & 0x7F)
    }
}
