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

    init(of session: Session) {
        self.session = session
        events = FileDescriptor(owning: linux_epoll_create())
        stopSignal = FileDescriptor(owning: linux_eventfd())
    }

    /// Where the system has no descriptor or thread left, the session notices the world only when the
    /// program calls.
    func start() {
        guard watch(stopSignal.number, as: Token.stop) else {
            Log.line("no descriptors for the monitor: events are noticed only when the program calls")
            return
        }
        _ = watch(session.registry.descriptor, as: Token.registry)
        _ = watch(session.hardware.descriptor, as: Token.hardware)
        thread = linux_thread_start(
            { if let monitor = $0 { Unmanaged<Monitor>.fromOpaque(monitor).takeUnretainedValue().run() } },
            Unmanaged.passUnretained(self).toOpaque(), "audiosession")
        if thread == nil { Log.line("no thread for the monitor: events are noticed only when the program calls") }
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
