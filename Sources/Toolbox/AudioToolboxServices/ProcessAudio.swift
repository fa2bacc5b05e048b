// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioUnits
import CLinux
import EngineClient

/// The units, queues and system sounds of this process. The first call creates them. A child of fork() creates its own: the
/// kernel wipes the word that records them. The child does not use those of its parent, because threads that the child does
/// not have may hold their locks.
final class ProcessAudio: Sendable {
    let units: UnitContext
    /// Nil when libAudioSession has another version.
    let queues: QueueService?
    let sounds: SystemSounds?

    private init(_ engine: SessionEngine?) {
        let slices = SliceLengths(engine)
        let units = UnitContext(engine: engine, slices: slices)
        self.units = units
        queues = engine.map { QueueService($0, slices: slices, reference: units.playbackReference) }
        sounds = queues.map { SystemSounds($0) }
    }

    private enum Phase {
        static let absent: UInt32 = 0
        static let making: UInt32 = 1
        static let present: UInt32 = 2
    }

    private static var phase: UnsafeMutablePointer<UInt32>? {
        linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_UNITS_AND_QUEUES))
    }
    nonisolated(unsafe) private static var instance: UnsafeRawPointer?

    /// The object if it exists. Takes no lock, because audio threads call this as well.
    private static var present: ProcessAudio? {
        guard linux_load(phase) == Phase.present, let instance else { return nil }
        return Unmanaged<ProcessAudio>.fromOpaque(instance).takeUnretainedValue()
    }

    static var own: ProcessAudio { present ?? make() }

    /// Creates the object. A second thread waits while the first one creates it.
    private static func make() -> ProcessAudio {
        while !linux_compare_and_store(phase, Phase.absent, Phase.making) {
            if let present { return present }
            linux_wait_while(phase, Phase.making)
        }
        let made = ProcessAudio(SessionEngine.ofProcess)
        instance = UnsafeRawPointer(Unmanaged.passRetained(made).toOpaque())
        linux_store(phase, Phase.present)
        linux_wake_waiting(phase)
        return made
    }
}
