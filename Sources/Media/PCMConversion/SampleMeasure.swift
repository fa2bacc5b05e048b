// SPDX-License-Identifier: Apache-2.0

/// The mean square and the greatest magnitude of the samples of one channel.
public struct SampleMeasure {
    public private(set) var square: Float = 0
    public private(set) var highest: Float = 0

    /// Silence.
    public init() {}

    /// `stride`: the distance of the samples.
    public init(_ samples: UnsafePointer<Float>, frames: Int, stride: Int = 1) {
        guard frames > 0 else { return }
        let (sum, highest) = stride == 1 ? measureSamples(samples, frames) : measureSamples(samples, frames, stride)
        self.highest = highest
        square = sum / Float(frames)
    }

    /// The measure of the samples multiplied by `gain`.
    public func scaled(_ gain: Float) -> SampleMeasure {
        var scaled = self
        scaled.square *= gain * gain
        scaled.highest *= abs(gain)
        return scaled
    }
}

/// 24 dB above full scale.
private let greatestSample: Float = 16

@inline(__always)
private func level(_ sample: Float) -> Float {
    let magnitude = abs(sample)
    return magnitude <= greatestSample ? magnitude : 1
}

@inline(never)
@_optimize(speed)
private func measureSamples(_ samples: UnsafePointer<Float>, _ frames: Int, _ stride: Int) -> (sum: Float, highest: Float) {
    var (sum, highest): (Float, Float) = (0, 0)
    for frame in 0..<frames {
        let level = level(samples[frame &* stride])
        sum += level * level
        highest = max(highest, level)
    }
    return (sum, highest)
}

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
        let level = level(samples[frame])
        sum += level * level
        highest = max(highest, level)
        frame &+= 1
    }
    return (sum, highest)
}
