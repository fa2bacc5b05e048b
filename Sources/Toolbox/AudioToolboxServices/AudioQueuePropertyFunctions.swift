// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioQueues
public import CAudioToolbox
import LinuxSystem

// Functions of AudioQueue.h for parameters, properties and their listeners.

/// The name of a parameter, for the log.
private func parameter(_ id: UInt32) -> String {
    switch QueueParameter(rawValue: id) {
    case .volume: "kAudioQueueParam_Volume"
    case .playRate: "kAudioQueueParam_PlayRate"
    case .pitch: "kAudioQueueParam_Pitch"
    case .volumeRampTime: "kAudioQueueParam_VolumeRampTime"
    case .pan: "kAudioQueueParam_Pan"
    case nil: "\(id)"
    }
}

private let currentDevice = UInt32(kAudioQueueProperty_CurrentDevice)

@c @implementation
public func AudioQueueGetParameter(
    _ inAQ: AudioQueueRef?, _ inParamID: AudioQueueParameterID, _ outValue: UnsafeMutablePointer<AudioQueueParameterValue>?
) -> OSStatus {
    answer("AudioQueueGetParameter", parameter(inParamID)) { () throws(QueueStatus) in
        guard let outValue else { throw .parameter }
        outValue.pointee = try Queues.queue(inAQ).parameter(inParamID)
    }
}

@c @implementation
public func AudioQueueSetParameter(
    _ inAQ: AudioQueueRef?, _ inParamID: AudioQueueParameterID, _ inValue: AudioQueueParameterValue
) -> OSStatus {
    answer("AudioQueueSetParameter", "\(parameter(inParamID)), \(Number.text(inValue))") { () throws(QueueStatus) in
        try Queues.queue(inAQ).setParameter(inParamID, inValue)
    }
}

// MARK: Properties

@c @implementation
public func AudioQueueGetProperty(
    _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ outData: UnsafeMutableRawPointer?,
    _ ioDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AudioQueueGetProperty", ToolboxLog.property(inID, .queueProperties)) { () throws(QueueStatus) in
        let queue = try Queues.queue(inAQ)
        guard let outData, let ioDataSize else { throw .parameter }
        // The value is NULL for the device of the route, because that device has no identifier.
        let value =
            inID == currentDevice ? [UInt8](repeating: 0, count: MemoryLayout<UInt>.size) : try queue.property(inID)
        guard copyProperty(value, to: outData, sizeTo: ioDataSize) else { throw .invalidPropertySize }
    }
}

@c @implementation
public func AudioQueueSetProperty(
    _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
    answer("AudioQueueSetProperty", ToolboxLog.property(inID, .queueProperties)) { () throws(QueueStatus) in
        let queue = try Queues.queue(inAQ)
        guard inData != nil || inDataSize == 0 else { throw .parameter }
        if inID == currentDevice, let inData, inDataSize == MemoryLayout<UInt>.size, inData.loadUnaligned(as: UInt.self) == 0 {
            return
        }
        try queue.setProperty(inID, UnsafeRawBufferPointer(start: inData, count: Int(clamping: inDataSize)))
    }
}

@c @implementation
public func AudioQueueGetPropertySize(
    _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AudioQueueGetPropertySize", ToolboxLog.property(inID, .queueProperties)) { () throws(QueueStatus) in
        guard let outDataSize else { throw .parameter }
        outDataSize.pointee = UInt32(clamping: try Queues.queue(inAQ).propertySize(inID))
    }
}

@c @implementation
public func AudioQueueAddPropertyListener(
    _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ inProc: AudioQueuePropertyListenerProc?,
    _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioQueueAddPropertyListener", ToolboxLog.property(inID, .queueProperties)) { () throws(QueueStatus) in
        let queue = try Queues.queue(inAQ)
        guard let inProc else { throw .parameter }
        try queue.addListener(inID, procedure: functionAddress(inProc), data: UInt(bitPattern: inUserData)) {
            inProc(inUserData, OpaquePointer(bitPattern: $0), $1)
        }
    }
}

@c @implementation
public func AudioQueueRemovePropertyListener(
    _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ inProc: AudioQueuePropertyListenerProc?,
    _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioQueueRemovePropertyListener", ToolboxLog.property(inID, .queueProperties)) { () throws(QueueStatus) in
        let queue = try Queues.queue(inAQ)
        guard let inProc else { throw .parameter }
        try queue.removeListener(inID, procedure: functionAddress(inProc), data: UInt(bitPattern: inUserData))
    }
}
