public import AudioSession
import CLinux
import LinuxSystem
public import SessionModel

/// The one session of this process, which all faces have in common, whichever of them asks for it
/// first. A child of fork() has none until it begins its own: the word that says so is wiped by the
/// kernel, and what the parent had made is left untouched, since its locks may be held by threads that
/// the child does not have.
public enum CommonSession {
    private enum Phase {
        static let absent: UInt32 = 0
        static let beginning: UInt32 = 1
        static let present: UInt32 = 2
    }

    private static var phase: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_SESSION)) }
    nonisolated(unsafe) private static var kept: UnsafeRawPointer?

    /// Nil while nobody has begun it.
    public static var present: Session? {
        guard linux_load(phase) == Phase.present, let kept else { return nil }
        return Unmanaged<Session>.fromOpaque(kept).takeUnretainedValue()
    }

    /// The session, made now unless it is there. Who asks while another thread makes it waits for that.
    public static func begin() throws(ResultCode) -> Session {
        while !linux_compare_and_store(phase, Phase.absent, Phase.beginning) {
            if let present { return present }
            linux_wait_while(phase, Phase.beginning)
        }
        do throws(ResultCode) {
            let session = try ProcessEngine.withEngine { engine throws(ResultCode) in try engine.beginSession() }
            kept = UnsafeRawPointer(Unmanaged.passRetained(session).toOpaque())
            // What is registered late is called early: while the plug-ins of a sound server are still whole.
            // In a child of fork() nobody is present.
            linux_at_exit { CommonSession.present?.part() }
            say(Phase.present)
            return session
        } catch {
            say(Phase.absent)
            throw error
        }
    }

    private static func say(_ new: UInt32) {
        linux_store(phase, new)
        linux_wake_waiting(phase)
    }
}
