// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import Synchronization

/// The input gains of a session: those that the program has set, and those that have to be restored.
///
/// A changed input gain is restored when no active session uses it any more. The registry lists the sessions that use it. The
/// next process with this input that reads the table restores the gain. The session calls all members but `hasChangedHardware`
/// with its change lock held, and applies the changed hardware afterwards.
final class GainKeeper: @unchecked Sendable {
    private let slot: TableSlot
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    /// Gains that are restored when their input is present.
    var waiting = SavedGains()
    /// The gain that the program set for an input, by the hash of the port's UID.
    private var kept: [UInt64: Float] = [:]
    /// The input to which the program's gain has been applied since the activation.
    private var portOfGain: Port?
    private let hasRegisteredUse = Atomic<Bool>(false)

    init(_ slot: TableSlot, _ registry: any SessionRegistry, _ hardware: any AudioHardware) {
        self.slot = slot
        self.registry = registry
        self.hardware = hardware
    }

    /// A gain may have to be restored when the process ends. On any thread.
    var hasChangedHardware: Bool { hasRegisteredUse.load(ordering: .acquiring) }

    // MARK: The program's gain

    /// The gain takes effect at each activation from now on.
    func keep(_ level: Float, of port: Port) { kept[port.uidHash] = level }

    /// The gain that has to be applied now: once after an activation and once after another input has entered the route. Later
    /// changes by a mixer program are not overwritten.
    func dueGain(in state: SessionState) -> (port: Port, level: Float)? {
        guard state.isActive, state.hardware.serverIsAlive else {
            portOfGain = nil
            return nil
        }
        guard let port = state.port(for: .inputGain(0)), portOfGain?.isSame(as: port) != true else { return nil }
        portOfGain = port
        return kept[port.uidHash].map { (port, $0) }
    }

    func change(_ level: Float, of port: Port) throws(ResultCode) {
        portOfGain = port
        saveGain(of: port)
        try hardware.perform(.inputGain(level), on: port)
    }

    /// Saves the present gain before this session changes it, unless another session has saved it. The gain is read from the
    /// device: the last snapshot may have the gain of an interrupted session, whose process has restored it since.
    private func saveGain(of port: Port) {
        guard let level = port.gain.map({ hardware.gain(of: port) ?? $0 }) else { return }
        do throws(ResultCode) {
            try registerUse(of: SavedGain(input: port.uidHash, level: min(max(level, 0), 1)))
        } catch {
            Log.debug("the input gain of \(port.name) will not be restored: the table of sessions cannot be written")
        }
    }

    /// From now on the session uses this input or profile, which the table saves unless it has another session's value.
    func registerUse(of found: SavedGain) throws(ResultCode) {
        hasRegisteredUse.store(true, ordering: .releasing)
        try registry.submit(.changeGain(slot, found))
    }

    // MARK: Restoring

    /// Restores one of the waiting gains. A gain whose input is absent or whose server is dead stays in the list. Returns whether the
    /// hardware may have changed.
    func restoreGain(at position: Int, on snapshot: HardwareSnapshot) -> Bool {
        guard snapshot.serverIsAlive, let gain = waiting[position],
            let port = snapshot.ports.first(where: {
                $0.gain != nil && $0.uidHash == gain.input || $0.profileHash == gain.input
            })
        else { return false }
        waiting[position] = nil
        // Refused when another process restores the gain, or when an active session uses the input again.
        do throws(ResultCode) { try registry.submit(.beginRestoringGain(slot, input: gain.input)) } catch { return false }
        let isDone = restore(gain, to: port)
        do throws(ResultCode) { try registry.submit(.endRestoringGain(slot, input: gain.input, isDone: isDone)) } catch {
            Log.debug("the input gain of \(port.name) was restored, but the table of sessions cannot be written")
        }
        if !isDone { waiting[position] = gain }
        return true
    }

    /// False when the input has departed meanwhile: the gain is restored when the input is present again.
    private func restore(_ gain: SavedGain, to port: Port) -> Bool {
        do throws(ResultCode) {
            if port.profileHash != gain.input {
                try hardware.perform(.inputGain(gain.level), on: port)
            } else if gain.level > 0 {
                try hardware.perform(.headsetProfile(false), on: port)
            }
            return true
        } catch {
            Log.debug("the input gain of \(port.name) could not be restored (\(error.name))")
            return error != .noHardware
        }
    }
}
