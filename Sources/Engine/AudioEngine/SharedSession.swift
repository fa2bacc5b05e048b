// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
public import AudioSession
import CLinux
import LinuxSystem
public import SessionModel

/// The session of this process, shared by all APIs. The first API creates it. A child of fork() has no session until it
/// creates its own: the kernel wipes the word that records the session. The child does not use the session of its parent,
/// because threads that the child does not have may hold its locks.
public enum SharedSession {
    private enum Phase {
        static let absent: UInt32 = 0
        static let beginning: UInt32 = 1
        static let present: UInt32 = 2
    }

    private static var phase: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_SESSION)) }
    nonisolated(unsafe) private static var instance: UnsafeRawPointer?

    /// Nil until an API has created the session.
    public static var present: Session? {
        guard linux_load(phase) == Phase.present, let instance else { return nil }
        return Unmanaged<Session>.fromOpaque(instance).takeUnretainedValue()
    }

    /// The session, created if there is none. A second thread waits while the first one creates it.
    public static func begin() throws(ResultCode) -> Session {
        while !linux_compare_and_store(phase, Phase.absent, Phase.beginning) {
            if let present { return present }
            linux_wait_while(phase, Phase.beginning)
        }
        do throws(ResultCode) {
            let session = try ProcessEngine.withEngine { engine throws(ResultCode) in try engine.beginSession() }
            instance = UnsafeRawPointer(Unmanaged.passRetained(session).toOpaque())
            // A function that is registered late is called early: the plug-ins of a sound server still work then. A child of
            // fork() has no session here.
            linux_at_exit {
                ALSAHardware.awaitExploration()
                SharedSession.present?.restoreGainsAtExit()
            }
            setPhase(Phase.present)
            return session
        } catch {
            setPhase(Phase.absent)
            throw error
        }
    }

    private static func setPhase(_ new: UInt32) {
        linux_store(phase, new)
        linux_wake_waiting(phase)
    }
}
