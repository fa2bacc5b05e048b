import AudioSession
import CLinux
import AudioEngine
import LinuxSystem
import SessionModel

/// The process's session as the C functions have it: with the listeners of C and the run loop on which
/// they are called. It is there once `AudioSessionInitialize` has been called, or the first C function
/// has found a session that another face has begun.
final class ProcessSession: @unchecked Sendable {
    let session: Session
    /// The C API's listeners.
    let audience: Audience
    let delivery: EventDelivery
    private let published: PublishedValues

    private init(_ session: Session, runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?) {
        self.session = session
        published = session.published
        let delivery = EventDelivery(runLoop: runLoop, mode: mode)
        self.delivery = delivery
        audience = session.join(eventsStay: { delivery.eventsStay() }, eventsWait: { delivery.eventsWait() })
        delivery.begin(for: audience)
    }

    private enum Phase {
        static let absent: UInt32 = 0
        static let beginning: UInt32 = 1
        static let present: UInt32 = 2
        /// The same, and every call is logged.
        static let watched: UInt32 = 3
    }

    private static var phase: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_C_FACE)) }
    nonisolated(unsafe) private static var kept: UnsafeRawPointer?

    /// What every function but Initialize asks first.
    @inline(__always)
    static func current() throws(ResultCode) -> ProcessSession {
        if let present { return present }
        guard let session = CommonSession.present else { throw .notInitialized }
        if let made = make(of: session) { return made }
        return try current()
    }

    @inline(__always)
    private static var present: ProcessSession? {
        guard linux_load(phase) >= Phase.present, let kept else { return nil }
        return Unmanaged<ProcessSession>.fromOpaque(kept).takeUnretainedValue()
    }

    /// For the log: nil where nobody is initialized.
    static var ofLog: Session? { present?.session }

    /// What a scalar property reads now, by the shortest way: nil where there is more to do than that.
    @inline(__always)
    static func reading(of property: Property) -> PublishedValues.Reading? {
        guard linux_load(phase) == Phase.present, let kept else { return nil }
        return Unmanaged<ProcessSession>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.published.read(property) }
    }

    static func initialize(
        runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?, listener: InterruptionListener?
    ) throws(ResultCode) {
        let isInitialized = linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_C_INITIALIZATION))
        guard linux_compare_and_store(isInitialized, 0, 1) else { throw .alreadyInitialized }
        do throws(ResultCode) {
            let session = try CommonSession.begin()
            if make(of: session, runLoop: runLoop, mode: mode) == nil { try current().delivery.move(to: runLoop, mode) }
            try current().audience.setInterruptionListener(listener)
        } catch {
            linux_store(isInitialized, 0)
            throw error
        }
    }

    /// Nil when another thread was faster; it is there then.
    private static func make(
        of session: Session, runLoop: CoreFoundation.Object? = nil, mode: CoreFoundation.Object? = nil
    ) -> ProcessSession? {
        guard linux_compare_and_store(phase, Phase.absent, Phase.beginning) else {
            linux_wait_while(phase, Phase.beginning)
            return nil
        }
        let new = ProcessSession(session, runLoop: runLoop, mode: mode)
        kept = UnsafeRawPointer(Unmanaged.passRetained(new).toOpaque())
        linux_store(phase, Log.isEnabled ? Phase.watched : Phase.present)
        linux_wake_waiting(phase)
        return new
    }
}
