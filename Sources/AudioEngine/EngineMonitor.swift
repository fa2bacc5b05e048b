// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSession
import AudioStreams
import CLinux
import LinuxSystem
import SessionRegistry

/// The one thread that waits for the registry and the hardware on behalf of the session and the streams of
/// this process. It calls no code of the program.
final class EngineMonitor: SessionMonitor, @unchecked Sendable {
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    private let streams: StreamGroup
    private var thread: MonitorThread?
    /// Readable when the session has changed the hardware.
    private let changes = FileDescriptor(owning: linux_eventfd())
    private let lock = Lock()
    /// Guarded by the lock.
    private var session: Session?

    private enum Source {
        static let registry = 0
        static let hardware = 1
        static let undeliveredEventsWarning = 2
        static let changes = 3
    }

    init(_ registry: any SessionRegistry, _ hardware: any AudioHardware, _ streams: StreamGroup) {
        self.registry = registry
        self.hardware = hardware
        self.streams = streams
    }

    /// The holder of the process's engine calls this. Until `stop` the thread keeps the monitor alive.
    func start() {
        guard thread == nil else { return }
        let thread = MonitorThread(of: [registry.descriptor, hardware.descriptor]) { source in self.process(source) }
        self.thread = thread
        if !thread.start() {
            Log.debug("no descriptors or thread left for the monitor: events are applied only when the program calls")
        }
    }

    /// On the program's thread, which holds no lock: the streams have the command to stop when its call returns.
    func sessionDeactivated() { streams.applyEvents() }

    /// On the session's thread, which may hold the session's lock: the streams follow on the monitor's.
    func hardwareChanged() { _ = linux_eventfd_signal(changes.number) }

    func stop() {
        thread?.stop()
        thread = nil
    }

    /// Serves the session from now on.
    func attach(_ session: Session) {
        lock.withLock { self.session = session }
        let wasRunning = thread != nil
        start()
        thread?.add(session.warningDescriptor, as: Source.undeliveredEventsWarning)
        thread?.add(changes.number, as: Source.changes)
        // The thread may have processed an event between the session's first look and now.
        if wasRunning { session.applyEverything() }
    }

    /// Has the thread release the session's gains, and waits no longer than a second.
    func releaseGains() { thread?.call(waiting: 1_000_000_000) }

    /// The session. Read it after clearing an event: a session that is attached later applies everything itself.
    private var served: Session? { lock.withLock { session } }

    private func process(_ source: Int) {
        switch source {
        case Source.registry:
            registry.processEvents()
            streams.stopInterrupted()
            served?.applyEverything()
            streams.applyEvents()
            registry.updatePeerMonitors()
        case Source.hardware:
            // A jack does not wait for the lock of the table: the table wakes the registry when it has changed.
            guard hardware.processEvents() else { return }
            served?.applyHardwareEvents()
            streams.applyHardwareEvents()
        case Source.changes:
            _ = linux_eventfd_clear(changes.number)
            streams.applyHardwareEvents()
        case Source.undeliveredEventsWarning: served?.warnOfUndeliveredEvents()
        default: served?.releaseGains()
        }
    }
}
