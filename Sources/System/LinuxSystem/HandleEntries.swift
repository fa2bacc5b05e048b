// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The entries of a table of handles, without the type of its objects: an ordinary build looks up the metadata of a generic type
/// at each use, and audio threads use a table in each slice.
struct HandleEntries: ~Copyable {
    /// `state` contains, from the top: the generation of the handle (upper half), whether the handle is closed, whether the
    /// entry is used, and the number of threads that take a reference at this moment.
    struct Entry: ~Copyable {
        let state = Atomic<UInt64>(1 << 32)
        var object: UnsafeMutableRawPointer?
    }

    private static var isClosed: UInt64 { 1 << 31 }
    private static var isTaken: UInt64 { 1 << 30 }
    private static var users: UInt64 { isTaken - 1 }
    private static var entriesPerBlock: Int { 256 }
    private static var blockCount: Int { 256 }

    private let kind: HandleKind
    let capacity: Int
    /// Addresses of blocks, which are freed with the table.
    private let blocks: UnsafeMutablePointer<Atomic<UInt>>

    init(_ kind: HandleKind, capacity: Int) {
        self.kind = kind
        self.capacity = min(capacity, HandleEntries.entriesPerBlock * HandleEntries.blockCount)
        blocks = .allocate(capacity: HandleEntries.blockCount)
        for index in 0..<HandleEntries.blockCount { (blocks + index).initialize(to: Atomic(0)) }
    }

    /// The owner has released the objects.
    deinit {
        for index in 0..<HandleEntries.blockCount {
            UnsafeMutablePointer<Entry>(bitPattern: blocks[index].load(ordering: .relaxed))?.deallocate()
        }
        blocks.deallocate()
    }

    // MARK: The owner, under its lock

    /// The handle of an object in this entry. Nil when the entry is used.
    func put(_ object: UnsafeMutableRawPointer, at index: Int) -> OpaquePointer? {
        let entry = entry(index) ?? makeBlock(index)
        let state = entry.pointee.state.load(ordering: .acquiring)
        guard state & HandleEntries.isTaken == 0 else { return nil }
        entry.pointee.object = object
        entry.pointee.state.store(state | HandleEntries.isTaken, ordering: .releasing)
        return handle(index, state >> 32)
    }

    /// No entry from this index on has ever had an object.
    var end: Int {
        var count = HandleEntries.blockCount
        while count > 0, blocks[count - 1].load(ordering: .acquiring) == 0 { count -= 1 }
        return min(count * HandleEntries.entriesPerBlock, capacity)
    }

    /// The present object of an entry, or that of a closed one that is still used.
    func object(at index: Int) -> UnsafeMutableRawPointer? { entry(index)?.pointee.object }

    // MARK: Uses of an entry

    /// Begins a use of the entry of a handle. `closing`: the handle is invalid from now on. Nil when the handle has no object.
    func enter(_ handle: OpaquePointer?, closing: Bool) -> UnsafeMutablePointer<Entry>? {
        guard let (entry, generation) = decode(handle) else { return nil }
        var state = entry.pointee.state.load(ordering: .acquiring)
        while true {
            guard state >> 32 == generation, state & HandleEntries.isTaken != 0, state & HandleEntries.isClosed == 0 else {
                return nil
            }
            let entered = (state + 1) | (closing ? HandleEntries.isClosed : 0)
            let result = entry.pointee.state.weakCompareExchange(
                expected: state, desired: entered, ordering: .acquiringAndReleasing)
            if result.exchanged { return entry }
            state = result.original
        }
    }

    /// Ends a use of an entry. Returns the object of a closed entry to its last user, who releases it.
    func leave(_ entry: UnsafeMutablePointer<Entry>) -> UnsafeMutableRawPointer? {
        let state = entry.pointee.state.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
        guard state & HandleEntries.isClosed != 0, state & HandleEntries.users == 0 else { return nil }
        let object = entry.pointee.object
        entry.pointee.object = nil
        // A handle contains 24 bits of the generation, which is never 0.
        let generation = max((state >> 32 + 1) & 0xFF_FFFF, 1)
        entry.pointee.state.store(generation << 32, ordering: .releasing)
        return object
    }

    /// The table had an object with this handle, and has removed it.
    func hasRemoved(_ handle: OpaquePointer?) -> Bool {
        guard let (entry, generation) = decode(handle), generation > 0 else { return false }
        let state = entry.pointee.state.load(ordering: .acquiring)
        return generation < state >> 32 || (generation == state >> 32 && state & HandleEntries.isClosed != 0)
    }

    // MARK: Handles

    /// The present handle of an entry, which need not have an object.
    func handle(at index: Int) -> OpaquePointer? {
        guard let entry = entry(index) else { return nil }
        return handle(index, entry.pointee.state.load(ordering: .acquiring) >> 32)
    }

    private func handle(_ index: Int, _ generation: UInt64) -> OpaquePointer? {
        OpaquePointer(bitPattern: UInt(truncatingIfNeeded: generation << 20 | UInt64(index) << 4 | kind.rawValue))
    }

    private func decode(_ handle: OpaquePointer?) -> (UnsafeMutablePointer<Entry>, UInt64)? {
        let value = UInt64(UInt(bitPattern: handle))
        guard value & 0xF == kind.rawValue, let entry = entry(Int(value >> 4 & 0xFFFF)) else { return nil }
        return (entry, value >> 20)
    }

    private func entry(_ index: Int) -> UnsafeMutablePointer<Entry>? {
        let block = blocks[index / HandleEntries.entriesPerBlock].load(ordering: .acquiring)
        return UnsafeMutablePointer(bitPattern: block).map { $0 + index % HandleEntries.entriesPerBlock }
    }

    private func makeBlock(_ index: Int) -> UnsafeMutablePointer<Entry> {
        let block = UnsafeMutablePointer<Entry>.allocate(capacity: HandleEntries.entriesPerBlock)
        for entry in 0..<HandleEntries.entriesPerBlock { (block + entry).initialize(to: Entry(object: nil)) }
        blocks[index / HandleEntries.entriesPerBlock].store(UInt(bitPattern: block), ordering: .releasing)
        return block + index % HandleEntries.entriesPerBlock
    }
}
