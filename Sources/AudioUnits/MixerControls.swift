// SPDX-License-Identifier: Apache-2.0
import CLinux
import MediaFormats
import Synchronization

/// The parameters and the meters of a mixer: of each input, and of the output.
///
/// Audio threads set and read parameters as well, therefore a search takes no lock. Elements are not freed before the mixer.
final class MixerControls: @unchecked Sendable {
    static let capacity = 1024

    final class Element: @unchecked Sendable {
        let volume = RampedParameter(1)
        let enable = RampedParameter(1)
        let pan = RampedParameter(0)
        /// The level before the parameters are applied, and after.
        let before = MixerMeter()
        let after = MixerMeter()
        private let metered = Atomic<Bool>(false)

        var isMetered: Bool { metered.load(ordering: .relaxed) }

        func setMetered(_ on: Bool) {
            metered.store(on, ordering: .relaxed)
            if !on {
                before.wantsReset()
                after.wantsReset()
            }
        }
    }

    let output = Element()
    /// The addresses of retained elements.
    private let inputs: UnsafeMutablePointer<Atomic<UInt>>
    private let count: Atomic<Int>

    init(inputs count: Int) {
        inputs = .allocate(capacity: MixerControls.capacity)
        self.count = Atomic(0)
        for index in 0..<MixerControls.capacity { (inputs + index).initialize(to: Atomic(0)) }
        setInputCount(count)
    }

    deinit {
        for index in 0..<MixerControls.capacity {
            guard let address = UnsafeRawPointer(bitPattern: inputs[index].load(ordering: .relaxed)) else { continue }
            Unmanaged<Element>.fromOpaque(address).release()
        }
        inputs.deinitialize(count: MixerControls.capacity)
        inputs.deallocate()
    }

    /// Called under the lock of the unit. An input that is added again has its former parameters.
    func setInputCount(_ number: Int) {
        for index in 0..<min(number, MixerControls.capacity) where inputs[index].load(ordering: .relaxed) == 0 {
            let address = UInt(bitPattern: Unmanaged.passRetained(Element()).toOpaque())
            inputs[index].store(address, ordering: .releasing)
        }
        count.store(min(number, MixerControls.capacity), ordering: .releasing)
    }

    func input(_ index: Int) -> Element? {
        guard 0..<count.load(ordering: .acquiring) ~= index,
            let address = UnsafeRawPointer(bitPattern: inputs[index].load(ordering: .acquiring))
        else { return nil }
        return Unmanaged<Element>.fromOpaque(address).takeUnretainedValue()
    }

    func element(_ place: Place) -> Element? {
        switch place.scope {
        case .input: input(Int(place.element))
        case .output: place.element == 0 ? output : nil
        case .global: nil
        }
    }
}

/// The level of each channel, which the rendering thread measures and other threads read.
///
/// The average is the root of the mean square, smoothed with a time constant of 0.1 s. The peak falls with one of 0.4 s. A
/// level is at most full scale. A sample that is not a number, or is too large to be sound, counts as full scale, so that the
/// level recovers within these times.
final class MixerMeter: @unchecked Sendable {
    static let floor: Float = -120
    private static let channels = PCMFormat.channelCounts.upperBound

    private let power: UnsafeMutablePointer<Float>
    private let peak: UnsafeMutablePointer<Float>
    /// The average and the peak of each channel, as the bits of floats.
    private let published: UnsafeMutablePointer<UInt32>
    private let isStale = Atomic<Bool>(false)

    init() {
        power = .allocate(capacity: MixerMeter.channels)
        peak = .allocate(capacity: MixerMeter.channels)
        published = .allocate(capacity: 2 * MixerMeter.channels)
        power.initialize(repeating: 0, count: MixerMeter.channels)
        peak.initialize(repeating: 0, count: MixerMeter.channels)
        published.initialize(repeating: 0, count: 2 * MixerMeter.channels)
    }

    deinit {
        power.deallocate()
        peak.deallocate()
        published.deallocate()
    }

    func wantsReset() {
        isStale.store(true, ordering: .relaxed)
        for index in 0..<(2 * MixerMeter.channels) { linux_store(published + index, 0) }
    }

    /// The mean square and the greatest magnitude of the samples of one channel.
    struct Measure {
        var square: Float = 0
        var highest: Float = 0

        init() {}

        init(_ samples: UnsafePointer<Float>, frames: Int) {
            let (sum, highest) = measureSamples(samples, frames)
            self.highest = highest
            if frames > 0 { square = sum / Float(frames) }
        }

        /// The measure of the samples multiplied by `gain`.
        func scaled(_ gain: Float) -> Measure {
            var scaled = self
            scaled.square *= gain * gain
            scaled.highest *= abs(gain)
            return scaled
        }
    }

    /// Called on the rendering thread.
    func accept(_ measure: Measure, channel: Int, frames: Int, rate: Double) {
        guard 0..<MixerMeter.channels ~= channel, frames > 0 else { return }
        if isStale.exchange(false, ordering: .relaxed) {
            power.update(repeating: 0, count: MixerMeter.channels)
            peak.update(repeating: 0, count: MixerMeter.channels)
        }
        let part = Float(min(Double(frames) / (0.1 * rate), 1))
        let fall = max(1 - Float(Double(frames) / (0.4 * rate)), 0)
        power[channel] += (min(measure.square, 1) - power[channel]) * part
        peak[channel] = max(min(measure.highest, 1), peak[channel] * fall)
        linux_store(published + 2 * channel, power[channel].squareRoot().bitPattern)
        linux_store(published + 2 * channel + 1, peak[channel].bitPattern)
    }

    /// Decibels of full scale.
    func average(_ channel: Int) -> Float { decibels(2 * channel) }
    func peakHold(_ channel: Int) -> Float { decibels(2 * channel + 1) }

    private func decibels(_ index: Int) -> Float {
        guard 0..<(2 * MixerMeter.channels) ~= index else { return MixerMeter.floor }
        return max(Float.decibels(Float(bitPattern: linux_load(published + index))), MixerMeter.floor)
    }
}

/// 24 dB above full scale.
private let greatestSample: Float = 16

/// The sum of the squares of samples, and their greatest magnitude. Computes eight partial sums, because the compiler adds
/// floats in their order, one at a time. Not inlined, because code for size has no vector loops.
@inline(never)
@_optimize(speed)
private func measureSamples(_ samples: UnsafePointer<Float>, _ frames: Int) -> (sum: Float, highest: Float) {
    var sums = SIMD8<Float>.zero
    var peaks = SIMD8<Float>.zero
    var frame = 0
    while frame &+ 8 <= frames {
        let part = UnsafeRawPointer(samples + frame).loadUnaligned(as: SIMD8<Float>.self)
        let magnitude = part.replacing(with: -part, where: part .< 0)
        let level = SIMD8(repeating: Float(1)).replacing(with: magnitude, where: magnitude .<= greatestSample)
        sums += level * level
        peaks.replace(with: level, where: level .> peaks)
        frame &+= 8
    }
    var (sum, highest) = (sums.sum(), peaks.max())
    while frame < frames {
        let magnitude = abs(samples[frame])
        let level = magnitude <= greatestSample ? magnitude : 1
        sum += level * level
        highest = max(highest, level)
        frame &+= 1
    }
    return (sum, highest)
}
