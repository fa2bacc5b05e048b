// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// Looks up objects by handles. Programs store handles as pointers. They are never dereferenced, so that any value can be looked
/// up.
public final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private static var tag: UInt { 0xA }

    private let lock = Lock()
    private var objects: [Object?] = []
    private var generations: [UInt] = []
    private var unused: [Int] = []

    public init() {}

    /// Adds an object to the table, which references it. Returns a handle that is not 0.
    public func insert(_ object: Object) -> UInt {
        lock.withLock {
            let index: Int
            if let free = unused.popLast() {
                index = free
                objects[index] = object
            } else {
                index = objects.count
                objects.append(object)
                generations.append(0)
            }
            return generations[index] << 24 | UInt(index & 0xF_FFFF) << 4 | HandleTable.tag
        }
    }

    /// Throws `parameter` for a value that was never a handle, and `queueInvalidated` for a removed handle.
    public func object(_ handle: UInt) throws(QueueStatus) -> Object {
        try lock.withLock { () throws(QueueStatus) in
            let index = try index(of: handle)
            guard let object = objects[index], generations[index] == handle >> 24 else { throw .queueInvalidated }
            return object
        }
    }

    /// Removes an object from the table. Nil when the table does not have it any more.
    @discardableResult
    public func remove(_ handle: UInt) -> Object? {
        lock.withLock {
            guard let index = try? index(of: handle), generations[index] == handle >> 24, let object = objects[index] else {
                return nil
            }
            objects[index] = nil
            // The last generation that fits into a pointer: the index is not used again.
            if generations[index] < UInt.max >> 25 {
                generations[index] += 1
                unused.append(index)
            }
            return object
        }
    }

    public var all: [Object] { lock.withLock { objects.compactMap { $0 } } }

    private func index(of handle: UInt) throws(QueueStatus) -> Int {
        let index = Int(handle >> 4 & 0xF_FFFF)
        guard handle & 0xF == HandleTable.tag, objects.indices.contains(index), handle >> 24 <= generations[index] else {
            throw .parameter
        }
        return index
    }
}
