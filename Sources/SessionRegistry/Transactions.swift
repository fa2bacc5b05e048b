// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter

// One transaction: lock, read, restore, decide, commit, wake. All of it runs under the lock of the registry.
extension SharedRegistry {
    /// Nil when the system refuses for now: then nothing has changed.
    func inTable<Result>(_ body: (inout TableTransaction) -> Result) -> Result? {
        var result: Result?
        // The rest is not compiled once more for each type of result.
        return change { result = body(&$0) } ? result : nil
    }

    private func change(_ body: (inout TableTransaction) -> Void) -> Bool {
        if !isPrivate {
            do throws(TableFailure) {
                try performRecreating(body)
                return true
            } catch {
                guard beginPrivateFallback(because: error) else { return false }
            }
        }
        performPrivately(body)
        return true
    }

    /// Once more where the directory was gone and could be created again.
    private func performRecreating(_ body: (inout TableTransaction) -> Void) throws(TableFailure) {
        do throws(TableFailure) { try perform(body) } catch {
            guard error == .system(.notFound), recreateEndpoint() else { throw error }
            try perform(body)
        }
    }

    func perform(_ body: (inout TableTransaction) -> Void) throws(TableFailure) {
        // The lock is released before other processes wake: they want it.
        let endpoints = try commit(body)
        rememberOwnSessions()
        requestMonitorUpdate()
        peers.wake(endpoints)
    }

    /// How one attempt of a transaction ended. `endpoints`: to wake when it counts.
    private enum Attempt {
        case done(endpoints: [UInt64])
        /// Another file has taken the place of the one that was written. The new one decides whether this counts.
        case replaced(endpoints: [UInt64])
        /// `endpoints` where it may have been committed all the same.
        case failed(TableFailure, endpoints: [UInt64]?)
    }

    private func commit(_ body: (inout TableTransaction) -> Void) throws(TableFailure) -> [UInt64] {
        let id = nextTransactionID()
        var uncertain: [UInt64]?
        var hasFailed = false
        while true {
            switch attempt(id, uncertain, body) {
            case .done(let endpoints): return endpoints
            case .replaced(let endpoints): uncertain = endpoints
            case .failed(let failure, let endpoints):
                // The system may grant at once what it refused. It is asked twice.
                guard !hasFailed, case .system = failure else { throw failure }
                hasFailed = true
                uncertain = endpoints ?? uncertain
            }
        }
    }

    private func attempt(_ id: UInt64, _ uncertain: [UInt64]?, _ body: (inout TableTransaction) -> Void) -> Attempt {
        do throws(TableFailure) {
            let file = try storage.open()
            let reading = try storage.read(file)
            isBehind = false
            if let uncertain, storage.snapshot.header.remembers(id) { return .done(endpoints: uncertain) }
            let change = decide(reading, body)
            let attempt = commit(change, to: file, as: id)
            if case .done = attempt, case .recovering = mode { mode = .shared }
            return attempt
        } catch {
            return .failed(error, endpoints: nil)
        }
    }

    /// Restores what the table has lost, and lets the request change it.
    private func decide(_ reading: TableStorage.Reading, _ body: (inout TableTransaction) -> Void) -> TableChange {
        var transaction = TableTransaction(storage.moveSnapshot(), of: peers.endpoint.id, in: directory)
        switch reading {
        case .unreadable: transaction.recreateTable()
        case .current(let refresh):
            if refresh.hasRedone { transaction.wakeEveryProcess() }
            if let before = refresh.before { addStaleSnapshot(before) }
        }
        let stale = staleSnapshots
        for snapshot in stale { transaction.restoreLater(of: snapshot) }
        restoreOwn(&transaction, from: stale.first)
        if !stale.isEmpty { transaction.reconcile() }
        body(&transaction)
        let change = transaction.change
        storage.snapshot = transaction.end()
        return change
    }

    private func commit(_ change: TableChange, to file: borrowing TableFile, as id: UInt64) -> Attempt {
        guard change.isNeeded else { return .done(endpoints: change.endpoints) }
        switch storage.commit(change, to: file, as: id) {
        case .committed:
            peers.closeFormerEndpoints()
            return .done(endpoints: change.endpoints)
        case .replaced:
            storage.discard(change, own: own)
            return .replaced(endpoints: change.endpoints)
        case .failed(let failure):
            storage.discard(change, own: own)
            return .failed(failure, endpoints: change.endpoints)
        }
    }

    private func nextTransactionID() -> UInt64 {
        transactionCount &+= 1
        return peers.endpoint.id &+ transactionCount
    }

    // MARK: Recovery

    private var staleSnapshots: [TableSnapshot] {
        if case .recovering(let snapshots) = mode { snapshots } else { [] }
    }

    /// Others have created the table anew: what this process knew before is compared with it until a transaction is done.
    private func addStaleSnapshot(_ snapshot: TableSnapshot) { mode = .recovering(from: staleSnapshots + [snapshot]) }

    /// Follows what the table says of this process's sessions. A session that it has lost is restored.
    private func restoreOwn(_ transaction: inout TableTransaction, from stale: TableSnapshot?) {
        for index in own.indices {
            let session = own[index]
            let known = transaction.snapshot.record(in: session.slot)
            let isOwn = known?.entry.serial == session.entry.serial
            if isOwn, known?.endpoint == peers.endpoint.id {
                transaction.reconcileOwn(session.entry, in: session.slot, with: stale)
            } else if isOwn, let known, peers.isFormer(known.endpoint) {
                transaction.reassign(session.slot)
            } else if let slot = transaction.restore(session.entry, in: session.slot), let entry = transaction.table[slot] {
                own[index].slot = slot
                own[index].entry = entry
            }
        }
    }

    // MARK: Afterwards

    func rememberOwnSessions() {
        let table = storage.snapshot.table
        for index in own.indices {
            guard let entry = table[own[index].slot], entry.serial == own[index].entry.serial else { continue }
            own[index].entry = entry
        }
    }

    /// A process that came is monitored from now on, by the thread that waits for the descriptor: a process that is killed
    /// before it wakes the others is noticed so.
    private func requestMonitorUpdate() {
        guard storage.snapshot.hasNewPopulation, !willUpdateMonitors, !own.isEmpty, !isPrivate else { return }
        willUpdateMonitors = peers.endpoint.wake()
    }
}
