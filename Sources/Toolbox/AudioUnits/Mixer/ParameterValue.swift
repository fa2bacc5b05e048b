// SPDX-License-Identifier: Apache-2.0
import PCMConversion

/// The value of a parameter on the rendering thread, for each frame.
struct ParameterValue {
    private var gain: GainRamp
    /// No slice has been rendered yet: a value that is set applies immediately.
    private var isNew = true
    private var losses: UInt32?
    private var isLost = false
    private var restored: Float = 0

    init(_ parameter: UnitParameter) { gain = GainRamp(parameter.settled) }

    var now: Float { gain.value }
    /// The value is the same in all frames until the next event.
    var isSteady: Bool { gain.isSteady }

    /// Called at the beginning of a slice, before its events. If events were discarded, the slice ends at the value that was set last.
    mutating func begin(_ parameter: UnitParameter, _ events: ParameterEvents) {
        isLost = losses != nil && losses != events.losses
        losses = events.losses
        if isLost { restored = parameter.value }
    }

    /// Called after the events before the first frame.
    mutating func hasBegun(_ frames: Int) {
        if isLost { gain.ramp(to: restored, frames: max(frames, 1)) }
        isNew = false
    }

    /// The value changes from the next frame on. The slice has `frames` frames.
    mutating func apply(_ event: ParameterEvent, _ frames: Int) {
        switch event.change {
        case .glide(let value) where isNew: gain = GainRamp(value)
        case .glide(let value): gain.ramp(to: value, frames: max(frames, 1))
        case .step(let value): gain = GainRamp(value)
        case .ramp(let start, let end, let length):
            gain.ramp(to: end, frames: length, delay: min(event.offset, 0), from: start)
        }
    }

    @inline(__always)
    mutating func next() -> Float { gain.next() }

    /// Advances by frames that are not rendered.
    mutating func skip(_ frames: Int) { gain.skip(frames) }
}
