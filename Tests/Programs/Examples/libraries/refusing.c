/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in front of libAudioToolbox for the tool that loads it: the queue refuses the fifth buffer. */
#define _GNU_SOURCE
#include <AudioToolbox/AudioToolbox.h>
#include <dlfcn.h>

OSStatus AudioQueueEnqueueBuffer(
    AudioQueueRef queue, AudioQueueBufferRef buffer, UInt32 count, const AudioStreamPacketDescription *packets) {
    static int calls; /* atomic */
    __typeof__(AudioQueueEnqueueBuffer) *next;
    *(void **)&next = dlsym(RTLD_NEXT, "AudioQueueEnqueueBuffer");
    if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == 5) return kAudioQueueErr_InvalidBuffer;
    return next(queue, buffer, count, packets);
}
