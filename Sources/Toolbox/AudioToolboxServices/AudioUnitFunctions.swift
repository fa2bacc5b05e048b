// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioUnits
public import CAudioToolbox
import LinuxSystem

// Functions of AUComponent.h and AudioOutputUnit.h. Each function finds the unit first; the unit checks the rest. A function
// that audio threads may call is logged only if it fails, and only on other threads.

/// Calls `body` with the unit of a pointer, and logs the call.
private func logged(
    _ function: StaticString, _ unit: AudioUnit?, _ body: (Unit) throws(UnitError) -> Void
) -> OSStatus {
    UnitLog.call(function, unit, withUnit(unit, body))
}

@c @implementation
public func AudioUnitInitialize(_ inUnit: AudioUnit?) -> OSStatus {
    logged("AudioUnitInitialize", inUnit) { (unit: Unit) throws(UnitError) in try unit.initialize() }
}

@c @implementation
public func AudioUnitUninitialize(_ inUnit: AudioUnit?) -> OSStatus {
    logged("AudioUnitUninitialize", inUnit) { (unit: Unit) throws(UnitError) in unit.uninitialize() }
}

@c @implementation
public func AudioOutputUnitStart(_ ci: AudioUnit?) -> OSStatus {
    guard let unit = ProcessUnits.context.table.object(ci) else {
        return UnitLog.call("AudioOutputUnitStart", ci, UnitError.parameter.rawValue)
    }
    return UnitLog.start(unit, unit.start())
}

@c @implementation
public func AudioOutputUnitStop(_ ci: AudioUnit?) -> OSStatus {
    UnitLog.stop(ci, withUnit(ci) { (unit: Unit) throws(UnitError) in try unit.stop() })
}

// MARK: Properties

@c @implementation
public func AudioUnitGetPropertyInfo(
    _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        let info = try unit.info(inID, inScope, inElement)
        outDataSize?.pointee = info.size
        outWritable?.pointee = info.isWritable ? 1 : 0
    }
}

@c @implementation
public func AudioUnitGetProperty(
    _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outData: UnsafeMutableRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    let status = withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        guard let ioDataSize else { throw .parameter }
        var size = ioDataSize.pointee
        try unit.get(inID, inScope, inElement, outData, &size)
        ioDataSize.pointee = size
    }
    return UnitLog.property("AudioUnitGetProperty", inUnit, inID, inScope, inElement, status)
}

@c @implementation
public func AudioUnitSetProperty(
    _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
    let status = withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        try unit.set(inID, inScope, inElement, inData, inDataSize)
    }
    return UnitLog.set(inUnit, inID, inScope, inElement, inData, inDataSize, status)
}

@c @implementation
public func AudioUnitAddPropertyListener(
    _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inProc: AudioUnitPropertyListenerProc?,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    let status = withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        guard let inProc else { throw .parameter }
        try unit.addListener(inID, inProc, inProcUserData)
    }
    return UnitLog.property("AudioUnitAddPropertyListener", inUnit, inID, nil, nil, status)
}

@c @implementation
public func AudioUnitRemovePropertyListenerWithUserData(
    _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inProc: AudioUnitPropertyListenerProc?,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    let status = withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        guard let inProc else { throw .parameter }
        unit.removeListener(inID, inProc, inProcUserData)
    }
    return UnitLog.property("AudioUnitRemovePropertyListenerWithUserData", inUnit, inID, nil, nil, status)
}

// MARK: Parameters

@c @implementation
public func AudioUnitGetParameter(
    _ inUnit: AudioUnit?, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>?
) -> OSStatus {
    let status = withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        guard let outValue else { throw .parameter }
        outValue.pointee = try unit.parameter(inID, inScope, inElement)
    }
    return UnitLog.parameter("AudioUnitGetParameter", inUnit, inID, inScope, inElement, status)
}

@c @implementation
public func AudioUnitSetParameter(
    _ inUnit: AudioUnit?, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ inValue: AudioUnitParameterValue, _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
    let status = withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        try unit.setParameter(inID, inScope, inElement, inValue)
    }
    return UnitLog.parameter("AudioUnitSetParameter", inUnit, inID, inScope, inElement, status)
}

@c @implementation
public func AudioUnitScheduleParameters(
    _ inUnit: AudioUnit?, _ inParameterEvent: UnsafePointer<AudioUnitParameterEvent>?, _ inNumParamEvents: UInt32
) -> OSStatus {
    let status = withUnit(inUnit) { (unit: Unit) throws(UnitError) in
        guard inNumParamEvents > 0 else { return }
        guard let inParameterEvent, let count = Int(exactly: inNumParamEvents) else { throw .parameter }
        try unit.schedule(UnsafeBufferPointer(start: inParameterEvent, count: count))
    }
    return UnitLog.failure("AudioUnitScheduleParameters", inUnit, status, ", \(inNumParamEvents)")
}

// MARK: Rendering

@c @implementation
public func AudioUnitAddRenderNotify(
    _ inUnit: AudioUnit?, _ inProc: AURenderCallback?, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    logged("AudioUnitAddRenderNotify", inUnit) { (unit: Unit) throws(UnitError) in
        guard let inProc else { throw .parameter }
        try unit.addRenderNotify(RenderCallback(inProc, inProcUserData))
    }
}

@c @implementation
public func AudioUnitRemoveRenderNotify(
    _ inUnit: AudioUnit?, _ inProc: AURenderCallback?, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    logged("AudioUnitRemoveRenderNotify", inUnit) { (unit: Unit) throws(UnitError) in
        guard let inProc else { throw .parameter }
        try unit.removeRenderNotify(RenderCallback(inProc, inProcUserData))
    }
}

@c @implementation
public func AudioUnitRender(
    _ inUnit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>?, _ inOutputBusNumber: UInt32, _ inNumberFrames: UInt32,
    _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    let status =
        ProcessUnits.context.table.object(inUnit)?.render(
            flags: ioActionFlags, time: inTimeStamp, bus: inOutputBusNumber, frames: inNumberFrames, list: ioData)
        ?? UnitError.parameter.rawValue
    return UnitLog.failure("AudioUnitRender", inUnit, status, ", element \(inOutputBusNumber), \(inNumberFrames) frames")
}

@c @implementation
public func AudioUnitProcess(
    _ inUnit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>?, _ inNumberFrames: UInt32, _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    let status =
        ProcessUnits.context.table.object(inUnit)?.process(frames: inNumberFrames, list: ioData) ?? UnitError.parameter.rawValue
    return UnitLog.failure("AudioUnitProcess", inUnit, status, ", \(inNumberFrames) frames")
}

@c @implementation
public func AudioUnitProcessMultiple(
    _ inUnit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>?, _ inNumberFrames: UInt32, _ inNumberInputBufferLists: UInt32,
    _ inInputBufferLists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>?>?, _ inNumberOutputBufferLists: UInt32,
    _ ioOutputBufferLists: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>?>?
) -> OSStatus {
    let status =
        ProcessUnits.context.table.object(inUnit)?.process(
            frames: inNumberFrames, inputs: inInputBufferLists, inputCount: inNumberInputBufferLists,
            outputs: ioOutputBufferLists, outputCount: inNumberOutputBufferLists) ?? UnitError.parameter.rawValue
    return UnitLog.failure("AudioUnitProcessMultiple", inUnit, status, ", \(inNumberFrames) frames")
}

@c @implementation
public func AudioUnitReset(_ inUnit: AudioUnit?, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement) -> OSStatus {
    logged("AudioUnitReset", inUnit) { (unit: Unit) throws(UnitError) in try unit.reset(inScope, inElement) }
}
