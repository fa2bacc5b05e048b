import AudioHardware
import CLinux
import LinuxSystem
import SessionRegistry

/// The thread that waits for the world on behalf of a session. It sleeps in the kernel until the
/// registry's or the hardware's descriptor becomes readable, and calls no code of the program.
final class Monitor {
    private enum Token {
        static let stop: UInt64 = 0
        static let registry: UInt64 = 1
        static let hardware: UInt64 = 2
    }

    /// Kept alive until `stop`: the thread works for it.
    private let session: Session
    private let events: FileDescriptor
    private let stopSignal: FileDescriptor
    private var thread: UnsafeMutableRawPointer?

    /// Nil when the system has no descriptor or thread left: then the session notices the world only
    /// when the program calls.
    init?(of session: Session) {
        let events = linux_epoll_create()
        let stopSignal = linux_eventfd()
        self.session = session
        self.events = FileDescriptor(owning: events)
        self.stopSignal = FileDescriptor(owning: stopSignal)
        guard events >= 0, stopSignal >= 0, watch(stopSignal, as: Token.stop) else {
            Log.line("no descriptors for the monitor: events are noticed only when the program calls")
            return nil
        }
        _ = watch(session.registry.descriptor, as: Token.registry)
        _ = watch(session.hardware.descriptor, as: Token.hardware)
        thread = linux_thread_start(
            { Unmanaged<Monitor>.fromOpaque($0!).takeUnretainedValue().run() },
            Unmanaged.passUnretained(self).toOpaque(), "audiosession")
        guard thread != nil else {
            Log.line("no thread for the monitor: events are noticed only when the program calls")
            return nil
        }
    }

    func stop() {
        guard let thread else { return }
        _ = linux_eventfd_signal(stopSignal.number)
        linux_thread_join(thread)
        self.thread = nil
    }

    private func watch(_ descriptor: Int32, as token: UInt64) -> Bool {
        descriptor >= 0 && linux_epoll_add(events.number, descriptor, UInt32(LINUX_READABLE), token) >= 0
    }

    private func run() {
        var found = linux_event()
        while true {
            guard linux_epoll_wait(events.number, &found, 1, -1) >= 0 else { return }
            switch found.token {
            case Token.registry: session.registry.heed()
            case Token.hardware: guard session.hardware.heed() else { continue }
            default: return
            }
            session.takeInEverything()
        }
    }
}
