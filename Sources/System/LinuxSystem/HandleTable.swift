// SPDX-License-Identifier: Apache-2.0

/// The objects of one kind, which programs identify by handles.
///
/// A handle is a number that is never dereferenced: NULL, a disposed handle and a handle of another kind have no object.
/// A look-up takes no lock and allocates nothing, because audio threads look up units and converters. If an object is in use when
/// its handle is removed, the last user frees it.
public final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private let entries: HandleEntries
    private let lock = Lock()
    /// The index at which the search for a free entry begins. Guarded by the lock.
    private var next = 0

    /// `kind` is different for each table of a process. `capacity`: the most objects, up to 65,536.
    public init(_ kind: HandleKind, capacity: Int = 65_536) { entries = HandleEntries(kind, capacity: capacity) }

    deinit { for index in 0..<entries.end { release(entries.object(at: index)) } }

    /// Adds an object, and returns its handle. Nil when the table is full.
    public func insert(_ object: Object) -> OpaquePointer? {
        let kept = Unmanaged.passRetained(object)
        let handle = lock.withLock { () -> OpaquePointer? in
            for offset in 0..<entries.capacity {
                let index = (next + offset) % entries.capacity
                guard let handle = entries.put(kept.toOpaque(), at: index) else { continue }
                next = index + 1
                return handle
            }
            return nil
        }
        if handle == nil { kept.release() }
        return handle
    }

    /// The object of a handle.
    public func object(_ handle: OpaquePointer?) -> Object? { object(handle, closing: false) }

    /// The object of a handle. The handle is invalid from now on. Nil when the handle has no object.
    @discardableResult
    public func remove(_ handle: OpaquePointer?) -> Object? { object(handle, closing: true) }

    private func object(_ handle: OpaquePointer?, closing: Bool) -> Object? {
        guard let entry = entries.enter(handle, closing: closing) else { return nil }
        defer { release(entries.leave(entry)) }
        guard let object = entry.pointee.object else { return nil }
        return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// The table had an object with this handle, and has removed it.
    public func hasRemoved(_ handle: OpaquePointer?) -> Bool { entries.hasRemoved(handle) }

    public var all: [Object] {
        var objects: [Object] = []
        _ = contains { object in
            objects.append(object)
            return false
        }
        return objects
    }

    /// Calls `body` with each object of the table until it returns true. True if it did.
    public func contains(where body: (Object) -> Bool) -> Bool {
        for index in 0..<entries.end {
            guard let handle = entries.handle(at: index) else { continue }
            if withObject(handle, body) == true { return true }
        }
        return false
    }

    /// Calls `body` with the object of a handle. The entry keeps the object meanwhile: `body` gets no reference of its own, which
    /// would take two more atomic operations. Nil, without a call, when the handle has no object.
    @inline(__always)
    public func withObject<Value, Failure: Error>(
        _ handle: OpaquePointer?, _ body: (Object) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let entry = entries.enter(handle, closing: false) else { return nil }
        defer { release(entries.leave(entry)) }
        guard let object = entry.pointee.object else { return nil }
        return try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef { object in
            Result { () throws(Failure) in try body(object) }
        }.get()
    }

    private func release(_ object: UnsafeMutableRawPointer?) {
        if let object { Unmanaged<Object>.fromOpaque(object).release() }
    }
}
