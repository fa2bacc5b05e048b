import CLinux
import LinuxSystem
public import SessionArbiter
public import SessionModel

/// The table that all processes of a user share, in one small file of the runtime directory. No
/// daemon: whoever asks for something takes the lock, asks the arbiter, writes what has changed, and
/// rings those concerned.
public final class SharedRegistry: SessionRegistry, @unchecked Sendable {
    let directory: RuntimeDirectory
    let process: ProcessIdentity
    let events: FileDescriptor
    private let watch = FileWatch()

    /// Guards what follows; held through a transaction, which is short.
    let lock = Lock()
    var copy = TableCopy()
    var kept: KeptFile?
    var bells = RemoteBells()
    var home: Home
    /// Where this process lived before the folder was taken from under it. Kept alive until the table
    /// knows where it lives now: others would take the old life's end for its death.
    var former: [Home] = []
    /// What this process knew before others made the table anew; until it has told them.
    var recollections: [TableCopy] = []
    var neighbours: [Neighbour] = []
    /// The next two processes in the table.
    var successors: [UInt64] = []
    /// A call of `keepWatch`, or the end of this transaction, chooses the processes to watch.
    var isAboutToWatch = false
    /// The bell has rung, and nobody has looked at the table since.
    var isBehind = false
    /// Processes that are to look and have not been told.
    var unrung: [UInt64] = []
    /// The sessions of this process, as they were when last seen.
    var own: [OwnSession] = []
    /// Why the shared table could not be used any more, and this process goes on by itself.
    var loneliness: RuntimeDirectory.Unusable?
    var isAlone: Bool { loneliness != nil }
    /// The shared table could not be told that a session has left.
    private var isListed = false
    private var transactions: UInt64 = 0

    struct OwnSession {
        /// The slot that the session was entered in, by which its process knows it.
        let handle: Slot
        /// Where it is now: another one where the table had to be made anew.
        var slot: Slot
        var entry: SessionEntry
    }

    enum Token {
        // Neighbours have their homes' names, which are never these.
        static let bell: UInt64 = 0
        static let watch: UInt64 = 1
    }

    /// Fails where the folder cannot be used, or another version of this library is using it. What can
    /// fail comes before the object: in Embedded Swift (6.3.1) one of a class that fails before it is
    /// complete is never freed.
    public convenience init(in directory: RuntimeDirectory) throws(RuntimeDirectory.Unusable) {
        let home: Home
        let events = FileDescriptor(owning: linux_epoll_create())
        do throws(SystemError) {
            try SystemError.check(events.number)
            home = try Home.made(in: directory, as: SharedRegistry.newHome())
        } catch {
            throw RuntimeDirectory.Unusable(path: directory.path, error)
        }
        self.init(in: directory, home, events)
        if !home.isThere { _ = rehouse() }
        do throws(TableFailure) { try open() } catch { throw RuntimeDirectory.Unusable(path: directory.path, error) }
    }

    private init(in directory: RuntimeDirectory, _ home: Home, _ events: consuming FileDescriptor) {
        self.directory = directory
        process = .own
        self.home = home
        self.events = events
        listen()
        _ = watch.wake(self.events.number, as: Token.watch)
    }

    /// Where the shared table still lists sessions of this one, its bell stays, and nobody reads it: that
    /// says that they are dead. One without a name may be about to get one, as long as the process runs.
    deinit { if !isAlone, !isListed { home.leave() } }

    /// The first look: clears away those who died while nobody was there to notice.
    private func open() throws(TableFailure) {
        try lock.withLock { () throws(TableFailure) in
            var known = TableCopy()
            try transaction { known = $0.copy }
            let dead = known.dead(in: directory, sparing: home.id)
            if !dead.isEmpty { try transaction { $0.bury(dead) } }
            sweep()
        }
    }

    /// What those left behind who died before they had a session, or after it.
    private func sweep() {
        let known = Set(copy.homesInOrder)
        for other in directory.homes() where other != home.id && !known.contains(other) {
            if Home.state(of: other, in: directory) == .deserted { Home.remove(other, from: directory) }
        }
    }

    static func newHome() -> UInt64 {
        var id: UInt64 = 0
        _ = linux_random(&id, 8)
        return id | 0x100
    }

    func nextTransaction() -> UInt64 {
        transactions &+= 1
        return home.id &+ transactions
    }

    /// The bell itself, and its name: others can reach this process only while both are there.
    func listen() {
        listenToBell()
        _ = watch.watchName(directory.bell(of: home.id))
    }

    func listenToBell() { _ = linux_epoll_add(events.number, home.descriptor, UInt32(LINUX_READABLE), Token.bell) }

    // MARK: The protocol

    public var descriptor: Int32 { events.number }

    public func heed() {
        lock.withLock {
            isAboutToWatch = true
            let dead = takeEvents()
            neighbours = neighbours.filter { !dead.contains($0.home) }
            // A look at the table follows in any case: with nobody to bury, that one will do.
            if dead.isEmpty { isBehind = true } else { attend(dead) }
        }
    }

    public func keepWatch() {
        lock.withLock {
            let dead = isBehind || isAlone ? [] : chooseNeighbours()
            if isBehind || !dead.isEmpty { attend(dead) }
            isAboutToWatch = false
        }
    }

    /// Silences what has rung; returns the homes of those who have died. Each has its turn once: whoever
    /// rings without end must not keep this process from looking.
    private func takeEvents() -> [UInt64] {
        var dead: [UInt64] = []
        withUnsafeTemporaryAllocation(of: linux_event.self, capacity: SharedRegistry.mostNeighbours + 3) { found in
            let count = linux_epoll_wait(events.number, found.baseAddress, Int32(found.count), 0)
            for index in 0..<max(0, Int(count)) {
                switch found[index].token {
                case Token.bell: home.silence()
                case Token.watch:
                    watch.heed()
                    if !isAlone, !home.isThere { _ = rehouse() }
                default: dead.append(found[index].token)
                }
            }
        }
        return dead
    }

    /// Why nobody else sees what is asked of this registry; nil while others do.
    public var reasonToBeAlone: RuntimeDirectory.Unusable? { lock.withLock { loneliness } }

    public func enter(name: SessionName, policy: SessionPolicy) throws(ResultCode) -> Slot {
        try enter(by: .enter(process: process, name: name, policy: policy))
    }

    public func enterStreams(of session: Slot) throws(ResultCode) -> Slot {
        try enter(by: .enterStreams(process: process, of: session))
    }

    private func enter(by request: Request) throws(ResultCode) -> Slot {
        try lock.withLock { () throws(ResultCode) in
            let request = request.moved { place(of: $0) }
            var answer = inTable { $0.decide(request) }
            if answer?.refusal != nil, own.isEmpty {
                goAlone(because: RuntimeDirectory.Unusable(path: directory.path, reason: "has no place left"))
                answer = inTable { $0.decide(request) }
            }
            guard let outcome = answer else { throw .initializationError }
            if let refusal = outcome.refusal { throw refusal }
            guard let slot = outcome.slot, let entry = copy.table[slot] else { throw .initializationError }
            own.append(OwnSession(handle: slot, slot: slot, entry: entry))
            isAboutToWatch = true
            attend([])
            isAboutToWatch = false
            ring(predecessors())
            return slot
        }
    }

    public func leave(_ handle: Slot) {
        lock.withLock {
            let slot = place(of: handle)
            own = own.filter { $0.handle != handle }
            if inTable({ $0.decide(.leave(slot)) }) == nil { isListed = true }
        }
    }

    public func submit(_ request: Request) throws(ResultCode) {
        try lock.withLock { () throws(ResultCode) in
            guard let outcome = inTable({ $0.decide(request.moved { place(of: $0) }) }) else { throw .unspecified }
            if let refusal = outcome.refusal { throw refusal }
        }
    }

    public func submit(_ request: Request, lookingFrom handle: Slot) throws(ResultCode) -> SessionView {
        try lock.withLock { () throws(ResultCode) in
            let done = inTable { draft in
                let outcome = draft.decide(request.moved { place(of: $0) })
                var view = outcome.refusal == nil ? draft.fetch(place(of: handle)) : SessionView()
                view.isBusy = outcome.isBusy
                return (refusal: outcome.refusal, view: view)
            }
            guard let done else { throw .unspecified }
            if let refusal = done.refusal { throw refusal }
            return done.view
        }
    }

    public func look(_ handle: Slot) -> SessionView {
        lock.withLock {
            let view = inTable { $0.fetch(place(of: handle)) }
            guard let view else {
                // Nothing could be fetched: what is known stays, and what waits waits on.
                var last = copy.table.view(of: place(of: handle))
                last.interruptions = []
                return last
            }
            return view
        }
    }

    public func table() -> SessionTable {
        lock.withLock {
            let known = inTable { $0.copy }
            let dead = isAlone ? [] : (known ?? copy).dead(in: directory, sparing: home.id)
            if !dead.isEmpty { _ = inTable { $0.bury(dead) } }
            return copy.table
        }
    }

    public func othersArePlaying() -> Bool {
        lock.withLock { inTable { $0.table.othersArePlaying(than: process) } ?? copy.table.othersArePlaying(than: process) }
    }

    private func place(of handle: Slot) -> Slot { own.first { $0.handle == handle }?.slot ?? handle }
}

extension Request {
    /// The same about sessions in other places.
    @inline(never)
    fileprivate func moved(_ place: (Slot) -> Slot) -> Request {
        switch self {
        case .enterStreams(let process, let session): .enterStreams(process: process, of: place(session))
        case .follow(let slot, let session): .follow(place(slot), session: place(session))
        case .leave(let slot): .leave(place(slot))
        case .death(let slot): .death(place(slot))
        case .activate(let slot): .activate(place(slot))
        case .deactivate(let slot, let notifying): .deactivate(place(slot), notifyingOthers: notifying)
        case .reset(let slot): .reset(place(slot))
        case .adopt(let slot, let settings, let yieldsToCall): .adopt(place(slot), settings, yieldsToCall: yieldsToCall)
        case .rename(let slot, let name): .rename(place(slot), name)
        case .playback(let slot, let playback): .playback(place(slot), playback)
        case .changeGain(let slot, let found): .changeGain(place(slot), found)
        case .giveUpGains(let slot): .giveUpGains(place(slot))
        case .beginReturningGain(let slot, let input): .beginReturningGain(place(slot), input: input)
        case .endReturningGain(let slot, let input, let isDone): .endReturningGain(place(slot), input: input, isDone: isDone)
        case .fetched(let slot): .fetched(place(slot))
        case .beginCall(let name, let holder): .beginCall(name, holder: holder.map(place))
        case .enter, .endCall, .confirmCall, .silent, .lock: self
        }
    }
}
