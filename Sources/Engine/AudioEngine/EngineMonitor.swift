// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSession
import AudioStreams
import CLinux
import LinuxSystem
import SessionRegistry
import Synchronization

/// The one thread that waits for the registry and the hardware on behalf of the session and the streams of
/// this process. It calls no code of the program.
final class EngineMonitor: SessionMonitor, @unchecked Sendable {
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    private let streams: StreamGroup
    /// Nil without streams of system sounds.
    private let systemSounds: StreamGroup?
    private var thread: MonitorThread?
    /// The thread runs.
    private let hasThread = Atomic<Bool>(false)
    /// Readable when the session has changed the hardware.
    private let changes = FileDescriptor(owning: linux_eventfd())
    private let lock = Lock()
    /// Guarded by the lock.
    private var session: ProcessSession?

    private enum Source {
        static let registry = 0
        static let hardware = 1
        static let undeliveredEventsWarning = 2
        static let changes = 3
    }

    init(
        _ registry: any SessionRegistry, _ hardware: any AudioHardware, _ streams: StreamGroup, _ systemSounds: StreamGroup? = nil
    ) {
        self.registry = registry
        self.hardware = hardware
        self.streams = streams
        self.systemSounds = systemSounds
    }

    /// Called by the thread that holds the engine of the process. The thread of the monitor references the monitor until `stop`.
    func start() {
        guard thread == nil else { return }
        let thread = MonitorThread(of: [registry.descriptor, hardware.descriptor]) { source in self.process(source) }
        self.thread = thread
        let hasStarted = thread.start()
        hasThread.store(hasStarted, ordering: .releasing)
        if !hasStarted {
            Log.debug("no descriptors or thread left for the monitor: events are applied only when the program calls")
        }
    }

    /// Called on the program's thread, which holds no lock: the streams have the command to stop, and their units and queues do
    /// not run, when the program's call returns.
    func sessionDeactivated() {
        streams.applyEvents()
        streams.reportStops()
    }

    /// Called on the session's thread, which may hold the session's lock. The monitor's thread updates the streams.
    func hardwareChanged() { _ = linux_eventfd_signal(changes.number) }

    /// Called on any thread, which holds the session's lock.
    func serverHasDied() -> Bool { hasThread.load(ordering: .acquiring) && linux_eventfd_signal(changes.number) >= 0 }

    /// Called on the program's thread, which holds no lock.
    func stopWithoutServer() -> Bool { streams.stopWithoutServer() }

    func stop() {
        hasThread.store(false, ordering: .releasing)
        thread?.stop()
        thread = nil
    }

    /// From now on the monitor serves this session.
    func attach(_ session: ProcessSession) {
        lock.withLock { self.session = session }
        let wasRunning = thread != nil
        start()
        thread?.add(session.warningDescriptor, as: Source.undeliveredEventsWarning)
        thread?.add(changes.number, as: Source.changes)
        // The thread may have processed an event after the session read its first state and before this line.
        if wasRunning { session.applyEverything() }
    }

    /// Makes the thread release the session's gains, and waits for that at most a second.
    func releaseGains() { thread?.call(waiting: 1_000_000_000) }

    /// The session that the monitor serves. Read it after clearing an event: a session that is attached later applies the whole
    /// state itself.
    private var served: ProcessSession? { lock.withLock { session } }

    private func process(_ source: Int) {
        switch source {
        case Source.registry:
            registry.processEvents()
            streams.stopInterrupted()
            served?.applyEverything()
            streams.applyEvents()
            systemSounds?.applyEvents()
            registry.updatePeerMonitors()
        case Source.hardware:
            // The table is not read here, unless the server has died: a jack event must not wait for the lock of the table. A
            // change of the table wakes the registry.
            if hardware.processEvents() { applyHardwareEvents() }
        case Source.changes:
            _ = linux_eventfd_clear(changes.number)
            applyHardwareEvents()
        case Source.undeliveredEventsWarning: served?.warnOfUndeliveredEvents()
        default: served?.releaseGains()
        }
    }

    private func applyHardwareEvents() {
        served?.applyHardwareEvents(streamsHaveStopped: streams.stopWithoutServer())
        streams.applyHardwareEvents()
        systemSounds?.applyHardwareEvents()
    }
}
