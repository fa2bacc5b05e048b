// SPDX-License-Identifier: Apache-2.0
/// A file, callbacks, or memory, from which a sound file is read.
public protocol ByteSource: AnyObject {
    var size: UInt64 { get }
    /// Reads at most the bytes of `buffer`. Returns fewer only at the end.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int
}

/// A file, callbacks, or memory, to which a sound file is written.
public protocol ByteSink: AnyObject {
    /// Bytes may be written after the end of the file. The bytes of the gap are 0.
    var allowsGaps: Bool { get }
    /// Writes all bytes, or throws.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError)
    /// Truncates or extends the file.
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

/// The error of reading or writing a sound file.
public enum SoundFileError: Error, Equatable, Sendable {
    /// The type of the file is not supported.
    case unsupportedType
    /// The type does not support the format of the data.
    case unsupportedFormat
    /// The file contradicts itself, or ends before its data.
    case invalidFile
    /// The data is larger than the type allows.
    case tooLarge
    /// Other chunks follow the data, which therefore cannot grow.
    case notLast
    /// The storage failed, with its own error code.
    case read(code: Int32)
    case write(code: Int32)
}
