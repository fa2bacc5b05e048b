/* SPDX-License-Identifier: Apache-2.0 */
/* Audio queues play and record buffers. A queue plays and records interleaved linear PCM, u-law, A-law and IMA4. It also plays
   DVI ADPCM and the formats that codec modules decode, and records the formats that they encode. Rates are 4 to 192 kHz, with 1
   to 8 channels. Any other format is kAudioFormatUnsupportedDataFormatError, and a format without its codec module
   kAudioQueueErr_CodecNotFound. A Pitch other than 0, processing taps and offline rendering are not supported and return an
   error.

   Every function accepts any value as a queue: for NULL and a value that never was a queue it returns kAudio_ParamError, for a
   disposed queue kAudioQueueErr_QueueInvalidated. */
#ifndef AUDIOTOOLBOX_AUDIOQUEUE_H
#define AUDIOTOOLBOX_AUDIOQUEUE_H
#define __AudioQueue_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#include <CoreAudio/CoreAudioTypes.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioQueuePropertyID;
typedef UInt32 AudioQueueParameterID;
typedef Float32 AudioQueueParameterValue;
typedef struct OpaqueAudioQueue *AudioQueueRef;
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

/* ---- Results ---- */

enum {
    kAudioQueueErr_InvalidBuffer = -66687, /* not a buffer of this queue */
    kAudioQueueErr_BufferEmpty = -66686,
    kAudioQueueErr_DisposalPending = -66685,
    kAudioQueueErr_InvalidProperty = -66684,
    kAudioQueueErr_InvalidPropertySize = -66683,
    kAudioQueueErr_InvalidParameter = -66682,
    kAudioQueueErr_CannotStart = -66681,
    kAudioQueueErr_InvalidDevice = -66680,
    kAudioQueueErr_BufferInQueue = -66679, /* an enqueued buffer cannot be freed */
    kAudioQueueErr_InvalidRunState = -66678,
    kAudioQueueErr_InvalidQueueType = -66677, /* for playing queues only */
    kAudioQueueErr_Permissions = -66676,
    kAudioQueueErr_InvalidPropertyValue = -66675,
    kAudioQueueErr_PrimeTimedOut = -66674,
    kAudioQueueErr_CodecNotFound = -66673, /* AUDIOSESSION_DEBUG=1 logs the package of the codec module */
    kAudioQueueErr_InvalidCodecAccess = -66672,
    kAudioQueueErr_QueueInvalidated = -66671,
    kAudioQueueErr_TooManyTaps = -66670,
    kAudioQueueErr_InvalidTapContext = -66669,
    kAudioQueueErr_RecordUnderrun = -66668,
    kAudioQueueErr_InvalidTapType = -66667,
    kAudioQueueErr_BufferEnqueuedTwice = -66666,
    kAudioQueueErr_CannotStartYet = -66665,     /* no function returns it: a start waits */
    kAudioQueueErr_EnqueueDuringReset = -66632, /* while AudioQueueStop or AudioQueueReset hands buffers back */
    kAudioQueueErr_InvalidOfflineMode = -66626
};

/* ---- Properties ---- */

/* A paused queue runs; an interrupted queue does not.
   A CurrentDevice other than NULL is kAudioQueueErr_InvalidDevice. Levels are measured before volume and pan:
   averages of 0.1 s, and peaks that fall in 0.4 s. ConverterError is set by each packet that cannot be decoded or encoded, which
   is silence or lost; its listeners are called for the first error of a kind since the start, the last stop or reset.
   EnableTimePitch and HardwareCodecPolicy can be set while the queue is stopped or interrupted, else InvalidRunState. */

enum {
    kAudioQueueProperty_IsRunning =
        0x6171726E, /* 'aqrn': UInt32, get and listen: from the first sound on until the last one was heard */
    kAudioQueueDeviceProperty_SampleRate = 0x61717372,        /* 'aqsr': Float64, get: of the device */
    kAudioQueueDeviceProperty_NumberChannels = 0x61716463,    /* 'aqdc': UInt32, get: of the device */
    kAudioQueueProperty_CurrentDevice = 0x61716364,           /* 'aqcd': CFStringRef: NULL, the route's device */
    kAudioQueueProperty_MagicCookie = 0x61716D63,             /* 'aqmc': bytes, get; set before the first buffer */
    kAudioQueueProperty_MaximumOutputPacketSize = 0x786F7073, /* 'xops': UInt32, get: of the largest packet */
    kAudioQueueProperty_StreamDescription = 0x61716674,       /* 'aqft': AudioStreamBasicDescription, get */
    kAudioQueueProperty_ChannelLayout = 0x6171636C,           /* 'aqcl': AudioChannelLayout, get and set */
    kAudioQueueProperty_EnableLevelMetering = 0x61716D65,     /* 'aqme': UInt32, get and set */
    kAudioQueueProperty_CurrentLevelMeter = 0x61716D76,       /* 'aqmv': AudioQueueLevelMeterState array, get: 0 to 1 */
    kAudioQueueProperty_CurrentLevelMeterDB = 0x61716D64,     /* 'aqmd': AudioQueueLevelMeterState array, get: -160 to 0 dB */
    kAudioQueueProperty_DecodeBufferSizeFrames = 0x64636266,  /* 'dcbf': UInt32, get and set */
    kAudioQueueProperty_ConverterError = 0x71637665,          /* 'qcve': UInt32, get and listen: the last one */
    kAudioQueueProperty_EnableTimePitch = 0x715F7470,         /* 'q_tp': UInt32, get and set: 1 lets PlayRate change the speed */
    kAudioQueueProperty_TimePitchAlgorithm = 0x71747061,      /* 'qtpa': is refused */
    kAudioQueueProperty_TimePitchBypass = 0x71747062,         /* 'qtpb': is refused */
    kAudioQueueProperty_HardwareCodecPolicy = 0x61716370,     /* 'aqcp': UInt32, get and set: all are software */
    kAudioQueueProperty_ChannelAssignments = 0x61716361       /* 'aqca': is refused */
};

enum {
    kAudioQueueTimePitchAlgorithm_Spectral = 0x73706563,             /* 'spec' */
    kAudioQueueTimePitchAlgorithm_TimeDomain = 0x7469646F,           /* 'tido' */
    kAudioQueueTimePitchAlgorithm_Varispeed = 0x76737064,            /* 'vspd' */
    kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 0x6C717A6C /* 'lqzl' */
};

enum {
    kAudioQueueHardwareCodecPolicy_Default = 0,
    kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1,
    kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2,
    kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,
    kAudioQueueHardwareCodecPolicy_PreferHardware = 4
};

/* ---- Parameters ---- */

/* A volume or a pan out of its range is replaced by the nearest value in it. A change during sound takes at least
   5 ms. The pan is a linear balance: the gain of the opposite side falls linearly from 1 in the middle to 0, the gain of the
   near side stays 1. It has no effect on a queue of more than two channels. A PlayRate other than 1
   without EnableTimePitch, and another Pitch, are kAudioQueueErr_InvalidParameter. */

enum {
    kAudioQueueParam_Volume = 1,         /* 0 to 1 */
    kAudioQueueParam_PlayRate = 2,       /* with EnableTimePitch 0.5 to 2: the speed, without a change of the pitch */
    kAudioQueueParam_Pitch = 3,          /* 0 */
    kAudioQueueParam_VolumeRampTime = 4, /* seconds until a new volume is reached */
    kAudioQueueParam_Pan = 13            /* -1 left, 1 right */
};

typedef struct AudioQueueParameterEvent {
    AudioQueueParameterID mID;
    AudioQueueParameterValue mValue;
} AudioQueueParameterEvent;

typedef struct AudioQueueLevelMeterState {
    Float32 mAveragePower;
    Float32 mPeakPower;
} AudioQueueLevelMeterState;

typedef struct AudioQueueChannelAssignment {
    CFStringRef mDeviceUID;
    UInt32 mChannelNumber;
} AudioQueueChannelAssignment;

/* ---- Buffers ---- */

/* The queue allocates buffers, and frees them when it is disposed at the latest. The program must not change the
   capacities and the addresses. The program sets the sizes of buffers to play, the queue those of recorded buffers. */
typedef struct AudioQueueBuffer {
    UInt32 mAudioDataBytesCapacity;
    void *mAudioData;
    UInt32 mAudioDataByteSize;
    void *mUserData;
    UInt32 mPacketDescriptionCapacity;
    AudioStreamPacketDescription *mPacketDescriptions;
    UInt32 mPacketDescriptionCount;
} AudioQueueBuffer;
typedef AudioQueueBuffer *AudioQueueBufferRef;

/* ---- Callbacks ---- */

/* Called when a buffer was played, on the run loop given at creation, else on the queue's own thread. */
typedef void (*AudioQueueOutputCallback)(void *inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* Called on the same run loop or thread when a buffer was recorded, with the number of its whole packets. The descriptions are
   NULL if all packets have one size; otherwise they are valid until the return, and also in a buffer with room for them. */
typedef void (*AudioQueueInputCallback)(void *inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
    const AudioTimeStamp *inStartTime, UInt32 inNumberPacketDescriptions, const AudioStreamPacketDescription *inPacketDescs);

/* Called after the property has changed, on the run loop or thread of the callback for buffers. */
typedef void (*AudioQueuePropertyListenerProc)(void *inUserData, AudioQueueRef inAQ, AudioQueuePropertyID inID);

/* Is never called: there are no taps. */
typedef void (*AudioQueueProcessingTapCallback)(void *inClientData, AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames,
    AudioTimeStamp *ioTimeStamp, UInt32 *ioFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);

/* ---- Queues and buffers ---- */

/* Makes a queue that plays. Sizes of linear PCM that follow from its channels and bits may be 0. Without a run loop (NULL) callbacks are called on the queue's own thread. NULL as the
   mode: the common modes. The flags are 0. */
OSStatus AudioQueueNewOutput(const AudioStreamBasicDescription *inFormat, AudioQueueOutputCallback inCallbackProc,
    void *inUserData, CFRunLoopRef inCallbackRunLoop, CFStringRef inCallbackRunLoopMode, UInt32 inFlags, AudioQueueRef *outAQ);

/* Makes a queue that records. A rate of 0 stands for the hardware's rate, which StreamDescription contains. */
OSStatus AudioQueueNewInput(const AudioStreamBasicDescription *inFormat, AudioQueueInputCallback inCallbackProc, void *inUserData,
    CFRunLoopRef inCallbackRunLoop, CFStringRef inCallbackRunLoopMode, UInt32 inFlags, AudioQueueRef *outAQ);

/* For compilers with blocks. The same queues, which call a block on a dispatch queue. The flags are 0. In a process without
   libdispatch or libBlocksRuntime the result is kAudio_UnimplementedError. */
#if defined(__BLOCKS__) || defined(CAUDIOTOOLBOX_FOR_SWIFT_H)
#ifdef CAUDIOTOOLBOX_FOR_SWIFT_H
typedef const void *AudioQueueOutputCallbackBlock;
typedef const void *AudioQueueInputCallbackBlock;
#else
typedef void (^AudioQueueOutputCallbackBlock)(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);
typedef void (^AudioQueueInputCallbackBlock)(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, const AudioTimeStamp *inStartTime,
    UInt32 inNumberPacketDescriptions, const AudioStreamPacketDescription *inPacketDescs);
#endif

/* The type of libdispatch: dispatch_queue_t is a pointer to it. */
struct dispatch_queue_s;

/* Makes a queue that plays. */
OSStatus AudioQueueNewOutputWithDispatchQueue(AudioQueueRef *outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    struct dispatch_queue_s *inCallbackDispatchQueue, AudioQueueOutputCallbackBlock inCallbackBlock);

/* Makes a queue that records. */
OSStatus AudioQueueNewInputWithDispatchQueue(AudioQueueRef *outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    struct dispatch_queue_s *inCallbackDispatchQueue, AudioQueueInputCallbackBlock inCallbackBlock);
#endif

/* Frees the queue and its buffers: now, or after the enqueued sound was played. No callback is called after the return, except
   the one that calls this function. If the queue continues to play, its buffers are freed without callbacks. */
OSStatus AudioQueueDispose(AudioQueueRef inAQ, Boolean inImmediate);

/* Allocates a buffer. */
OSStatus AudioQueueAllocateBuffer(AudioQueueRef inAQ, UInt32 inBufferByteSize, AudioQueueBufferRef *outBuffer);

/* Allocates a buffer with room for packet descriptions. */
OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions, AudioQueueBufferRef *outBuffer);

/* Frees a buffer that is not enqueued. */
OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* Appends a buffer, before or after the start. A playing queue reads mAudioDataByteSize in this call; a buffer with 0
   bytes is returned in its turn. A recording queue fills the capacity with whole packets. The packets of codec modules need
   descriptions: the given ones, else the first mPacketDescriptionCount ones of the buffer. Missing descriptions, and a packet
   beyond mAudioDataByteSize, are kAudio_ParamError; a damaged packet is silence. For other formats descriptions are ignored:
   all packets have one size. After a Stop that waits for the last buffer, and until the queue has stopped, the result is
   kAudioQueueErr_EnqueueDuringReset. */
OSStatus AudioQueueEnqueueBuffer(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs, const AudioStreamPacketDescription *inPacketDescs);

/* Appends a buffer without the frames to trim, with parameters that apply from its first frame on, and
   writes the time at which it will be played. The start time is a time of the queue, in frames: before it silence is played. A
   time before that of an earlier buffer is kAudioQueueErr_InvalidParameter. A recording queue returns
   kAudioQueueErr_InvalidQueueType. */
OSStatus AudioQueueEnqueueBufferWithParameters(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *inPacketDescs, UInt32 inTrimFramesAtStart, UInt32 inTrimFramesAtEnd,
    UInt32 inNumParamValues, const AudioQueueParameterEvent *inParamValues, const AudioTimeStamp *inStartTime,
    AudioTimeStamp *outActualStartTime);

/* ---- Start and stop ---- */

/* Starts or resumes, and activates the audio session; if the session refuses, its result code is returned.
   NULL: as soon as possible; otherwise host time, or frames of the device. After an interruption the queue continues with the
   next frame; at most two slices that the device had not played are lost. On a route without a device the sound is discarded in
   real time until a device arrives. The start of a running queue cancels a stop that waits
   for the last buffer, and that of a paused queue continues it. A queue that runs out of buffers plays silence. */
OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *inStartTime);

/* Writes the number of decoded frames, at most the given number unless it is 0. A buffer is decoded when it is enqueued, up
   to a second of sound ahead. */
OSStatus AudioQueuePrime(AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare, UInt32 *outNumberOfFramesPrepared);

/* Stops: now, and all buffers are returned on the calling thread before the return, also those that a callback enqueues which
   runs on another thread: it returns first. Or after the enqueued buffers were played or filled. A queue that does not run
   remembers this: the next start plays or fills its buffers, and the queue stops, unless a further buffer is enqueued before.
   A paused queue returns its buffers by callbacks. */
OSStatus AudioQueueStop(AudioQueueRef inAQ, Boolean inImmediate);

/* Stops the sound and keeps buffers and position. AudioQueueStart resumes. A fade of 5 ms avoids a click. */
OSStatus AudioQueuePause(AudioQueueRef inAQ);

/* Ends the packets of a queue that records with a codec module: the frames recorded so far are encoded, also those of an
   incomplete packet, and returned by callbacks. No effect on other queues: a decoder stores no frames, and the last frames of
   the rate conversion are always played. */
OSStatus AudioQueueFlush(AudioQueueRef inAQ);

/* Returns all buffers on the calling thread, after a callback that runs on another thread, and drops their sound. A running
   queue continues to run. */
OSStatus AudioQueueReset(AudioQueueRef inAQ);

/* ---- Parameters and properties ---- */

/* Writes a parameter. */
OSStatus AudioQueueGetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue *outValue);

/* Sets a parameter of a playing queue. */
OSStatus AudioQueueSetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue inValue);

/* Writes a property. ioDataSize: room on entry, the value's size on return. */
OSStatus AudioQueueGetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData, UInt32 *ioDataSize);

/* Sets a property. */
OSStatus AudioQueueSetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData, UInt32 inDataSize);

/* Writes the size of a property. */
OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID, UInt32 *outDataSize);

/* Registers a listener. */
OSStatus AudioQueueAddPropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc, void *inUserData);

/* Removes the listener with this procedure and data. */
OSStatus AudioQueueRemovePropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc, void *inUserData);

/* ---- Time ---- */

/* Makes a timeline, which reports gaps in the sound. */
OSStatus AudioQueueCreateTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef *outTimeline);

/* Frees a timeline. */
OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);

/* Writes the number of frames played since the start, and whether the sound had a gap since the last call. The
   timeline may be NULL. kAudioQueueErr_InvalidRunState before the first start, 'stop' after a stop. */
OSStatus AudioQueueGetCurrentTime(
    AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline, AudioTimeStamp *outTimeStamp, Boolean *outTimelineDiscontinuity);

/* Writes the present time of the device. Its frames are counted while any queue of this direction runs; otherwise the time
   stamp has the host time only. */
OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);

/* Translates a time of the device between frames and host time. kAudioQueueErr_InvalidRunState while no queue of this direction
   runs. */
OSStatus AudioQueueDeviceTranslateTime(AudioQueueRef inAQ, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

/* Replaces a start time with the nearest time that the device can reach. The flags are 0. kAudioQueueErr_InvalidRunState while no
   queue of this direction runs. */
OSStatus AudioQueueDeviceGetNearestStartTime(AudioQueueRef inAQ, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

/* ---- Offline rendering and taps: errors ---- */

enum {
    kAudioQueueProcessingTap_PreEffects = 1 << 0,
    kAudioQueueProcessingTap_PostEffects = 1 << 1,
    kAudioQueueProcessingTap_Siphon = 1 << 2,
    kAudioQueueProcessingTap_StartOfStream = 1 << 8,
    kAudioQueueProcessingTap_EndOfStream = 1 << 9
};

/* Returns kAudioQueueErr_InvalidOfflineMode. */
OSStatus AudioQueueSetOfflineRenderFormat(
    AudioQueueRef inAQ, const AudioStreamBasicDescription *inFormat, const AudioChannelLayout *inLayout);

/* Returns kAudioQueueErr_InvalidOfflineMode. */
OSStatus AudioQueueOfflineRender(
    AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp, AudioQueueBufferRef ioBuffer, UInt32 inNumberFrames);

/* Returns kAudioQueueErr_TooManyTaps. */
OSStatus AudioQueueProcessingTapNew(AudioQueueRef inAQ, AudioQueueProcessingTapCallback inCallback, void *inClientData,
    UInt32 inFlags, UInt32 *outMaxFrames, AudioStreamBasicDescription *outProcessingFormat, AudioQueueProcessingTapRef *outAQTap);

/* Returns kAudioQueueErr_InvalidTapContext. */
OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);

/* Returns kAudioQueueErr_InvalidTapContext. */
OSStatus AudioQueueProcessingTapGetSourceAudio(AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames,
    AudioTimeStamp *ioTimeStamp, UInt32 *outFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);

/* Returns kAudioQueueErr_InvalidTapContext. */
OSStatus AudioQueueProcessingTapGetQueueTime(
    AudioQueueProcessingTapRef inAQTap, Float64 *outQueueSampleTime, UInt32 *outQueueFrameCount);

#ifdef __cplusplus
}
#endif

#endif
