// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
public import AudioHardware
import LinuxSystem
public import SessionRegistry
import SimulatedHardware

/// The registry and the hardware that the environment of this process selects.
public enum Bootstrap {
    /// A process that cannot use the shared table uses a table of its own.
    public static func registry() -> any SessionRegistry {
        do throws(RuntimeDirectory.Unusable) {
            let directory = try RuntimeDirectory.find()
            let registry = try FileRegistry(in: directory)
            Log.debug("sessions meet in \(directory.path)")
            return registry
        } catch {
            Log.debug("\(error.text); this process does not share its sessions")
            return InProcessRegistry()
        }
    }

    public static func hardware() -> (any AudioHardware, isSimulated: Bool) {
        let machine = HardwareSelection.chosen
        if let errorText = machine.errorText { Log.error(errorText) }
        guard case .simulated = machine else { return (ALSAHardware(), false) }
        let file = Environment.value("AUDIOSESSION_SIMULATION") ?? sharedSimulation()
        Log.debug("the hardware is simulated: \(file ?? "for this process only")")
        return (SimulatedHardware(file: file), true)
    }

    private static func sharedSimulation() -> String? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find().simulation } catch { return nil }
    }
}
