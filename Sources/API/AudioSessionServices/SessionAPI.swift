// SPDX-License-Identifier: Apache-2.0
import AudioEngine
import AudioSession
import CLinux
import CoreFoundationTable
import LinuxSystem
import SessionModel

/// The session of the process as the C functions use it: with the listeners of the C API and the run loop on which they
/// are called. `AudioSessionInitialize` creates it, or the first C function that finds a session of another API.
final class SessionAPI: @unchecked Sendable {
    let session: ProcessSession
    /// The listeners of the C API.
    let subscription: EventSubscription
    let delivery: EventDelivery

    private init(_ session: ProcessSession, runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?) {
        self.session = session
        let delivery = EventDelivery(runLoop: runLoop, mode: mode)
        self.delivery = delivery
        subscription = session.join(
            eventsAreUndelivered: { delivery.eventsAreUndelivered() }, eventsArePending: { delivery.eventsArePending() })
        delivery.begin(for: subscription)
    }

    private static let ofProcess = ForkLocal<SessionAPI>(LINUX_WORD_OF_C_API)
    /// The values of the session, which is never freed. A separate variable, so that a get follows one reference and not three. Nil
    /// while the log is on: it reports each get.
    nonisolated(unsafe) private static var published: PublishedValues.Reader?

    /// The first check of every function but Initialize.
    @inline(__always)
    static func current() throws(ResultCode) -> SessionAPI {
        if let present = ofProcess.present { return present }
        guard let session = ProcessEngine.session else { throw .notInitialized }
        return make(of: session).api
    }

    /// The session for the log. Nil before Initialize.
    static var ofLog: ProcessSession? { ofProcess.present?.session }

    /// The bits of a published value. Nil when the call needs the general path.
    @inline(__always)
    static func publishedBits(of id: UInt32) -> (bits: UInt64, size: UInt32)? {
        guard ofProcess.isPresent, let published else { return nil }
        return published.bits(of: id)
    }

    static func initialize(
        runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?, listener: InterruptionListener?
    ) throws(ResultCode) {
        let isInitialized = linux_word_wiped_on_fork(LINUX_WORD_OF_C_INITIALIZATION)
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
            let session = try ProcessEngine.beginSession()
            // The thread that explores the cards opens files at the same time, and would use the descriptors of the run loop.
            if reserved != nil { session.awaitHardware() }
            reserved?.release()
            let (api, isNew) = make(of: session, runLoop: runLoop, mode: mode)
            if !isNew { api.delivery.move(to: runLoop, mode) }
            api.subscription.setInterruptionListener(listener)
        } catch {
            linux_store(isInitialized, 0)
            throw error
        }
    }

    private static func make(
        of session: ProcessSession, runLoop: CoreFoundation.Object? = nil, mode: CoreFoundation.Object? = nil
    ) -> (api: SessionAPI, isNew: Bool) {
        var isNew = false
        let api = ofProcess.made {
            isNew = true
            published = Log.isEnabled ? nil : session.published.reader
            return SessionAPI(session, runLoop: runLoop, mode: mode)
        }
        return (api, isNew)
    }
}
