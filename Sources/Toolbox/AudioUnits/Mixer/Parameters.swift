// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

// The parameters of units. I/O units have one parameter, the output volume. A mixer has parameters for each input and for the
// output.
extension Unit {
    /// `kHALOutputParam_Volume`.
    static let volumeParameter: UInt32 = 14

    private func check(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) {
        guard kind.isIO, id == Unit.volumeParameter else { throw .invalidParameter }
        guard Scope(rawValue: scope) != nil else { throw .invalidScope }
        // Programs name the volume in any scope of element 0.
        guard element == 0 else { throw .invalidElement }
    }

    public func parameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> Float {
        if let mixer { return try mixer.value(id, scope, element) }
        try check(id, scope, element)
        return gain.value
    }

    /// The value is reached within the next slice, by a ramp.
    public func setParameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Float) throws(UnitError) {
        if let mixer { return try mixer.set(id, scope, element, RampedParameter.Ramp(end: value)) }
        try check(id, scope, element)
        guard value.isFinite else { throw .invalidParameter }
        gain.set(min(max(value, 0), 1))
    }

    /// Only the last event of a parameter has an effect.
    public func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) throws(UnitError) {
        for event in events {
            let isRamp = event.eventType == UInt32(kParameterEvent_Ramped)
            guard isRamp || event.eventType == UInt32(kParameterEvent_Immediate) else { throw .parameter }
            let ramp = event.eventValues.ramp
            if let mixer, isRamp {
                try mixer.set(
                    event.parameter, event.scope, event.element,
                    RampedParameter.Ramp(
                        start: ramp.startValue, end: ramp.endValue, offset: ramp.startBufferOffset,
                        frames: ramp.durationInFrames))
                continue
            }
            let value = isRamp ? ramp.endValue : event.eventValues.immediate.value
            try setParameter(event.parameter, event.scope, event.element, value)
            if isRamp { gain.set(min(max(value, 0), 1), frames: ramp.durationInFrames) }
        }
    }

    // MARK: Descriptions

    /// The parameters of a scope and element.
    func parameters(_ scopeElement: ScopeElement) -> [UInt32] {
        guard kind == .mixer else { return kind.isIO && scopeElement.element == 0 ? [Unit.volumeParameter] : [] }
        return MixerParameter.allCases.filter { $0.isIn(scopeElement.scope) }.map { $0.rawValue }
    }

    /// The element is the identifier of the parameter.
    func parameterInfo(_ scopeElement: ScopeElement) throws(UnitError) -> [UInt8] {
        if kind == .mixer {
            guard let parameter = MixerParameter(rawValue: scopeElement.element), parameter.isIn(scopeElement.scope) else {
                throw .invalidParameter
            }
            return bytes(parameter.info)
        }
        guard kind.isIO, scopeElement.element == Unit.volumeParameter else { throw .invalidParameter }
        return bytes(AudioUnitParameterInfo("Volume", kAudioUnitParameterUnit_LinearGain, 0...1, 1, isWritable: true))
    }
}

extension AudioUnitParameterInfo {
    init(_ text: StaticString, _ unit: Int, _ range: ClosedRange<Float>, _ value: Float, isWritable: Bool) {
        self.init()
        withUnsafeMutableBytes(of: &name) { $0.copyBytes(from: "\(text)".utf8) }
        self.unit = UInt32(unit)
        minValue = range.lowerBound
        maxValue = range.upperBound
        defaultValue = value
        // A readable parameter: either writable with ramps, or a meter.
        flags = 1 << 30 | (isWritable ? 1 << 31 | 1 << 25 : 1 << 15)
    }
}
