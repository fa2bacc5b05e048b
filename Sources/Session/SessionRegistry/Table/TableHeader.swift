// SPDX-License-Identifier: Apache-2.0
import SessionArbiter

/// The first page of the table's file.
///
///     0      header: layout, generation, states of the user, the call, the latest changes
///     1024   one word: a process is replacing this file
///     1536   the redo record: the changes of the last transaction
///     ...    one entry for each slot
struct TableHeader {
    static let size = 1024
    /// Also read without the lock, to see that its holders make progress.
    static let generationOffset = UInt64(Offset.generation)
    static let replacedOffset: UInt64 = 1024
    static let redoOffset: UInt64 = 1536
    static let frontSize = 2048
    static let entriesOffset = redoOffset + UInt64(RedoRecord.size(of: SessionTable.capacity))
    static let fileSize = entriesOffset + UInt64(SessionTable.capacity * TableRecord.size)

    private static let magic: UInt64 = 0x0A53_5345_5344_5541  // "AUDSESS" and a line's end
    /// In every version, the magic, the version and the checksum have the same offsets.
    /// The version is also part of the names of the files.
    static let version: UInt32 = 8

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
        static let beginning = 112
        static let userStateVersion = 120
        static let changes = 128
        static let gains = 896
        static let lastNotResumed = 936
    }

    private enum Flag {
        static let silent: UInt32 = 1
        static let locked: UInt32 = 2
        static let call: UInt32 = 4
        static let confirmed: UInt32 = 8
    }

    /// The page. Most transactions need a few words of it.
    private var page: ChecksummedBuffer

    init() {
        page = ChecksummedBuffer(size: TableHeader.size)
        page.set(TableHeader.magic, at: Offset.magic)
        page.set(TableHeader.version, at: Offset.version)
        page.set(UInt32(TableRecord.size), at: Offset.entrySize)
        page.set(UInt32(SessionTable.capacity), at: Offset.capacity)
        page.set(UInt64(1), at: Offset.nextSerial)
    }

    enum Unreadable: Error {
        /// Nothing has been written yet.
        case empty
        /// Another version of this library has written the file. This version does not change it.
        case foreign
        case damaged
    }

    init(_ page: ChecksummedBuffer) throws(Unreadable) {
        self.page = page
        let magic: UInt64 = page.number(at: Offset.magic)
        if magic == 0, page.isZero { throw .empty }
        guard magic == TableHeader.magic else { throw .damaged }
        guard page.number(at: Offset.version, as: UInt32.self) == TableHeader.version,
            page.number(at: Offset.entrySize, as: UInt32.self) == UInt32(TableRecord.size),
            page.number(at: Offset.capacity, as: UInt32.self) == UInt32(SessionTable.capacity)
        else { throw page.isIntact ? .foreign : .damaged }
        guard page.isIntact else { throw .damaged }
    }

    /// Copies the page. An array that is copied at its first change is copied byte by byte.
    mutating func assign(_ other: borrowing TableHeader) { page.copy(other.page.bytes, to: 0) }

    /// Whether the file begins with this header.
    func isFirst(in front: ChecksummedBuffer) -> Bool { front.begins(with: page) }

    /// A process is replacing the file that begins with these bytes.
    static func isMarked(_ front: ChecksummedBuffer) -> Bool { front.number(at: Int(replacedOffset), as: UInt64.self) != 0 }

    /// The number of transactions that have changed the table.
    var generation: UInt64 { page.number(at: Offset.generation) }
    /// A number that is new for each table that is created.
    var beginning: UInt64 { page.number(at: Offset.beginning) }
    /// The last generation that changed a state of the user or the call.
    var userStateVersion: UInt64 { page.number(at: Offset.userStateVersion) }
    var nextSerial: UInt64 { page.number(at: Offset.nextSerial) }
    var lastNotResumed: UInt64 { page.number(at: Offset.lastNotResumed) }
    /// All slots from this number on are free.
    var usedSlots: Int { Int(min(page.number(at: Offset.usedSlots, as: UInt32.self), UInt32(SessionTable.capacity))) }
    var isSilent: Bool { flags & Flag.silent != 0 }
    var isLocked: Bool { flags & Flag.locked != 0 }
    var gainsToRestore: SavedGains { page.gains(at: Offset.gains) }
    private var flags: UInt32 { page.number(at: Offset.flags) }

    var call: Call? {
        guard flags & Flag.call != 0 else { return nil }
        let holder = Int(page.number(at: Offset.holder, as: Int32.self))
        var call = Call(name: page.name(at: Offset.callName), holder: (0..<SessionTable.capacity).contains(holder) ? holder : nil)
        call.isConfirmed = flags & Flag.confirmed != 0
        return call
    }

    func describesUserState(of table: borrowing SessionTable) -> Bool {
        guard table.isSilent == isSilent, table.isLocked == isLocked, table.gainsToRestore == gainsToRestore else { return false }
        // Usually there is no call. The comparison of calls copies them.
        if table.call == nil, flags & Flag.call == 0 { return true }
        return table.call == call
    }

    /// The bytes of the page for the file.
    var bytes: [UInt8] { page.bytes }

    /// Begins the next generation, with the values of the table that are not in its entries.
    mutating func advance(to table: borrowing SessionTable, _ transaction: UInt64, changing slots: SlotList) {
        page.set(generation &+ 1, at: Offset.generation)
        if !describesUserState(of: table) {
            page.set(generation, at: Offset.userStateVersion)
            page.set(table.gainsToRestore, at: Offset.gains)
        }
        page.set(table.nextSerial, at: Offset.nextSerial)
        page.set(table.lastNotResumed, at: Offset.lastNotResumed)
        page.set(UInt32(clamping: table.entries.count), at: Offset.usedSlots)
        var flags: UInt32 = (table.isSilent ? Flag.silent : 0) | (table.isLocked ? Flag.locked : 0)
        if let call = table.call {
            flags |= Flag.call | (call.isConfirmed ? Flag.confirmed : 0)
            page.set(Int32(clamping: call.holder ?? -1), at: Offset.holder)
            page.set(call.name, at: Offset.callName)
        }
        page.set(flags, at: Offset.flags)
        remember(transaction, changing: slots)
        page.seal()
    }
}

// MARK: The latest transactions

// The header lists the latest transactions; the position of each follows from its generation. A reader reads only the slots that
// they changed. A process that was stopped after its commit finds its transaction here if the table contains it.
extension TableHeader {
    private static let remembered: UInt64 = 16
    private static let listed = 14
    private static let changeSize = 8 + 8 + 2 + 2 * listed + 2
    private static let more = UInt16.max

    private func offset(of generation: UInt64) -> Int {
        Offset.changes + Int(generation % TableHeader.remembered) * TableHeader.changeSize
    }

    private mutating func remember(_ transaction: UInt64, changing slots: SlotList) {
        let offset = offset(of: generation)
        page.set(generation, at: offset)
        page.set(transaction, at: offset + 8)
        var count = 0
        for slot in slots {
            if count < TableHeader.listed { page.set(UInt16(clamping: slot), at: offset + 18 + count * 2) }
            count += 1
        }
        page.set(count <= TableHeader.listed ? UInt16(count) : TableHeader.more, at: offset + 16)
    }

    func remembers(_ transaction: UInt64) -> Bool {
        for index in 0..<TableHeader.remembered {
            let offset = offset(of: index)
            if page.number(at: offset, as: UInt64.self) != 0, page.number(at: offset + 8, as: UInt64.self) == transaction {
                return true
            }
        }
        return false
    }

    /// The slots changed since a generation; nil when the page no longer lists them.
    func slotsChanged(since old: UInt64) -> SlotList? {
        guard old <= generation, generation - old < TableHeader.remembered else { return nil }
        var slots = SlotList()
        var next = old
        while next < generation {
            next += 1
            let offset = offset(of: next)
            let count: UInt16 = page.number(at: offset + 16)
            guard page.number(at: offset, as: UInt64.self) == next, count <= UInt16(TableHeader.listed) else { return nil }
            for index in 0..<Int(count) {
                let slot = Int(page.number(at: offset + 18 + index * 2, as: UInt16.self))
                if slot < SessionTable.capacity { slots.insert(slot) }
            }
        }
        return slots
    }

    /// Begins a new table, which does not continue the old one. Its generations are greater than those of every snapshot, because
    /// they begin at the time in nanoseconds, and there is less than one transaction per nanosecond.
    mutating func beginAgain(as beginning: UInt64, at nanoseconds: UInt64) {
        page.set(beginning, at: Offset.beginning)
        page.set(max(generation &+ 1, nanoseconds), at: Offset.generation)
        page.set(max(nextSerial, nanoseconds), at: Offset.nextSerial)
        for index in 0..<TableHeader.remembered { page.set(UInt64(0), at: offset(of: index)) }
    }
}

/// The redo record: all changes of one transaction, in one write. An intact record is a committed transaction. A torn record is a
/// transaction that never began. Its bytes are the number of its generation, the number of its entries, the header, the entries
/// with their slots, and the checksum. The header and the entries have checksums of their own: the checksum of the record is that of
/// the numbers and of these checksums.
enum RedoRecord {
    private static let headSize = 16
    private static let recordSize = 8 + TableRecord.size

    static func size(of count: Int) -> Int { headSize + TableHeader.size + count * recordSize + 8 }

    /// Writes the changes of the transaction, and the header of the new generation, to the begin of the buffer.
    static func write(
        _ transaction: TableTransaction, of known: KnownTable, _ header: borrowing TableHeader, to buffer: inout ChecksummedBuffer
    ) {
        buffer.set(header.generation, at: 0)
        buffer.copy(header.bytes, to: headSize)
        var index = 0
        // Calls of functions of the snapshot would copy it.
        let (entries, endpoints, versions) = (known.snapshot.table.entries, known.snapshot.endpoints, known.snapshot.versions)
        for slot in transaction.written {
            let offset = offset(of: index)
            let endpoint = endpoints.indices.contains(slot) ? endpoints[slot] : 0
            buffer.set(UInt64(clamping: slot), at: offset - 8)
            writeRecord(
                endpoint == 0 ? [] : entries, slot, of: endpoint, version: versions.indices.contains(slot) ? versions[slot] : 0,
                to: &buffer, at: offset)
            index += 1
        }
        buffer.set(UInt64(index), at: 8)
        seal(&buffer, count: index)
    }

    static func seal(_ buffer: inout ChecksummedBuffer, count: Int) {
        buffer.set(sum(of: buffer, count: count), at: size(of: count) - 8)
    }

    private static func sum(of buffer: ChecksummedBuffer, count: Int) -> UInt64 {
        var sum = ChecksummedBuffer.firstSum
        func add(_ offset: Int) { sum = ChecksummedBuffer.mixed(sum, buffer.number(at: offset)) }
        add(0)
        add(8)
        add(headSize + TableHeader.size - 8)
        for index in 0..<count {
            add(offset(of: index) - 8)
            add(offset(of: index) + TableRecord.size - 8)
        }
        return sum | 1
    }

    /// The entry with this index in the record.
    static func offset(of index: Int) -> Int { headSize + TableHeader.size + index * recordSize + 8 }

    /// The number of entries of the record with this head; nil for another generation.
    static func count(head: ChecksummedBuffer, for generation: UInt64) -> Int? {
        guard head.number(at: 0, as: UInt64.self) == generation else { return nil }
        let count: UInt64 = head.number(at: 8)
        return count <= UInt64(SessionTable.capacity) ? Int(count) : nil
    }

    static let headBytes = headSize

    /// Nil for a record that is not intact.
    static func read(_ buffer: ChecksummedBuffer, count: Int) -> (
        header: ChecksummedBuffer, entries: [(slot: TableSlot, bytes: [UInt8])]
    )? {
        let header = ChecksummedBuffer(bytes: buffer.slice(from: headSize, count: TableHeader.size))
        guard buffer.size == size(of: count), header.isIntact,
            buffer.number(at: size(of: count) - 8, as: UInt64.self) == sum(of: buffer, count: count)
        else { return nil }
        var entries: [(slot: TableSlot, bytes: [UInt8])] = []
        for index in 0..<count {
            let offset = offset(of: index)
            let slot: UInt64 = buffer.number(at: offset - 8)
            guard slot < UInt64(SessionTable.capacity), buffer.isIntact(offset..<(offset + TableRecord.size)) else { return nil }
            entries.append((Int(slot), buffer.slice(from: offset, count: TableRecord.size)))
        }
        return (header, entries)
    }
}

extension ChecksummedBuffer {
    mutating func copy(_ source: [UInt8], to offset: Int) {
        guard offset >= 0, offset + source.count <= size else { return }
        replace(offset..<(offset + source.count), with: source)
    }

    func slice(from offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, count >= 0, count <= size else { return [] }
        return slice(offset..<(offset + count))
    }
}
