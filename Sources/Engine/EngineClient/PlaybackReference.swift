// SPDX-License-Identifier: Apache-2.0
/// All sound that the process plays, for the echo cancellation of units.
public protocol PlaybackReference: AnyObject, Sendable {
    /// Creates a writer for a stream whose device has this rate. May allocate. Nil when too many streams play.
    func makeWriter(deviceRate: Double) -> (any PlaybackWriter)?
}

/// Writes the sound of one stream. Only the stream's thread uses it.
public protocol PlaybackWriter: AnyObject {
    /// Some unit reads the sound. Otherwise `write` has no effect.
    var isWanted: Bool { get }
    /// Writes interleaved frames of the device. The first one is heard at `time`.
    func write(_ output: UnsafePointer<Float>, channels: Int, frames: Int, heardAt time: UInt64)
}
