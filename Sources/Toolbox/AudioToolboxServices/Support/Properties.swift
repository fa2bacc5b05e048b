// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Copies values of properties into buffers of a program.

/// The bytes at a pointer of a program; empty for NULL.
func bytes(at start: UnsafeRawPointer?, count: UInt32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
}

/// Copies the bytes of a property into the buffer of a program. False when it is too small.
func copyProperty(
    _ bytes: [UInt8], to data: UnsafeMutableRawPointer, sizeTo size: UnsafeMutablePointer<UInt32>
) -> Bool {
    guard bytes.count <= Int(size.pointee) else { return false }
    bytes.withUnsafeBytes { if let start = $0.baseAddress { data.copyMemory(from: start, byteCount: $0.count) } }
    size.pointee = UInt32(clamping: bytes.count)
    return true
}

/// Makes the object of a property and writes it into the buffer of a program, which releases it.
func copyObject<Failure: Error>(
    _ make: @autoclosure () -> UnsafeRawPointer?, to data: UnsafeMutableRawPointer, sizeTo size: UnsafeMutablePointer<UInt32>,
    tooSmall: Failure, missing: Failure
) throws(Failure) {
    guard Int(size.pointee) >= MemoryLayout<UInt>.size else { throw tooSmall }
    guard let object = make() else { throw missing }
    data.storeBytes(of: UInt(bitPattern: object), as: UInt.self)
    size.pointee = UInt32(MemoryLayout<UInt>.size)
}
