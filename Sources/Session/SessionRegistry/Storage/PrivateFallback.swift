// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter

// The sessions of a process whose shared table cannot be used.
extension FileRegistry {
    /// The reason why no other process can see the sessions of this registry; nil if they can.
    public var privateFallbackReason: RuntimeDirectory.Unusable? {
        lock.withLock {
            guard case .privateFallback(let reason) = mode else { return nil }
            return reason
        }
    }

    var isPrivate: Bool {
        if case .privateFallback = mode { true } else { false }
    }

    /// False for a temporary shortage: the request is refused, and the shared table stays in use.
    func beginPrivateFallback(because failure: TableFailure) -> Bool {
        guard !failure.mayPass else {
            Log.debug("\(directory.table): \(failure.text); the request is refused")
            return false
        }
        beginPrivateFallback(because: RuntimeDirectory.Unusable(path: directory.path, failure))
        return true
    }

    func beginPrivateFallback(because reason: RuntimeDirectory.Unusable) {
        Log.debug("\(directory.table): \(reason.reason); the sessions of this process continue without those of other processes")
        mode = .privateFallback(reason)
        // The other processes remove the sessions of this process, and one of them restores the input gains.
        let hasPeers = storage.known.snapshot.endpointsInOrder.contains { $0 != peers.endpoint.id }
        peers.becomeUnreachable()
        let shared = storage.known.snapshot
        storage = TableStorage(in: directory)
        storage.known.snapshot.continueNumbers(of: shared)
        for index in own.indices {
            if hasPeers { own[index].entry.gains = SavedGains() }
            guard let slot = storage.known.snapshot.table.restore(own[index].entry, preferring: own[index].slot)?.slot else {
                continue
            }
            own[index].slot = slot
            storage.known.snapshot.assign(slot, to: peers.endpoint.id)
        }
    }

    func performPrivately(_ body: (TableTransaction) -> Void) {
        let transaction = storage.transaction
        transaction.begin(of: peers.endpoint.id)
        body(transaction)
        let endpoints = transaction.endpointsToWake
        rememberOwnSessions()
        peers.wake(endpoints)
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
        case .foreign: "another version of this library uses the file"
        case .busy: "a process holds the lock and makes no progress"
        }
    }
}
