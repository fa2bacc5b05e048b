// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioQueues
public import CAudioToolbox
import CLinux
import LinuxSystem

// Functions of AudioQueue.h for time and timelines.

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
