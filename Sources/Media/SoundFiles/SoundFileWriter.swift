// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// Writes the packets of a sound file.
///
/// After `synchronize` the file is valid up to its last packet. Packets that differ in size are also described while they are
/// appended.
public struct SoundFileWriter {
    public internal(set) var file: SoundFile
    let sink: any ByteSink
    /// The offsets of the sizes in the header of another program. Nil for a header of this library, which is written as a
    /// whole.
    var fields: HeaderFields?
    /// Chunks that are written after the data.
    private(set) var trailingChunks: [UInt8] = []
    /// The last packet has fewer frames. The frames after the sound are those that it lacks.
    var hasShortPacket = false
    /// The data's chunk is larger than the data.
    private var hasFiller = false
    /// The stored table of packets that differ in size; nil if the file has no valid table.
    var storedTable: StoredTable?

    /// Writes the header of a file without packets.
    public init(
        _ sink: any ByteSink, type: SoundFileType, format: StreamDescription, magicCookie: [UInt8] = [],
        channelLayout: [UInt8] = [], leadingChunks: [UInt8] = []
    ) throws(SoundFileError) {
        guard type.holds(format) else { throw .unsupportedFormat }
        file = SoundFile(type: type, format: format, dataOffset: 0, dataSize: 0)
        if type == .caf || type == .m4a || type == .mp4 { file.magicCookie = magicCookie }
        if type == .caf { file.channelLayout = channelLayout }
        file.leadingChunks = leadingChunks
        file.dataOffset = UInt64(file.header.count)
        self.sink = sink
        // The table of packets follows the header.
        if file.hasVariablePackets { try write(file.header, in: 0) }
        try synchronize()
    }

    /// Larger chunks after the data do not move.
    public static let largestTrailingSize: UInt64 = 1 << 24

    /// Changes an existing file. Its sizes are changed in place. Packets that the file describes one by one cannot change, because
    /// bytes of the data would have no description.
    public init(changing file: SoundFile, _ source: any ByteSource, _ sink: any ByteSink) throws(SoundFileError) {
        guard file.format.bytesPerPacket > 0, file.format.framesPerPacket > 0 else { throw .unsupportedFormat }
        self.file = file
        // The number of frames is computed from the packets.
        self.file.statedFrames = nil
        self.sink = sink
        let chunks = try file.type.chunks(source)
        let fields = HeaderFields(file, chunks)
        self.fields = fields
        let padding = file.type.padsChunks ? file.dataSize & 1 : 0
        // Bytes of the data's chunk after the data are filler. The first change of the file removes them.
        let end = max(file.dataOffset + file.dataSize + padding, fields.dataEnd)
        let size = source.size
        hasFiller = fields.dataEnd > file.dataOffset + file.dataSize + padding
        self.file.trailingSize = size > end ? size - end : 0
        // Chunks that do not state the format move when the end of the data moves.
        let isMovable =
            !chunks.contains { $0.offset > end && $0.isStructural }
            && self.file.trailingSize <= SoundFileWriter.largestTrailingSize
        guard isMovable, self.file.trailingSize > 0 else { return }
        var reader = ByteReader(source)
        reader.offset = end
        trailingChunks = try reader.bytes(Int(self.file.trailingSize))
        self.fields?.otherBytes = UInt64(trailingChunks.count - file.type.sizeOfChunks(trailingChunks))
    }

    /// Appends whole packets. Bytes after the last whole packet are an error; in that case nothing is written.
    public mutating func append(_ packets: UnsafeRawBufferPointer) throws(SoundFileError) {
        guard file.format.bytesPerPacket > 0, packets.count % Int(file.format.bytesPerPacket) == 0 else { throw .invalidFile }
        try write(packets, at: file.dataSize)
    }

    /// Writes bytes of the data. They may replace other bytes. They begin at the end of the data at the latest.
    public mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        // Bytes that belong to no packet cannot be described.
        guard !file.hasVariablePackets else { throw .unsupportedFormat }
        guard offset <= file.dataSize else { throw .invalidFile }
        let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
        guard !overflow, end <= (fields?.largeSizesOffset == nil ? file.type.largestData : 1 << 62) else { throw .tooLarge }
        // The data would overwrite the chunks that follow it.
        guard end <= file.dataSize || file.trailingSize == UInt64(trailingChunks.count) else { throw .notLast }
        do throws(SoundFileError) { try sink.write(bytes, at: file.dataOffset + offset) } catch {
            if end > file.dataSize { removeBytesAfterData() }
            throw error
        }
        file.dataSize = max(file.dataSize, end)
    }

    /// Removes the bytes after the first `size` bytes of the data, which a call has appended whose header could not be written.
    public mutating func revert(to size: UInt64) {
        guard size < file.dataSize, !file.hasVariablePackets else { return }
        file.dataSize = size
        removeBytesAfterData()
        do throws(SoundFileError) { try synchronize() } catch {}
    }

    /// Removes the bytes of a write that has failed, and writes the chunks that they have replaced. Its error is the one that the
    /// program sees: if this fails as well, `synchronize` tries again.
    private func removeBytesAfterData() {
        let padding = file.dataSize & 1 == 1 && file.type.padsChunks ? [UInt8(0)] : []
        do throws(SoundFileError) {
            try sink.setSize(file.dataOffset + file.dataSize)
            try write(padding + trailingChunks, in: file.dataOffset + file.dataSize)
        } catch {}
    }

    /// Keeps only the first `size` bytes of the data.
    public mutating func shorten(to size: UInt64) throws(SoundFileError) {
        guard size <= file.dataSize else { throw .invalidFile }
        guard !file.hasVariablePackets else { throw .unsupportedFormat }
        guard file.trailingSize == UInt64(trailingChunks.count) else { throw .notLast }
        file.dataSize = size
        try sink.setSize(file.dataOffset + size)
        try synchronize()
    }

    /// Sets the frames that a decoder produces before and after the sound. CAF and MPEG-4 store them.
    public mutating func setFrames(priming: UInt32, remainder: UInt32) {
        guard file.type.hasPacketTable, file.format.framesPerPacket > 1, fields == nil else { return }
        file.primingFrames = priming
        file.remainderFrames = remainder
        hasShortPacket = false
    }

    /// Sets the chunks of the program, as bytes of the file. They follow the data.
    public mutating func setTrailingChunks(_ chunks: [UInt8]) {
        trailingChunks = chunks
        file.trailingSize = UInt64(chunks.count)
    }

    /// Writes the sizes into the header, pads the last chunk, and writes the table of packets and the chunks of the program.
    public mutating func synchronize() throws(SoundFileError) {
        if file.hasVariablePackets { return try synchronizeTable() }
        // If the chunks after the data cannot move, the data keeps its size, and the header keeps its sizes.
        guard file.trailingSize == UInt64(trailingChunks.count) else { return }
        let padding = file.dataSize & 1 == 1 && file.type.padsChunks ? [UInt8(0)] : []
        let end = padding + trailingChunks
        if !end.isEmpty { try write(end, in: file.dataOffset + file.dataSize) }
        guard let fields else { return try write(file.header, in: 0) }
        for patch in fields.patches(file) { try write(patch.bytes, in: patch.offset) }
        guard hasFiller else { return }
        try sink.setSize(file.dataOffset + file.dataSize + UInt64(end.count))
        hasFiller = false
    }

    func write(_ bytes: [UInt8], in offset: UInt64) throws(SoundFileError) {
        var failure: SoundFileError?
        bytes.withUnsafeBytes { bytes in
            do throws(SoundFileError) { try sink.write(bytes, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
extension SoundFileType {
    /// Chunks begin at even offsets.
    public var padsChunks: Bool { self == .wave || self == .aiff || self == .aifc }

    /// Sizes of chunks have 32 bits in all types except CAF and MPEG-4. The limit leaves room for the header.
    var largestData: UInt64 { hasPacketTable ? 1 << 62 : 0xFFFF_FF00 }

    /// The file states the packets, and the frames before and after the sound.
    public var hasPacketTable: Bool { self == .caf || self == .m4a || self == .mp4 }

    private func holdsVariablePackets(_ format: StreamDescription) -> Bool {
        guard 1...65_536 ~= format.framesPerPacket, format.bytesPerFrame == 0 else { return false }
        switch self {
        case .caf: return true
        case .m4a, .mp4: return format.formatID == FourCC.code("aac ") || format.formatID == FourCC.code("alac")
        default: return false
        }
    }

    /// Whether a file of this type can contain data of this format.
    public func holds(_ format: StreamDescription) -> Bool {
        guard isWritable, 1...1_024 ~= format.channelsPerFrame, 1...0xFFFF_FFFF ~= format.sampleRate else { return false }
        guard format.formatID == FormatID.linearPCM else {
            if format.bytesPerPacket == 0 { return holdsVariablePackets(format) }
            guard let codec = try? simpleCodec(format.formatID, rate: format.sampleRate, channels: format.channelsPerFrame),
                codec.bytesPerPacket == format.bytesPerPacket, codec.framesPerPacket == format.framesPerPacket
            else { return false }
            guard self != .m4a, self != .mp4 else { return false }
            return format.formatID != FormatID.appleIMA4 && self != .aiff || self == .caf || self == .aifc
        }
        let flags = format.formatFlags
        let isFloat = flags.contains(.float)
        let bits = format.bitsPerChannel
        guard !flags.contains(.nonInterleaved), flags.fractionBits == 0, format.framesPerPacket == 1,
            isFloat ? bits == 32 || bits == 64 : bits == 8 || bits == 16 || bits == 24 || bits == 32,
            format.bytesPerFrame == bits / 8 * format.channelsPerFrame, format.bytesPerPacket == format.bytesPerFrame
        else { return false }
        let isSigned = isFloat || flags.contains(.signedInteger)
        let isBigEndian = flags.contains(.bigEndian) || bits == 8
        let isLittleEndian = !flags.contains(.bigEndian)
        switch self {
        case .wave: return isLittleEndian && isSigned == (bits > 8)
        case .aiff: return isBigEndian && isSigned && !isFloat
        case .aifc: return isSigned && (isBigEndian || bits == 16)
        case .next: return isBigEndian && isSigned
        case .caf: return isSigned
        case .mp1, .mp2, .mp3, .adts, .m4a, .mp4: return false
        }
    }
}
