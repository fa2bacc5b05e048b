// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
public import SessionArbiter
public import SessionModel

/// The table that all processes of a user share, in one small file of the runtime directory. There is no daemon: a process
/// with a request locks the file, calls the arbiter, writes the entries that have changed, and wakes the processes of the
/// affected sessions.
public final class FileRegistry: SessionRegistry, @unchecked Sendable {
    let directory: RuntimeDirectory
    let process: ProcessIdentity
    private let events: FileDescriptor
    private let files = FileWatch()

    /// Guards the following members. A transaction holds it from its begin to its end.
    let lock = Lock()
    var storage: TableStorage
    var peers: Peers
    var mode = StorageMode.shared
    /// The sessions of this process, in their last known state.
    var own: [OwnSession] = []
    /// An event has arrived, and the table has not been read since.
    var isBehind = false
    /// `updatePeerMonitors` will be called, or runs.
    var willUpdateMonitors = false
    var transactionCount: UInt64 = 0
    /// The table still contains a session that has left.
    private var hasUnwrittenLeave = false

    enum StorageMode {
        case shared
        /// Another process has created a new table. These earlier snapshots still have to be compared with it.
        case recovering(from: [TableSnapshot])
        /// The shared table cannot be used: the sessions of this process use a table of their own.
        case privateFallback(RuntimeDirectory.Unusable)
    }

    struct OwnSession {
        /// The number that identifies the session in this process: the slot of its first entry.
        let handle: TableSlot
        /// The present slot. It differs from the handle after another process has created a new table.
        var slot: TableSlot
        var entry: SessionEntry
    }

    /// Fails if the directory cannot be used, or another version of this library uses the file. All calls that can fail
    /// precede the creation of the object: Embedded Swift (6.3.1) never frees an object whose initializer fails.
    public convenience init(in directory: RuntimeDirectory) throws(RuntimeDirectory.Unusable) {
        let endpoint: ProcessEndpoint
        let events = FileDescriptor(owning: linux_epoll_create())
        do throws(SystemError) {
            try SystemError.check(events.number)
            endpoint = try ProcessEndpoint.create(in: directory)
        } catch {
            throw RuntimeDirectory.Unusable(path: directory.path, error)
        }
        self.init(in: directory, endpoint, events)
        if !peers.endpoint.isNamed { _ = peers.recreateEndpoint(watchedBy: files) }
        do throws(TableFailure) { try open() } catch { throw RuntimeDirectory.Unusable(path: directory.path, error) }
    }

    private init(in directory: RuntimeDirectory, _ endpoint: ProcessEndpoint, _ events: consuming FileDescriptor) {
        self.directory = directory
        process = .own
        storage = TableStorage(in: directory)
        peers = Peers(in: directory, endpoint, events: events.number)
        self.events = events
        peers.watchEndpoint(by: files)
        _ = files.wake(self.events.number, as: Peers.Token.files)
    }

    /// If the table still contains sessions of this registry, its files stay. The FIFO, which no process has open then, shows
    /// that the sessions are dead. For a process without files, others would assume that it is about to create them.
    deinit { if !isPrivate, !hasUnwrittenLeave { peers.endpoint.removeFiles() } }

    /// Removes the processes that have ended while no other process was running.
    private func open() throws(TableFailure) {
        try lock.withLock { () throws(TableFailure) in
            var known = TableSnapshot()
            try perform { known = $0.snapshot }
            let dead = known.dead(in: directory, except: peers.endpoint.id)
            if !dead.isEmpty { try perform { $0.reap(dead) } }
            removeAbandonedFiles()
        }
    }

    /// Removes the files of processes that ended without a session in the table.
    private func removeAbandonedFiles() {
        let known = Set(storage.known.snapshot.endpointsInOrder)
        for other in directory.endpoints() where other != peers.endpoint.id && !known.contains(other) {
            if ProcessEndpoint.state(of: other, in: directory) == .abandoned { ProcessEndpoint.remove(other, from: directory) }
        }
    }

    // MARK: Events

    public var descriptor: Int32 { events.number }

    public func processEvents() {
        lock.withLock {
            willUpdateMonitors = true
            let dead = readEvents()
            peers.removeMonitors(of: dead)
            // The caller reads the table next. Without a death, that transaction is enough.
            if dead.isEmpty { isBehind = true } else { reapDeadPeers(dead) }
        }
    }

    public func updatePeerMonitors() {
        lock.withLock {
            if isBehind { reapDeadPeers([]) } else { monitorPeers() }
            willUpdateMonitors = false
        }
    }

    /// Chooses processes to monitor from the snapshot, which a transaction has just read.
    private func monitorPeers() {
        let dead = isPrivate ? [] : peers.updateMonitors(&storage.known.snapshot, affecting: own.map { $0.slot })
        if !dead.isEmpty { reapDeadPeers(dead) }
    }

    /// Clears the events, and returns the endpoints of processes that have ended. Each descriptor is read once, so that a process
    /// that writes without end cannot keep this process from the table.
    private func readEvents() -> [UInt64] {
        var dead: [UInt64] = []
        withUnsafeTemporaryAllocation(of: linux_event.self, capacity: Peers.mostMonitors + 3) { found in
            let count = linux_epoll_wait(events.number, found.baseAddress, Int32(found.count), 0)
            for index in 0..<max(0, Int(count)) {
                switch found[index].token {
                case Peers.Token.wakeUp: peers.endpoint.drain()
                case Peers.Token.files:
                    files.processEvents()
                    if !isPrivate, !peers.endpoint.isNamed { _ = recreateEndpoint() }
                default: dead.append(found[index].token)
                }
            }
        }
        return dead
    }

    func recreateEndpoint() -> Bool { peers.recreateEndpoint(watchedBy: files) }

    /// Removes the sessions of these processes, and chooses processes to monitor until each chosen process runs.
    private func reapDeadPeers(_ dead: [UInt64]) {
        var dead = dead
        repeat {
            let ended = dead
            guard transact({ $0.reap(ended) }) else { return }
            dead = isPrivate ? [] : peers.updateMonitors(&storage.known.snapshot, affecting: own.map { $0.slot })
        } while !dead.isEmpty
    }

    // MARK: Sessions

    public func enter(name: SessionName, settings: SessionSettings) throws(ResultCode) -> TableSlot {
        try enter(by: .enter(process: process, name: name, settings: settings))
    }

    public func enterStreams(of session: TableSlot) throws(ResultCode) -> TableSlot {
        try enter(by: .enterStreams(process: process, of: session))
    }

    private func enter(by request: Request) throws(ResultCode) -> TableSlot {
        try lock.withLock { () throws(ResultCode) in
            let request = request.moved { slot(of: $0) }
            var isDone = transact { $0.decide(request) }
            if isDone, storage.transaction.refusal != nil, own.isEmpty {
                beginPrivateFallback(because: RuntimeDirectory.Unusable(path: directory.path, reason: "the table is full"))
                isDone = transact { $0.decide(request) }
            }
            guard isDone else { throw .initializationError }
            if let refusal = storage.transaction.refusal { throw refusal }
            guard let slot = storage.transaction.slot, let entry = storage.known.snapshot.table[slot] else {
                throw .initializationError
            }
            own.append(OwnSession(handle: slot, slot: slot, entry: entry))
            willUpdateMonitors = true
            monitorPeers()
            willUpdateMonitors = false
            peers.wake(storage.known.snapshot.predecessors(of: peers.endpoint.id))
            return slot
        }
    }

    public func leave(_ handle: TableSlot) {
        lock.withLock {
            let slot = slot(of: handle)
            own = own.filter { $0.handle != handle }
            if !transact({ $0.decide(.leave(slot)) }) { hasUnwrittenLeave = true }
        }
    }

    public func submit(_ request: Request) throws(ResultCode) {
        try lock.withLock { () throws(ResultCode) in
            guard transact({ decide(request, in: $0) }) else { throw .unspecified }
            if let refusal = storage.transaction.refusal { throw refusal }
        }
    }

    public func submit(_ request: Request, viewing handle: TableSlot) throws(ResultCode) -> SessionView {
        try lock.withLock { () throws(ResultCode) in
            var view = SessionView()
            var refusal: ResultCode?
            let isDone = transact { transaction in
                decide(request, in: transaction)
                // The fetch may be a further request.
                refusal = transaction.refusal
                let isBusy = transaction.isBusy
                if refusal == nil { transaction.fetch(slot(of: handle), to: &view) }
                view.isBusy = isBusy
            }
            guard isDone else { throw .unspecified }
            if let refusal { throw refusal }
            return view
        }
    }

    /// The program names its sessions by their handles.
    private func decide(_ request: Request, in transaction: TableTransaction) {
        for index in own.indices where own[index].handle != own[index].slot {
            return transaction.decide(request.moved { slot(of: $0) })
        }
        transaction.decide(request)
    }

    public func view(of handle: TableSlot) -> SessionView {
        lock.withLock {
            var view = SessionView()
            if transact({ $0.fetch(slot(of: handle), to: &view) }) { return view }
            // The table cannot be read.
            return knownView(of: handle)
        }
    }

    public func lastView(of handle: TableSlot) -> SessionView { lock.withLock { knownView(of: handle) } }

    /// The view without the interruptions, because the table may contain that they were fetched.
    private func knownView(of handle: TableSlot) -> SessionView {
        var last = storage.known.snapshot.table.view(of: slot(of: handle))
        last.interruptions = []
        return last
    }

    // MARK: The table

    public func table() -> SessionTable {
        lock.withLock {
            let known = inTable { $0.snapshot }
            let dead = isPrivate ? [] : (known ?? storage.known.snapshot).dead(in: directory, except: peers.endpoint.id)
            if !dead.isEmpty { _ = transact { $0.reap(dead) } }
            return storage.known.snapshot.table
        }
    }

    public func othersArePlaying() -> Bool {
        lock.withLock {
            inTable { $0.table.othersArePlaying(than: process) } ?? storage.known.snapshot.table.othersArePlaying(than: process)
        }
    }

    private func slot(of handle: TableSlot) -> TableSlot {
        for index in own.indices where own[index].handle == handle { return own[index].slot }
        return handle
    }
}
