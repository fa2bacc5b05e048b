// SPDX-License-Identifier: Apache-2.0
import PCMConversion

/// The volume of an output as the stream's thread applies it.
struct VolumeRamp {
    private var gain = GainRamp(1)
    private var target: OutputVolume.Target?

    /// The gain is 1 and stays 1. Records the target like `apply`.
    mutating func isUnity(for target: OutputVolume.Target) -> Bool {
        if self.target == nil { (self.target, gain) = (target, GainRamp(target.value)) }
        return target == self.target && gain.isSteady && gain.value == 1
    }

    /// Multiplies interleaved frames. The first value applies at once; a ramp leads to each later one.
    @_optimize(speed)
    mutating func apply(_ target: OutputVolume.Target, _ samples: UnsafeMutablePointer<Float>, channels: Int, frames: Int) {
        if self.target == nil { gain = GainRamp(target.value) }
        if let former = self.target, target != former {
            gain.aim(target.value, frames: target.frames == 0 ? frames : target.frames)
        }
        self.target = target
        guard !gain.isSteady || gain.value != 1 else { return }
        var index = 0
        for _ in 0..<frames {
            let value = gain.next()
            for _ in 0..<channels {
                samples[index] *= value
                index &+= 1
            }
        }
    }
}
