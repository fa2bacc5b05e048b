/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in front of libAudioToolbox for the tool that loads it: the sound server dies when the tool has its last buffer back and
   the queue still plays. The sound that it plays then is a buffer of which the tool knows nothing. */
#define _GNU_SOURCE
#include <AudioToolbox/AudioToolbox.h>
#include <dlfcn.h>
#include <string.h>

enum { BUFFERS = 3, SECONDS = 3 };

static AudioStreamBasicDescription format;
static AudioQueueOutputCallback returned_to_tool;
static AudioQueueBufferRef tail;

static void returned(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    if (buffer != tail) returned_to_tool(data, queue, buffer);
}

OSStatus AudioQueueNewOutput(const AudioStreamBasicDescription *wanted, AudioQueueOutputCallback callback, void *data,
    CFRunLoopRef loop, CFStringRef mode, UInt32 flags, AudioQueueRef *queue) {
    __typeof__(AudioQueueNewOutput) *next;
    *(void **)&next = dlsym(RTLD_NEXT, "AudioQueueNewOutput");
    format = *wanted;
    returned_to_tool = callback;
    return next(wanted, returned, data, loop, mode, flags, queue);
}

static void enqueue_tail(AudioQueueRef queue) {
    UInt32 size = (UInt32)(format.mSampleRate * SECONDS) * format.mBytesPerFrame;
    if (AudioQueueAllocateBuffer(queue, size, &tail) != 0) return;
    memset(tail->mAudioData, 0x3E, size); /* floats of 0.19 */
    tail->mAudioDataByteSize = size;
    AudioQueueEnqueueBuffer(queue, tail, 0, NULL);
}

/* The tool stops the queue, after its buffers, at the return of each of the last buffers. */
OSStatus AudioQueueStop(AudioQueueRef queue, Boolean immediately) {
    static int calls; /* on the queue's thread */
    __typeof__(AudioQueueStop) *next;
    *(void **)&next = dlsym(RTLD_NEXT, "AudioQueueStop");
    if (immediately) return next(queue, immediately);
    if (++calls < BUFFERS) return 0;
    enqueue_tail(queue);
    OSStatus status = next(queue, immediately);
    return status == 0 ? AudioSessionLinuxSimulate("server die") : status;
}
