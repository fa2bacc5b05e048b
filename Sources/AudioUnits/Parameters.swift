// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

// The parameters of units. I/O units have one: the volume of what they play.
extension Unit {
    /// `kHALOutputParam_Volume`.
    static let volumeParameter: UInt32 = 14

    /// Programs name the volume in any scope of element 0.
    func hasVolume(_ place: Place) -> Bool { kind.isIO && place.element == 0 }

    private func check(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) {
        guard kind.isIO, id == Unit.volumeParameter else { throw .invalidParameter }
        guard let scope = Scope(rawValue: scope) else { throw .invalidScope }
        guard hasVolume(Place(scope, element)) else { throw .invalidElement }
    }

    public func parameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> Float {
        try check(id, scope, element)
        return gain.value
    }

    /// The value is reached within the next slice, without a step.
    public func setParameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Float) throws(UnitError) {
        try check(id, scope, element)
        guard value.isFinite else { throw .invalidParameter }
        gain.set(min(max(value, 0), 1))
    }

    /// The last event of the volume counts.
    public func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) throws(UnitError) {
        for event in events {
            let isRamp = event.eventType == UInt32(kParameterEvent_Ramped)
            guard isRamp || event.eventType == UInt32(kParameterEvent_Immediate) else { throw .parameter }
            let value = isRamp ? event.eventValues.ramp.endValue : event.eventValues.immediate.value
            try setParameter(event.parameter, event.scope, event.element, value)
            if isRamp { gain.set(min(max(value, 0), 1), frames: event.eventValues.ramp.durationInFrames) }
        }
    }

    func parameterInfo(_ place: Place) throws(UnitError) -> [UInt8] {
        guard kind.isIO, place.element == Unit.volumeParameter else { throw .invalidParameter }
        var info = AudioUnitParameterInfo()
        withUnsafeMutableBytes(of: &info.name) { $0.copyBytes(from: "Volume".utf8) }
        info.unit = UInt32(kAudioUnitParameterUnit_LinearGain)
        info.maxValue = 1
        info.defaultValue = 1
        // Readable, writable, can ramp.
        info.flags = 1 << 30 | 1 << 31 | 1 << 25
        return bytes(info)
    }
}
