import AudioHardware
import LinuxSystem
import SessionRegistry

/// The thread that waits for the registry and the hardware on behalf of a session.
public protocol SessionMonitor: AnyObject {
    /// Makes the thread give up the session's gains. Waits for that no longer than a second.
    func giveUpGains()
    func stop()
    /// The session itself has changed the hardware: the hardware's descriptor reports nothing of it.
    func hardwareChanged()
}

/// The monitor of a session that shares its registry and its hardware with nothing else.
final class OwnMonitor: SessionMonitor {
    private let watcher: Watcher

    init(of session: Session) {
        let descriptors = [session.registry.descriptor, session.hardware.descriptor, session.reminder.descriptor]
        // Kept alive until `stop`: the thread works for it.
        watcher = Watcher(of: descriptors) { index in
            switch index {
            case 0:
                session.registry.heed()
                session.takeInEverything()
                session.registry.keepWatch()
            case 1: if session.hardware.processEvents() { session.takeInEverything() }
            case Watcher.called: session.giveUpGains()
            default: session.remind()
            }
        }
    }

    /// Without a descriptor or a thread left in the system, the session notices events only when the program
    /// calls.
    func start() {
        if !watcher.start() {
            Log.line("no descriptors or thread left for the monitor: events are applied only when the program calls")
        }
    }

    func stop() { watcher.stop() }
    func giveUpGains() { watcher.call(waiting: 1_000_000_000) }
    func hardwareChanged() {}
}
