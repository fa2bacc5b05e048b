import ALSAHardware
import AudioHardware
import LinuxSystem
import SessionArbiter
import SessionRegistry
import SessionReports
import SimulatedHardware
import Surroundings

/// The sessions and the machine, as this tool finds them.
struct World {
    let directory: RuntimeDirectory?
    /// Nil where they cannot be seen.
    let sessions: SharedRegistry?
    let hardware: any AudioHardware
    /// What the machine's ports were recognised by.
    let findings: () -> [String]

    static func find() -> World {
        let directory = findDirectory()
        let machine = machine(in: directory)
        return World(
            directory: directory, sessions: sessions(in: directory), hardware: machine.hardware, findings: machine.findings)
    }

    var report: Report { Report(table: sessions?.table() ?? SessionTable(), hardware: hardware.snapshot()) }

    /// For who changes something: without them nobody would see it.
    static func sessions() throws(RuntimeDirectory.Unusable) -> SharedRegistry { try SharedRegistry(in: RuntimeDirectory.find()) }

    /// The machine, where others see what is done to it.
    static func machine() throws(RuntimeDirectory.Unusable) -> any AudioHardware {
        guard case .simulated = NamedMachine.chosen, Environment.value("AUDIOSESSION_SIMULATION") == nil else {
            return machine(in: nil).hardware
        }
        return machine(in: try RuntimeDirectory.find()).hardware
    }

    private static func findDirectory() -> RuntimeDirectory? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find() } catch {
            Output.complain("\(error.text); no sessions can be seen")
            return nil
        }
    }

    private static func sessions(in directory: RuntimeDirectory?) -> SharedRegistry? {
        guard let directory else { return nil }
        do throws(RuntimeDirectory.Unusable) { return try SharedRegistry(in: directory) } catch {
            Output.complain("\(error.text); no sessions can be seen")
            return nil
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
