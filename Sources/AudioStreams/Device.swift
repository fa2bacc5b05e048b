// SPDX-License-Identifier: Apache-2.0
/// The kind of device that a stream uses.
public enum DeviceChoice: Equatable, Sendable {
    /// The first of these names of ALSA's configuration that can be opened.
    case alsa([String])
    /// A simulated machine: it plays by the clock, into a file if one is named.
    case simulated
    /// A clock without sound.
    case silence
}

/// Plays frames. Owned by one thread.
protocol PlaybackDevice: AnyObject {
    /// The largest number of frames in its queue.
    var queue: UInt64 { get }
    /// The step of its position.
    var period: UInt64 { get }
    /// Makes it ready to start, after it was opened or stopped, or was late.
    func prepare() throws(StreamError)
    /// Precedes the first write.
    func start() throws(StreamError)
    /// Stops the sound at once. Returns the number of frames that were not played; nil if the device is gone.
    func stop() -> UInt64?
    /// The number of frames that were written and not played. Throws `late` after an underrun.
    func pending() throws(StreamError) -> UInt64
    /// Returns the number of frames that it accepted.
    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(StreamError) -> UInt64
}

/// Records frames. Owned by one thread.
protocol CaptureDevice: AnyObject {
    var period: UInt64 { get }
    func prepare() throws(StreamError)
    func start() throws(StreamError)
    func stop()
    /// The number of frames that can be read. Throws `late` after an overrun.
    func available() throws(StreamError) -> UInt64
    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) throws(StreamError) -> UInt64
}
