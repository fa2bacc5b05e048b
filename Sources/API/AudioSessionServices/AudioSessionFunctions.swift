// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioSession
public import CAudioSessionServices
import CLinux
import CoreFoundationTable
import LinuxSystem
import SessionModel

// The nine functions of the legacy header. Each checks in the same order: the session is initialized, no pointer is
// NULL, the property is known, its access allows the call, the size fits. The session checks the rest. `answer` turns
// each thrown refusal into a result code.

@c @implementation
public func AudioSessionInitialize(
    _ inRunLoop: UnsafeMutableRawPointer?, _ inRunLoopMode: UnsafeRawPointer?,
    _ inInterruptionListener: AudioSessionInterruptionListener?,
    _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    let listener = inInterruptionListener.map { procedure in
        { (interruption: Interruption) in
            let state =
                interruption == .begin ? kAudioSessionBeginInterruption : kAudioSessionEndInterruption
            CallLog.interruption(interruption)
            procedure(inClientData, UInt32(state))
        }
    }
    let status = answer { () throws(ResultCode) in
        try SessionAPI.initialize(
            runLoop: UnsafeRawPointer(inRunLoop), mode: inRunLoopMode,
            listener: listener)
    }
    CallLog.initialize(hasListener: listener != nil, status)
    return status
}

@c @implementation
public func AudioSessionSetActive(_ active: UInt8) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        process.delivery.noticeRunLoop()
        try process.session.setActive(active != 0)
    }
    CallLog.setActive(active, flags: nil, status)
    return status
}

@c @implementation
public func AudioSessionSetActiveWithFlags(_ active: UInt8, _ inFlags: UInt32) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        process.delivery.noticeRunLoop()
        let notifies = inFlags & UInt32(kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation) != 0
        try process.session.setActive(active != 0, notifyingOthers: notifies)
    }
    CallLog.setActive(active, flags: inFlags, status)
    return status
}

@c @implementation
public func AudioSessionGetProperty(
    _ inID: AudioSessionPropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>?,
    _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
    // A published value is read without a lock: an audio thread may read it.
    if let ioDataSize, let outData, let (bits, size) = SessionAPI.publishedBits(of: inID), ioDataSize.pointee >= size {
        write(bits, size: size, to: outData, sizeTo: ioDataSize)
        return ResultCode.noError.rawValue
    }
    return getProperty(inID, ioDataSize, outData)
}

/// The general path of a get. It is a separate function, so that the fast path saves no registers.
@inline(never)
private func getProperty(
    _ inID: AudioSessionPropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
    let given = Log.isEnabled ? ioDataSize?.pointee : nil
    var object: PropertyValue?
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let ioDataSize, let outData else { throw .parameter }
        guard let property = SessionProperty(rawValue: inID) else { throw .unsupportedProperty }
        process.session.awaitHardware()
        if let reading = process.session.published.read(property) {
            try get(reading, of: property, ioDataSize, outData)
        } else {
            object = try get(property, of: process, ioDataSize, outData)
        }
    }
    CallLog.get(inID, size: given, outData, object, status)
    return status
}

@inline(__always)
private func get(
    _ reading: PublishedValues.Reading, of property: SessionProperty,
    _ ioDataSize: UnsafeMutablePointer<UInt32>,
    _ outData: UnsafeMutableRawPointer
) throws(ResultCode) {
    switch reading {
    case .bits(let bits, let size):
        guard ioDataSize.pointee >= size else { throw .badPropertySize }
        write(bits, size: size, to: outData, sizeTo: ioDataSize)
    case .refused(let refusal):
        guard ioDataSize.pointee >= property.row.type.size else { throw .badPropertySize }
        throw refusal
    }
}

/// Returns the value of a property that is an object. Returns nil for a number, and writes the number to `outData`.
private func get(
    _ property: SessionProperty, of process: SessionAPI, _ ioDataSize: UnsafeMutablePointer<UInt32>,
    _ outData: UnsafeMutableRawPointer
) throws(ResultCode) -> PropertyValue? {
    let row = property.row
    guard row.access.contains(.get) else { throw .unsupportedProperty }
    guard ioDataSize.pointee >= row.type.size else { throw .badPropertySize }
    process.delivery.noticeRunLoop()
    let value = try process.session.value(of: property)
    if let scalar = value.scalarBits {
        write(scalar.bits, size: scalar.size, to: outData, sizeTo: ioDataSize)
        return nil
    }
    guard let object = CoreFoundation.loaded()?.object(for: value) else { throw .unspecified }
    write(UInt64(UInt(bitPattern: object)), size: row.type.size, to: outData, sizeTo: ioDataSize)
    return value
}

@c @implementation
public func AudioSessionSetProperty(
    _ inID: AudioSessionPropertyID, _ inDataSize: UInt32, _ inData: UnsafeRawPointer?
) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let inData else { throw .parameter }
        guard let property = SessionProperty(rawValue: inID) else { throw .unsupportedProperty }
        try process.session.set(property) { type throws(ResultCode) in
            guard inDataSize == type.size else { throw .badPropertySize }
            process.delivery.noticeRunLoop()
            return try PropertyValue(type, at: inData)
        }
    }
    CallLog.set(inID, size: inDataSize, inData, status)
    return status
}

@c @implementation
public func AudioSessionGetPropertySize(
    _ inID: AudioSessionPropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        _ = try SessionAPI.current()
        guard let outDataSize else { throw .parameter }
        guard let property = SessionProperty(rawValue: inID) else { throw .unsupportedProperty }
        outDataSize.pointee = property.row.type.size
    }
    CallLog.getSize(inID, outDataSize, status)
    return status
}

@c @implementation
public func AudioSessionAddPropertyListener(
    _ inID: AudioSessionPropertyID, _ inProc: AudioSessionPropertyListener?,
    _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let inProc else { throw .parameter }
        guard let property = SessionProperty(rawValue: inID) else { throw .unsupportedProperty }
        process.delivery.noticeRunLoop()
        try process.session.addListener(
            { property, event in invoke(inProc, inClientData, event, of: property) },
            as: identity(inProc, inClientData), to: property, in: process.subscription)
    }
    CallLog.listener("AudioSessionAddPropertyListener", inID, hasProcedure: inProc != nil, status)
    return status
}

@c @implementation
public func AudioSessionRemovePropertyListenerWithUserData(
    _ inID: AudioSessionPropertyID, _ inProc: AudioSessionPropertyListener?,
    _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let inProc else { throw .parameter }
        guard let property = SessionProperty(rawValue: inID) else { throw .unsupportedProperty }
        process.subscription.removeListener(identity(inProc, inClientData), from: property)
    }
    CallLog.listener(
        "AudioSessionRemovePropertyListenerWithUserData", inID, hasProcedure: inProc != nil, status)
    return status
}

@c @implementation
public func AudioSessionRemovePropertyListener(_ inID: AudioSessionPropertyID) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let property = SessionProperty(rawValue: inID) else { throw .unsupportedProperty }
        process.subscription.removeListeners(from: property)
    }
    CallLog.listener("AudioSessionRemovePropertyListener", inID, hasProcedure: true, status)
    return status
}

private func identity(
    _ procedure: AudioSessionPropertyListener, _ clientData: UnsafeMutableRawPointer?
) -> ListenerIdentity {
    ListenerIdentity(
        procedure: functionAddress(procedure),
        clientData: UInt(bitPattern: clientData))
}
