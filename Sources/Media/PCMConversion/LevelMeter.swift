// SPDX-License-Identifier: Apache-2.0
import CLinux
import MediaFormats
import Synchronization

/// The level of each channel, which an audio thread measures and other threads read.
///
/// The average is the root of the mean square, smoothed with a time constant of 0.1 s. The peak falls with one of 0.4 s. A
/// level is at most full scale. A sample that is not a number, or is too large to be sound, counts as full scale, so that the
/// level recovers within these times.
public final class LevelMeter: @unchecked Sendable {
    public struct Level: Equatable, Sendable {
        public var average: Float
        public var peak: Float

        public static let silence = Level(average: 0, peak: 0)
        /// In decibels of full scale, -160 at least.
        public var decibels: Level { Level(average: Float.decibels(average), peak: Float.decibels(peak)) }
    }

    public let channels: Int
    private let power: UnsafeMutablePointer<Float>
    private let peak: UnsafeMutablePointer<Float>
    /// The average and the peak of each channel, as the bits of floats.
    private let published: UnsafeMutablePointer<UInt32>
    /// The audio thread begins again before its next measurement.
    private let isReset = Atomic<Bool>(false)

    public init(channels: Int) {
        self.channels = channels
        power = .allocate(capacity: channels)
        peak = .allocate(capacity: channels)
        published = .allocate(capacity: 2 * channels)
        power.initialize(repeating: 0, count: channels)
        peak.initialize(repeating: 0, count: channels)
        published.initialize(repeating: 0, count: 2 * channels)
    }

    deinit {
        power.deallocate()
        peak.deallocate()
        published.deallocate()
    }

    // MARK: The audio thread

    /// Measures interleaved frames of all channels.
    public func measure(_ samples: UnsafePointer<Float>, frames: Int, rate: Double) {
        for channel in 0..<channels {
            add(SampleMeasure(samples + channel, frames: frames, stride: channels), channel: channel, frames: frames, rate: rate)
        }
    }

    public func add(_ measure: SampleMeasure, channel: Int, frames: Int, rate: Double) {
        guard 0..<channels ~= channel, frames > 0 else { return }
        if isReset.load(ordering: .relaxed), isReset.exchange(false, ordering: .relaxed) {
            power.update(repeating: 0, count: channels)
            peak.update(repeating: 0, count: channels)
        }
        let part = Float(min(Double(frames) / (0.1 * rate), 1))
        let fall = max(1 - Float(Double(frames) / (0.4 * rate)), 0)
        power[channel] += (min(measure.square, 1) - power[channel]) * part
        peak[channel] = max(min(measure.highest, 1), peak[channel] * fall)
        linux_store(published + 2 * channel, power[channel].squareRoot().bitPattern)
        linux_store(published + 2 * channel + 1, peak[channel].bitPattern)
    }

    // MARK: Any thread

    /// The level of a channel; silence for a channel that the meter does not have.
    public func level(_ channel: Int) -> Level {
        guard 0..<channels ~= channel else { return .silence }
        return Level(
            average: Float(bitPattern: linux_load(published + 2 * channel)),
            peak: Float(bitPattern: linux_load(published + 2 * channel + 1)))
    }

    /// Begins again with silence.
    public func reset() {
        isReset.store(true, ordering: .relaxed)
        for index in 0..<2 * channels { linux_store(published + index, 0) }
    }
}
