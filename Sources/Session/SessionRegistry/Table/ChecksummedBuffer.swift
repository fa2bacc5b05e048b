// SPDX-License-Identifier: Apache-2.0
/// Bytes that end with a checksum of the preceding bytes. A read outside of the buffer returns zeros, and a write outside has no
/// effect, because any process may have written the offsets.
struct ChecksummedBuffer {
    private(set) var bytes: [UInt8]

    init(size: Int) { bytes = [UInt8](repeating: 0, count: size) }
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Copies all bytes at once. An array that is copied at its first change is copied byte by byte.
    init(copying other: ChecksummedBuffer) { bytes = other.slice(0..<other.size) }

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

    mutating func replace(_ range: Range<Int>, with source: [UInt8]) {
        bytes.withUnsafeMutableBytes { target in
            source.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[range]).copyMemory(from: $0) }
        }
    }

    var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    private var sumOffset: Int { bytes.count - 8 }

    /// Never 0, so that a buffer of zeros is not intact. It consists of four sums, which a processor computes in parallel.
    var computedSum: UInt64 {
        bytes.withUnsafeBytes { raw in
            func mixed(_ sum: UInt64, _ offset: Int) -> UInt64 {
                let product = (sum ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9FB2_1C65_1E98_DF25
                return product ^ product >> 29
            }
            var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 1, 2, 3)
            var offset = 0
            while offset + 32 <= sumOffset {
                (a, b, c, d) = (mixed(a, offset), mixed(b, offset + 8), mixed(c, offset + 16), mixed(d, offset + 24))
                offset += 32
            }
            while offset + 8 <= sumOffset {
                a = mixed(a, offset)
                offset += 8
            }
            let sum = ((a &* 31 ^ b) &* 31 ^ c) &* 31 ^ d
            return sum | 1
        }
    }

    var isIntact: Bool { number(at: sumOffset, as: UInt64.self) == computedSum }
    mutating func seal() { set(computedSum, at: sumOffset) }
}
