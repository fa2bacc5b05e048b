// SPDX-License-Identifier: Apache-2.0
import CLinux
import MediaFormats

/// The level of each channel, which the audio thread measures and other threads read.
///
/// The average is the root of the mean square, smoothed with a time constant of 0.1 s. The peak falls with one of 0.4 s. A
/// level is at most full scale. A sample that is not a number, or is too large to be sound, counts as full scale, so that the
/// level recovers within these times.
final class LevelMeter: @unchecked Sendable {
    struct Level: Equatable {
        var average: Float
        var peak: Float
    }

    /// 24 dB above full scale.
    private static let greatestSample: Float = 16

    let channels: Int
    private let power: UnsafeMutablePointer<Float>
    private let peak: UnsafeMutablePointer<Float>
    /// The average and the peak of each channel, as the bits of floats.
    private let published: UnsafeMutablePointer<UInt32>

    init(channels: Int) {
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

    /// Called on the audio thread.
    func measure(_ samples: UnsafePointer<Float>, frames: Int, rate: Double) {
        guard frames > 0 else { return }
        let part = Float(min(Double(frames) / (0.1 * rate), 1))
        let fall = max(1 - Float(Double(frames) / (0.4 * rate)), 0)
        for channel in 0..<channels {
            var (sum, highest): (Float, Float) = (0, 0)
            for frame in 0..<frames {
                let magnitude = abs(samples[frame &* channels &+ channel])
                let level = magnitude <= LevelMeter.greatestSample ? magnitude : 1
                sum += level * level
                highest = max(highest, level)
            }
            power[channel] += (min(sum / Float(frames), 1) - power[channel]) * part
            peak[channel] = max(min(highest, 1), peak[channel] * fall)
            linux_store(published + 2 * channel, power[channel].squareRoot().bitPattern)
            linux_store(published + 2 * channel + 1, peak[channel].bitPattern)
        }
    }

    func level(_ channel: Int) -> Level {
        Level(
            average: Float(bitPattern: linux_load(published + 2 * channel)),
            peak: Float(bitPattern: linux_load(published + 2 * channel + 1)))
    }

    /// Resets the measured levels. The audio thread must not measure meanwhile.
    func reset() {
        for channel in 0..<channels {
            power[channel] = 0
            peak[channel] = 0
            linux_store(published + 2 * channel, 0)
            linux_store(published + 2 * channel + 1, 0)
        }
    }
}

extension LevelMeter.Level {
    /// In decibels of full scale, -160 at least.
    var decibels: LevelMeter.Level { LevelMeter.Level(average: Float.decibels(average), peak: Float.decibels(peak)) }
}
