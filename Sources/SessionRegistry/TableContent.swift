import LinuxSystem
import SessionArbiter

// What a locked file holds, and how it is changed: a redo record first, then the entries in place.
// A process that is killed anywhere in between leaves the old table or the new one.
extension TableFile {
    /// Why the content cannot be gone on with.
    enum Content: Error {
        case empty, damaged
        case failed(TableFailure)
    }

    /// What a refresh has found beside the changes.
    struct Refresh {
        /// The copy before, where the table was made anew since.
        var before: TableCopy?
        /// The last holder was stopped or killed after its commit. It may have notified no process.
        var hasRedone = false
    }

    /// Brings a copy up to date, reading no more than has changed.
    func refresh(_ copy: inout TableCopy) throws(Content) -> Refresh {
        let (header, hasRedone) = try currentHeader()
        guard !wasShort else { throw .damaged }
        let isSameTable = copy.file == identity && copy.header.beginning == header.beginning
        if isSameTable, copy.header.generation == header.generation { return Refresh(hasRedone: hasRedone) }
        let changed = isSameTable ? header.slotsChanged(since: copy.header.generation) : nil
        guard copy.header.beginning == header.beginning else {
            let before = copy
            copy = try anew(header)
            return Refresh(before: before.header.beginning == 0 ? nil : before, hasRedone: hasRedone)
        }
        // Until all is read it is a copy of nothing.
        copy.file = nil
        copy.take(header)
        if let changed {
            try take(changed, into: &copy)
        } else {
            try readEverything(into: &copy, sparing: isSameTable)
        }
        copy.file = identity
        return Refresh(hasRedone: hasRedone)
    }

    private func anew(_ header: Header) throws(Content) -> TableCopy {
        var copy = TableCopy()
        copy.take(header)
        try readEverything(into: &copy, sparing: false)
        copy.file = identity
        return copy
    }

    /// The header, and whether a redo record had to be applied for it.
    private func currentHeader() throws(Content) -> (Header, hasRedone: Bool) {
        let redoHead = Block(bytes: front.slice(from: Int(Header.redoOffset), count: Redo.headBytes))
        let header: Header
        do throws(Header.Unreadable) { header = try Header(Block(bytes: front.slice(from: 0, count: Header.size))) } catch {
            if error == .foreign { throw .failed(.foreign) }
            // Killed while the header was being written: the record has it.
            if let header = try redone(redoHead, for: redoHead.number(at: 0)) { return (header, true) }
            throw error == .empty ? .empty : .damaged
        }
        if let header = try redone(redoHead, for: header.generation &+ 1) { return (header, true) }
        return (header, false)
    }

    private func redone(_ head: Block, for generation: UInt64) throws(Content) -> Header? {
        do throws(TableFailure) { return try redo(head, for: generation) } catch { throw .failed(error) }
    }

    private func blocks(of slots: ClosedRange<Slot>) throws(Content) -> Block {
        do throws(TableFailure) {
            return try read(slots.count * Resident.size, at: place(of: slots.lowerBound))
        } catch { throw .failed(error) }
    }

    /// What lies close together is read at once.
    private func take(_ slots: SlotSet, into copy: inout TableCopy) throws(Content) {
        let closeTogether = 8
        var run: (slots: ClosedRange<Slot>, bytes: Block)?
        for slot in slots {
            if run?.slots.contains(slot) != true {
                let last = slots.last(from: slot, within: closeTogether)
                run = (slot...last, try blocks(of: slot...last))
            }
            guard let (range, bytes) = run else { continue }
            let block = Block(bytes: bytes.slice(from: (slot - range.lowerBound) * Resident.size, count: Resident.size))
            try take(block, as: slot, into: &copy)
        }
    }

    private func take(_ block: Block, as slot: Slot, into copy: inout TableCopy) throws(Content) {
        do throws(Resident.Damage) {
            copy.take(try Resident.read(block), in: slot, version: Resident.version(in: block))
        } catch { throw .damaged }
    }

    /// Of the same table only what has another version.
    private func readEverything(into copy: inout TableCopy, sparing isSameTable: Bool) throws(Content) {
        let used = copy.table.entries.count
        let all: Block
        do throws(TableFailure) { all = try read(used * Resident.size, at: Header.entriesOffset) } catch { throw .failed(error) }
        for slot in 0..<used {
            let version: UInt64 = all.number(at: slot * Resident.size + Resident.versionOffset)
            if isSameTable, version == copy.version(of: slot) { continue }
            let block = Block(bytes: all.slice(from: slot * Resident.size, count: Resident.size))
            try take(block, as: slot, into: &copy)
        }
    }

    private func place(of slot: Slot) -> UInt64 { Header.entriesOffset + UInt64(slot * Resident.size) }

    // MARK: Changing

    /// Writes what the copy's table holds in these slots. The transaction is committed when the redo record is written.
    func commit(
        _ copy: inout TableCopy, changing slots: SlotSet, writing written: SlotSet, as transaction: UInt64
    ) throws(TableFailure) {
        let header = copy.advance(transaction, changing: slots, writing: written)
        var entries: [(slot: Slot, bytes: [UInt8])] = []
        for slot in written {
            entries.append((slot, Resident.bytes(of: copy.resident(in: slot), version: copy.version(of: slot))))
        }
        try write(Redo.bytes(header, entries), at: Header.redoOffset)
        Halt.point(.committed)
        do throws(TableFailure) {
            try apply(header.bytes, entries)
            copy.take(header)
            copy.file = identity
        } catch {
            // The next process that reads the table applies the record. The copy is read again.
            copy.file = nil
        }
    }

    private func apply(_ header: [UInt8], _ entries: [(slot: Slot, bytes: [UInt8])]) throws(TableFailure) {
        var next = 0
        while next < entries.count {
            let first = entries[next].slot
            var bytes = entries[next].bytes
            next += 1
            // Neighbours are written at once.
            while next < entries.count, entries[next].slot == entries[next - 1].slot + 1 {
                bytes += entries[next].bytes
                next += 1
            }
            try write(bytes, at: place(of: first))
            Halt.point(.applying)
        }
        try write(header, at: 0)
    }

    /// Finishes what the last holder had committed when it was killed. Nil when there is nothing to do.
    private func redo(_ head: Block, for generation: UInt64) throws(TableFailure) -> Header? {
        guard generation != 0, let count = Redo.count(head: head, for: generation) else { return nil }
        guard let record = Redo.read(try read(Redo.size(of: count), at: Header.redoOffset), count: count) else { return nil }
        let header: Header
        do throws(Header.Unreadable) { header = try Header(record.header) } catch { return nil }
        try apply(record.header.bytes, record.entries)
        return header
    }
}

extension SlotSet {
    /// The last of its slots among so many from this one on, which is one of them.
    fileprivate func last(from slot: Slot, within count: Int) -> Slot {
        var last = slot
        for other in slot..<(slot + count) where contains(other) { last = other }
        return last
    }
}

/// Where a test may kill or stop a process in the middle of a transaction. Nothing, in what ships.
enum Halt {
    enum Point: UInt8 { case locked, committed, applying }

    #if INTERRUPTIBLE
        nonisolated(unsafe) static var at: ((Point) -> Void)?
        static func point(_ point: Point) { at?(point) }
    #else
        @inline(__always) static func point(_ point: Point) {}
    #endif
}
