import SessionArbiter

/// The table in the hands of one transaction, and what it has done to it so far.
struct Draft {
    private(set) var copy: TableCopy
    private let directory: RuntimeDirectory
    private let home: UInt64
    private(set) var changed = SlotSet()
    /// What was changed, and what is only to be known to everybody again.
    private(set) var written = SlotSet()
    private(set) var concerned = SlotSet()
    /// Homes to ring beyond those of the concerned.
    private var rung: [UInt64] = []
    private var notifiesEveryProcess = false

    init(_ copy: TableCopy, for home: UInt64, in directory: RuntimeDirectory) {
        self.copy = copy
        self.home = home
        self.directory = directory
    }

    var table: SessionTable { copy.table }
    var homesToRing: [UInt64] {
        rung + (notifiesEveryProcess ? copy.homesInOrder : concerned.compactMap { copy.home(of: $0) })
    }

    /// Hands the copy back.
    consuming func end() -> TableCopy { copy }

    mutating func decide(_ request: Request) -> Outcome {
        let outcome = copy.table.decide(request)
        if let slot = outcome.slot { copy.settle(slot, at: home) }
        note(outcome)
        return outcome
    }

    /// What the session in a slot finds; the interruptions that waited for it are its own now.
    mutating func fetch(_ slot: Slot) -> SessionView {
        let view = table.view(of: slot)
        if !view.interruptions.isEmpty { _ = decide(.fetched(slot)) }
        // It knows: nobody needs to tell it.
        concerned.remove(slot)
        return view
    }

    private mutating func note(_ outcome: Outcome) {
        for slot in outcome.changed where table.isFree(slot) { copy.vacate(slot) }
        changed.formUnion(outcome.changed)
        written.formUnion(outcome.changed)
        concerned.formUnion(outcome.concerned)
    }

    /// The states of the user are in the header, not in any entry.
    var isChanged: Bool { !written.isEmpty || !copy.header.describesWorld(of: table) }

    // MARK: Those who are gone

    private mutating func removeDead() { bury(copy.dead(in: directory, sparing: home)) }

    /// All their sessions have died at once.
    mutating func bury(_ dead: [UInt64]) {
        for home in dead {
            for slot in copy.table.entries.indices where copy.home(of: slot) == home { _ = decide(.death(slot)) }
            Home.remove(home, from: directory)
        }
    }

    // MARK: A table that had to be made anew

    /// Puts a session back that the table has lost; returns where it is now.
    mutating func putBack(_ entry: SessionEntry, in slot: Slot) -> Slot? {
        guard let outcome = copy.table.restore(entry, preferring: slot), let place = outcome.slot else { return nil }
        copy.settle(place, at: home)
        note(outcome)
        notifyEveryProcess()
        return place
    }

    /// Who made the table anew may have known less than this process: what is later of the two copies
    /// of a slot is right.
    mutating func recall(_ before: TableCopy) {
        for slot in before.table.entries.indices where before.version(of: slot) > copy.version(of: slot) {
            copy.recall(slot, of: before)
            written.insert(slot)
            notifyEveryProcess()
        }
        if before.header.worldVersion > copy.header.worldVersion {
            copy.recallWorld(of: before)
            notifyEveryProcess()
        }
        removeDead()
    }

    /// What a session of this process asked for itself, and what it was told, no other can know better.
    mutating func agree(with known: SessionEntry, in slot: Slot, of before: TableCopy?) {
        if let before, table.hasMissed(known, in: slot), before.table[slot]?.serial == known.serial {
            copy.recall(slot, of: before)
            written.insert(slot)
            notifyEveryProcess()
            if !known.isActive { note(copy.table.release(slot)) }
        }
        note(copy.table.tell(slot, knowing: known))
    }

    /// Makes the table one that could have come about. Two copies in one need not fit together.
    mutating func reconcile() {
        let versions = copy.versions
        note(copy.table.reconcile { versions.indices.contains($0) ? versions[$0] : 0 })
    }

    /// The process lives elsewhere now.
    mutating func moveIn(_ slot: Slot) {
        copy.settle(slot, at: home)
        notifyEveryProcess()
        changed.insert(slot)
        written.insert(slot)
    }

    /// Everything in it is to be written, and everybody is to look whether they are in it.
    mutating func startAnew() {
        copy.beginAgain(as: SharedRegistry.newHome())
        for slot in copy.table.entries.indices { written.insert(slot) }
        rung = directory.homes()
        removeDead()
    }

    /// An entry came from elsewhere than a decision: it may affect any session, and its process is to be watched.
    mutating func notifyEveryProcess() { notifiesEveryProcess = true }
}
