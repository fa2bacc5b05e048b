import CLinux
public import SessionModel

/// What the scalar properties read now: one atomic word each, so that any thread, an audio thread
/// too, reads them without a lock, an allocation or a system call.
public final class PublishedValues: @unchecked Sendable {
    /// A value's bits, or the code with which its get is refused.
    public enum Reading {
        case bits(UInt64, size: UInt32)
        case refused(ResultCode)
    }

    private static let count = 16
    // Memory of our own: an InlineArray of Atomic does not compile in Embedded Swift (6.3.1).
    private let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)

    init() { words.initialize(repeating: 0, count: PublishedValues.count) }

    deinit { words.deallocate() }

    /// Nil for a property that is not published: an object, or something that is asked for each time.
    @inline(__always)
    public func read(_ property: Property) -> Reading? {
        guard let place = place(of: property) else { return nil }
        let word = linux_load64(words + place)
        guard word & refusal == refusal else { return .bits(word, size: place == 0 ? 8 : 4) }
        return .refused(ResultCode(rawValue: Int32(truncatingIfNeeded: word)) ?? .unspecified)
    }

    func store(_ state: SessionState) {
        for row in propertyTable {
            guard let place = place(of: row.property) else { continue }
            linux_store64(words + place, word(of: row, in: state))
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

/// The upper half of a word that holds a refusal: as a 64-bit float a NaN, which no value here is,
/// and 32-bit values leave the upper half clear.
private let refusal: UInt64 = 0xFFFF_FFFF_0000_0000

@inline(__always)
private func place(of property: Property) -> Int? {
    switch property {
    case .preferredHardwareSampleRate: 0  // the one of eight bytes
    case .preferredHardwareIOBufferDuration: 1
    case .audioCategory: 2
    case .currentHardwareInputNumberChannels: 3
    case .currentHardwareOutputNumberChannels: 4
    case .currentHardwareOutputVolume: 5
    case .currentHardwareInputLatency: 6
    case .currentHardwareOutputLatency: 7
    case .audioInputAvailable: 8
    case .otherMixableAudioShouldDuck: 9
    case .overrideCategoryMixWithOthers: 10
    case .overrideCategoryDefaultToSpeaker: 11
    case .overrideCategoryEnableBluetoothInput: 12
    case .mode: 13
    case .inputGainAvailable: 14
    case .inputGainScalar: 15
    default: nil
    }
}
