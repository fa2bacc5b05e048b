import CLinux
import SessionArbiter

/// This process's copy of the shared table, good for one generation of one file.
struct TableCopy {
    var table = SessionTable()
    /// By slot, as the table's entries; 0 where nobody is.
    private(set) var homes: [UInt64] = []
    /// Homes have changed since the processes to watch were chosen.
    var hasNewPopulation = true
    /// The generation that changed each slot last: where two copies differ, the later is right.
    private(set) var versions: [UInt64] = []
    private(set) var header = Header()
    /// Which file it was read from; nil before anything was read.
    var file: FileIdentity?

    /// What is left of one that was handed over.
    static let nothing = TableCopy()

    struct FileIdentity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    func home(of slot: Slot) -> UInt64? {
        guard homes.indices.contains(slot), homes[slot] != 0 else { return nil }
        return homes[slot]
    }

    func resident(in slot: Slot) -> Resident? {
        guard let entry = table[slot], let home = home(of: slot) else { return nil }
        return Resident(entry: entry, home: home)
    }

    /// Takes over what the header holds beside the entries.
    mutating func take(_ header: Header) {
        self.header = header
        table.nextSerial = header.nextSerial
        table.isSilent = header.isSilent
        table.isLocked = header.isLocked
        table.call = header.call
        table.gainsToReturn = header.gainsToReturn
        let used = header.usedSlots
        if table.entries.count > used { table.entries.removeLast(table.entries.count - used) }
        while table.entries.count < used { table.entries.append(nil) }
        if homes.count > used {
            homes.removeLast(homes.count - used)
            hasNewPopulation = true
        }
        makeRoom()
    }

    private mutating func makeRoom() {
        while homes.count < table.entries.count { homes.append(0) }
        while versions.count < table.entries.count { versions.append(0) }
    }

    mutating func take(_ resident: Resident?, in slot: Slot, version: UInt64) {
        guard table.entries.indices.contains(slot) else { return }
        table.entries[slot] = resident?.entry
        setHome(of: slot, resident?.home ?? 0)
        versions[slot] = version
    }

    mutating func put(_ entry: SessionEntry, in slot: Slot) {
        if table.entries.indices.contains(slot) { table.entries[slot] = entry }
    }

    /// Those in the table belong to `home` that were entered in these slots.
    mutating func settle(_ slot: Slot, at home: UInt64) {
        makeRoom()
        setHome(of: slot, home)
    }

    private mutating func setHome(of slot: Slot, _ home: UInt64) {
        guard homes.indices.contains(slot), homes[slot] != home else { return }
        homes[slot] = home
        hasNewPopulation = true
    }

    /// Nobody is there any more. Slots that nobody has any more at the end are not looked through either.
    mutating func vacate(_ slot: Slot) {
        settle(slot, at: 0)
        while let last = table.entries.indices.last, table.isFree(last) { table.entries.removeLast() }
        if homes.count > table.entries.count { homes.removeLast(homes.count - table.entries.count) }
    }

    func version(of slot: Slot) -> UInt64 { versions.indices.contains(slot) ? versions[slot] : 0 }

    /// It did not come about: nobody is to be told that it was so.
    mutating func forget(_ slot: Slot) {
        if versions.indices.contains(slot) { versions[slot] = 0 }
    }

    // MARK: Two copies

    mutating func recall(_ slot: Slot, of other: TableCopy) {
        while table.entries.count <= slot { table.entries.append(nil) }
        makeRoom()
        take(other.resident(in: slot), in: slot, version: other.version(of: slot))
    }

    mutating func recallWorld(of other: TableCopy) {
        table.isSilent = other.table.isSilent
        table.isLocked = other.table.isLocked
        table.call = other.table.call
        table.gainsToReturn = other.table.gainsToReturn
    }

    mutating func beginAgain(as beginning: UInt64) {
        header.beginAgain(as: beginning, at: linux_monotonic_nanoseconds())
        table.nextSerial = header.nextSerial
    }

    /// The next generation, with what the table holds: it has changed these slots. Returns its header.
    mutating func advance(_ transaction: UInt64, changing slots: SlotSet, writing written: SlotSet) -> Header {
        var next = header
        next.advance(to: table, transaction, changing: written)
        makeRoom()
        for slot in slots where versions.indices.contains(slot) { versions[slot] = next.generation }
        return next
    }
}
