import ALSAHardware
import AudioHardware
import LinuxSystem
import SessionRegistry
import SessionReports
import SimulatedHardware
import Surroundings

/// The sessions and the machine, as this tool finds them.
struct World {
    let directory: RuntimeDirectory?
    let registry: any SessionRegistry
    let hardware: any AudioHardware
    /// What the machine's ports were recognised by.
    let findings: () -> [String]

    static func find() -> World {
        let directory = findDirectory()
        let machine = machine(in: directory)
        return World(
            directory: directory, registry: registry(in: directory), hardware: machine.hardware, findings: machine.findings)
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
    private static func machine(in directory: RuntimeDirectory?) -> (hardware: any AudioHardware, findings: () -> [String]) {
        let named = NamedMachine.chosen
        if let complaint = named.complaint { Output.complain(complaint) }
        guard case .simulated = named else {
            let cards = ALSAHardware()
            return (cards, { cards.findings() })
        }
        let file = Environment.value("AUDIOSESSION_SIMULATION") ?? directory?.simulation
        return (SimulatedHardware(file: file), { [] })
    }
}
