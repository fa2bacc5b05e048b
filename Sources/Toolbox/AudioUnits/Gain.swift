// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The volume of an output. Program threads set it. The stream's thread changes its gain to it without a step.
final class Gain: Sendable {
    /// The value, and the length of the ramp to it in frames; 0: the ramp ends with the slice.
    private let target = Atomic<UInt64>(UInt64(Float(1).bitPattern))

    func set(_ value: Float, frames: UInt32 = 0) {
        target.store(UInt64(frames) << 32 | UInt64(value.bitPattern), ordering: .releasing)
    }

    var value: Float { Float(bitPattern: UInt32(truncatingIfNeeded: target.load(ordering: .relaxed))) }

    struct Target: Equatable {
        var value: Float
        var frames: Int
    }

    var aim: Target {
        let bits = target.load(ordering: .acquiring)
        return Target(value: Float(bitPattern: UInt32(truncatingIfNeeded: bits)), frames: Int(bits >> 32))
    }
}

/// The gain as the stream's thread applies it.
struct GainRamp {
    private var now: Float = 1
    private var aim: Gain.Target?
    private var left = 0

    /// The gain is 1 and stays 1. Records the target like `apply`.
    mutating func isUnity(for target: Gain.Target) -> Bool {
        if aim == nil { (aim, now) = (target, target.value) }
        return target == aim && left == 0 && now == 1
    }

    /// Multiplies interleaved frames. The first value applies at once; a ramp leads to each later one.
    @_optimize(speed)
    mutating func apply(_ target: Gain.Target, _ samples: UnsafeMutablePointer<Float>, channels: Int, frames: Int) {
        if aim == nil { now = target.value }
        if let aim, target != aim { left = target.frames == 0 ? frames : target.frames }
        aim = target
        guard left > 0 || now != 1 else { return }
        var index = 0
        for _ in 0..<frames {
            if left > 0 {
                now = left == 1 ? target.value : now + (target.value - now) / Float(left)
                left &-= 1
            }
            for _ in 0..<channels {
                samples[index] *= now
                index &+= 1
            }
        }
    }
}
