import SessionArbiter

/// The first page of the table's file.
///
///     0      header: layout, generation, states of the user, the call, the latest changes
///     4096   one word: somebody is replacing this file
///     8192   one entry for each slot
///     ...    the redo record: what the last transaction was to change
struct Header: Equatable {
    static let size = 4096
    static let replacedOffset: UInt64 = 4096
    static let entriesOffset: UInt64 = 8192
    static let redoOffset = entriesOffset + UInt64(SessionTable.capacity * Resident.size)
    /// A redo record of every slot, and its own head.
    static let fileSize = redoOffset + UInt64(Redo.size(of: SessionTable.capacity))

    static let magic: UInt64 = 0x0A53_5345_5344_5541  // "AUDSESS" and a line's end
    static let version: UInt32 = 1

    /// Counts transactions that have changed something.
    var generation: UInt64 = 0
    var nextSerial: UInt64 = 1
    /// Slots from this one on have never been used.
    var usedSlots: UInt32 = 0
    var isSilent = false
    var isLocked = false
    var call: Call?
    /// The latest transactions, each at its generation's place.
    var changes = [Change](repeating: Change(), count: Header.remembered)

    static let remembered = 48

    /// What one transaction changed, and which it was: a process that was overtaken while it was
    /// stopped learns from this whether its own still counted.
    struct Change: Equatable {
        var generation: UInt64 = 0
        var transaction: UInt64 = 0
        /// Nil: more than can be listed.
        var slots: [UInt16]? = []

        static let listed = 16
        static let size = 8 + 8 + 2 + 2 * listed + 6
    }

    func change(at generation: UInt64) -> Change? {
        let change = changes[Int(generation % UInt64(Header.remembered))]
        return change.generation == generation ? change : nil
    }

    func remembers(_ transaction: UInt64) -> Bool {
        changes.contains { $0.generation != 0 && $0.transaction == transaction }
    }

    mutating func remember(_ transaction: UInt64, changing slots: [Slot]) {
        let listed = slots.count <= Change.listed ? slots.map { UInt16(clamping: $0) } : nil
        changes[Int(generation % UInt64(Header.remembered))] = Change(
            generation: generation, transaction: transaction, slots: listed)
    }
}

// MARK: As bytes

extension Header {
    private enum Offset {
        static let magic = 0
        static let version = 8
        static let entrySize = 12
        static let capacity = 16
        static let usedSlots = 20
        static let generation = 24
        static let nextSerial = 32
        static let flags = 40
        static let holder = 44
        static let callName = 48
        static let changes = 128
    }

    private enum Flag {
        static let silent: UInt32 = 1
        static let locked: UInt32 = 2
        static let call: UInt32 = 4
        static let confirmed: UInt32 = 8
    }

    var bytes: [UInt8] {
        var block = Block(size: Header.size)
        block.set(Header.magic, at: Offset.magic)
        block.set(Header.version, at: Offset.version)
        block.set(UInt32(Resident.size), at: Offset.entrySize)
        block.set(UInt32(SessionTable.capacity), at: Offset.capacity)
        block.set(usedSlots, at: Offset.usedSlots)
        block.set(generation, at: Offset.generation)
        block.set(nextSerial, at: Offset.nextSerial)
        var flags: UInt32 = (isSilent ? Flag.silent : 0) | (isLocked ? Flag.locked : 0)
        if let call {
            flags |= Flag.call | (call.isConfirmed ? Flag.confirmed : 0)
            block.set(Int32(clamping: call.holder ?? -1), at: Offset.holder)
            block.set(call.name, at: Offset.callName)
        }
        block.set(flags, at: Offset.flags)
        for (index, change) in changes.enumerated() { block.set(change, at: Offset.changes + index * Change.size) }
        block.seal()
        return block.bytes
    }

    enum Unreadable: Error {
        /// Nothing has been written yet.
        case empty
        /// Of another version of this library: not ours to touch.
        case foreign
        case damaged
    }

    init(_ block: Block) throws(Unreadable) {
        if block.number(at: Offset.magic, as: UInt64.self) == 0, block.computedSum == Block(size: Header.size).computedSum {
            throw .empty
        }
        guard block.number(at: Offset.magic, as: UInt64.self) == Header.magic else { throw .damaged }
        guard block.number(at: Offset.version, as: UInt32.self) == Header.version,
            block.number(at: Offset.entrySize, as: UInt32.self) == UInt32(Resident.size),
            block.number(at: Offset.capacity, as: UInt32.self) == UInt32(SessionTable.capacity)
        else { throw block.isWhole ? .foreign : .damaged }
        guard block.isWhole else { throw .damaged }
        generation = block.number(at: Offset.generation)
        nextSerial = block.number(at: Offset.nextSerial)
        usedSlots = min(block.number(at: Offset.usedSlots), UInt32(SessionTable.capacity))
        let flags: UInt32 = block.number(at: Offset.flags)
        isSilent = flags & Flag.silent != 0
        isLocked = flags & Flag.locked != 0
        if flags & Flag.call != 0 {
            let holder = Int(block.number(at: Offset.holder, as: Int32.self))
            call = Call(
                name: block.name(at: Offset.callName), holder: (0..<SessionTable.capacity).contains(holder) ? holder : nil)
            call?.isConfirmed = flags & Flag.confirmed != 0
        }
        changes = (0..<Header.remembered).map { block.change(at: Offset.changes + $0 * Change.size) }
    }
}

extension Block {
    fileprivate mutating func set(_ change: Header.Change, at offset: Int) {
        set(change.generation, at: offset)
        set(change.transaction, at: offset + 8)
        guard let slots = change.slots else {
            set(UInt16.max, at: offset + 16)
            return
        }
        set(UInt16(clamping: slots.count), at: offset + 16)
        for (index, slot) in slots.enumerated() { set(slot, at: offset + 18 + index * 2) }
    }

    fileprivate func change(at offset: Int) -> Header.Change {
        let count = Int(number(at: offset + 16, as: UInt16.self))
        let slots: [UInt16]? = count <= Header.Change.listed ? (0..<count).map { number(at: offset + 18 + $0 * 2) } : nil
        return Header.Change(generation: number(at: offset), transaction: number(at: offset + 8), slots: slots)
    }
}

/// The redo record: everything that one transaction changes, in one write. Whole, it counts as done;
/// torn, as never begun.
enum Redo {
    private static let headSize = 16
    private static let recordSize = 8 + Resident.size

    static func size(of count: Int) -> Int { headSize + Header.size + count * recordSize + 8 }

    static func bytes(_ header: Header, _ entries: [(slot: Slot, bytes: [UInt8])]) -> [UInt8] {
        var block = Block(size: size(of: entries.count))
        block.set(header.generation, at: 0)
        block.set(UInt64(entries.count), at: 8)
        block.copy(header.bytes, to: headSize)
        for (index, entry) in entries.enumerated() {
            let offset = headSize + Header.size + index * recordSize
            block.set(UInt64(clamping: entry.slot), at: offset)
            block.copy(entry.bytes, to: offset + 8)
        }
        block.seal()
        return block.bytes
    }

    /// How many entries a record with this head has, if it is for this generation.
    static func count(head: Block, for generation: UInt64) -> Int? {
        guard head.number(at: 0, as: UInt64.self) == generation else { return nil }
        let count: UInt64 = head.number(at: 8)
        return count <= UInt64(SessionTable.capacity) ? Int(count) : nil
    }

    static let headBytes = headSize

    /// Nil for a record that is not whole.
    static func read(_ block: Block, count: Int) -> (header: Block, entries: [(slot: Slot, bytes: [UInt8])])? {
        guard block.size == size(of: count), block.isWhole else { return nil }
        var entries: [(slot: Slot, bytes: [UInt8])] = []
        for index in 0..<count {
            let offset = headSize + Header.size + index * recordSize
            let slot: UInt64 = block.number(at: offset)
            guard slot < UInt64(SessionTable.capacity) else { return nil }
            entries.append((Int(slot), block.slice(from: offset + 8, count: Resident.size)))
        }
        return (Block(bytes: block.slice(from: headSize, count: Header.size)), entries)
    }
}

extension Block {
    mutating func copy(_ source: [UInt8], to offset: Int) {
        guard offset >= 0, offset + source.count <= size else { return }
        replace(offset..<(offset + source.count), with: source)
    }

    func slice(from offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, count >= 0, offset + count <= size else { return [] }
        return Array(bytes[offset..<(offset + count)])
    }
}
