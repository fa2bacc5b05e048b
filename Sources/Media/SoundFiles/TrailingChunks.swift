// SPDX-License-Identifier: Apache-2.0

// The bytes after the data of a file that another program has written: chunks, or other bytes.

extension SoundFileType {
    /// The number of bytes at the beginning that are complete chunks. Only the last chunk may lack its pad byte.
    func sizeOfChunks(_ bytes: [UInt8]) -> Int {
        guard let layout = chunkLayout else { return 0 }
        let header = 4 + layout.sizeBytes
        var offset = 0
        while bytes.count - offset >= header, bytes[offset..<offset + 4].allSatisfy({ 0x20...0x7E ~= $0 }) {
            let size = bytes[offset + 4..<offset + header]
            let ordered = layout.isBigEndian ? Array(size) : size.reversed()
            let stated = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard stated <= UInt64(bytes.count - offset - header) else { break }
            offset = min(offset + header + Int(stated + stated % layout.alignment), bytes.count)
        }
        return offset
    }
}

extension SoundFileWriter {
    /// True if all bytes after the data are chunks.
    public var hasOnlyChunks: Bool {
        file.trailingSize == UInt64(trailingChunks.count) && file.type.sizeOfChunks(trailingChunks) == trailingChunks.count
    }

    /// Moves the chunks after the data to a position before the data. A table of packets is not moved. Other bytes after the
    /// data are an error: before the data they would prevent readers from finding it.
    public mutating func optimize(_ source: any ByteSource) throws(SoundFileError) {
        guard file.trailingSize > 0, !file.hasVariablePackets else { return }
        guard hasOnlyChunks else { throw .notLast }
        // The data's chunk must begin at an even offset.
        if file.type.padsChunks, trailingChunks.count & 1 == 1 { setTrailingChunks(trailingChunks + [0]) }
        // The data's chunk begins with its identifier and size.
        let prefix = if let fields { fields.dataPrefix } else { HeaderFields(file, try file.type.chunks(source)).dataPrefix }
        let start = file.dataOffset - min(prefix + (file.type == .caf ? 12 : 8), file.dataOffset)
        try move(source, from: start, to: start + file.trailingSize, size: file.dataOffset - start + file.dataSize)
        try write(trailingChunks, in: start)
        file.leadingChunks += trailingChunks
        file.dataOffset += file.trailingSize
        fields?.dataOffset = file.dataOffset
        setTrailingChunks([])
        let padding = file.type.padsChunks ? file.dataSize & 1 : 0
        try sink.setSize(file.dataOffset + file.dataSize + padding)
        try synchronize()
    }

    /// Moves bytes towards the end of the file. The last bytes are moved first.
    private func move(_ source: any ByteSource, from: UInt64, to: UInt64, size: UInt64) throws(SoundFileError) {
        var reader = ByteReader(source)
        var left = size
        while left > 0 {
            let count = min(left, 1 << 16)
            left -= count
            reader.offset = from + left
            try write(try reader.bytes(Int(count)), in: to + left)
        }
    }
}
