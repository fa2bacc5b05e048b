import ALSAHardware
import AudioHardware
import LinuxSystem
import SessionRegistry
import SessionReports
import SimulatedHardware

/// The sessions and the machine, as this tool finds them.
struct World {
    let directory: RuntimeDirectory?
    let registry: any SessionRegistry
    let hardware: any AudioHardware

    static func find() -> World {
        let directory = findDirectory()
        return World(directory: directory, registry: registry(in: directory), hardware: machine(in: directory))
    }

    var report: Report { Report(table: registry.table(), hardware: hardware.snapshot()) }

    private static func findDirectory() -> RuntimeDirectory? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find() } catch {
            Output.complain("\(error.text); no sessions can be seen")
            return nil
        }
    }

    private static func registry(in directory: RuntimeDirectory?) -> any SessionRegistry {
        guard let directory else { return InProcessRegistry() }
        do throws(RuntimeDirectory.Unusable) { return try SharedRegistry(in: directory) } catch {
            Output.complain("\(error.text); no sessions can be seen")
            return InProcessRegistry()
        }
    }

    /// As the programs choose it: by the environment.
    private static func machine(in directory: RuntimeDirectory?) -> any AudioHardware {
        guard Environment.value("AUDIOSESSION_HARDWARE") == "simulated" else { return ALSAHardware() }
        return SimulatedHardware(file: Environment.value("AUDIOSESSION_SIMULATION") ?? directory?.simulation)
    }
}
