import ALSAHardware
public import AudioHardware
import LinuxSystem
public import SessionRegistry
import SimulatedHardware

/// Where this process finds itself: the table of sessions and the machine that its environment names.
public enum Surroundings {
    /// Where the shared table cannot be used, the process goes on by itself.
    public static func registry() -> any SessionRegistry {
        do throws(RuntimeDirectory.Unusable) { return try SharedRegistry(in: RuntimeDirectory.find()) } catch {
            Log.line("\(error.text); this process goes on alone")
            return InProcessRegistry()
        }
    }

    public static func hardware() -> (any AudioHardware, isSimulated: Bool) {
        switch Environment.value("AUDIOSESSION_HARDWARE") {
        case "simulated":
            return (SimulatedHardware(file: Environment.value("AUDIOSESSION_SIMULATION") ?? sharedSimulation()), true)
        case nil, "alsa": return (ALSAHardware(), false)
        case let other?:
            Log.line("AUDIOSESSION_HARDWARE is \"\(other)\": expected simulated or alsa; alsa is used")
            return (ALSAHardware(), false)
        }
    }

    private static func sharedSimulation() -> String? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find().simulation } catch { return nil }
    }
}
