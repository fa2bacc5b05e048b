// SPDX-License-Identifier: Apache-2.0
import CLinux
public import SessionModel

/// The present values of the published properties: one atomic word each. Any thread, also an audio thread, reads
/// them without a lock, an allocation or a system call.
public final class PublishedValues: @unchecked Sendable {
    /// The bits of a value, or the code with which a get is refused.
    public enum Reading {
        case bits(UInt64, size: UInt32)
        case refused(ResultCode)
    }

    /// Reads the bits of the values. A copy of the reader saves the reference to this object, which must outlive the copy.
    public let reader: Reader

    init() {
        let count = 2 * PropertySlot.count + 1
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        // A slot without a property has size 0 and refuses a get, so that a get of identifier 0 returns no bits.
        for index in 0..<count { words[index] = index % 2 == 0 ? 0 : refusal }
        reader = Reader(words)
        linux_store64(reader.settings, refusal)
        for row in propertyTable where row.source == .published {
            reader.slot(of: row.property.rawValue)[0] = UInt64(row.type.size) << 32 | UInt64(row.property.rawValue)
        }
    }

    deinit { reader.words.deallocate() }

    public struct Reader {
        /// Two words for each slot, so that one cache line has all of a value: the identifier and size of the property, constant
        /// after init; and the bits of the value, atomic. Allocated here: an InlineArray of Atomic does not compile in
        /// Embedded Swift (6.3.1).
        fileprivate let words: UnsafeMutablePointer<UInt64>

        fileprivate init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

        /// The word behind the slots.
        fileprivate var settings: UnsafeMutablePointer<UInt64> { words + 2 * PropertySlot.count }

        @inline(__always)
        fileprivate func slot(of id: UInt32) -> UnsafeMutablePointer<UInt64> { words + 2 * PropertySlot.index(of: id) }

        /// Nil until the hardware is known.
        @inline(__always)
        public var choices: SettingsWord? {
            let word = linux_load64(settings)
            return word < refusal ? SettingsWord(bits: word) : nil
        }

        /// The bits of a published value. Nil for a get that is refused, for a property that is computed at each get, and for
        /// any other number.
        @inline(__always)
        public func bits(of id: UInt32) -> (bits: UInt64, size: UInt32)? {
            let slot = slot(of: id)
            guard UInt32(truncatingIfNeeded: slot[0]) == id else { return nil }
            let word = linux_load64(slot + 1)
            return word < refusal ? (word, UInt32(truncatingIfNeeded: slot[0] >> 32)) : nil
        }
    }

    /// Nil for a property that is computed at each get.
    public func read(_ property: SessionProperty) -> Reading? {
        let slot = reader.slot(of: property.rawValue)
        let size = UInt32(truncatingIfNeeded: slot[0] >> 32)
        guard size != 0 else { return nil }
        let word = linux_load64(slot + 1)
        guard word >= refusal else { return .bits(word, size: size) }
        return .refused(ResultCode(rawValue: Int32(truncatingIfNeeded: word)) ?? .unspecified)
    }

    func store(_ state: SessionState) {
        linux_store64(reader.settings, SettingsWord(state.settings).bits)
        for row in propertyTable where row.source == .published {
            linux_store64(reader.slot(of: row.property.rawValue) + 1, word(of: row, in: state))
        }
    }

    private func word(of row: SessionPropertyRow, in state: SessionState) -> UInt64 {
        do throws(ResultCode) {
            switch try row.get(state) {
            case .uint32(let value): return UInt64(value)
            case .float32(let value): return UInt64(value.bitPattern)
            case .float64(let value): return value.bitPattern
            default: return refusal | UInt64(UInt32(bitPattern: ResultCode.unspecified.rawValue))
            }
        } catch {
            return refusal | UInt64(UInt32(bitPattern: error.rawValue))
        }
    }
}

/// The upper half of a word that holds a refusal. As a 64-bit float it is a NaN, which no value is; 32-bit values
/// leave the upper half 0.
private let refusal: UInt64 = 0xFFFF_FFFF_0000_0000
