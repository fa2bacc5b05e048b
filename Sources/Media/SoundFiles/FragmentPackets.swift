// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The packets of an MPEG-4 stream, which its fragments describe one after another.
final class FragmentPackets {
    /// The limit for packets that are described before they arrive. A stream with more is refused, to bound the memory.
    private static let largestPacketCount = 1 << 18
    static var fragments: MovieFragments { MovieFragments(largestPacketCount: largestPacketCount) }

    private var fragments: MovieFragments
    /// The described packets by their offsets, and the next one.
    private var packets: [SoundFile.Packet] = []
    private var index = 0
    /// The offset of the next box.
    private var nextBox: UInt64

    private init(_ fragments: MovieFragments, nextBox: UInt64) {
        self.fragments = fragments
        self.nextBox = nextBox
        self.fragments.removePackets()
    }

    /// Takes the packets out of the file. The number of its packets is then unknown.
    static func make(
        _ file: inout SoundFile, _ fragments: MovieFragments, nextBox: UInt64
    ) throws(SoundFileError) -> FragmentPackets {
        // In Embedded Swift, an error of a class's initializer leaks the object.
        let made = FragmentPackets(fragments, nextBox: nextBox)
        try made.append(file.packets, from: file.dataOffset)
        if made.packets.isEmpty { file.dataOffset = nextBox }
        (file.packets, file.dataSize) = ([], 0)
        (file.remainderFrames, file.statedFrames) = (0, nil)
        return made
    }

    /// The complete packets at the beginning of the bytes. `position` is the offset of the bytes.
    func next(in bytes: [UInt8], at position: UInt64) throws(SoundStreamError) -> PacketBatch {
        var batch = PacketBatch()
        batch.available = bytes.count
        while true {
            let packet = index < packets.count ? packets[index].offset : .max
            let next = min(packet, nextBox)
            // The stream has already passed the offset of this box or packet.
            guard next >= position else { throw packet < nextBox ? .notOptimized : .invalidFile }
            guard next == position else {
                batch.consumed = Int(clamping: next - position)
                return batch
            }
            guard packet >= nextBox else { break }
            guard try readBox(bytes) else { return batch }
        }
        while index < packets.count, packets[index].offset < nextBox,
            try batch.append(packets[index], at: packets[index].offset, bytes, position)
        { index += 1 }
        batch.consumed = batch.end
        return batch
    }

    /// Reads the box at the beginning of the bytes. False if more bytes are needed.
    private func readBox(_ bytes: [UInt8]) throws(SoundStreamError) -> Bool {
        guard bytes.count >= 16 else { return false }
        var size = UInt64(bigEndian(bytes, 0))
        let isLarge = size == 1
        if isLarge { size = UInt64(bigEndian(bytes, 8)) << 32 | UInt64(bigEndian(bytes, 12)) }
        let header: UInt64 = isLarge ? 16 : 8
        // The last box extends to the end of the stream, or has no end.
        guard size >= header, size < HeaderScanner.unknownSize - nextBox else {
            nextBox = .max
            return true
        }
        if bigEndian(bytes, 4) == FourCC.code("moof") {
            guard size <= UInt64(SoundStream.largestHeader) else { throw .invalidFile }
            guard bytes.count >= Int(size) else { return false }
            let source = PartSource(bytes, at: nextBox, count: Int(size), size: HeaderScanner.unknownSize)
            do throws(SoundFileError) {
                try readFragment(source, header: header, end: nextBox + size)
            } catch {
                throw .invalidFile
            }
        }
        nextBox += size
        return true
    }

    private func readFragment(_ source: PartSource, header: UInt64, end: UInt64) throws(SoundFileError) {
        var reader = ByteReader(source)
        reader.offset = nextBox + header
        try fragments.readFragment(&reader, from: nextBox, to: end)
        let left = packets.count - index
        guard left + fragments.packets.count <= FragmentPackets.largestPacketCount else { throw .tooLarge }
        try append(fragments.packets, from: 0)
        fragments.removePackets()
    }

    /// Appends packets. The tables of a movie may describe more than the limit.
    private func append(_ described: [SoundFile.Packet], from start: UInt64) throws(SoundFileError) {
        if index >= packets.count / 2 {
            packets.removeFirst(index)
            index = 0
        }
        for packet in described {
            guard packet.size <= SoundStream.largestPacket else { throw .invalidFile }
            packets.append(SoundFile.Packet(offset: start + packet.offset, size: packet.size, frames: 0))
        }
    }
}
