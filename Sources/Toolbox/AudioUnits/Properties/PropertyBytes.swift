// SPDX-License-Identifier: Apache-2.0
/// The bytes of a property in the program's memory, which need no alignment.
enum PropertyBytes {
    static func read<Value>(_ type: Value.Type, _ bytes: UnsafeRawBufferPointer) throws(UnitError) -> Value {
        guard let start = bytes.baseAddress, bytes.count >= MemoryLayout<Value>.size else { throw .invalidPropertyValue }
        return withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
        ) { copy in
            copy.copyMemory(from: UnsafeRawBufferPointer(start: start, count: MemoryLayout<Value>.size))
            return copy.load(as: Value.self)
        }
    }
}
