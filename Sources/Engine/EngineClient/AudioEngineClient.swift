// SPDX-License-Identifier: Apache-2.0
public import CAudioStreams
import LinuxSystem

/// The engine of the session, for units and queues. Tests use another implementation.
public protocol AudioEngineClient: AnyObject, Sendable {
    /// Creates a stopped stream. The owner must live at least as long as the stream.
    func makeStream(for owner: EngineStreamOwner, _ directions: StreamDirections) -> EngineStreamResult
    /// Creates a stopped stream that plays system sounds: it is no part of the program's session.
    func makeSystemSoundStream(for owner: EngineStreamOwner) -> EngineStreamResult
    /// The preferred duration of a slice in seconds; 0: no preference, or no session.
    var preferredSlice: Double { get }
    /// Publishes the duration of the slices; 0 withdraws it.
    func publishSlice(seconds: Double)
    /// The rate that the route's hardware grants; 0: no hardware.
    func hardwareRate(isInput: Bool) -> Double
    /// The format that the hardware would grant to a new stream of these directions; nil: there is no device.
    func hardwareFormat(_ directions: StreamDirections) -> pull_format?
    /// A slot in which a unit or a queue describes itself for other processes; nil when no slot is free.
    func makeStatusSlot() -> StatusSlot?
}

/// A stream that calls its owner for each slice.
public protocol EngineStream: AnyObject, Sendable {
    /// The format that the hardware grants now; nil: there is no device.
    var format: pull_format? { get }
    /// Starts slices of `frames` frames of `rate`. Returns 0, or the result code of the session that refuses.
    func start(frames: Double, rate: Double) -> Int32
    /// Returns when no render runs any more. In a callback of this stream it returns at once.
    func stop()
    /// Like `stop`, but the stream still counts as running: an interruption stops it and calls `stopped`. The next start renders
    /// again.
    func suspend()
    var isRunning: Bool { get }
    var counters: pull_counters { get }
    /// Called before the first start: the stream counts in the slot from now on.
    func count(in slot: StatusSlot)
    /// Ducks the sound of other sessions while the stream runs.
    func setDucksOthers(_ on: Bool)
    /// Ends the stream: it does not start again, and no callback runs after the return. If a callback of this stream makes this
    /// call, it returns at once. Other threads may call any function at the same time: a start returns an error, and a stop
    /// waits for the callback that runs.
    func destroy()
}

extension pull_counters {
    /// Writes into the log that the devices ran out of sound or of room during the run that has ended. Called after the run, because
    /// the audio thread writes no log.
    public func logLateness(_ end: StaticString) {
        guard underruns > 0 || overruns > 0 else { return }
        Log.debug(
            "\(end): \(underruns) underruns of the output, \(overruns) overruns of the input, \(lost_frames) frames lost:"
                + " the program or the machine is too slow for slices of \(slice_ns / 1000) microseconds")
    }
}

public enum EngineStreamResult: Sendable {
    case stream(any EngineStream)
    /// A negative errno value, or the result code of the session.
    case refused(Int32)
}
