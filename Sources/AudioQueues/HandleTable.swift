// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// Objects by handles that a program keeps as pointers, which are never dereferenced: any value can be looked up.
public final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private static var tag: UInt { 0xA }

    private let lock = Lock()
    private var objects: [Object?] = []
    private var generations: [UInt] = []
    private var unused: [Int] = []

    public init() {}

    /// A handle that is not 0. It holds the object.
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

    /// Throws `parameter` for a value that never was a handle, and `queueInvalidated` for one that was removed.
    public func object(_ handle: UInt) throws(QueueStatus) -> Object {
        try lock.withLock { () throws(QueueStatus) in
            let index = try index(of: handle)
            guard let object = objects[index], generations[index] == handle >> 24 else { throw .queueInvalidated }
            return object
        }
    }

    /// Takes an object out. Nil when it is not there any more.
    @discardableResult
    public func remove(_ handle: UInt) -> Object? {
        lock.withLock {
            guard let index = try? index(of: handle), generations[index] == handle >> 24, let object = objects[index] else {
                return nil
            }
            objects[index] = nil
            // The last generation that fits a pointer: the place is not used again.
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
