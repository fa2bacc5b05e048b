// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioUnits
import CLinux
import EngineClient
import LinuxSystem

/// The units, queues and system sounds of this process. The first call creates them. A child of fork() creates its own.
final class ProcessAudio: Sendable {
    let units: UnitContext
    /// Nil when libAudioSession has another version.
    let queues: QueueService?
    let sounds: SystemSounds?

    private init(_ engine: SessionEngine?) {
        let slices = SliceLengths(engine)
        let units = UnitContext(engine: engine, slices: slices, files: ProgramFile.playable)
        self.units = units
        queues = engine.map { QueueService($0, slices: slices, reference: units.playbackReference) }
        sounds = queues.map { SystemSounds($0) }
    }

    private static let ofProcess = ForkLocal<ProcessAudio>(LINUX_WORD_OF_UNITS_AND_QUEUES)

    /// Takes no lock if the object exists, because audio threads call this as well.
    static var own: ProcessAudio { ofProcess.present ?? ofProcess.made { ProcessAudio(SessionEngine.ofProcess) } }
}
