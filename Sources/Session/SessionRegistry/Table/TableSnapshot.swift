// SPDX-License-Identifier: Apache-2.0
import CLinux
import SessionArbiter

/// The content of the shared table in one generation of one file.
struct TableSnapshot {
    var table = SessionTable()
    /// The endpoint of each slot; 0 for a free slot.
    private(set) var endpoints: [UInt64] = []
    /// Endpoints have changed since the processes to monitor were chosen.
    var hasNewPopulation = true
    /// The last generation that changed each slot. If two snapshots differ, the greater version is right.
    private(set) var versions: [UInt64] = []
    private(set) var header = TableHeader()
    /// The file from which the snapshot was read; nil before.
    var file: FileIdentity?

    struct FileIdentity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    func endpoint(of slot: TableSlot) -> UInt64? {
        guard endpoints.indices.contains(slot), endpoints[slot] != 0 else { return nil }
        return endpoints[slot]
    }

    func record(in slot: TableSlot) -> TableRecord? {
        guard let entry = table[slot], let endpoint = endpoint(of: slot) else { return nil }
        return TableRecord(entry: entry, endpoint: endpoint)
    }

    /// Applies the values of the header that are not in the entries.
    mutating func apply(_ header: TableHeader) {
        self.header = header
        table.nextSerial = header.nextSerial
        table.lastNotResumed = header.lastNotResumed
        table.isSilent = header.isSilent
        table.isLocked = header.isLocked
        table.call = header.call
        table.gainsToRestore = header.gainsToRestore
        let used = header.usedSlots
        table.resize(to: used)
        if endpoints.count > used {
            endpoints.removeLast(endpoints.count - used)
            hasNewPopulation = true
        }
        makeRoom()
    }

    private mutating func makeRoom() {
        while endpoints.count < table.entries.count { endpoints.append(0) }
        while versions.count < table.entries.count { versions.append(0) }
    }

    /// Nil and 0 for a free slot.
    mutating func apply(_ entry: SessionEntry?, of endpoint: UInt64, in slot: TableSlot, version: UInt64) {
        guard table.entries.indices.contains(slot) else { return }
        table.put(entry, in: slot)
        setEndpoint(of: slot, endpoint)
        versions[slot] = version
    }

    mutating func put(_ entry: SessionEntry, in slot: TableSlot) {
        if table.entries.indices.contains(slot) { table.put(entry, in: slot) }
    }

    /// Assigns the entry in this slot to the process with this endpoint.
    mutating func assign(_ slot: TableSlot, to endpoint: UInt64) {
        makeRoom()
        setEndpoint(of: slot, endpoint)
    }

    private mutating func setEndpoint(of slot: TableSlot, _ endpoint: UInt64) {
        guard endpoints.indices.contains(slot), endpoints[slot] != endpoint else { return }
        endpoints[slot] = endpoint
        hasNewPopulation = true
    }

    /// Frees the slot. Removes free slots at the end.
    mutating func clear(_ slot: TableSlot) {
        assign(slot, to: 0)
        while let last = table.entries.indices.last, table.isFree(last) { table.resize(to: last) }
        if endpoints.count > table.entries.count { endpoints.removeLast(endpoints.count - table.entries.count) }
    }

    func version(of slot: TableSlot) -> UInt64 { versions.indices.contains(slot) ? versions[slot] : 0 }

    /// The entry was not committed. Its version becomes less than any other.
    mutating func clearVersion(of slot: TableSlot) {
        if versions.indices.contains(slot) { versions[slot] = 0 }
    }

    // MARK: Two snapshots

    mutating func restoreRecord(in slot: TableSlot, of other: TableSnapshot) {
        if table.entries.count <= slot { table.resize(to: slot + 1) }
        makeRoom()
        let record = other.record(in: slot)
        apply(record?.entry, of: record?.endpoint ?? 0, in: slot, version: other.version(of: slot))
    }

    mutating func restoreUserState(of other: TableSnapshot) {
        table.isSilent = other.table.isSilent
        table.isLocked = other.table.isLocked
        table.call = other.table.call
        table.gainsToRestore = other.table.gainsToRestore
    }

    /// Continues the numbers of the other table, so that the numbers of its sessions are in order in this table as well.
    mutating func continueNumbers(of other: TableSnapshot) {
        table.nextSerial = max(table.nextSerial, other.table.nextSerial)
        table.lastNotResumed = max(table.lastNotResumed, other.table.lastNotResumed)
    }

    mutating func beginAgain(as beginning: UInt64) {
        header.beginAgain(as: beginning, at: linux_monotonic_nanoseconds())
        table.nextSerial = header.nextSerial
    }

    /// Begins the next generation, which changes these slots. Its header is `next` until it is committed.
    mutating func advance(_ id: UInt64, _ transaction: TableTransaction, to next: inout TableHeader) {
        next.assign(header)
        next.advance(to: table, id, changing: transaction.written)
        makeRoom()
        let generation = next.generation
        for slot in transaction.changed where versions.indices.contains(slot) { versions[slot] = generation }
    }

    /// The generation with this header is committed.
    mutating func commit(_ next: borrowing TableHeader) { header.assign(next) }
}
