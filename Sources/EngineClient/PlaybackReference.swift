// SPDX-License-Identifier: Apache-2.0
/// All sound that the process plays, for units that cancel its echo.
public protocol PlaybackReference: AnyObject, Sendable {
    /// For a stream whose device has this rate. May allocate. Nil when too many streams play.
    func makeWriter(deviceRate: Double) -> (any PlaybackWriter)?
}

/// The sound of one stream. Only the stream's thread uses it.
public protocol PlaybackWriter: AnyObject {
    /// Interleaved frames of the device, the first of which is heard at `time`.
    func write(_ output: UnsafePointer<Float>, channels: Int, frames: Int, heardAt time: UInt64)
}
