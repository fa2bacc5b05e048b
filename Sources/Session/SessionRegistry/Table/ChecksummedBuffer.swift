// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Bytes that end with a checksum of the preceding bytes. A read outside of the buffer returns zeros, and a write outside has no
/// effect, because any process may have written the offsets.
struct ChecksummedBuffer {
    private(set) var bytes: [UInt8]

    init(size: Int) { bytes = [UInt8](repeating: 0, count: size) }
    init(bytes: [UInt8]) { self.bytes = bytes }

    func slice(_ range: Range<Int>) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= size else { return [] }
        return bytes.withUnsafeBytes { source in
            [UInt8](unsafeUninitializedCapacity: range.count) { target, count in
                UnsafeMutableRawBufferPointer(target).copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
                count = range.count
            }
        }
    }

    var size: Int { bytes.count }

    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type = Number.self) -> Number {
        value(at: offset, otherwise: 0)
    }

    func value<Value: BitwiseCopyable>(at offset: Int, otherwise: Value) -> Value {
        guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return otherwise }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    mutating func set<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
        guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return }
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: Value.self) }
    }

    /// Whether the first bytes are those of the other buffer.
    func begins(with other: ChecksummedBuffer) -> Bool {
        guard size >= other.size else { return false }
        return bytes.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { linux_same_bytes(own.baseAddress, $0.baseAddress, $0.count) }
        }
    }

    /// Overwrites bytes of this buffer. `body` returns how many; zeros follow to the end of the range.
    mutating func fill(_ range: Range<Int>, _ body: (UnsafeMutableRawPointer?) -> Int) {
        guard range.lowerBound >= 0, range.upperBound <= size else { return }
        bytes.withUnsafeMutableBytes { buffer in
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[range])
            let count = min(max(body(target.baseAddress), 0), range.count)
            linux_clear_bytes(target.baseAddress?.advanced(by: count), range.count - count)
        }
    }

    mutating func clear(_ range: Range<Int>) { fill(range) { _ in 0 } }

    mutating func replace(_ range: Range<Int>, with source: [UInt8]) {
        bytes.withUnsafeMutableBytes { target in
            source.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[range]).copyMemory(from: $0) }
        }
    }

    var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether these bytes end with their checksum.
    func isIntact(_ range: Range<Int>) -> Bool {
        guard let sum = sum(of: range) else { return false }
        return number(at: range.upperBound - 8, as: UInt64.self) == sum
    }

    mutating func seal(_ range: Range<Int>) {
        if let sum = sum(of: range) { set(sum, at: range.upperBound - 8) }
    }

    var isIntact: Bool { isIntact(0..<size) }
    mutating func seal() { seal(0..<size) }

    static let firstSum: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9FB2_1C65_1E98_DF25
        return product ^ product >> 29
    }

    /// The checksum of all bytes of the range but the last eight. Nil for a range outside of the buffer.
    private func sum(of range: Range<Int>) -> UInt64? {
        guard range.lowerBound >= 0, range.upperBound <= size, range.count >= 8 else { return nil }
        return bytes.withUnsafeBytes { checksum(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound..<(range.upperBound - 8)])) }
    }
}

/// Never 0, so that a buffer of zeros is not intact. It consists of four sums, which a processor computes in parallel. Compiled for
/// speed: a transaction computes it of a kilobyte and a half.
@inline(never)
@_optimize(speed)
private func checksum(_ raw: UnsafeRawBufferPointer) -> UInt64 {
    guard var next = raw.baseAddress else { return 1 }
    func word(_ index: Int) -> UInt64 { next.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self) }
    var (a, b, c, d) = (ChecksummedBuffer.firstSum, UInt64(1), UInt64(2), UInt64(3))
    var left = raw.count
    while left >= 32 {
        a = ChecksummedBuffer.mixed(a, word(0))
        b = ChecksummedBuffer.mixed(b, word(1))
        c = ChecksummedBuffer.mixed(c, word(2))
        d = ChecksummedBuffer.mixed(d, word(3))
        next += 32
        left &-= 32
    }
    while left >= 8 {
        a = ChecksummedBuffer.mixed(a, word(0))
        next += 8
        left &-= 8
    }
    let sum = ((a &* 31 ^ b) &* 31 ^ c) &* 31 ^ d
    return sum | 1
}
