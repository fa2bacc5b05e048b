// SPDX-License-Identifier: Apache-2.0
/// The bytes that a sound file is read from: a file, callbacks, or memory.
public protocol ByteSource: AnyObject {
    var size: UInt64 { get }
    /// Reads at most the bytes of `buffer`. Returns fewer only at the end.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int
}

/// The bytes that a sound file is written to.
public protocol ByteSink: AnyObject {
    /// Bytes may be written behind the end. Those between are 0.
    var allowsGaps: Bool { get }
    /// Writes all bytes, or throws.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError)
    /// Cuts the file off, or makes it longer.
    func setSize(_ size: UInt64) throws(SoundFileError)
}

/// A sound file in memory.
public final class ByteMemory: ByteSource, ByteSink {
    public private(set) var bytes: [UInt8]

    public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    public var size: UInt64 { UInt64(bytes.count) }
    public var allowsGaps: Bool { true }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        guard offset < size else { return 0 }
        let start = Int(offset)
        let count = min(buffer.count, bytes.count - start)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
        return count
    }

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        guard let start = Int(exactly: offset), start <= 1 << 32 else { throw .write(code: 0) }
        let end = start + bytes.count
        if end > self.bytes.count { self.bytes += [UInt8](repeating: 0, count: end - self.bytes.count) }
        self.bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[start..<end]).copyMemory(from: bytes) }
    }

    public func setSize(_ size: UInt64) throws(SoundFileError) {
        guard size <= 1 << 32 else { throw .write(code: 0) }
        let count = Int(size)
        if count < bytes.count { bytes.removeSubrange(count...) }
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
    }
}

/// A sound file cannot be read or written.
public enum SoundFileError: Error, Equatable, Sendable {
    /// The file is of no supported type.
    case unsupportedType
    /// The format of its data is not supported by the type.
    case unsupportedFormat
    /// The file contradicts itself or is cut off before its data.
    case invalidFile
    /// The data exceeds what the type can hold.
    case tooLarge
    /// Other chunks lie behind the data, which cannot grow.
    case notLast
    /// The storage failed; the code is its own.
    case read(code: Int32)
    case write(code: Int32)
}
