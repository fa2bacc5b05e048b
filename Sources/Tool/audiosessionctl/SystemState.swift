// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
import AudioEngine
import AudioHardware
import CLIOutput
import LinuxSystem
import SessionArbiter
import SessionRegistry
import SimulatedHardware
import StatusPages

/// The shared sessions and the machine that the environment selects.
struct SystemState {
    let directory: RuntimeDirectory?
    /// Nil if the shared table cannot be used.
    let sessions: FileRegistry?
    let hardware: any AudioHardware
    /// The evidence of the ports of a real machine.
    let findings: () -> [String]

    /// Reads the state. Prints an error if the sessions cannot be read.
    static func read() -> SystemState {
        let directory = findDirectory()
        let machine = machine(in: directory)
        return SystemState(
            directory: directory, sessions: sessions(in: directory), hardware: machine.hardware, findings: machine.findings)
    }

    var report: Report {
        let pages = directory.map { StatusPages.read(in: $0) } ?? []
        return Report(
            table: sessions?.table() ?? SessionTable(), hardware: hardware.snapshot(), sounds: SoundObject.all(of: pages))
    }

    /// True if a process has a page, even an empty one.
    var hasStatusPages: Bool { !(directory?.statusPages().isEmpty ?? true) }

    /// False after an error, also if the registry has fallen back to a private table.
    var hasSharedSessions: Bool {
        guard let sessions else { return false }
        if let reason = sessions.privateFallbackReason { SystemState.printError(reason) }
        return sessions.privateFallbackReason == nil
    }

    /// The sessions for a change. Other processes notice a change only in the shared table.
    static func sharedSessions() throws(RuntimeDirectory.Unusable) -> FileRegistry {
        try FileRegistry(in: RuntimeDirectory.find())
    }

    /// The machine for a change: the simulated machine that other processes share.
    static func machine() throws(RuntimeDirectory.Unusable) -> any AudioHardware {
        guard case .simulated = HardwareSelection.chosen, Environment.value("AUDIOSESSION_SIMULATION") == nil else {
            return machine(in: nil).hardware
        }
        return machine(in: try RuntimeDirectory.find()).hardware
    }

    private static func findDirectory() -> RuntimeDirectory? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find() } catch {
            printError(error)
            return nil
        }
    }

    private static func sessions(in directory: RuntimeDirectory?) -> FileRegistry? {
        guard let directory else { return nil }
        do throws(RuntimeDirectory.Unusable) { return try FileRegistry(in: directory) } catch {
            printError(error)
            return nil
        }
    }

    private static func printError(_ reason: RuntimeDirectory.Unusable) {
        Output.error("\(reason.text); the sessions cannot be read: \(reason.remedy)")
    }

    /// The time in nanoseconds within which a card has to answer. It is longer than in a program, because a user waits for it.
    static let answerLimit: UInt64 = 5_000_000_000

    typealias Machine = (hardware: any AudioHardware, findings: () -> [String], server: () -> ServerStatus?)

    static func machine(in directory: RuntimeDirectory?) -> Machine {
        let selected = HardwareSelection.chosen
        if let errorText = selected.errorText { Output.error(errorText) }
        guard case .simulated = selected else {
            let cards = ALSAHardware(answerLimit: SystemState.answerLimit)
            return (cards, { cards.findings() }, { cards.server() })
        }
        return (SimulatedHardware(file: simulationFile(in: directory)), { [] }, { nil })
    }

    /// Nil for a machine of this process only.
    static func simulationFile(in directory: RuntimeDirectory?) -> String? {
        Environment.value("AUDIOSESSION_SIMULATION") ?? directory?.simulation
    }
}
