import ALSAHardware
import AudioHardware
import AudioSession
import CLinux
import LinuxSystem
import SessionModel
import SessionRegistry
import SimulatedHardware

/// The one session of this process. A child of fork() has none until it initializes its own: the
/// word that says so is wiped by the kernel, and what the parent had made is left untouched, since
/// its locks may be held by threads that the child does not have.
final class ProcessSession: @unchecked Sendable {
    let session: Session
    /// The C API's listeners.
    let audience: Audience
    let delivery: EventDelivery
    private let published: PublishedValues

    private init(session: Session, audience: Audience, delivery: EventDelivery) {
        self.session = session
        self.audience = audience
        published = session.published
        self.delivery = delivery
    }

    private enum Phase {
        static let absent: UInt32 = 0
        static let beginning: UInt32 = 1
        static let present: UInt32 = 2
        /// The same, and every call is logged.
        static let watched: UInt32 = 3
    }

    private static var phase: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork() }
    nonisolated(unsafe) private static var kept: UnsafeRawPointer?

    /// What every function but Initialize asks first.
    @inline(__always)
    static func current() throws(ResultCode) -> ProcessSession {
        guard linux_load(phase) >= Phase.present, let kept else { throw .notInitialized }
        return Unmanaged<ProcessSession>.fromOpaque(kept).takeUnretainedValue()
    }

    /// What a scalar property reads now, by the shortest way: nil where there is more to do than that.
    @inline(__always)
    static func reading(of property: Property) -> PublishedValues.Reading? {
        guard linux_load(phase) == Phase.present, let kept else { return nil }
        return Unmanaged<ProcessSession>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.published.read(property) }
    }

    static func initialize(
        runLoop: CoreFoundation.Object?, mode: CoreFoundation.Object?, listener: InterruptionListener?
    ) throws(ResultCode) {
        guard linux_compare_and_store(phase, Phase.absent, Phase.beginning) else { throw .alreadyInitialized }
        do throws(ResultCode) {
            let delivery = EventDelivery(runLoop: runLoop, mode: mode)
            let session = try Session(
                name: String(cString: linux_program_name()), registry: makeRegistry(), hardware: makeHardware())
            let audience = session.join { delivery.eventsWait() }
            audience.setInterruptionListener(listener)
            delivery.begin(for: audience)
            let process = ProcessSession(session: session, audience: audience, delivery: delivery)
            kept = UnsafeRawPointer(Unmanaged.passRetained(process).toOpaque())
        } catch {
            linux_store(phase, Phase.absent)
            throw error
        }
        linux_store(phase, Log.isEnabled ? Phase.watched : Phase.present)
    }

    /// Where the shared table cannot be used, the session works for this process alone.
    private static func makeRegistry() -> any SessionRegistry {
        do throws(RuntimeDirectory.Unusable) { return try SharedRegistry(in: RuntimeDirectory.find()) } catch {
            Log.line("\(error.text); this process goes on alone")
            return InProcessRegistry()
        }
    }

    private static func makeHardware() -> any AudioHardware {
        switch Environment.value("AUDIOSESSION_HARDWARE") {
        case "simulated": return SimulatedHardware(file: Environment.value("AUDIOSESSION_SIMULATION") ?? sharedSimulation())
        case nil, "alsa": return ALSAHardware()
        case let other?:
            Log.line("AUDIOSESSION_HARDWARE is \"\(other)\": expected simulated or alsa; alsa is used")
            return ALSAHardware()
        }
    }

    private static func sharedSimulation() -> String? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find().simulation } catch { return nil }
    }
}
