// SPDX-License-Identifier: Apache-2.0
import AudioSession
import CoreFoundationTable
import SessionModel

// Property values as the bytes of the C API.

extension PropertyValue {
    /// Reads the value of a set. The size is correct; the address may be unaligned.
    init(_ type: PropertyType, at data: UnsafeRawPointer) throws(ResultCode) {
        switch type {
        case .uint32: self = .uint32(data.loadUnaligned(as: UInt32.self))
        case .float32: self = .float32(Float(bitPattern: data.loadUnaligned(as: UInt32.self)))
        case .float64: self = .float64(Double(bitPattern: data.loadUnaligned(as: UInt64.self)))
        case .number:
            let object = UnsafeRawPointer(bitPattern: data.loadUnaligned(as: UInt.self))
            self = .number(object.flatMap(integer))
        case .dictionary, .array, .string: throw .unsupportedProperty
        }
    }

    /// The bits of a number; nil for a value that becomes an object.
    var scalarBits: (bits: UInt64, size: UInt32)? {
        switch self {
        case .uint32(let value): (UInt64(value), 4)
        case .float32(let value): (UInt64(value.bitPattern), 4)
        case .float64(let value): (value.bitPattern, 8)
        default: nil
        }
    }
}

/// Writes the size first, because some programs pass the same address for both.
@inline(__always)
func write(
    _ bits: UInt64, size: UInt32, to data: UnsafeMutableRawPointer,
    sizeTo ioDataSize: UnsafeMutablePointer<UInt32>
) {
    ioDataSize.pointee = size
    if size == 4 {
        data.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
    } else {
        data.storeBytes(of: bits, as: UInt64.self)
    }
}

/// The number that a CFNumber holds; nil for any other object.
private func integer(_ object: UnsafeRawPointer) -> Int32? {
    guard let cf = CoreFoundation.present, cf.typeOf(object) == cf.numberType() else { return nil }
    var value: Int32 = 0
    return cf.numberGet(object, sint32, &value) != 0 ? value : nil
}
