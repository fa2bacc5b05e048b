// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
public import AudioSession
import CLinux
import LinuxSystem
public import SessionModel

/// The session of this process, which all APIs share. The first API creates it, and it lasts as long as the process.
extension ProcessEngine {
    private static let sessionOfProcess = ForkLocal<ProcessSession>(LINUX_WORD_OF_SESSION)

    /// Nil until an API has created the session.
    @inline(__always)
    public static var session: ProcessSession? { sessionOfProcess.present }

    /// The values of the session, which is never freed. A separate variable, so that a read follows one reference and not three.
    nonisolated(unsafe) private static var published: PublishedValues.Reader?

    /// The settings that have no property of the C API. Nil without a session, and until its hardware is known.
    @inline(__always)
    public static var choices: SettingsWord? { sessionOfProcess.isPresent ? published?.choices : nil }

    /// The session, created if there is none. A second thread waits while the first one creates it.
    public static func beginSession() throws(ResultCode) -> ProcessSession {
        let session = try sessionOfProcess.makeOnce { () throws(ResultCode) in
            let session = try withEngine { engine throws(ResultCode) in try engine.beginSession() }
            // A function that is registered late is called early: the plug-ins of a sound server still work then. A child of
            // fork() has no session here.
            linux_at_exit {
                ALSAHardware.awaitExploration()
                ProcessEngine.session?.restoreGainsAtExit()
            }
            published = session.published.reader
            return session
        }
        guard let session else { throw .initializationError }
        return session
    }
}
