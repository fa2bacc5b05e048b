// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter

// The content of a locked file. A transaction first writes a redo record, then the entries in place. If its process is killed at
// any point, the file contains the old table or the new one.
extension TableFile {
    /// The reason why the content cannot be used.
    enum Content: Error {
        case empty, damaged
        case failed(TableFailure)
    }

    /// The result of a refresh, in addition to the changes.
    struct Refresh {
        /// The former snapshot, if another process has created a new table since then.
        var before: KnownTable?
        /// The last holder was stopped or killed after its commit. It may not have woken the affected processes.
        var hasRedone = false
    }

    /// Updates a snapshot. Reads only the parts that have changed.
    func refresh(_ snapshot: inout TableSnapshot) throws(Content) -> Refresh {
        let (header, hasRedone) = try currentHeader()
        guard !wasShort else { throw .damaged }
        let isSameTable = snapshot.file == identity && snapshot.header.beginning == header.beginning
        if isSameTable, snapshot.header.generation == header.generation { return Refresh(hasRedone: hasRedone) }
        let changed = isSameTable ? header.slotsChanged(since: snapshot.header.generation) : nil
        guard snapshot.header.beginning == header.beginning else {
            let before = KnownTable(snapshot)
            snapshot = try readNew(header)
            return Refresh(before: before.snapshot.header.beginning == 0 ? nil : before, hasRedone: hasRedone)
        }
        // The snapshot belongs to no file until everything is read.
        snapshot.file = nil
        snapshot.apply(header)
        if let changed {
            try apply(changed, into: &snapshot)
        } else {
            try readEverything(into: &snapshot, ofSameTable: isSameTable)
        }
        snapshot.file = identity
        return Refresh(hasRedone: hasRedone)
    }

    private func readNew(_ header: TableHeader) throws(Content) -> TableSnapshot {
        var snapshot = TableSnapshot()
        snapshot.apply(header)
        try readEverything(into: &snapshot, ofSameTable: false)
        snapshot.file = identity
        return snapshot
    }

    /// The header, and whether a redo record had to be applied to get it.
    private func currentHeader() throws(Content) -> (TableHeader, hasRedone: Bool) {
        let redo: UInt64 = front.number(at: Int(TableHeader.redoOffset))
        let header: TableHeader
        do throws(TableHeader.Unreadable) {
            header = try TableHeader(ChecksummedBuffer(bytes: front.slice(from: 0, count: TableHeader.size)))
        } catch {
            if error == .foreign { throw .failed(.foreign) }
            // The holder was killed while it wrote the header. The redo record contains the header.
            if let header = try redone(redo) { return (header, true) }
            throw error == .empty ? .empty : .damaged
        }
        if redo == header.generation &+ 1, let header = try redone(redo) { return (header, true) }
        return (header, false)
    }

    private func redone(_ generation: UInt64) throws(Content) -> TableHeader? {
        do throws(TableFailure) { return try redo(generation) } catch { throw .failed(error) }
    }

    private func buffers(of slots: ClosedRange<TableSlot>) throws(Content) -> ChecksummedBuffer {
        do throws(TableFailure) {
            return try read(slots.count * TableRecord.size, at: offset(of: slots.lowerBound))
        } catch { throw .failed(error) }
    }

    /// Reads entries that are close together with one call.
    private func apply(_ slots: SlotSet, into snapshot: inout TableSnapshot) throws(Content) {
        let closeTogether = 8
        var run: (slots: ClosedRange<TableSlot>, bytes: ChecksummedBuffer)?
        for slot in slots {
            if run?.slots.contains(slot) != true {
                let last = slots.last(from: slot, within: closeTogether)
                run = (slot...last, try buffers(of: slot...last))
            }
            guard let (range, bytes) = run else { continue }
            let buffer = ChecksummedBuffer(
                bytes: bytes.slice(from: (slot - range.lowerBound) * TableRecord.size, count: TableRecord.size))
            try apply(buffer, as: slot, into: &snapshot)
        }
    }

    private func apply(_ buffer: ChecksummedBuffer, as slot: TableSlot, into snapshot: inout TableSnapshot) throws(Content) {
        do throws(TableRecord.Damage) {
            snapshot.apply(try TableRecord.read(buffer), in: slot, version: TableRecord.version(in: buffer))
        } catch { throw .damaged }
    }

    /// Reads every entry. If the table is the same, applies only the entries with another version.
    private func readEverything(into snapshot: inout TableSnapshot, ofSameTable isSameTable: Bool) throws(Content) {
        let used = snapshot.table.entries.count
        let all: ChecksummedBuffer
        do throws(TableFailure) { all = try read(used * TableRecord.size, at: TableHeader.entriesOffset) } catch {
            throw .failed(error)
        }
        for slot in 0..<used {
            let version: UInt64 = all.number(at: slot * TableRecord.size + TableRecord.versionOffset)
            if isSameTable, version == snapshot.version(of: slot) { continue }
            let buffer = ChecksummedBuffer(bytes: all.slice(from: slot * TableRecord.size, count: TableRecord.size))
            try apply(buffer, as: slot, into: &snapshot)
        }
    }

    private func offset(of slot: TableSlot) -> UInt64 { TableHeader.entriesOffset + UInt64(slot * TableRecord.size) }

    // MARK: Changing

    /// Writes these slots of the snapshot. The transaction is committed when the redo record is written.
    func commit(
        _ snapshot: inout TableSnapshot, changing slots: SlotSet, writing written: SlotSet, as transaction: UInt64
    ) throws(TableFailure) {
        let header = snapshot.advance(transaction, changing: slots, writing: written)
        var entries: [(slot: TableSlot, bytes: [UInt8])] = []
        entries.reserveCapacity(written.count)
        for slot in written {
            entries.append((slot, TableRecord.bytes(of: snapshot.record(in: slot), version: snapshot.version(of: slot))))
        }
        try write(RedoRecord.bytes(header, entries), at: TableHeader.redoOffset)
        TransactionHook.point(.committed)
        do throws(TableFailure) {
            try write(header.bytes, entries)
            snapshot.apply(header)
            snapshot.file = identity
        } catch {
            // The next process that reads the table applies the record. This process reads the snapshot again.
            snapshot.file = nil
        }
    }

    private func write(_ header: [UInt8], _ entries: [(slot: TableSlot, bytes: [UInt8])]) throws(TableFailure) {
        var first = 0
        while first < entries.count {
            var next = first + 1
            // Adjacent entries are written with one call.
            while next < entries.count, entries[next].slot == entries[next - 1].slot + 1 { next += 1 }
            let bytes = next == first + 1 ? entries[first].bytes : joined(entries[first..<next])
            try write(bytes, at: offset(of: entries[first].slot))
            TransactionHook.point(.applying)
            first = next
        }
        try write(header, at: 0)
    }

    private func joined(_ entries: ArraySlice<(slot: TableSlot, bytes: [UInt8])>) -> [UInt8] {
        var all = ChecksummedBuffer(size: entries.count * TableRecord.size)
        var offset = 0
        for entry in entries {
            all.copy(entry.bytes, to: offset)
            offset += entry.bytes.count
        }
        return all.bytes
    }

    /// Applies the record of a holder that was killed after its commit. Nil when there is none.
    private func redo(_ generation: UInt64) throws(TableFailure) -> TableHeader? {
        let head = ChecksummedBuffer(bytes: front.slice(from: Int(TableHeader.redoOffset), count: RedoRecord.headBytes))
        guard generation != 0, let count = RedoRecord.count(head: head, for: generation) else { return nil }
        guard let record = RedoRecord.read(try read(RedoRecord.size(of: count), at: TableHeader.redoOffset), count: count) else {
            return nil
        }
        let header: TableHeader
        do throws(TableHeader.Unreadable) { header = try TableHeader(record.header) } catch { return nil }
        try write(record.header.bytes, record.entries)
        return header
    }
}

extension SlotSet {
    /// The last slot of the set among the `count` slots from this one on.
    fileprivate func last(from slot: TableSlot, within count: Int) -> TableSlot {
        var last = slot
        for other in slot..<(slot + count) where contains(other) { last = other }
        return last
    }
}

/// Points of a transaction at which a test kills or stops the process. Only test builds have them.
enum TransactionHook {
    enum Point: UInt8 { case locked, committed, applying }

    #if TEST_HOOKS
        nonisolated(unsafe) static var at: ((Point) -> Void)?
        static func point(_ point: Point) { at?(point) }
    #else
        @inline(__always) static func point(_ point: Point) {}
    #endif
}
