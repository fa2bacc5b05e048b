// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats

/// A parameter that a program can set, and its values.
struct SettableParameter {
    let parameter: UnitParameter
    /// A value outside of the range is replaced by the nearest limit. Nil: any finite value.
    private let limits: ClosedRange<Float>?
    /// The value is 0 or 1, and has no ramps.
    private let isSwitch: Bool
    /// The program states the factor of the parameter in cents.
    private let isInCents: Bool

    init(_ parameter: UnitParameter, limits: ClosedRange<Float>?, isSwitch: Bool = false, isInCents: Bool = false) {
        self.parameter = parameter
        self.limits = limits
        self.isSwitch = isSwitch
        self.isInCents = isInCents
    }

    /// The value as the program states it.
    var value: Float { isInCents ? Float(Double(parameter.value).cents) : parameter.value }

    /// The event of `AudioUnitSetParameter`.
    func event(_ value: Float) throws(UnitError) -> ParameterEvent { ParameterEvent(parameter, .glide(try limited(value))) }

    func event(_ event: AudioUnitParameterEvent) throws(UnitError) -> ParameterEvent {
        switch event.eventType {
        case UInt32(kParameterEvent_Immediate):
            let immediate = event.eventValues.immediate
            return ParameterEvent(parameter, at: Int(immediate.bufferOffset), .step(try limited(immediate.value)))
        case UInt32(kParameterEvent_Ramped):
            let ramp = event.eventValues.ramp
            let (start, end) = (try limited(ramp.startValue), try limited(ramp.endValue))
            let change: ParameterEvent.Change =
                isSwitch ? .step(end) : .ramp(from: start, to: end, frames: Int(ramp.durationInFrames))
            return ParameterEvent(parameter, at: Int(ramp.startBufferOffset), change)
        default: throw .parameter
        }
    }

    private func limited(_ value: Float) throws(UnitError) -> Float {
        guard value.isFinite else { throw .invalidParameter }
        guard let limits else { return value }
        let limited = min(max(value, limits.lowerBound), limits.upperBound)
        if isInCents { return Float(Double(cents: Double(limited))) }
        return isSwitch ? (limited >= 0.5 ? 1 : 0) : limited
    }
}
