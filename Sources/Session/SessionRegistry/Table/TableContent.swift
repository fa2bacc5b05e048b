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
        if isUnchanged(since: snapshot.header, in: snapshot.file) { return Refresh() }
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

    /// The file has the header of the snapshot, and no transaction was committed after it. A header that is equal to one that was
    /// intact is intact.
    private func isUnchanged(since header: TableHeader, in file: TableSnapshot.FileIdentity?) -> Bool {
        guard !wasShort, file == identity, header.isFirst(in: front) else { return false }
        return front.number(at: Int(TableHeader.redoOffset), as: UInt64.self) != header.generation &+ 1
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
    private func apply(_ slots: SlotList, into snapshot: inout TableSnapshot) throws(Content) {
        let closeTogether = 8
        var run: (slots: ClosedRange<TableSlot>, bytes: ChecksummedBuffer)?
        for slot in slots {
            if run?.slots.contains(slot) != true {
                let last = slots.last(from: slot, within: closeTogether)
                run = (slot...last, try buffers(of: slot...last))
            }
            guard let (range, bytes) = run else { continue }
            try apply(bytes, at: (slot - range.lowerBound) * TableRecord.size, as: slot, into: &snapshot)
        }
    }

    private func apply(
        _ buffer: ChecksummedBuffer, at start: Int, as slot: TableSlot, into snapshot: inout TableSnapshot
    ) throws(Content) {
        do throws(TableRecord.Damage) { try applyRecord(buffer, at: start, as: slot, to: &snapshot) } catch { throw .damaged }
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
            try apply(all, at: slot * TableRecord.size, as: slot, into: &snapshot)
        }
    }

    private func offset(of slot: TableSlot) -> UInt64 { TableHeader.entriesOffset + UInt64(slot * TableRecord.size) }

    // MARK: Changing

    /// Writes the changes of the transaction. It is committed when the redo record is written.
    func commit(_ transaction: TableTransaction, to known: KnownTable, as id: UInt64) throws(TableFailure) {
        let size = RedoRecord.size(of: transaction.written.count)
        record { next, buffer in
            known.snapshot.advance(id, transaction, to: &next)
            if buffer.size < size { buffer = ChecksummedBuffer(size: size) }
            RedoRecord.write(transaction, of: known, next, to: &buffer)
        }
        try write(0..<size, at: TableHeader.redoOffset)
        TransactionHook.point(.committed)
        do throws(TableFailure) {
            try writeRecorded(transaction)
            try write(next.bytes, at: 0)
            known.snapshot.commit(next)
            known.snapshot.file = identity
        } catch {
            // The next process that reads the table applies the record. This process reads the snapshot again.
            known.snapshot.file = nil
        }
    }

    /// Writes the entries of the redo record to their places. Adjacent entries are written with one call.
    private func writeRecorded(_ transaction: TableTransaction) throws(TableFailure) {
        var index = 0
        var run: (first: TableSlot, index: Int)?
        for slot in transaction.written {
            if let begun = run, slot != begun.first + index - begun.index {
                try writeRecorded(index - begun.index, from: begun.index, at: begun.first)
                run = nil
            }
            run = run ?? (slot, index)
            index += 1
        }
        if let run { try writeRecorded(index - run.index, from: run.index, at: run.first) }
    }

    private func writeRecorded(_ count: Int, from index: Int, at slot: TableSlot) throws(TableFailure) {
        let offset = offset(of: slot)
        if count == 1 {
            let start = RedoRecord.offset(of: index)
            try write(start..<(start + TableRecord.size), at: offset)
        } else {
            try write(joined(count, from: index), at: offset)
        }
        TransactionHook.point(.applying)
    }

    /// Entries of the redo record without their slots.
    private func joined(_ count: Int, from index: Int) -> [UInt8] {
        var all = ChecksummedBuffer(size: count * TableRecord.size)
        record { _, buffer in
            for number in 0..<count {
                let bytes = buffer.slice(from: RedoRecord.offset(of: index + number), count: TableRecord.size)
                all.copy(bytes, to: number * TableRecord.size)
            }
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
        for entry in record.entries {
            try write(entry.bytes, at: offset(of: entry.slot))
            TransactionHook.point(.applying)
        }
        try write(record.header.bytes, at: 0)
        return header
    }
}

/// Compiled for speed: code for size copies the entry, byte by byte.
@inline(never)
@_optimize(speed)
private func applyRecord(
    _ buffer: ChecksummedBuffer, at start: Int, as slot: TableSlot, to snapshot: inout TableSnapshot
) throws(TableRecord.Damage) {
    let version = TableRecord.version(in: buffer, at: start)
    let record = try TableRecord.read(buffer, at: start)
    snapshot.apply(record?.entry, of: record?.endpoint ?? 0, in: slot, version: version)
}

extension SlotList {
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
