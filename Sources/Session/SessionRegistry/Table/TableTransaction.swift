// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter
import SessionModel

/// The table during one transaction. One object serves all transactions on the table of a registry, and keeps the memory of its lists.
final class TableTransaction {
    private let known: KnownTable
    private let directory: RuntimeDirectory
    private var endpoint: UInt64 = 0
    private var decision = Decision()
    private(set) var changed = SlotList()
    /// The changed entries, and the entries that every process must read again.
    private(set) var written = SlotList()
    private var affected = SlotList()
    private var isTableNew = false
    private var wakesEveryProcess = false

    /// Changes the snapshot in place.
    init(_ known: KnownTable, in directory: RuntimeDirectory) {
        self.known = known
        self.directory = directory
    }

    /// Begins a transaction of the process with this endpoint.
    func begin(of endpoint: UInt64) {
        self.endpoint = endpoint
        changed.removeAll()
        written.removeAll()
        affected.removeAll()
        isTableNew = false
        wakesEveryProcess = false
    }

    /// Copies.
    var snapshot: TableSnapshot { known.snapshot }
    var table: SessionTable { known.snapshot.table }

    /// The outcome of the last request.
    var refusal: ResultCode? { decision.outcome.refusal }
    var isBusy: Bool { decision.outcome.isBusy }
    var slot: TableSlot? { decision.outcome.slot }

    /// The endpoint of the session in a slot; nil if the slot is free or has another session.
    func endpoint(in slot: TableSlot, ofSession serial: UInt64) -> UInt64? {
        known.snapshot.table.serial(in: slot) == serial ? known.snapshot.endpoint(of: slot) : nil
    }

    /// The processes to wake after the transaction.
    var endpointsToWake: [UInt64] {
        if affected.isEmpty, !wakesEveryProcess, !isTableNew { return [] }
        let listed = wakesEveryProcess ? known.snapshot.endpointsInOrder : affected.compactMap { known.snapshot.endpoint(of: $0) }
        // The entries of a new table may not contain every process.
        return isTableNew ? directory.endpoints() + listed : listed
    }

    /// The transaction has changed the table. The states of the user are in the header and not in an entry.
    var isNeeded: Bool {
        isTableNew || !written.isEmpty || !known.snapshot.header.describesUserState(of: known.snapshot.table)
    }

    func decide(_ request: Request) {
        known.snapshot.table.decide(request, &decision)
        if let slot = decision.outcome.slot { known.snapshot.assign(slot, to: endpoint) }
        merge(decision.outcome)
    }

    /// The view of a session. From now on its process has the pending interruptions.
    func fetch(_ slot: TableSlot, to view: inout SessionView) {
        known.snapshot.table.view(of: slot, &view)
        if !view.interruptions.isEmpty { decide(.interruptionsFetched(slot)) }
        affected.remove(slot)
    }

    private func merge(_ outcome: Outcome) {
        for slot in outcome.changed where known.snapshot.table.isFree(slot) { known.snapshot.clear(slot) }
        changed.formUnion(outcome.changed)
        written.formUnion(outcome.changed)
        affected.formUnion(outcome.affected)
    }

    /// An entry was not changed by a decision: it may affect any session, and its process has to be monitored.
    func wakeEveryProcess() { wakesEveryProcess = true }

    // MARK: Deaths

    /// Removes all sessions of these processes.
    func reap(_ dead: [UInt64]) {
        for endpoint in dead {
            for slot in known.snapshot.table.entries.indices where known.snapshot.endpoint(of: slot) == endpoint {
                decide(.death(slot))
            }
            ProcessEndpoint.remove(endpoint, from: directory)
        }
    }

    private func reapAll() { reap(known.snapshot.dead(in: directory, except: endpoint)) }

    // MARK: Recovery

    /// Writes every entry into a new table.
    func recreateTable() {
        known.snapshot.beginAgain(as: RuntimeDirectory.newNumber())
        for slot in known.snapshot.table.entries.indices { written.insert(slot) }
        isTableNew = true
        reapAll()
    }

    /// Restores a session that the table has lost. Returns its slot.
    func restore(_ entry: SessionEntry, in slot: TableSlot) -> TableSlot? {
        guard let outcome = known.snapshot.table.restore(entry, preferring: slot), let slot = outcome.slot else { return nil }
        known.snapshot.assign(slot, to: endpoint)
        merge(outcome)
        wakeEveryProcess()
        return slot
    }

    /// The process that created the new table may have had an older snapshot than this process. Of two records of a slot, the
    /// later record is right.
    func restoreLater(of stale: TableSnapshot) {
        for slot in stale.table.entries.indices where stale.version(of: slot) > known.snapshot.version(of: slot) {
            restoreRecord(in: slot, of: stale)
        }
        known.snapshot.continueNumbers(of: stale)
        if stale.header.userStateVersion > known.snapshot.header.userStateVersion {
            known.snapshot.restoreUserState(of: stale)
            wakeEveryProcess()
        }
        reapAll()
    }

    private func restoreRecord(in slot: TableSlot, of stale: TableSnapshot) {
        known.snapshot.restoreRecord(in: slot, of: stale)
        written.insert(slot)
        wakeEveryProcess()
    }

    func hasWaitingInterruptions(_ slot: TableSlot) -> Bool { known.snapshot.table.hasWaitingInterruptions(slot) }

    /// Only this process knows the requests of its sessions, and the interruptions that they have fetched.
    func reconcileOwn(_ entry: SessionEntry, in slot: TableSlot, with stale: TableSnapshot?) {
        if let stale, known.snapshot.table.hasMissed(entry, in: slot), stale.table[slot]?.serial == entry.serial {
            restoreRecord(in: slot, of: stale)
            if !entry.isActive { merge(known.snapshot.table.release(slot)) }
        }
        guard hasWaitingInterruptions(slot) else { return }
        merge(known.snapshot.table.reconcileInterruptions(of: slot, knowing: entry))
    }

    /// Makes the table consistent: records of several snapshots may contradict each other.
    func reconcile() {
        let versions = known.snapshot.versions
        merge(known.snapshot.table.reconcile { versions.indices.contains($0) ? versions[$0] : 0 })
    }

    /// The process of the entry has a new endpoint.
    func reassign(_ slot: TableSlot) {
        known.snapshot.assign(slot, to: endpoint)
        changed.insert(slot)
        written.insert(slot)
        wakeEveryProcess()
    }
}
