// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The volume of an output. Program threads set it. The stream's thread changes its gain to it without a step.
final class OutputVolume: Sendable {
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
