// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel

/// The processes that share the table, as one of them sees them: its endpoint, the wake-ups of the others, and the monitors of
/// some of them.
struct Peers {
    static let mostMonitors = 8

    /// The tokens of the registry's epoll instance. Any other number is the endpoint of a process that has ended.
    enum Token {
        static let wakeUp: UInt64 = 0
        static let files: UInt64 = 1
    }

    private let directory: RuntimeDirectory
    /// The epoll instance of the registry.
    private let events: Int32
    private(set) var endpoint: ProcessEndpoint
    /// Former endpoints of this process. They stay open until the table contains the new endpoint: other processes would
    /// interpret their end as the death of this process.
    private var formerEndpoints: [ProcessEndpoint] = []
    var notifier = PeerNotifier()
    private var monitors: [PeerMonitor] = []
    /// The next two processes in the table.
    private var successors: [UInt64] = []
    private var isUnreachable = false

    init(in directory: RuntimeDirectory, _ endpoint: ProcessEndpoint, events: Int32) {
        self.directory = directory
        self.endpoint = endpoint
        self.events = events
    }

    // MARK: This process

    /// Watches the wake-up FIFO and its name. Other processes can wake this process only while both exist.
    func watchEndpoint(by files: FileWatch) {
        watchWakeUps()
        _ = files.watchName(directory.wakeUp(of: endpoint.id))
    }

    private func watchWakeUps() { _ = linux_epoll_add(events, endpoint.descriptor, UInt32(LINUX_READABLE), Token.wakeUp) }

    /// Creates the directory and the endpoint again if they have been removed. False when that fails.
    mutating func recreateEndpoint(watchedBy files: FileWatch) -> Bool {
        do throws(RuntimeDirectory.Unusable) { _ = try RuntimeDirectory(directory.path) } catch {
            Log.debug(error.text)
            return false
        }
        do throws(SystemError) {
            // Another process may remove the files before they are watched. Such a removal would not be noticed later.
            var attempts = 8
            while attempts > 0, !endpoint.isNamed {
                attempts -= 1
                let new = try ProcessEndpoint.create(in: directory)
                formerEndpoints.append(endpoint)
                endpoint = new
                watchEndpoint(by: files)
            }
            return true
        } catch {
            Log.debug("\(directory.path): the endpoint of this process cannot be created: \(error.text)")
            return false
        }
    }

    func isFormer(_ id: UInt64) -> Bool { formerEndpoints.contains { $0.id == id } }

    /// Closes the former endpoints. The table contains the present endpoint.
    mutating func closeFormerEndpoints() { formerEndpoints = [] }

    /// Closes the FIFOs, so that the other processes remove the sessions of this one.
    mutating func becomeUnreachable() {
        isUnreachable = true
        formerEndpoints = []
        monitors = []
        endpoint = ProcessEndpoint.unreachable(endpoint.id, in: directory)
        watchWakeUps()
    }

    // MARK: Wake-ups

    mutating func wake(_ endpoints: [UInt64]) {
        guard isUnreachable else { return notifier.wake(endpoints, in: directory) }
        guard endpoints.contains(endpoint.id), !endpoint.wake() else { return }
        // The system has refused the first eventfd.
        becomeUnreachable()
        _ = endpoint.wake()
    }

    // MARK: Deaths

    mutating func removeMonitors(of dead: [UInt64]) {
        monitors = monitors.filter { !dead.contains($0.endpoint) }
    }

    /// Monitors the next two processes, so that each process has two monitors, and the processes whose end affects sessions of
    /// this process. Returns processes that have ended.
    mutating func updateMonitors(_ snapshot: inout TableSnapshot, affecting own: [TableSlot]) -> [UInt64] {
        if snapshot.hasNewPopulation { successors = snapshot.successors(of: endpoint.id) }
        snapshot.hasNewPopulation = false
        let wanted = endpointsToMonitor(snapshot, own)
        monitors = monitors.filter { wanted.contains($0.endpoint) }
        var dead: [UInt64] = []
        for endpoint in wanted where !monitors.contains(where: { $0.endpoint == endpoint }) {
            if let monitor = PeerMonitor.monitor(endpoint, in: directory, events: events) {
                monitors.append(monitor)
            } else if snapshot.isDead(endpoint, in: directory) {
                dead.append(endpoint)
            }
        }
        return dead
    }

    private func endpointsToMonitor(_ snapshot: TableSnapshot, _ own: [TableSlot]) -> [UInt64] {
        var wanted = successors
        func add(_ slot: TableSlot) {
            guard let other = snapshot.endpoint(of: slot), other != endpoint.id, !wanted.contains(other),
                wanted.count < Peers.mostMonitors
            else { return }
            wanted.append(other)
        }
        let table = snapshot.table
        if let holder = table.call?.holder { add(holder) }
        for slot in own {
            for interrupter in table.interrupters(of: slot) { add(interrupter) }
        }
        for kind in [EntryKinds.ducking, .recording] {
            for slot in table.slots(kind) { add(slot) }
        }
        return wanted
    }
}

extension TableSnapshot {
    /// Every process once, in the order of the slots.
    var endpointsInOrder: [UInt64] {
        var inOrder: [UInt64] = []
        var seen: Set<UInt64> = []
        for endpoint in endpoints where endpoint != 0 && seen.insert(endpoint).inserted { inOrder.append(endpoint) }
        return inOrder
    }

    func successors(of endpoint: UInt64) -> [UInt64] { adjacent(to: endpoint, at: [1, 2]) }

    /// The two processes that monitor this one.
    func predecessors(of endpoint: UInt64) -> [UInt64] { adjacent(to: endpoint, at: [-1, -2]) }

    private func adjacent(to endpoint: UInt64, at offsets: [Int]) -> [UInt64] {
        let all = endpointsInOrder
        guard let index = all.firstIndex(of: endpoint) else { return [] }
        return offsets.map { all[((index + $0) % all.count + all.count) % all.count] }.filter { $0 != endpoint }
    }

    /// True when the process has ended. If only the name of its FIFO is missing, the process may be about to create it again. In
    /// that case its pid decides, if the pid has a meaning in this pid namespace.
    func isDead(_ endpoint: UInt64, in directory: RuntimeDirectory) -> Bool {
        switch ProcessEndpoint.state(of: endpoint, in: directory) {
        case .open: false
        case .abandoned: true
        case .unnamed: !(process(of: endpoint)?.isRunning ?? false)
        }
    }

    /// Takes some microseconds for each process. Therefore it is called without the lock of the table: a dead process stays dead.
    func dead(in directory: RuntimeDirectory, except own: UInt64) -> [UInt64] {
        endpointsInOrder.filter { $0 != own && isDead($0, in: directory) }
    }

    private func process(of endpoint: UInt64) -> ProcessIdentity? {
        for slot in table.entries.indices where self.endpoint(of: slot) == endpoint { return table[slot]?.process }
        return nil
    }
}
