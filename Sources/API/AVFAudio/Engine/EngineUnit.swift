// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// An audio unit that a node owns.
final class EngineUnit: @unchecked Sendable {
    let unit: AudioUnit

    /// Non-I/O units render at most this number of frames at a time.
    static let maximumFrames: UInt32 = 4096

    init(_ type: UInt32, _ subtype: UInt32) throws {
        var description = AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: UInt32(kAudioUnitManufacturer_Apple),
            componentFlags: 0, componentFlagsMask: 0)
        var made: AudioComponentInstance?
        guard let component = AudioComponentFindNext(nil, &description) else {
            throw AudioCallError.unit(OSStatus(kAudioUnitErr_InvalidElement), "finding an audio unit")
        }
        try AudioCallError.checkUnit(AudioComponentInstanceNew(component, &made), "making an audio unit")
        guard let made else { throw AudioCallError.unit(OSStatus(kAudioUnitErr_FailedInitialization), "making an audio unit") }
        unit = made
    }

    /// A unit that is pulled, ready to render.
    static func pulled(_ type: UInt32, _ subtype: UInt32, inputs: UInt32? = nil) throws -> EngineUnit {
        let unit = try EngineUnit(type, subtype)
        try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, maximumFrames)
        if let inputs { try unit.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, inputs) }
        try unit.initialize()
        return unit
    }

    deinit { _ = AudioComponentInstanceDispose(unit) }

    func initialize() throws { try AudioCallError.checkUnit(AudioUnitInitialize(unit), "initializing an audio unit") }
    func uninitialize() { _ = AudioUnitUninitialize(unit) }
    func reset() { _ = AudioUnitReset(unit, UInt32(kAudioUnitScope_Global), 0) }

    // MARK: Properties

    func set<Value>(_ property: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Value) throws {
        let status = withUnsafeBytes(of: value) {
            AudioUnitSetProperty(unit, property, scope, element, $0.baseAddress, UInt32($0.count))
        }
        try AudioCallError.checkUnit(status, "setting property \(property) of an audio unit")
    }

    func get<Value: BitwiseCopyable>(_ property: UInt32, _ scope: UInt32, _ element: UInt32, _ initial: Value) throws -> Value {
        var value = initial
        var size = UInt32(MemoryLayout<Value>.size)
        try AudioCallError.checkUnit(
            AudioUnitGetProperty(unit, property, scope, element, &value, &size), "reading property \(property) of an audio unit")
        return value
    }

    func setFormat(_ format: AVAudioFormat, _ scope: UInt32, _ element: UInt32) throws {
        try set(kAudioUnitProperty_StreamFormat, scope, element, format.streamDescription.pointee)
    }

    func format(_ scope: UInt32, _ element: UInt32) throws -> AudioStreamBasicDescription {
        try get(kAudioUnitProperty_StreamFormat, scope, element, AudioStreamBasicDescription())
    }

    /// Makes an output bus of a node the source of an input; nil removes the source.
    func setSource(_ source: NodeOutput?, input element: UInt32) throws {
        var callback = AURenderCallbackStruct()
        if let source {
            callback.inputProc = NodeOutput.procedure
            callback.inputProcRefCon = Unmanaged.passUnretained(source).toOpaque()
        }
        try set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, element, callback)
    }

    func setParameter(_ parameter: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Float) {
        _ = AudioUnitSetParameter(unit, parameter, scope, element, value, 0)
    }

    func parameter(_ parameter: UInt32, _ scope: UInt32, _ element: UInt32) -> Float {
        var value: Float = 0
        _ = AudioUnitGetParameter(unit, parameter, scope, element, &value)
        return value
    }
}

extension AudioCallError {
    /// The error of a call of an audio unit.
    static func unit(_ status: OSStatus, _ what: String) -> NSError { make(status, "the audio unit", what) }

    static func checkUnit(_ status: OSStatus, _ what: String) throws { if status != 0 { throw unit(status, what) } }
}
