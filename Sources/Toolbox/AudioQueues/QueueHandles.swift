// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

extension HandleTable {
    /// Throws `parameter` for a value that was never a handle, and `queueInvalidated` for a removed handle.
    public func object(_ handle: UInt) throws(QueueStatus) -> Object {
        let pointer = OpaquePointer(bitPattern: handle)
        guard let object = object(pointer) else { throw hasRemoved(pointer) ? .queueInvalidated : .parameter }
        return object
    }
}
