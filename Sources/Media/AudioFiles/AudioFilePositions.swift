// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import SoundFiles

// The relations of packets, frames and bytes of a file.

extension AudioFile {
    /// Nothing follows the data.
    var isOptimized: Bool { file.trailingSize == 0 }

    /// The bytes of the largest packet.
    public var largestPacket: UInt32 {
        file.format.bytesPerPacket > 0 ? file.format.bytesPerPacket : largestVariablePacket
    }

    /// The bytes of the packets.
    var audioBytes: UInt64 { file.packets.isEmpty ? file.dataSize : file.packets.reduce(0) { $0 + UInt64($1.size) } }

    /// Seconds of sound.
    public var duration: Double {
        file.format.sampleRate > 0 ? Double(file.frameCount) / file.format.sampleRate : 0
    }

    /// Bits per second; the average of all packets if their rates differ.
    public var bitRate: UInt32 {
        guard file.format.sampleRate > 0 else { return 0 }
        var (bytes, frames) = (Double(audioBytes), Double(file.framesOfPackets))
        if file.format.bytesPerPacket > 0, file.format.framesPerPacket > 0 {
            (bytes, frames) = (Double(file.format.bytesPerPacket), Double(file.format.framesPerPacket))
        }
        guard frames > 0 else { return 0 }
        return UInt32(min((bytes * 8 * file.format.sampleRate / frames).rounded(), 4_294_967_295))
    }

    /// The first frame of a packet. The packet number after the last one gives the end.
    public func firstFrame(ofPacket packet: Int64) -> Int64? {
        guard let index = UInt64(exactly: packet), index <= packetCount else { return nil }
        if file.format.framesPerPacket > 0 {
            let (frame, overflow) = index.multipliedReportingOverflow(by: UInt64(file.format.framesPerPacket))
            return overflow ? nil : Int64(exactly: frame)
        }
        return Int64(exactly: file.packets[..<Int(index)].reduce(0) { $0 &+ UInt64($1.frames) })
    }

    /// The packet that contains a frame, and the index of the frame in the packet.
    public func packet(ofFrame frame: Int64) -> (packet: Int64, frame: Int64)? {
        guard frame >= 0, UInt64(frame) <= file.framesOfPackets else { return nil }
        let framesPerPacket = Int64(file.format.framesPerPacket)
        if framesPerPacket > 0 { return (frame / framesPerPacket, frame % framesPerPacket) }
        var first: Int64 = 0
        for (index, packet) in file.packets.enumerated() {
            if frame < first + Int64(packet.frames) { return (Int64(index), frame - first) }
            first += Int64(packet.frames)
        }
        return (Int64(file.packets.count), 0)
    }

    /// The packet that contains a byte of the data, and the offset of the byte in the packet.
    func packet(ofByte byte: Int64) -> (packet: Int64, byte: Int64)? {
        guard let offset = UInt64(exactly: byte), offset < file.dataSize else { return nil }
        let size = Int64(file.format.bytesPerPacket)
        if size > 0 { return (byte / size, byte % size) }
        var (low, high) = (0, file.packets.count)
        while low < high {
            let middle = (low + high) / 2
            if file.packets[middle].offset + UInt64(file.packets[middle].size) <= offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < file.packets.count, file.packets[low].offset <= offset else { return nil }
        return (Int64(low), Int64(offset - file.packets[low].offset))
    }
}
