// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter

// A transaction consists of these steps: lock, read, restore, decide, commit, wake. All of them run under the lock of the
// registry.
extension FileRegistry {
    /// Nil when the system refuses temporarily. In that case nothing has changed.
    func inTable<Result>(_ body: (TableTransaction) -> Result) -> Result? {
        var result: Result?
        guard transact({ result = body($0) }) else { return nil }
        return result
    }

    /// False when the system refuses temporarily. In that case nothing has changed.
    func transact(_ body: (TableTransaction) -> Void) -> Bool {
        do throws(TableFailure) { try perform(body) } catch {
            guard beginPrivateFallback(because: error) else { return false }
            performPrivately(body)
        }
        return true
    }

    /// The result of one attempt of a transaction. `endpoints`: the processes to wake if the transaction is committed.
    private enum Attempt {
        case done(endpoints: [UInt64])
        /// Another file has replaced the file that was written. The new file decides whether the transaction is committed.
        case replaced(endpoints: [UInt64])
        /// `endpoints` is not nil if the transaction may have been committed.
        case failed(TableFailure, endpoints: [UInt64]?)
    }

    /// Attempts the transaction until it is done. Attempts it again in a file that has replaced the one that was written, in
    /// a directory that was missing and has been created again, and once after a refusal by the system, because the system
    /// may grant immediately what it has refused.
    func perform(_ body: (TableTransaction) -> Void) throws(TableFailure) {
        if isPrivate { return performPrivately(body) }
        let id = nextTransactionID()
        var uncertain: [UInt64]?
        var mayRepeat = true
        var mayRecreate = true
        while true {
            switch attempt(id, uncertain, body) {
            case .done(let endpoints): return finish(waking: endpoints)
            case .replaced(let endpoints): uncertain = endpoints
            case .failed(let failure, let endpoints):
                uncertain = endpoints ?? uncertain
                if mayRepeat, case .system = failure {
                    mayRepeat = false
                } else if mayRecreate, failure == .system(.notFound), recreateEndpoint() {
                    (mayRepeat, mayRecreate) = (true, false)
                } else {
                    throw failure
                }
            }
        }
    }

    private func attempt(_ id: UInt64, _ uncertain: [UInt64]?, _ body: (TableTransaction) -> Void) -> Attempt {
        let transaction = storage.transaction
        var decided: [UInt64]?
        do throws(TableFailure) {
            let file = try storage.open()
            let reading = try storage.read(file)
            isBehind = false
            if let uncertain, storage.known.snapshot.header.remembers(id) { return .done(endpoints: uncertain) }
            decide(reading, in: transaction, body)
            let endpoints = transaction.endpointsToWake
            if transaction.isNeeded {
                decided = endpoints
                try file.commit(transaction, to: storage.known, as: id)
                guard try file.isInPlace() else {
                    storage.discard(own: own)
                    return .replaced(endpoints: endpoints)
                }
                peers.closeFormerEndpoints()
            }
            if case .recovering = mode { mode = .shared }
            return .done(endpoints: endpoints)
        } catch {
            if decided != nil { storage.discard(own: own) }
            return .failed(error, endpoints: decided)
        }
    }

    /// Restores entries that the table has lost, and calls `body` with the transaction.
    private func decide(_ reading: TableStorage.Reading, in transaction: TableTransaction, _ body: (TableTransaction) -> Void) {
        transaction.begin(of: peers.endpoint.id)
        switch reading {
        case .unreadable: transaction.recreateTable()
        case .current(let refresh):
            if refresh.hasRedone { transaction.wakeEveryProcess() }
            if let before = refresh.before { addStaleSnapshot(before.snapshot) }
        }
        let stale = staleSnapshots
        for snapshot in stale { transaction.restoreLater(of: snapshot) }
        restoreOwn(transaction, from: stale)
        if !stale.isEmpty { transaction.reconcile() }
        body(transaction)
    }

    private func nextTransactionID() -> UInt64 {
        transactionCount &+= 1
        return peers.endpoint.id &+ transactionCount
    }

    // MARK: Recovery

    private var staleSnapshots: [TableSnapshot] {
        if case .recovering(let snapshots) = mode { snapshots } else { [] }
    }

    /// Another process has created a new table. The snapshot of this process is compared with it until a transaction succeeds.
    private func addStaleSnapshot(_ snapshot: TableSnapshot) { mode = .recovering(from: staleSnapshots + [snapshot]) }

    /// Applies the table's entries of the sessions of this process. Restores a session that has no entry.
    private func restoreOwn(_ transaction: TableTransaction, from stale: [TableSnapshot]) {
        for index in own.indices {
            let slot = own[index].slot
            let endpoint = transaction.endpoint(in: slot, ofSession: own[index].entry.serial)
            if endpoint == peers.endpoint.id {
                // Usually there is nothing to reconcile, and the entry is not copied.
                guard !stale.isEmpty || transaction.hasWaitingInterruptions(slot) else { continue }
                transaction.reconcileOwn(own[index].entry, in: slot, with: stale.first)
            } else if let endpoint, peers.isFormer(endpoint) {
                transaction.reassign(slot)
            } else if let slot = transaction.restore(own[index].entry, in: slot), let entry = transaction.table[slot] {
                own[index].slot = slot
                own[index].entry = entry
            }
        }
    }

    // MARK: Afterwards

    /// Releases the lock of the file first, because the processes that wake take the lock.
    private func finish(waking endpoints: [UInt64]) {
        rememberOwnSessions()
        requestMonitorUpdate()
        peers.wake(endpoints)
    }

    func rememberOwnSessions() {
        for index in own.indices {
            let slot = own[index].slot
            guard storage.known.snapshot.table.serial(in: slot) == own[index].entry.serial else { continue }
            copy(storage.known.snapshot.table.entries, slot, to: &own[index].entry)
        }
    }

    /// From now on the thread that waits for the descriptor monitors a new process. If that process is killed before it wakes the
    /// others, its end is noticed in this way.
    private func requestMonitorUpdate() {
        guard storage.known.snapshot.hasNewPopulation, !willUpdateMonitors, !own.isEmpty, !isPrivate else { return }
        willUpdateMonitors = peers.endpoint.wake()
    }
}

/// Compiled for speed: code for size copies byte by byte.
@inline(never)
@_optimize(speed)
private func copy(_ entries: [SessionEntry?], _ slot: TableSlot, to target: inout SessionEntry) {
    if entries.indices.contains(slot), let entry = entries[slot] { target = entry }
}
