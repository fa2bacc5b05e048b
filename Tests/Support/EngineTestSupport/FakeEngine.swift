// SPDX-License-Identifier: Apache-2.0
public import CAudioStreams
public import CStatusPage
public import EngineClient
import LinuxSystem

/// An engine without threads, for units and queues: a test runs each cycle of its streams on its own thread.
public final class FakeEngine: AudioEngineClient, @unchecked Sendable {
    /// The format of the devices.
    public var hardware = pull_format(
        output_rate: 48_000, input_rate: 48_000, output_channels: 2, input_channels: 1, slice: 0, shares_clock: true,
        is_start: false)
    /// The frames of a device's slice; 0: those that the start of the stream has asked for.
    public var slice: Int
    public var preferredSlice: Double
    /// Frames between the cycle that writes a frame and the time at which it is heard: 10 ms of 48,000 Hz.
    public var delay = 480
    /// The output device has 16-bit samples, and no gain changes them.
    public var acceptsInt16 = false
    /// The result of the next starts.
    public var startResult: Int32 = 0
    public var refusesStreams = false
    public private(set) var publishedSlice = 0.0
    public private(set) var streams: [FakeStream] = []

    /// Calls of another thread while a unit is in a call of the engine.
    public var whilePublishing: (() -> Void)?
    /// For the streams that are made from now on.
    public var whileReadingState: (() -> Void)?

    /// Prefers the slice of the device, if it has one of its own.
    public init(slice: Int = 0) {
        self.slice = slice
        preferredSlice = Double(slice) / 48_000
    }

    public var outputRate: Double {
        get { hardware.output_rate }
        set { hardware.output_rate = newValue }
    }
    public var inputRate: Double {
        get { hardware.input_rate }
        set { hardware.input_rate = newValue }
    }
    public var outputChannels: UInt32 {
        get { hardware.output_channels }
        set { hardware.output_channels = newValue }
    }
    public var inputChannels: UInt32 {
        get { hardware.input_channels }
        set { hardware.input_channels = newValue }
    }

    public func publishSlice(seconds: Double) {
        publishedSlice = seconds
        let call = whilePublishing
        whilePublishing = nil
        call?()
    }

    public func hardwareRate(isInput: Bool) -> Double { isInput ? inputRate : outputRate }

    public func hardwareFormat(_ directions: StreamDirections) -> pull_format? {
        guard outputRate > 0 || inputRate > 0 else { return nil }
        var format = hardware
        if !directions.contains(.output) { (format.output_rate, format.output_channels) = (0, 0) }
        if !directions.contains(.input) { (format.input_rate, format.input_channels) = (0, 0) }
        return format
    }

    // MARK: Streams

    public func makeStream(for owner: EngineStreamOwner, _ directions: StreamDirections) -> EngineStreamResult {
        guard !refusesStreams else { return .refused(-19) }
        let stream = FakeStream(self, owner, directions)
        stream.whileReadingState = whileReadingState
        streams.append(stream)
        return .stream(stream)
    }

    public func makeSystemSoundStream(for owner: EngineStreamOwner) -> EngineStreamResult {
        let stream = FakeStream(self, owner, .output)
        systemSounds = stream
        return .stream(stream)
    }

    /// The last stream that is not destroyed.
    public var stream: FakeStream? { streams.last { !$0.isDestroyed } }
    /// The last streams of one direction.
    public var output: FakeStream? { streams.last { $0.directions == .output } }
    public var input: FakeStream? { streams.last { $0.directions == .input } }
    public private(set) var systemSounds: FakeStream?

    // MARK: The status page

    /// Where units and queues describe themselves; nil: no slot is free.
    public var statusPage: UnsafeMutablePointer<status_page>?
    public func makeStatusSlot() -> StatusSlot? { statusPage.flatMap { status_claim($0) }.map { StatusSlot($0) } }
}
