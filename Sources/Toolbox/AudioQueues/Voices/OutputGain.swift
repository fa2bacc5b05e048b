// SPDX-License-Identifier: Apache-2.0
import PCMConversion

/// The gain of a queue on each side: its volume, its pan, and the fade of a pause.
///
/// The pan is a linear balance: the gain of the opposite side falls linearly from 1 in the middle to 0, and the gain of the
/// near side stays 1.
struct OutputGain {
    private(set) var volume = GainRamp(1)
    private(set) var left = GainRamp(1)
    private(set) var right = GainRamp(1)
    private(set) var fade = GainRamp(1)

    var isSteady: Bool { volume.isSteady && left.isSteady && right.isSteady && fade.isSteady }

    /// All gains are 1 and stay 1.
    var isUnity: Bool { isSteady && volume.value == 1 && left.value == 1 && right.value == 1 && fade.value == 1 }

    mutating func setVolume(_ value: Float, frames: Int) { volume.ramp(to: value, frames: frames) }

    mutating func setPan(_ pan: Float, frames: Int) {
        left.ramp(to: min(1, 1 - pan), frames: frames)
        right.ramp(to: min(1, 1 + pan), frames: frames)
    }

    mutating func setFade(_ value: Float, frames: Int) { fade.ramp(to: value, frames: frames) }

    /// The gains of the next frame: of the left channel, of the right channel, and of all other channels.
    mutating func next() -> (left: Float, right: Float, others: Float) {
        let level = volume.next() * fade.next()
        return (level * left.next(), level * right.next(), level)
    }

    /// The gains while all are steady.
    var steady: (left: Float, right: Float, others: Float) {
        let level = volume.value * fade.value
        return (level * left.value, level * right.value, level)
    }
}
