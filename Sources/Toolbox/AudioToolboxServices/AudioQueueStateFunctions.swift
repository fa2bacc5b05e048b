// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioQueues
public import CAudioToolbox
import CLinux
import LinuxSystem

// Functions of AudioQueue.h for parameters, properties, listeners and time, and the functions that only return an error.

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

// MARK: Time

@c @implementation
public func AudioQueueCreateTimeline(
    _ inAQ: AudioQueueRef?, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>?
) -> OSStatus {
    answer("AudioQueueCreateTimeline") { () throws(QueueStatus) in
        guard let outTimeline else { throw .parameter }
        outTimeline.pointee = OpaquePointer(bitPattern: try Queues.queue(inAQ).makeTimeline())
    }
}

@c @implementation
public func AudioQueueDisposeTimeline(_ inAQ: AudioQueueRef?, _ inTimeline: AudioQueueTimelineRef?) -> OSStatus {
    answer("AudioQueueDisposeTimeline") { () throws(QueueStatus) in
        guard let inTimeline else { throw .parameter }
        try Queues.queue(inAQ).removeTimeline(UInt(bitPattern: inTimeline))
    }
}

@c @implementation
public func AudioQueueGetCurrentTime(
    _ inAQ: AudioQueueRef?, _ inTimeline: AudioQueueTimelineRef?, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
    _ outTimelineDiscontinuity: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    answer("AudioQueueGetCurrentTime", isQuiet: true) { () throws(QueueStatus) in
        let queue = try Queues.queue(inAQ)
        let time = try queue.currentTime(timeline: inTimeline.map { UInt(bitPattern: $0) }, at: linux_monotonic_nanoseconds())
        outTimeStamp?.pointee = AudioTimeStamp(time)
        outTimelineDiscontinuity?.pointee = time.isDiscontinuous ? 1 : 0
    }
}

@c @implementation
public func AudioQueueDeviceGetCurrentTime(
    _ inAQ: AudioQueueRef?, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    answer("AudioQueueDeviceGetCurrentTime", isQuiet: true) { () throws(QueueStatus) in
        guard let outTimeStamp else { throw .parameter }
        let now = linux_monotonic_nanoseconds()
        guard let time = try Queues.queue(inAQ).presentDeviceTime(at: now) else {
            outTimeStamp.pointee = AudioTimeStamp()
            outTimeStamp.pointee.mHostTime = now
            outTimeStamp.pointee.mFlags = UInt32(kAudioTimeStampHostTimeValid)
            return
        }
        outTimeStamp.pointee = AudioTimeStamp(time)
    }
}

@c @implementation
public func AudioQueueDeviceTranslateTime(
    _ inAQ: AudioQueueRef?, _ inTime: UnsafePointer<AudioTimeStamp>?, _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    answer("AudioQueueDeviceTranslateTime", isQuiet: true) { () throws(QueueStatus) in
        let queue = try Queues.queue(inAQ)
        guard let time = inTime?.pointee, let outTime, time.hasFrame || time.hasHostTime else { throw .parameter }
        let translated = try time.hasFrame ? queue.deviceTime(frame: time.mSampleTime) : queue.deviceTime(at: time.mHostTime)
        outTime.pointee = AudioTimeStamp(translated)
    }
}

@c @implementation
public func AudioQueueDeviceGetNearestStartTime(
    _ inAQ: AudioQueueRef?, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>?, _ inFlags: UInt32
) -> OSStatus {
    answer("AudioQueueDeviceGetNearestStartTime", isQuiet: true) { () throws(QueueStatus) in
        let queue = try Queues.queue(inAQ)
        guard let requested = ioRequestedStartTime?.pointee, requested.hasFrame || requested.hasHostTime, inFlags == 0 else {
            throw .parameter
        }
        let frame = try requested.hasFrame ? requested.mSampleTime : queue.deviceTime(at: requested.mHostTime).frame
        ioRequestedStartTime?.pointee = AudioTimeStamp(try queue.nearestStart(frame: frame))
    }
}

// MARK: Offline rendering and taps

private func refusal(_ inAQ: AudioQueueRef?, _ name: StaticString, _ code: Int) -> OSStatus {
    answer(name) { () throws(QueueStatus) in
        _ = try Queues.queue(inAQ)
        throw QueueStatus(Int32(code))
    }
}

@c @implementation
public func AudioQueueSetOfflineRenderFormat(
    _ inAQ: AudioQueueRef?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inLayout: UnsafePointer<AudioChannelLayout>?
) -> OSStatus { refusal(inAQ, "AudioQueueSetOfflineRenderFormat", Int(kAudioQueueErr_InvalidOfflineMode)) }

@c @implementation
public func AudioQueueOfflineRender(
    _ inAQ: AudioQueueRef?, _ inTimestamp: UnsafePointer<AudioTimeStamp>?, _ ioBuffer: AudioQueueBufferRef?,
    _ inNumberFrames: UInt32
) -> OSStatus { refusal(inAQ, "AudioQueueOfflineRender", Int(kAudioQueueErr_InvalidOfflineMode)) }

@c @implementation
public func AudioQueueProcessingTapNew(
    _ inAQ: AudioQueueRef?, _ inCallback: AudioQueueProcessingTapCallback?, _ inClientData: UnsafeMutableRawPointer?,
    _ inFlags: UInt32, _ outMaxFrames: UnsafeMutablePointer<UInt32>?,
    _ outProcessingFormat: UnsafeMutablePointer<AudioStreamBasicDescription>?,
    _ outAQTap: UnsafeMutablePointer<AudioQueueProcessingTapRef?>?
) -> OSStatus { refusal(inAQ, "AudioQueueProcessingTapNew", Int(kAudioQueueErr_TooManyTaps)) }

@c @implementation
public func AudioQueueProcessingTapDispose(_ inAQTap: AudioQueueProcessingTapRef?) -> OSStatus {
    OSStatus(kAudioQueueErr_InvalidTapContext)
}

@c @implementation
public func AudioQueueProcessingTapGetSourceAudio(
    _ inAQTap: AudioQueueProcessingTapRef?, _ inNumberFrames: UInt32, _ ioTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
    _ outFlags: UnsafeMutablePointer<UInt32>?, _ outNumberFrames: UnsafeMutablePointer<UInt32>?,
    _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus { OSStatus(kAudioQueueErr_InvalidTapContext) }

@c @implementation
public func AudioQueueProcessingTapGetQueueTime(
    _ inAQTap: AudioQueueProcessingTapRef?, _ outQueueSampleTime: UnsafeMutablePointer<Float64>?,
    _ outQueueFrameCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus { OSStatus(kAudioQueueErr_InvalidTapContext) }
