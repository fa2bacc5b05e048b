// SPDX-License-Identifier: Apache-2.0
import AudioEngine
import AudioSession
import CLinux
import CoreFoundationTable
import LinuxSystem
import SessionModel

/// The session of the process as the C functions use it: with the listeners of the C API and the run loop on which they
/// are called. `AudioSessionInitialize` creates it, or the first C function that finds a session of another API.
final class ProcessSession: @unchecked Sendable {
    let session: Session
    /// The listeners of the C API.
    let subscription: EventSubscription
    let delivery: EventDelivery

    private init(_ session: Session, runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?) {
        self.session = session
        let delivery = EventDelivery(runLoop: runLoop, mode: mode)
        self.delivery = delivery
        subscription = session.join(
            eventsAreUndelivered: { delivery.eventsAreUndelivered() }, eventsArePending: { delivery.eventsArePending() })
        delivery.begin(for: subscription)
    }

    private enum Phase {
        static let absent: UInt32 = 0
        static let beginning: UInt32 = 1
        static let present: UInt32 = 2
        /// As `present`, with the log on.
        static let watched: UInt32 = 3
    }

    private static var phase: UnsafeMutablePointer<UInt32>? {
        linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_C_FACE))
    }
    nonisolated(unsafe) private static var instance: UnsafeRawPointer?
    /// The values of the session, which is never freed. A separate variable, so that a get follows one reference and not three.
    nonisolated(unsafe) private static var published: PublishedValues.Reader?

    /// The first check of every function but Initialize.
    @inline(__always)
    static func current() throws(ResultCode) -> ProcessSession {
        if let present { return present }
        guard let session = SharedSession.present else { throw .notInitialized }
        if let made = make(of: session) { return made }
        return try current()
    }

    @inline(__always)
    private static var present: ProcessSession? {
        guard linux_load(phase) >= Phase.present, let instance else { return nil }
        return Unmanaged<ProcessSession>.fromOpaque(instance).takeUnretainedValue()
    }

    /// The session for the log. Nil before Initialize.
    static var ofLog: Session? { present?.session }

    /// The bits of a published value. Nil when the call needs the general path.
    @inline(__always)
    static func publishedBits(of id: UInt32) -> (bits: UInt64, size: UInt32)? {
        guard linux_load(phase) == Phase.present, let published else { return nil }
        return published.bits(of: id)
    }

    static func initialize(
        runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?, listener: InterruptionListener?
    ) throws(ResultCode) {
        let isInitialized = linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_C_INITIALIZATION))
        guard linux_compare_and_store(isInitialized, 0, 1) else { throw .alreadyInitialized }
        do throws(ResultCode) {
            var reserved: ReservedDescriptors?
            if CoreFoundation.ofProgram != nil {
                reserved = .forRunLoop()
                if reserved == nil {
                    Log.debug(
                        "AudioSessionInitialize: the process has no descriptors left for its run loop; close some, or raise RLIMIT_NOFILE"
                    )
                    throw .initializationError
                }
            }
            defer { reserved?.release() }
            let session = try SharedSession.begin()
            // The thread that explores the cards opens files at the same time, and would use the descriptors of the run loop.
            if reserved != nil { session.awaitHardware() }
            reserved?.release()
            if make(of: session, runLoop: runLoop, mode: mode) == nil {
                try current().delivery.move(to: runLoop, mode)
            }
            try current().subscription.setInterruptionListener(listener)
        } catch {
            linux_store(isInitialized, 0)
            throw error
        }
    }

    /// Nil when another thread has created it.
    private static func make(
        of session: Session, runLoop: CoreFoundation.Object? = nil, mode: CoreFoundation.Object? = nil
    ) -> ProcessSession? {
        guard linux_compare_and_store(phase, Phase.absent, Phase.beginning) else {
            linux_wait_while(phase, Phase.beginning)
            return nil
        }
        let new = ProcessSession(session, runLoop: runLoop, mode: mode)
        instance = UnsafeRawPointer(Unmanaged.passRetained(new).toOpaque())
        published = session.published.reader
        linux_store(phase, Log.isEnabled ? Phase.watched : Phase.present)
        linux_wake_waiting(phase)
        return new
    }
}
