import ALSAHardware
public import AudioHardware
import LinuxSystem
public import SessionRegistry
import SimulatedHardware

/// The registry and the hardware that the environment of this process selects.
public enum Surroundings {
    /// Without a usable shared table the process uses a table of its own.
    public static func registry() -> any SessionRegistry {
        do throws(RuntimeDirectory.Unusable) {
            let directory = try RuntimeDirectory.find()
            let registry = try SharedRegistry(in: directory)
            Log.line("sessions meet in \(directory.path)")
            return registry
        } catch {
            Log.line("\(error.text); this process goes on alone")
            return InProcessRegistry()
        }
    }

    public static func hardware() -> (any AudioHardware, isSimulated: Bool) {
        let machine = NamedMachine.chosen
        if let complaint = machine.complaint { Log.complain(complaint) }
        guard case .simulated = machine else { return (ALSAHardware(), false) }
        let file = Environment.value("AUDIOSESSION_SIMULATION") ?? sharedSimulation()
        Log.line("the machine is a simulated one, \(file ?? "of this process alone")")
        return (SimulatedHardware(file: file), true)
    }

    private static func sharedSimulation() -> String? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find().simulation } catch { return nil }
    }
}
