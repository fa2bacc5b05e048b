// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// A chunk of a file.
public struct SoundFileChunk: Equatable, Sendable {
    public var id: UInt32
    /// The offset and the size of the content.
    public var offset: UInt64
    public var size: UInt64

    /// True for chunks that state the format, or the size or offset of the data. Other chunks belong to the program.
    public var isStructural: Bool { SoundFileChunk.isStructural(id) }

    public static func isStructural(_ id: UInt32) -> Bool {
        [
            FourCC.fmt, FourCC.data, FourCC.fact, FourCC.ds64, FourCC.comm, FourCC.ssnd, FourCC.fver, FourCC.desc, FourCC.pakt,
            FourCC.kuki, FourCC.chan, FourCC.code("free"),
        ].contains(id)
    }
}

extension SoundFileType {
    /// The layout of the chunks of a file. Nil for types without chunks.
    var chunkLayout: (first: UInt64, isBigEndian: Bool, sizeBytes: Int, alignment: UInt64)? {
        switch self {
        case .wave: (12, false, 4, 2)
        case .aiff, .aifc: (12, true, 4, 2)
        case .caf: (8, true, 8, 1)
        default: nil
        }
    }

    /// The bytes of a chunk in a file.
    public func chunk(_ id: UInt32, _ content: [UInt8]) -> [UInt8] {
        guard let layout = chunkLayout else { return [] }
        var writer = ByteWriter(isBigEndian: layout.isBigEndian)
        writer.putCode(id)
        if layout.sizeBytes == 8 { writer.put64(UInt64(content.count)) } else { writer.put32(UInt32(clamping: content.count)) }
        writer.put(content)
        if UInt64(content.count) % layout.alignment != 0 { writer.put([0]) }
        return writer.bytes
    }

    public var hasChunks: Bool { chunkLayout != nil }

    /// All complete chunks of a file of this type.
    public func chunks(_ source: any ByteSource) throws(SoundFileError) -> [SoundFileChunk] {
        guard let layout = chunkLayout else { return [] }
        var reader = ByteReader(source)
        reader.isBigEndian = layout.isBigEndian
        reader.offset = layout.first
        var chunks: [SoundFileChunk] = []
        var largeData: UInt64?
        while reader.remaining >= UInt64(4 + layout.sizeBytes), chunks.count < ByteReader.largestChunkCount {
            let id = try reader.fourCC()
            var stated = layout.sizeBytes == 8 ? try reader.uint64() : UInt64(try reader.uint32())
            if self == .wave, id == FourCC.ds64, stated >= SoundFile.largeSizesBytes { largeData = try largeDataSize(reader) }
            if self == .wave, id == FourCC.data, stated == 0xFFFF_FFFF { stated = largeData ?? stated }
            let size = min(stated, reader.remaining)
            chunks.append(SoundFileChunk(id: id, offset: reader.offset, size: size))
            guard stated <= reader.remaining else { break }
            reader.skip(size + size % layout.alignment)
        }
        return chunks
    }

    /// The size of the data in the chunk `ds64`. It follows the size of the file.
    private func largeDataSize(_ reader: ByteReader) throws(SoundFileError) -> UInt64? {
        var reader = reader
        guard reader.remaining >= 16 else { return nil }
        reader.skip(8)
        return try reader.uint64()
    }
}

/// The offsets of the fields for the size in the header of a file. They are changed in place when the file grows.
struct HeaderFields: Sendable {
    var type: SoundFileType
    var dataOffset: UInt64
    /// The number of bytes between the size of the data's chunk and the data. The size includes them.
    var dataPrefix: UInt64
    var factOffset: UInt64?
    var commonOffset: UInt64?
    var packetTableOffset: UInt64?
    /// The offset of the sizes in the chunk `ds64` of RF64 and BW64.
    var largeSizesOffset: UInt64?
    /// The end of the data's chunk, or the end of the file if the chunk is cut off.
    var dataEnd: UInt64
    /// The number of bytes after the data that are not chunks. The size of the file in the header does not include them.
    var otherBytes: UInt64 = 0

    init(_ file: SoundFile, _ chunks: [SoundFileChunk]) {
        type = file.type
        dataOffset = file.dataOffset
        // The reader uses the last chunk with a name before the data. In CAF, a chunk may also follow the data, and the reader
        // uses the first table of packets.
        func last(_ id: UInt32) -> SoundFileChunk? {
            chunks.last { $0.id == id && (file.type == .caf && id != FourCC.data || $0.offset <= file.dataOffset) }
        }
        let data = last(file.type == .aiff || file.type == .aifc ? FourCC.ssnd : FourCC.data)
        dataPrefix = data.map { file.dataOffset - min($0.offset, file.dataOffset) } ?? 0
        dataEnd = data.map { $0.offset + $0.size + (file.type.padsChunks ? $0.size & 1 : 0) } ?? 0
        factOffset = last(FourCC.fact)?.offset
        commonOffset = last(FourCC.comm)?.offset
        largeSizesOffset = file.hasLargeSizes ? last(FourCC.ds64)?.offset : nil
        packetTableOffset = chunks.first { $0.id == FourCC.pakt }?.offset
    }

    /// The bytes that change with the size of the data, and their offsets.
    func patches(_ file: SoundFile) -> [(offset: UInt64, bytes: [UInt8])] {
        let padding = type.padsChunks ? file.dataSize & 1 : 0
        let end = dataOffset + file.dataSize + padding + file.trailingSize - min(otherBytes, file.trailingSize)
        func big(_ value: UInt64) -> [UInt8] { bigEndianBytes(UInt32(clamping: value)) }
        func little(_ value: UInt64) -> [UInt8] { big(value).reversed() }
        let sizeOffset = dataOffset - min(dataPrefix + (type == .caf ? 8 : 4), dataOffset)
        switch type {
        case .wave:
            let fact = factOffset.map { [(offset: $0, bytes: little(file.framesOfPackets))] }
            if let largeSizesOffset {
                let sizes = [end - 8, file.dataSize, file.framesOfPackets].flatMap { bigEndianBytes($0).reversed() }
                return [(largeSizesOffset, sizes), (sizeOffset, little(.max))] + (fact ?? [])
            }
            return [(4, little(end - 8)), (sizeOffset, little(file.dataSize))] + (fact ?? [])
        case .aiff, .aifc:
            let common = commonOffset.map { [(offset: $0 + 2, bytes: big(file.packetCount))] }
            return [(4, big(end - 8)), (sizeOffset, big(file.dataSize + dataPrefix))] + (common ?? [])
        case .next: return [(8, big(file.dataSize))]
        case .mp1, .mp2, .mp3, .adts, .m4a, .mp4: return []
        case .caf:
            let size = (offset: sizeOffset, bytes: bigEndianBytes(file.dataSize + dataPrefix))
            guard let packetTableOffset else { return [size] }
            let counts = bigEndianBytes(file.packetCount) + bigEndianBytes(file.frameCount)
            return [size, (packetTableOffset, counts)]
        }
    }
}
