import SessionArbiter

/// This process's copy of the shared table, good for one generation of one file.
struct TableCopy {
    var table = SessionTable()
    /// By slot, as the table's entries; 0 where nobody is.
    private(set) var homes: [UInt64] = []
    private(set) var header = Header()
    /// Which file it was read from; nil before anything was read.
    var file: FileIdentity?

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
        if homes.count > used { homes.removeLast(homes.count - used) }
        while homes.count < used { homes.append(0) }
    }

    mutating func take(_ resident: Resident?, in slot: Slot) {
        guard table.entries.indices.contains(slot) else { return }
        table.entries[slot] = resident?.entry
        homes[slot] = resident?.home ?? 0
    }

    mutating func put(_ entry: SessionEntry, in slot: Slot) {
        if table.entries.indices.contains(slot) { table.entries[slot] = entry }
    }

    /// Those in the table belong to `home` that were entered in these slots.
    mutating func settle(_ slot: Slot, at home: UInt64) {
        while homes.count < table.entries.count { homes.append(0) }
        if homes.indices.contains(slot) { homes[slot] = home }
    }

    /// Nobody is there any more. Slots that nobody has any more at the end are not looked through either.
    mutating func vacate(_ slot: Slot) {
        settle(slot, at: 0)
        while let last = table.entries.indices.last, table.entries[last] == nil { table.entries.removeLast() }
        if homes.count > table.entries.count { homes.removeLast(homes.count - table.entries.count) }
    }

    mutating func beginAgain(as beginning: UInt64) { header.beginAgain(as: beginning) }

    mutating func setWaiting(_ waiting: WaitingInterruptions, in slot: Slot) {
        guard table.entries.indices.contains(slot) else { return }
        table.entries[slot]?.waiting = waiting
    }

    /// The header of the next generation, with what the table holds.
    func nextHeader(_ transaction: UInt64, changing slots: SlotSet) -> Header {
        var next = header
        next.advance(to: table, transaction, changing: slots)
        return next
    }
}
