// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

// The parameters of units. I/O units have one parameter, the output volume. A mixer has parameters for each input and for the
// output. Varispeed and NewTimePitch have parameters of the global scope.
extension Unit {
    /// `kHALOutputParam_Volume`.
    static let volumeParameter: UInt32 = 14

    public func parameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> Float {
        if let mixer { return try mixer.value(id, scope, element) }
        return try settable(id, scope, element).value
    }

    /// The value is reached within the next slice, by a ramp.
    public func setParameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Float) throws(UnitError) {
        let event = try settable(id, scope, element).event(value)
        parameterEvents?.append(event)
    }

    /// All events take effect at their frames, which are counted from the beginning of the next slice. An event that is not possible
    /// is an error, and no event has an effect then.
    public func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) throws(UnitError) {
        for event in events { _ = try self.event(event) }
        parameterEvents?.append(events.count) { index in
            // The event was possible above. If the input was removed meanwhile, it has no effect.
            try? event(events[index])
        }
    }

    private func event(_ event: AudioUnitParameterEvent) throws(UnitError) -> ParameterEvent {
        guard (kParameterEvent_Immediate...kParameterEvent_Ramped).contains(Int(event.eventType)) else { throw .parameter }
        return try settable(event.parameter, event.scope, event.element).event(event)
    }

    private var parameterEvents: ParameterEvents? { mixer?.events ?? speed?.events ?? gain?.events }

    private func settable(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> SettableParameter {
        if let mixer { return try mixer.parameter(id, scope, element) }
        if let speed { return try speed.parameter(id, scope, element) }
        guard let gain, id == Unit.volumeParameter else { throw .invalidParameter }
        guard Scope(rawValue: scope) != nil else { throw .invalidScope }
        // Programs name the volume in any scope of element 0.
        guard element == 0 else { throw .invalidElement }
        return SettableParameter(gain.parameter, limits: 0...1)
    }

    // MARK: Descriptions

    /// The parameters of a scope and element.
    func parameters(_ scopeElement: ScopeElement) -> [UInt32] {
        if kind.changesSpeed { return SpeedParameter.all(of: kind, in: scopeElement).map { $0.id } }
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
        if kind.changesSpeed {
            let all = SpeedParameter.all(of: kind, in: ScopeElement(scopeElement.scope))
            guard let parameter = all.first(where: { $0.id == scopeElement.element }) else { throw .invalidParameter }
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
