// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry

// The gains of inputs that the session changes, and those that it restores for other sessions. The caller holds the change lock.
extension ProcessSession {
    /// All sessions share the gain of an input: the set takes effect while this session is active.
    func setGain(_ level: Float, of port: Port) throws(ResultCode) {
        applyRegistry()
        if state.isActive { try changeGain(level, of: port) }
        gains.keep(level, of: port)
    }

    func applyKeptGain() {
        guard let (port, level) = gains.dueGain(in: state) else { return }
        do throws(ResultCode) { try changeGain(level, of: port) } catch {
            Log.debug("the input gain of \(port.name) could not be set (\(error.name))")
        }
    }

    private func changeGain(_ level: Float, of port: Port) throws(ResultCode) {
        try gains.change(level, of: port)
        applyHardware()
    }

    /// Restores the gains before the process ends by exit(). The monitor's thread does it, because a signal handler that calls
    /// exit() may have interrupted this thread while it holds a lock of this library or of malloc. This thread waits at most a
    /// second. After that another process restores the gains, as after a kill. Called without the change lock.
    public func restoreGainsAtExit() {
        guard gains.hasChangedHardware else { return }
        monitor?.releaseGains()
    }

    /// On the monitor's thread, without the change lock.
    public func releaseGains() {
        changeLock.withLock {
            do throws(ResultCode) { apply(try registry.submit(.releaseGains(slot), viewing: slot)) } catch {
                Log.debug("another process restores the input gain: the table of sessions cannot be written")
            }
        }
    }

    func restoreGains() {
        for position in 0..<SavedGains.capacity where gains.restoreGain(at: position, on: state.hardware) { applyHardware() }
    }
}
