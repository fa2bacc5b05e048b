// SPDX-License-Identifier: Apache-2.0
public import EngineClient
public import LinuxSystem
import Synchronization

/// The engine, the listeners, the table and the lengths of the slices that all units share.
public final class UnitContext: Sendable {
    /// Nil when libAudioSession has another version.
    public let engine: (any AudioEngineClient)?
    public let notifier = Notifier()
    public let table = HandleTable<Unit>(.unit, capacity: Unit.capacity)
    let slices: SliceLengths
    let files: PlayerFiles
    let players = PlayerService()
    /// The number of graphs that this process has made.
    let graphs = Atomic<UInt32>(0)
    /// The sound that all units and queues play, for echo cancellation.
    let echo = EchoReference()
    public var playbackReference: any PlaybackReference { echo }

    /// True if this thread renders with a unit.
    public var isRendering: Bool { table.contains { $0.isRendering } }

    /// `slices` also has the slices of the queues of the process.
    public init(engine: (any AudioEngineClient)?, slices: SliceLengths? = nil, files: PlayerFiles = .none) {
        self.files = files
        self.engine = engine
        self.slices = slices ?? SliceLengths(engine)
    }
}
