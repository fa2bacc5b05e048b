// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The objects of one kind, which programs identify by handles.
///
/// A handle is a number that is never dereferenced: NULL, a disposed handle and a handle of another kind have no object.
/// A look-up takes no lock and allocates nothing, because audio threads look up units and converters. If an object is in use when
/// its handle is removed, the last user frees it.
public final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    /// `state` contains, from the top: the generation of the handle (upper half), whether the handle is closed, whether the
    /// entry is used, and the number of threads that take a reference at this moment.
    private struct Entry: ~Copyable {
        let state = Atomic<UInt64>(1 << 32)
        var object: Unmanaged<Object>?
    }

    private static var isClosed: UInt64 { 1 << 31 }
    private static var isTaken: UInt64 { 1 << 30 }
    private static var users: UInt64 { isTaken - 1 }
    private static var entriesPerBlock: Int { 256 }
    private static var blockCount: Int { 256 }

    private let kind: HandleKind
    private let capacity: Int
    private let lock = Lock()
    /// Addresses of blocks, which are freed with the table.
    private let blocks: UnsafeMutablePointer<Atomic<UInt>>
    /// The index at which the search for a free entry begins. Guarded by the lock.
    private var next = 0

    /// `kind` is different for each table of a process. `capacity`: the most objects, up to 65,536.
    public init(_ kind: HandleKind, capacity: Int = 65_536) {
        self.kind = kind
        self.capacity = min(capacity, HandleTable.entriesPerBlock * HandleTable.blockCount)
        blocks = .allocate(capacity: HandleTable.blockCount)
        for index in 0..<HandleTable.blockCount { (blocks + index).initialize(to: Atomic(0)) }
    }

    deinit {
        for index in 0..<HandleTable.blockCount {
            guard let block = UnsafeMutablePointer<Entry>(bitPattern: blocks[index].load(ordering: .relaxed)) else { continue }
            for entry in 0..<HandleTable.entriesPerBlock { (block + entry).pointee.object?.release() }
            block.deallocate()
        }
        blocks.deallocate()
    }

    /// Adds an object, and returns its handle. Nil when the table is full.
    public func insert(_ object: Object) -> OpaquePointer? {
        lock.withLock {
            for offset in 0..<capacity {
                let index = (next + offset) % capacity
                let entry = entry(index) ?? makeBlock(index)
                let state = entry.pointee.state.load(ordering: .acquiring)
                guard state & HandleTable.isTaken == 0 else { continue }
                entry.pointee.object = .passRetained(object)
                entry.pointee.state.store(state | HandleTable.isTaken, ordering: .releasing)
                next = index + 1
                return handle(index, state >> 32)
            }
            return nil
        }
    }

    /// The object of a handle.
    public func object(_ handle: OpaquePointer?) -> Object? {
        guard let entry = enter(handle, closing: false) else { return nil }
        defer { leave(entry) }
        return entry.pointee.object?.takeUnretainedValue()
    }

    /// The object of a handle. The handle is invalid from now on. Nil when the handle has no object.
    @discardableResult
    public func remove(_ handle: OpaquePointer?) -> Object? {
        guard let entry = enter(handle, closing: true) else { return nil }
        defer { leave(entry) }
        return entry.pointee.object?.takeUnretainedValue()
    }

    /// The table had an object with this handle, and has removed it.
    public func hasRemoved(_ handle: OpaquePointer?) -> Bool {
        guard let (entry, generation) = decode(handle), generation > 0 else { return false }
        let state = entry.pointee.state.load(ordering: .acquiring)
        return generation < state >> 32 || (generation == state >> 32 && state & HandleTable.isClosed != 0)
    }

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
        for index in 0..<capacity {
            guard let entry = entry(index) else { continue }
            guard let handle = handle(index, entry.pointee.state.load(ordering: .acquiring) >> 32) else { continue }
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
        guard let entry = enter(handle, closing: false) else { return nil }
        defer { leave(entry) }
        guard let object = entry.pointee.object else { return nil }
        return try object._withUnsafeGuaranteedRef { object in Result { () throws(Failure) in try body(object) } }.get()
    }

    /// Begins a use of the entry of a handle. `closing`: the handle is invalid from now on. Nil when the handle has no object.
    private func enter(_ handle: OpaquePointer?, closing: Bool) -> UnsafeMutablePointer<Entry>? {
        guard let (entry, generation) = decode(handle) else { return nil }
        var state = entry.pointee.state.load(ordering: .acquiring)
        while true {
            guard state >> 32 == generation, state & HandleTable.isTaken != 0, state & HandleTable.isClosed == 0 else {
                return nil
            }
            let entered = (state + 1) | (closing ? HandleTable.isClosed : 0)
            let result = entry.pointee.state.weakCompareExchange(
                expected: state, desired: entered, ordering: .acquiringAndReleasing)
            if result.exchanged { return entry }
            state = result.original
        }
    }

    /// Ends a use of an entry. The last user of a closed entry frees the object.
    private func leave(_ entry: UnsafeMutablePointer<Entry>) {
        let state = entry.pointee.state.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
        guard state & HandleTable.isClosed != 0, state & HandleTable.users == 0 else { return }
        let object = entry.pointee.object
        entry.pointee.object = nil
        // A handle contains 24 bits of the generation, which is never 0.
        let generation = max((state >> 32 + 1) & 0xFF_FFFF, 1)
        entry.pointee.state.store(generation << 32, ordering: .releasing)
        object?.release()
    }

    // MARK: Handles

    private func handle(_ index: Int, _ generation: UInt64) -> OpaquePointer? {
        OpaquePointer(bitPattern: UInt(truncatingIfNeeded: generation << 20 | UInt64(index) << 4 | kind.rawValue))
    }

    private func decode(_ handle: OpaquePointer?) -> (UnsafeMutablePointer<Entry>, UInt64)? {
        let value = UInt64(UInt(bitPattern: handle))
        guard value & 0xF == kind.rawValue, let entry = entry(Int(value >> 4 & 0xFFFF)) else { return nil }
        return (entry, value >> 20)
    }

    private func entry(_ index: Int) -> UnsafeMutablePointer<Entry>? {
        let block = blocks[index / HandleTable.entriesPerBlock].load(ordering: .acquiring)
        return UnsafeMutablePointer(bitPattern: block).map { $0 + index % HandleTable.entriesPerBlock }
    }

    private func makeBlock(_ index: Int) -> UnsafeMutablePointer<Entry> {
        let block = UnsafeMutablePointer<Entry>.allocate(capacity: HandleTable.entriesPerBlock)
        for entry in 0..<HandleTable.entriesPerBlock { (block + entry).initialize(to: Entry(object: nil)) }
        blocks[index / HandleTable.entriesPerBlock].store(UInt(bitPattern: block), ordering: .releasing)
        return block + index % HandleTable.entriesPerBlock
    }
}
