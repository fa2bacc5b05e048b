// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem
import SessionRegistry

/// The thread that waits for the registry and the hardware on behalf of a session.
public protocol SessionMonitor: AnyObject {
    /// Makes the thread release the session's gains, and waits for that at most a second.
    func releaseGains()
    func stop()
    /// The session itself has changed the hardware. The descriptor of the hardware does not report it.
    func hardwareChanged()
    /// The program has deactivated the session. Called under no lock.
    func sessionDeactivated()
    /// Makes the thread stop the streams of the dead server, and then apply the hardware. False if there is nothing to stop, or no
    /// thread. Called under the change lock.
    func serverHasDied() -> Bool
    /// Stops the streams if their server is dead, and returns whether it is. Called under no lock.
    func stopWithoutServer() -> Bool
}

/// The monitor of a session with a registry and hardware of its own.
final class OwnMonitor: SessionMonitor {
    private let watcher: MonitorThread

    init(of session: ProcessSession) {
        let descriptors = [session.registry.descriptor, session.hardware.descriptor, session.undeliveredEventsWarning.descriptor]
        // The thread references the session until `stop`.
        watcher = MonitorThread(of: descriptors) { index in
            switch index {
            case 0:
                session.registry.processEvents()
                session.applyEverything()
                session.registry.updatePeerMonitors()
            case 1: if session.hardware.processEvents() { session.applyHardwareEvents() }
            case MonitorThread.called: session.releaseGains()
            default: session.warnOfUndeliveredEvents()
            }
        }
    }

    /// Without a descriptor or a thread the session applies changes only when the program calls.
    func start() {
        if !watcher.start() {
            Log.debug("no descriptors or thread left for the monitor: events are applied only when the program calls")
        }
    }

    func stop() { watcher.stop() }
    func releaseGains() { watcher.call(waiting: 1_000_000_000) }
    func hardwareChanged() {}
    func sessionDeactivated() {}
    func serverHasDied() -> Bool { false }
    func stopWithoutServer() -> Bool { true }
}
