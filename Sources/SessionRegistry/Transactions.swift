import LinuxSystem
import SessionArbiter
import SessionModel

// One transaction: what is read, decided, written and rung under the lock of the table's file.
// Everything here runs under the registry's own lock.
extension SharedRegistry {
    /// Nil when the system has no descriptor or memory left for it just now: then nothing has happened.
    /// What follows is not made once more for each kind of result.
    func inTable<Result>(_ body: (inout Draft) -> Result) -> Result? {
        var result: Result?
        return change { result = body(&$0) } ? result : nil
    }

    private func change(_ body: (inout Draft) -> Void) -> Bool {
        if !isAlone {
            do throws(TableFailure) {
                try transaction(body)
                return true
            } catch {
                if error == .system(.notFound), rehouse() { return changeAgain(body) }
                guard goAlone(because: error) else { return false }
            }
        }
        alone(body)
        return true
    }

    private func changeAgain(_ body: (inout Draft) -> Void) -> Bool {
        do throws(TableFailure) { try transaction(body) } catch {
            guard goAlone(because: error) else { return false }
            alone(body)
        }
        return true
    }

    func transaction(_ body: (inout Draft) -> Void) throws(TableFailure) {
        // The lock is let go of before anybody is rung: who wakes wants it.
        finish(try lockedTransaction(body))
    }

    /// Returns the homes that are to be rung.
    private func lockedTransaction(_ body: (inout Draft) -> Void) throws(TableFailure) -> [UInt64] {
        let id = nextTransaction()
        var begun: [UInt64]?
        // What the system refuses once it may grant at once: only a second time counts.
        var hasFailed = false
        while true {
            do throws(TableFailure) {
                if let done = try attempt(id, &begun, body) { return done }
            } catch {
                guard !hasFailed, case .system = error else { throw error }
                hasFailed = true
            }
        }
    }

    /// Nil when it is to be tried again: the file was taken away meanwhile, and the one in its place knows
    /// whether this counted, which then is what was `begun`.
    private func attempt(
        _ id: UInt64, _ begun: inout [UInt64]?, _ body: (inout Draft) -> Void
    ) throws(TableFailure) -> [UInt64]? {
        let file = try TableFile.open(&kept, in: directory)
        let (isNew, hasRedone) = try read(file)
        isBehind = false
        if let begun, copy.header.remembers(id) { return begun }
        // Handed over, not shared: a table of many sessions is not to be copied for one change.
        var draft = Draft(copy, for: home.id, in: directory)
        copy = TableCopy.nothing
        if isNew { draft.startAnew() }
        if hasRedone { draft.notifyEveryProcess() }
        for before in recollections { draft.recall(before) }
        putBackOwn(&draft)
        if !recollections.isEmpty { draft.reconcile() }
        body(&draft)
        let (isChanged, changed, written, homes) = (draft.isChanged, draft.changed, draft.written, draft.homesToRing)
        copy = draft.end()
        if isChanged || isNew {
            begun = homes
            guard try commit(to: file, changing: changed, writing: written, as: id) else { return nil }
            former = []
        }
        recollections = []
        return homes
    }

    /// False when another file is in its place. What did not come about is forgotten.
    private func commit(
        to file: borrowing TableFile, changing changed: SlotSet, writing written: SlotSet, as id: UInt64
    ) throws(TableFailure) -> Bool {
        do throws(TableFailure) {
            try file.commit(&copy, changing: changed, writing: written, as: id)
            if try file.isInPlace() { return true }
            forget(changed)
            return false
        } catch {
            forget(changed)
            throw error
        }
    }

    /// The copy is nobody's any more but for this process's own sessions: they are as they were.
    private func forget(_ changed: SlotSet) {
        copy.file = nil
        for slot in changed { copy.forget(slot) }
        for session in own { copy.put(session.entry, in: session.slot) }
    }

    /// `isNew` when the file holds nothing that can be gone on with: it is to be filled from the copy.
    private func read(_ file: borrowing TableFile) throws(TableFailure) -> (isNew: Bool, hasRedone: Bool) {
        do throws(TableFile.Content) {
            let refresh = try file.refresh(&copy)
            if let before = refresh.before { recollections.append(before) }
            return (false, refresh.hasRedone)
        } catch {
            switch error {
            case .failed(let failure): throw failure
            case .empty: break
            case .damaged: Log.line("\(directory.table) is damaged: it is made anew from what this process knows")
            }
            return (true, false)
        }
    }

    /// Follows what the table makes of this process's sessions; one that it has lost is put back.
    private func putBackOwn(_ draft: inout Draft) {
        for index in own.indices {
            let known = draft.copy.resident(in: own[index].slot)
            let isOurs = known?.entry.serial == own[index].entry.serial
            if isOurs, known?.home == home.id {
                draft.agree(with: own[index].entry, in: own[index].slot, of: recollections.first)
                continue
            }
            if isOurs, let known, former.contains(where: { $0.id == known.home }) {
                draft.moveIn(own[index].slot)
            } else if let place = draft.putBack(own[index].entry, in: own[index].slot), let entry = draft.table[place] {
                own[index].slot = place
                own[index].entry = entry
            }
        }
    }

    private func finish(_ homes: [UInt64]) {
        for index in own.indices {
            if let entry = copy.table[own[index].slot], entry.serial == own[index].entry.serial { own[index].entry = entry }
        }
        requestWatch()
        ring(homes)
    }

    /// A process that came is watched from now on: where this thread is not about to choose the processes to watch, the
    /// thread that waits for the descriptor is. A process that was killed after it came may have notified no other.
    private func requestWatch() {
        guard copy.hasNewPopulation, !isAboutToWatch, !own.isEmpty, !isAlone else { return }
        isAboutToWatch = home.ring()
    }

    /// Those whom this process had no descriptor left to ring the last time are rung as well.
    func ring(_ homes: [UInt64]) {
        guard !isAlone else {
            // The system may have refused the first eventfd.
            if homes.contains(home.id), !home.ring() {
                makeUnreachable()
                _ = home.ring()
            }
            return
        }
        var silent = unrung
        for home in homes where !silent.contains(home) { silent.append(home) }
        unrung = silent.filter { !bells.ring($0, in: directory) }
    }

    // MARK: Without the others

    /// Where the shared table is lost for good, this process's sessions go on among themselves. False
    /// for a shortage that may pass.
    private func goAlone(because failure: TableFailure) -> Bool {
        guard !failure.mayPass else {
            Log.line("\(directory.table): \(failure.text)")
            return false
        }
        goAlone(because: RuntimeDirectory.Unusable(path: directory.path, failure))
        return true
    }

    func goAlone(because reason: RuntimeDirectory.Unusable) {
        Log.line("\(directory.table): \(reason.reason); this process goes on alone")
        loneliness = reason
        // The other processes remove the sessions of a process whose FIFOs are closed.
        makeUnreachable()
        former = []
        kept = nil
        neighbours = []
        copy = TableCopy()
        for index in own.indices {
            if let outcome = copy.table.restore(own[index].entry, preferring: own[index].slot), let place = outcome.slot {
                own[index].slot = place
                copy.settle(place, at: home.id)
            }
        }
    }

    private func makeUnreachable() {
        home = Home.unreachable(home.id, in: directory)
        listenToBell()
    }

    private func alone(_ body: (inout Draft) -> Void) {
        var draft = Draft(copy, for: home.id, in: directory)
        body(&draft)
        let homes = draft.homesToRing
        copy = draft.end()
        finish(homes)
    }
}

extension RuntimeDirectory.Unusable {
    init(path: String, _ failure: TableFailure) {
        if case .system(let error) = failure {
            self.init(path: path, error)
        } else {
            self.init(path: path, reason: failure.text)
        }
    }
}

extension TableFailure {
    var mayPass: Bool {
        switch self {
        case .system(let error): error == .tooManyFiles || error == .tooManyFilesInAll || error == .noMemory
        case .busy: true
        case .foreign: false
        }
    }

    var text: String {
        switch self {
        case .system(let error): error.text
        case .foreign: "is used by another version of this library"
        case .busy: "is held by a process that does not move"
        }
    }
}
