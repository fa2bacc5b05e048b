// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter

/// The snapshot of a registry. An object, so that a transaction changes it in place: a copy counts the references of each of its
/// arrays.
final class KnownTable {
    var snapshot: TableSnapshot

    init(_ snapshot: TableSnapshot) { self.snapshot = snapshot }
}

/// The table's file, which stays open between transactions, and the snapshot of its last known content.
struct TableStorage {
    private let directory: RuntimeDirectory
    private var cachedFile: CachedTableFile?
    let known = KnownTable(TableSnapshot())
    let transaction: TableTransaction
    /// A copy.
    var snapshot: TableSnapshot { known.snapshot }

    init(in directory: RuntimeDirectory) {
        self.directory = directory
        transaction = TableTransaction(known, in: directory)
    }

    /// Waits for the lock of the file.
    mutating func open() throws(TableFailure) -> TableFile { try TableFile.open(&cachedFile, in: directory) }

    /// The content of the file.
    enum Reading {
        case current(TableFile.Refresh)
        /// The content is unreadable. The snapshot is written to the file.
        case unreadable
    }

    func read(_ file: borrowing TableFile) throws(TableFailure) -> Reading {
        do throws(TableFile.Content) {
            return .current(try file.refresh(&known.snapshot))
        } catch {
            switch error {
            case .failed(let failure): throw failure
            case .empty: break
            case .damaged: Log.debug("\(directory.table) is damaged; this process replaces its content with its own snapshot")
            }
            return .unreadable
        }
    }

    /// The transaction was not committed. The snapshot is read again, except the entries of this process.
    func discard(own: [FileRegistry.OwnSession]) {
        known.snapshot.file = nil
        for slot in transaction.changed { known.snapshot.clearVersion(of: slot) }
        for session in own { known.snapshot.put(session.entry, in: session.slot) }
    }
}
