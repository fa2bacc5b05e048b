// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The kind of device that a stream uses.
public enum DeviceChoice: Equatable, Sendable {
    /// The first of these names of ALSA's configuration that can be opened.
    case alsa([String])
    /// The same, for a stream of a sound server.
    case server([String])
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
    /// Makes the device ready to start, after it was opened or stopped, or was late.
    func prepare() throws(SystemError)
    /// Called before the first write.
    func start() throws(SystemError)
    /// Stops the sound. Returns the number of frames that were not played; nil if the device is gone. `waits`: the number is exact,
    /// for which a mixer plays a few frames more.
    func stop(waits: Bool) -> UInt64?
    /// The number of frames that were written and not played. Throws `late` after an underrun.
    func pending() throws(SystemError) -> UInt64
    /// Returns the number of frames that the device accepted.
    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(SystemError) -> UInt64
    /// The size of its buffer.
    var capacity: UInt64 { get }
    /// The frames of silence that precede the first frame after a start.
    var lead: UInt64 { get }
    /// Throws `late` after an underrun, and also before the first write.
    func position() throws(SystemError) -> PlaybackPosition
}

/// The position of a device that plays.
struct PlaybackPosition: Equatable {
    /// Frames in the queue of the device.
    var queued: UInt64
    /// Frames between the next frame that is written and the one that is heard now.
    var delay: UInt64
}

extension PlaybackDevice {
    var capacity: UInt64 { UInt64.max }
    var lead: UInt64 { 0 }
    func position() throws(SystemError) -> PlaybackPosition {
        let pending = try pending()
        return PlaybackPosition(queued: pending, delay: pending)
    }
}

/// Records frames. Owned by one thread.
protocol CaptureDevice: AnyObject {
    var period: UInt64 { get }
    func prepare() throws(SystemError)
    func start() throws(SystemError)
    func stop()
    /// The number of frames that can be read. Throws `late` after an overrun.
    func available() throws(SystemError) -> UInt64
    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) throws(SystemError) -> UInt64
    /// Throws `late` after an overrun.
    func position() throws(SystemError) -> CapturePosition
}

/// The position of a device that records.
struct CapturePosition: Equatable {
    /// Frames that can be read.
    var available: UInt64
    /// Frames between the next frame that is read and the one that is captured now.
    var delay: UInt64
}

extension CaptureDevice {
    func position() throws(SystemError) -> CapturePosition {
        let available = try available()
        return CapturePosition(available: available, delay: available)
    }
}
