// SPDX-License-Identifier: Apache-2.0
import PCMConversion

/// The value of a parameter on the rendering thread, for each frame.
struct ParameterValue {
    private var gain: GainRamp
    /// The number of the last ramp. Nil before the first one.
    private var number: UInt32?

    init(_ value: Float) { gain = GainRamp(value) }

    var now: Float { gain.value }
    /// The value is the same in all frames of the slice.
    var isSteady: Bool { gain.isSteady }

    /// Called at the beginning of a slice. The first value applies immediately, unless it is a ramp with a length.
    mutating func follow(_ parameter: RampedParameter, frames: Int) {
        guard let (ramp, number) = parameter.ramp(after: number) else { return }
        let isFirst = self.number == nil
        self.number = number
        if isFirst, ramp.frames == 0 {
            gain = GainRamp(ramp.end)
        } else {
            gain.aim(
                ramp.end, frames: ramp.frames == 0 ? max(frames, 1) : Int(ramp.frames), delay: Int(ramp.offset), from: ramp.start)
        }
    }

    @inline(__always)
    mutating func next() -> Float { gain.next() }

    /// Advances by frames that are not rendered.
    mutating func skip(_ frames: Int) { gain.skip(frames) }
}
