import ALSAHardware
import AudioHardware
import LinuxSystem
import SessionRegistry
import SimulatedHardware

/// The table and the machine that this process's environment names.
enum World {
    /// Where the shared table cannot be used, the streams go on by themselves.
    static func registry() -> any SessionRegistry {
        do throws(RuntimeDirectory.Unusable) { return try SharedRegistry(in: RuntimeDirectory.find()) } catch {
            Log.line("\(error.text); this process goes on alone")
            return InProcessRegistry()
        }
    }

    static func hardware() -> (any AudioHardware, isSimulated: Bool) {
        guard Environment.value("AUDIOSESSION_HARDWARE") == "simulated" else { return (ALSAHardware(), false) }
        return (SimulatedHardware(file: Environment.value("AUDIOSESSION_SIMULATION") ?? sharedSimulation()), true)
    }

    private static func sharedSimulation() -> String? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find().simulation } catch { return nil }
    }
}
