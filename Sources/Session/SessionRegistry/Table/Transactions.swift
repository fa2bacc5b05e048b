// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter

// A transaction consists of these steps: lock, read, restore, decide, commit, wake. All of them run under the lock of the
// registry.
extension FileRegistry {
    /// Nil when the system refuses temporarily. In that case nothing has changed.
    func inTable<Result>(_ body: (inout TableTransaction) -> Result) -> Result? {
        var result: Result?
        do throws(TableFailure) { try perform { result = body(&$0) } } catch {
            guard beginPrivateFallback(because: error) else { return nil }
            performPrivately { result = body(&$0) }
        }
        return result
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
    func perform(_ body: (inout TableTransaction) -> Void) throws(TableFailure) {
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

    private func attempt(_ id: UInt64, _ uncertain: [UInt64]?, _ body: (inout TableTransaction) -> Void) -> Attempt {
        var decided: TableChange?
        do throws(TableFailure) {
            let file = try storage.open()
            let reading = try storage.read(file)
            isBehind = false
            if let uncertain, storage.known.snapshot.header.remembers(id) { return .done(endpoints: uncertain) }
            let change = decide(reading, body)
            if change.isNeeded {
                decided = change
                try file.commit(&storage.known.snapshot, changing: change.changed, writing: change.written, as: id)
                guard try file.isInPlace() else {
                    storage.discard(change, own: own)
                    return .replaced(endpoints: change.endpoints)
                }
                peers.closeFormerEndpoints()
            }
            if case .recovering = mode { mode = .shared }
            return .done(endpoints: change.endpoints)
        } catch {
            if let decided { storage.discard(decided, own: own) }
            return .failed(error, endpoints: decided?.endpoints)
        }
    }

    /// Restores entries that the table has lost, and calls `body` with the transaction.
    private func decide(_ reading: TableStorage.Reading, _ body: (inout TableTransaction) -> Void) -> TableChange {
        var transaction = TableTransaction(storage.known, of: peers.endpoint.id, in: directory)
        switch reading {
        case .unreadable: transaction.recreateTable()
        case .current(let refresh):
            if refresh.hasRedone { transaction.wakeEveryProcess() }
            if let before = refresh.before { addStaleSnapshot(before.snapshot) }
        }
        let stale = staleSnapshots
        for snapshot in stale { transaction.restoreLater(of: snapshot) }
        restoreOwn(&transaction, from: stale.first)
        if !stale.isEmpty { transaction.reconcile() }
        body(&transaction)
        return transaction.change
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
    private func restoreOwn(_ transaction: inout TableTransaction, from stale: TableSnapshot?) {
        for index in own.indices {
            let slot = own[index].slot
            let endpoint = transaction.endpoint(in: slot, ofSession: own[index].entry.serial)
            if endpoint == peers.endpoint.id {
                transaction.reconcileOwn(own[index].entry, in: slot, with: stale)
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
            guard let entry = storage.known.snapshot.table[own[index].slot], entry.serial == own[index].entry.serial else {
                continue
            }
            own[index].entry = entry
        }
    }

    /// From now on the thread that waits for the descriptor monitors a new process. If that process is killed before it wakes the
    /// others, its end is noticed in this way.
    private func requestMonitorUpdate() {
        guard storage.known.snapshot.hasNewPopulation, !willUpdateMonitors, !own.isEmpty, !isPrivate else { return }
        willUpdateMonitors = peers.endpoint.wake()
    }
}
