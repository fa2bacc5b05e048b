import CAudioStreams

/// How the samples of a stream lie in memory.
public struct SampleLayout: Equatable, Sendable {
    /// As ALSA counts formats.
    public let sample: Int32
    public let channels: UInt32
    public let rate: UInt32

    /// Nil for samples that no gain can be applied to.
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
    func frames(inMilliseconds milliseconds: UInt64) -> UInt64 { UInt64(rate) * milliseconds / 1000 }
}

/// What a program has asked of its stream.
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

    /// A gain that changes takes so long.
    var ramp: UInt32 { UInt32(truncatingIfNeeded: layout.frames(inMilliseconds: 40)) }
    /// More than this is never on its way to the device, unless its periods are longer.
    var usualQueue: UInt64 { max(layout.frames(inMilliseconds: 40), 2) }
    /// The device's periods are never wished longer.
    var usualPeriod: UInt64 { max(min(period, layout.frames(inMilliseconds: 10)), 1) }
    /// However long the device's periods are.
    var longestQueue: UInt64 { max(layout.frames(inMilliseconds: 150), usualQueue) }
}
