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

    // One element for each property, by its ordinal. Memory of our own: an InlineArray of Atomic does not compile
    // in Embedded Swift (6.3.1).
    private let words: UnsafeMutablePointer<UInt64>
    /// The size of a published value; 0 for a property that is computed at each get. Constant after init.
    private let sizes: UnsafeMutablePointer<UInt32>

    init() {
        let count = Property.allCases.count
        words = .allocate(capacity: count)
        words.initialize(repeating: 0, count: count)
        sizes = .allocate(capacity: count)
        sizes.initialize(repeating: 0, count: count)
        for row in propertyTable where row.source == .published { sizes[row.property.ordinal] = row.type.size }
    }

    deinit {
        words.deallocate()
        sizes.deallocate()
    }

    /// Nil for a property that is computed at each get.
    @inline(__always)
    public func read(_ property: Property) -> Reading? {
        let size = sizes[property.ordinal]
        guard size != 0 else { return nil }
        let word = linux_load64(words + property.ordinal)
        guard word & refusal == refusal else { return .bits(word, size: size) }
        return .refused(ResultCode(rawValue: Int32(truncatingIfNeeded: word)) ?? .unspecified)
    }

    func store(_ state: SessionState) {
        for row in propertyTable where row.source == .published {
            linux_store64(words + row.property.ordinal, word(of: row, in: state))
        }
    }

    private func word(of row: PropertyRow, in state: SessionState) -> UInt64 {
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
