import AudioHardware
import LinuxSystem
import SessionRegistry

/// Waits for the world on behalf of a session, on a thread of its own, and calls no code of the program.
struct Monitor {
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

    /// Where the system has no descriptor or thread left, the session notices the world only when the
    /// program calls.
    func start() {
        if !watcher.start() {
            Log.line("no descriptors or thread for the monitor: events are noticed only when the program calls")
        }
    }

    func stop() { watcher.stop() }

    /// Has the thread give up the session's gains, and waits for that no longer than a second.
    func giveUpGains() { watcher.call(waiting: 1_000_000_000) }
}
