// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioUnits
public import CAudioToolbox
import LinuxSystem

// The functions of AudioUnitUtilities.h.

private let parameterError = UnitError.parameter.rawValue

private func create(
    _ procedure: UnitEventListener.Procedure?, _ data: UnsafeMutableRawPointer?, _ runLoop: RunLoopReference?,
    _ mode: ConstantReference?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> OSStatus {
    guard let procedure, let result else { return parameterError }
    guard let handle = UnitEventListener.make(procedure, data, runLoop, mode) else { return UnitError.unimplemented.rawValue }
    result.pointee = handle
    return 0
}

/// Calls `body` with a listener and the event of a registration. A missing argument is an error.
private func withListener(
    _ handle: OpaquePointer?, _ subject: UnitEventListener.Subject?,
    _ body: (UnitEventListener, UnitEventListener.Subject) throws(UnitError) -> Void
) -> OSStatus {
    guard let listener = UnitEventListener.table.object(handle), let subject else { return parameterError }
    return answer { () throws(UnitError) in try body(listener, subject) }
}

private func notify(
    _ sender: OpaquePointer?, _ object: UnsafeMutableRawPointer?, _ subject: UnitEventListener.Subject?
) -> OSStatus {
    guard let subject else { return parameterError }
    UnitEventListener.notify(subject, sender: UnitEventListener.table.object(sender), object, value: subject.value)
    return 0
}

@c @implementation
public func AUListenerCreate(
    _ inProc: AUParameterListenerProc?, _ inUserData: UnsafeMutableRawPointer?, _ inRunLoop: RunLoopReference?,
    _ inRunLoopMode: ConstantReference?, _ inNotificationInterval: Float32,
    _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>?
) -> OSStatus { create(inProc.map { .parameter($0) }, inUserData, inRunLoop, inRunLoopMode, outListener) }

@c @implementation
public func AUEventListenerCreate(
    _ inProc: AUEventListenerProc?, _ inUserData: UnsafeMutableRawPointer?, _ inRunLoop: RunLoopReference?,
    _ inRunLoopMode: ConstantReference?, _ inNotificationInterval: Float32, _ inValueChangeGranularity: Float32,
    _ outListener: UnsafeMutablePointer<AUEventListenerRef?>?
) -> OSStatus { create(inProc.map { .event($0) }, inUserData, inRunLoop, inRunLoopMode, outListener) }

@c @implementation
public func AUListenerDispose(_ inListener: AUParameterListenerRef?) -> OSStatus {
    guard let listener = UnitEventListener.table.remove(inListener) else { return parameterError }
    listener.dispose()
    return 0
}

@c @implementation
public func AUListenerAddParameter(
    _ inListener: AUParameterListenerRef?, _ inObject: UnsafeMutableRawPointer?,
    _ inParameter: UnsafePointer<AudioUnitParameter>?
) -> OSStatus {
    withListener(inListener, inParameter.map { UnitEventListener.Subject($0.pointee) }) { listener, subject throws(UnitError) in
        try listener.add(inObject, subject)
    }
}

@c @implementation
public func AUListenerRemoveParameter(
    _ inListener: AUParameterListenerRef?, _ inObject: UnsafeMutableRawPointer?,
    _ inParameter: UnsafePointer<AudioUnitParameter>?
) -> OSStatus {
    withListener(inListener, inParameter.map { UnitEventListener.Subject($0.pointee) }) { listener, subject throws(UnitError) in
        listener.remove(inObject, subject)
    }
}

@c @implementation
public func AUParameterSet(
    _ inSendingListener: AUParameterListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
    _ inParameter: UnsafePointer<AudioUnitParameter>?, _ inValue: AudioUnitParameterValue, _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
    guard let inParameter else { return parameterError }
    let parameter = inParameter.pointee
    let status = withUnit(parameter.mAudioUnit) { (unit: Unit) throws(UnitError) in
        try unit.setParameter(parameter.mParameterID, parameter.mScope, parameter.mElement, inValue)
    }
    guard status == 0 else { return status }
    return AUParameterListenerNotify(inSendingListener, inSendingObject, inParameter)
}

@c @implementation
public func AUParameterListenerNotify(
    _ inSendingListener: AUParameterListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
    _ inParameter: UnsafePointer<AudioUnitParameter>?
) -> OSStatus {
    notify(inSendingListener, inSendingObject, inParameter.map { UnitEventListener.Subject($0.pointee) })
}

@c @implementation
public func AUEventListenerAddEventType(
    _ inListener: AUEventListenerRef?, _ inObject: UnsafeMutableRawPointer?, _ inEvent: UnsafePointer<AudioUnitEvent>?
) -> OSStatus {
    withListener(inListener, inEvent.flatMap { UnitEventListener.Subject($0.pointee) }) { listener, subject throws(UnitError) in
        try listener.add(inObject, subject)
    }
}

@c @implementation
public func AUEventListenerRemoveEventType(
    _ inListener: AUEventListenerRef?, _ inObject: UnsafeMutableRawPointer?, _ inEvent: UnsafePointer<AudioUnitEvent>?
) -> OSStatus {
    withListener(inListener, inEvent.flatMap { UnitEventListener.Subject($0.pointee) }) { listener, subject throws(UnitError) in
        listener.remove(inObject, subject)
    }
}

@c @implementation
public func AUEventListenerNotify(
    _ inSendingListener: AUEventListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
    _ inEvent: UnsafePointer<AudioUnitEvent>?
) -> OSStatus {
    notify(inSendingListener, inSendingObject, inEvent.flatMap { UnitEventListener.Subject($0.pointee) })
}
