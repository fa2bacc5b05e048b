// SPDX-License-Identifier: Apache-2.0
import CAudioStreams

/// The layout of samples in memory.
public struct SampleLayout: Equatable, Sendable {
    /// ALSA's number of the format.
    public let sample: Int32
    public let channels: UInt32
    public let rate: UInt32

    /// Nil for a format that the gain functions do not support.
    public init?(sample: Int32, channels: UInt32, rate: UInt32) {
        guard stream_sample_size(sample) > 0, channels > 0, rate > 0 else { return nil }
        self.sample = sample
        self.channels = channels
        self.rate = rate
    }

    public var frameSize: Int { Int(stream_sample_size(sample)) * Int(channels) }

    func nanoseconds(of frames: UInt64) -> UInt64 { frames &* 1_000_000_000 / UInt64(rate) }
    func frames(in nanoseconds: UInt64) -> UInt64 {
        nanoseconds / 1_000_000_000 &* UInt64(rate) &+ nanoseconds % 1_000_000_000 &* UInt64(rate) / 1_000_000_000
    }
    /// The number of frames with the duration of `frames` frames of another layout.
    func frames(lasting frames: UInt64, of other: SampleLayout) -> UInt64 {
        UInt64((Double(frames) * (Double(rate) / Double(other.rate))).rounded())
    }
    func frames(inMilliseconds milliseconds: UInt64) -> UInt64 { UInt64(rate) * milliseconds / 1000 }
}

/// The format and the sizes that the program has set.
public struct StreamShape: Equatable, Sendable {
    public let layout: SampleLayout
    /// Frames.
    public let period: UInt64
    public let buffer: UInt64

    public init(layout: SampleLayout, period: UInt64, buffer: UInt64) {
        self.layout = layout
        self.period = max(period, 1)
        self.buffer = max(buffer, 1)
    }

    /// The length of a ramp, in frames.
    var ramp: UInt32 { UInt32(truncatingIfNeeded: layout.frames(inMilliseconds: 40)) }
    /// The device's queue is no longer than this, unless its periods are long.
    var usualQueue: UInt64 { max(layout.frames(inMilliseconds: 40), 2) }
    /// The period that is requested from a device.
    var usualPeriod: UInt64 { max(min(period, layout.frames(inMilliseconds: 10)), 1) }
    /// The period that is requested from a sound server. All streams of a server run at the shortest period of any of them, so it
    /// is that of the program, up to a part of the queue.
    var serverPeriod: UInt64 { max(min(period, layout.frames(inMilliseconds: 50)), 1) }
    /// The longest queue of a device with long periods.
    var longestQueue: UInt64 { max(layout.frames(inMilliseconds: 150), usualQueue) }
}
