// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// Reads the fields of a header one after another.
struct ByteReader {
    /// A file with more chunks is refused. The limit bounds the time of the read.
    static let largestChunkCount = 4_096

    let source: any ByteSource
    let size: UInt64
    var offset: UInt64 = 0
    var isBigEndian = true
    /// The nesting level of boxes. Deeper boxes are not read, because each level needs memory on the stack.
    var depth = 0
    static let largestDepth = 16
    /// Bytes that have been read ahead: fields are small, and each read may be a call of the system or of the program.
    private var window: [UInt8] = []
    private var windowOffset: UInt64 = 0
    private static let windowSize = 4_096

    init(_ source: any ByteSource) {
        self.source = source
        size = source.size
    }

    var remaining: UInt64 { size > offset ? size - offset : 0 }

    mutating func bytes(_ count: Int) throws(SoundFileError) -> [UInt8] {
        guard count >= 0, UInt64(count) <= remaining else { throw .invalidFile }
        if count > ByteReader.windowSize {
            let bytes = try read(count, atLeast: count)
            offset += UInt64(count)
            return bytes
        }
        let start = try advance(count)
        return Array(window[start..<start + count])
    }

    /// Advances by `count` bytes, at most the size of a window. Returns their offset in the window.
    private mutating func advance(_ count: Int) throws(SoundFileError) -> Int {
        guard UInt64(count) <= remaining else { throw .invalidFile }
        if offset < windowOffset || offset + UInt64(count) > windowOffset + UInt64(window.count) {
            window = try read(Int(min(UInt64(ByteReader.windowSize), remaining)), atLeast: count)
            windowOffset = offset
        }
        let start = Int(offset - windowOffset)
        offset += UInt64(count)
        return start
    }

    /// Reads at least `wanted` bytes. The size that a program states may be larger than its file.
    private func read(_ count: Int, atLeast wanted: Int) throws(SoundFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var failure: SoundFileError?
        var read = 0
        bytes.withUnsafeMutableBytes { buffer in
            do throws(SoundFileError) { read = try source.read(at: offset, into: buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        guard read >= wanted else { throw .invalidFile }
        bytes.removeSubrange(read...)
        return bytes
    }

    private mutating func integer(_ count: Int) throws(SoundFileError) -> UInt64 {
        var value: UInt64 = 0
        let start = try advance(count)
        for index in 0..<count { value = value << 8 | UInt64(window[start + (isBigEndian ? index : count - 1 - index)]) }
        return value
    }

    mutating func uint16() throws(SoundFileError) -> UInt32 { UInt32(try integer(2)) }
    mutating func uint32() throws(SoundFileError) -> UInt32 { UInt32(try integer(4)) }
    mutating func uint64() throws(SoundFileError) -> UInt64 { try integer(8) }

    /// The identifier of a chunk, which is big-endian in every file.
    mutating func fourCC() throws(SoundFileError) -> UInt32 {
        let wasBigEndian = isBigEndian
        isBigEndian = true
        defer { isBigEndian = wasBigEndian }
        return try uint32()
    }

    mutating func skip(_ count: UInt64) { offset = offset.addingReportingOverflow(min(count, remaining)).partialValue }
}

/// The identifiers of files and chunks.
extension FourCC {
    static let riff = code("RIFF"), rf64 = code("RF64"), bw64 = code("BW64"), wave = code("WAVE"), fmt = code("fmt "),
        data = code("data")
    static let fact = code("fact"), ds64 = code("ds64")
    static let form = code("FORM"), aiff = code("AIFF"), aifc = code("AIFC"), comm = code("COMM"), ssnd = code("SSND")
    static let fver = code("FVER")
    static let caff = code("caff"), desc = code("desc"), pakt = code("pakt"), kuki = code("kuki"), chan = code("chan")
    static let snd = code(".snd")
}
