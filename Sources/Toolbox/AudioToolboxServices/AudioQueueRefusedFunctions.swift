// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioQueues
public import CAudioToolbox
import LinuxSystem

// Functions of AudioQueue.h that only return an error: a queue has no offline rendering and no taps.

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
