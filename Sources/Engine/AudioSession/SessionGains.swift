// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import Synchronization

// A changed input gain is restored when no active session uses it any more. The registry lists the sessions that use it. The
// next process with this input that reads the table restores the gain.
extension ProcessSession {
    /// All sessions share the gain of an input: the set takes effect while this session is active.
    func setGain(_ level: Float, of port: Port) throws(ResultCode) {
        applyRegistry()
        if state.isActive { try changeGain(level, of: port) }
        keptGains[port.uidHash] = level
    }

    /// Applies the gain once after an activation and once after another input has entered the route. Later changes by a mixer
    /// program are not overwritten.
    func applyKeptGain() {
        guard state.isActive, state.hardware.serverIsAlive else {
            portOfGain = nil
            return
        }
        guard let port = state.port(for: .inputGain(0)), portOfGain?.isSame(as: port) != true else { return }
        portOfGain = port
        guard let level = keptGains[port.uidHash] else { return }
        do throws(ResultCode) { try changeGain(level, of: port) } catch {
            Log.debug("the input gain of \(port.name) could not be set (\(error.name))")
        }
    }

    private func changeGain(_ level: Float, of port: Port) throws(ResultCode) {
        portOfGain = port
        saveGain(of: port)
        try hardware.perform(.inputGain(level), on: port)
        applyHardware()
    }

    /// Saves the present gain before this session changes it, unless another session has saved it. The gain is read from the
    /// device: the last snapshot may have the gain of an interrupted session, whose process has restored it since.
    private func saveGain(of port: Port) {
        guard let level = port.gain.map({ hardware.gain(of: port) ?? $0 }) else { return }
        let gain = SavedGain(input: port.uidHash, level: min(max(level, 0), 1))
        hasChangedGain.store(true, ordering: .releasing)
        do throws(ResultCode) { try registry.submit(.changeGain(slot, gain)) } catch {
            Log.debug("the input gain of \(port.name) will not be restored: the table of sessions cannot be written")
        }
    }

    /// Restores the gains before the process ends by exit(). The monitor's thread does it, because a signal handler that calls
    /// exit() may have interrupted this thread while it holds a lock of this library or of malloc. This thread waits at most a
    /// second. After that another process restores the gains, as after a kill.
    public func restoreGainsAtExit() {
        guard hasChangedGain.load(ordering: .acquiring) else { return }
        monitor?.releaseGains()
    }

    public func releaseGains() {
        changeLock.withLock {
            do throws(ResultCode) { apply(try registry.submit(.releaseGains(slot), viewing: slot)) } catch {
                Log.debug("another process restores the input gain: the table of sessions cannot be written")
            }
        }
    }

    /// Gains whose input is absent or whose server is dead stay in the list.
    func restoreGains() {
        guard state.hardware.serverIsAlive else { return }
        for position in 0..<SavedGains.capacity {
            guard let gain = gainsToRestore[position],
                let port = state.hardware.ports.first(where: {
                    $0.gain != nil && $0.uidHash == gain.input || $0.profileHash == gain.input
                })
            else { continue }
            gainsToRestore[position] = nil
            restoreGain(gain, to: port, at: position)
        }
    }

    private func restoreGain(_ gain: SavedGain, to port: Port, at position: Int) {
        // Refused when another process restores the gain, or when an active session uses the input again.
        do throws(ResultCode) { try registry.submit(.beginRestoringGain(slot, input: gain.input)) } catch { return }
        var isDone = true
        do throws(ResultCode) { try restore(gain, to: port) } catch {
            Log.debug("the input gain of \(port.name) could not be restored (\(error.name))")
            isDone = error != .noHardware
        }
        do throws(ResultCode) { try registry.submit(.endRestoringGain(slot, input: gain.input, isDone: isDone)) } catch {
            Log.debug("the input gain of \(port.name) was restored, but the table of sessions cannot be written")
        }
        if !isDone { gainsToRestore[position] = gain }
        applyHardware()
    }

    private func restore(_ gain: SavedGain, to port: Port) throws(ResultCode) {
        guard port.profileHash == gain.input else { return try hardware.perform(.inputGain(gain.level), on: port) }
        if gain.level > 0 { try hardware.perform(.headsetProfile(false), on: port) }
    }
}
