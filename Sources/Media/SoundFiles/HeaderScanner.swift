// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// Finds the end of a header at the beginning of a file: the chunks or boxes before the data.
struct HeaderScanner {
    struct Result {
        /// The size of the file, if the header states it.
        var fileSize: UInt64
        /// The size of the header of an MPEG-4 file.
        var headerSize = 0
    }

    /// The size of a file whose header does not state it.
    static let unknownSize: UInt64 = 1 << 62

    private let magic: UInt32
    private var offset = 0
    private var hasFormat = false
    private var hasPackets = false
    private var isVariable = false
    private var largeData: UInt64?
    private var chunks = 0

    init(_ magic: UInt32) { self.magic = magic }

    /// Nil if more bytes are needed. Bytes that have been scanned are not scanned again.
    mutating func scan(_ bytes: [UInt8]) throws(SoundStreamError) -> Result? {
        switch magic {
        case FourCC.snd: return bytes.count >= 28 ? Result(fileSize: HeaderScanner.unknownSize) : nil
        case FourCC.caff: return try scanCAF(bytes)
        case FourCC.code("ftyp"): return try scanBoxes(bytes)
        default: return try scanChunks(bytes)
        }
    }

    private mutating func advance(_ count: UInt64) throws(SoundStreamError) {
        chunks += 1
        guard chunks < ByteReader.largestChunkCount, count <= UInt64(SoundStream.largestHeader),
            offset + Int(count) <= SoundStream.largestHeader
        else { throw .invalidFile }
        offset += Int(count)
    }

    // MARK: WAVE and AIFF

    private mutating func scanChunks(_ bytes: [UInt8]) throws(SoundStreamError) -> Result? {
        if offset == 0 { offset = 12 }
        let isWave = magic != FourCC.form
        while bytes.count >= offset + 8 {
            let id = bigEndian(bytes, offset)
            var size = UInt64(bigEndian(bytes, offset + 4))
            if isWave { size = UInt64(UInt32(truncatingIfNeeded: size).byteSwapped) }
            if id == FourCC.data, isWave {
                let stated = size == 0xFFFF_FFFF ? largeData ?? HeaderScanner.unknownSize : size
                // The stated size has 64 bits and can have any value. The addition must not overflow.
                return Result(fileSize: UInt64(offset) + 8 + min(stated, HeaderScanner.unknownSize))
            }
            if id == FourCC.ssnd {
                guard hasFormat else { throw .notOptimized }
                guard bytes.count >= offset + 16 else { return nil }
                return Result(fileSize: UInt64(offset) + 8 + max(size, 8))
            }
            if id == FourCC.ds64, size >= SoundFile.largeSizesBytes, bytes.count >= offset + 24 {
                largeData = (0..<8).reduce(0) { $0 | UInt64(bytes[offset + 16 + $1]) << UInt64(8 * $1) }
            }
            guard UInt64(bytes.count - offset) >= 8 + size else { return try reserve(size + 8) }
            if id == FourCC.comm { hasFormat = true }
            try advance(8 + size + size & 1)
        }
        return nil
    }

    /// Nil while the chunk is incomplete. Throws if it cannot become complete.
    private func reserve(_ size: UInt64) throws(SoundStreamError) -> Result? {
        guard UInt64(offset) + size <= UInt64(SoundStream.largestHeader) else { throw .invalidFile }
        return nil
    }

    // MARK: CAF

    private mutating func scanCAF(_ bytes: [UInt8]) throws(SoundStreamError) -> Result? {
        if offset == 0 { offset = 8 }
        while bytes.count >= offset + 12 {
            let id = bigEndian(bytes, offset)
            let size = UInt64(bigEndian(bytes, offset + 4)) << 32 | UInt64(bigEndian(bytes, offset + 8))
            if id == FourCC.data {
                guard hasFormat else { throw .invalidFile }
                guard !isVariable || hasPackets else { throw .notOptimized }
                guard bytes.count >= offset + 16 else { return nil }
                // A size of -1 is open.
                let isOpen = size >= HeaderScanner.unknownSize
                return Result(fileSize: isOpen ? HeaderScanner.unknownSize : UInt64(offset) + 12 + size)
            }
            guard size < HeaderScanner.unknownSize else { throw .invalidFile }
            guard UInt64(bytes.count - offset) >= 12 + size else { return try reserve(size + 12) }
            if id == FourCC.desc, size >= 32 {
                hasFormat = true
                isVariable = bigEndian(bytes, offset + 28) == 0 || bigEndian(bytes, offset + 32) == 0
            }
            if id == FourCC.pakt { hasPackets = true }
            try advance(12 + size)
        }
        return nil
    }

    // MARK: MPEG-4

    private mutating func scanBoxes(_ bytes: [UInt8]) throws(SoundStreamError) -> Result? {
        while bytes.count >= offset + 16 {
            var size = UInt64(bigEndian(bytes, offset))
            let id = bigEndian(bytes, offset + 4)
            if size == 1 { size = UInt64(bigEndian(bytes, offset + 8)) << 32 | UInt64(bigEndian(bytes, offset + 12)) }
            if id == FourCC.code("mdat") {
                guard hasFormat else { throw .notOptimized }
                return Result(fileSize: HeaderScanner.unknownSize, headerSize: offset)
            }
            guard size >= 8, size < HeaderScanner.unknownSize else { throw .invalidFile }
            guard UInt64(bytes.count - offset) >= size else { return try reserve(size) }
            if id == FourCC.code("moov") { hasFormat = true }
            try advance(size)
        }
        return nil
    }
}
