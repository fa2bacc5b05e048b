import SessionArbiter

/// The table in the hands of one transaction, and what it has done to it so far.
struct Draft {
    private(set) var copy: TableCopy
    private let directory: RuntimeDirectory
    private let home: UInt64
    private(set) var changed = SlotSet()
    private(set) var concerned = SlotSet()
    /// Homes to ring beyond those of the concerned.
    private(set) var rung: [UInt64] = []

    init(_ copy: TableCopy, for home: UInt64, in directory: RuntimeDirectory) {
        self.copy = copy
        self.home = home
        self.directory = directory
    }

    var table: SessionTable { copy.table }

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
        for slot in outcome.changed where table[slot] == nil { copy.vacate(slot) }
        changed.formUnion(outcome.changed)
        concerned.formUnion(outcome.concerned)
    }

    /// The states of the user are in the header, not in any entry.
    var isChanged: Bool {
        let header = copy.header
        return !changed.isEmpty || table.isSilent != header.isSilent || table.isLocked != header.isLocked
            || table.call != header.call || table.gainsToReturn != header.gainsToReturn
    }

    // MARK: Those who are gone

    /// In the order of their slots.
    var homes: [UInt64] { copy.homesInOrder }

    mutating func removeDead() {
        for other in homes where other != home && copy.isDead(other, in: directory) { bury([other]) }
    }

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
        return place
    }

    /// Who made the table anew did not know what a session had fetched before that. Where it is otherwise
    /// as the session knows itself, the session is right.
    mutating func agree(with known: SessionEntry, in slot: Slot) {
        guard let entry = table[slot], entry.waiting != known.waiting, entry.isActive == known.isActive,
            entry.isInterrupted == known.isInterrupted
        else { return }
        copy.setWaiting(known.waiting, in: slot)
        changed.insert(slot)
    }

    /// The process lives elsewhere now.
    mutating func moveIn(_ slot: Slot) {
        copy.settle(slot, at: home)
        changed.insert(slot)
    }

    /// Everything in it is to be written, and everybody is to look whether they are in it.
    mutating func startAnew() {
        copy.beginAgain(as: SharedRegistry.newHome())
        for slot in copy.table.entries.indices where copy.table[slot] != nil { changed.insert(slot) }
        rung = directory.homes()
        removeDead()
    }

    mutating func ring(_ homes: [UInt64]) { rung += homes }
}
