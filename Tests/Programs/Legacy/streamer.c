/* SPDX-License-Identifier: Apache-2.0 */
/* In the style of the radio players: an object with a thread that reads the network, decodes and fills the queue.
   One mutex protects everything, and the listeners lock it too. The thread initializes the session for each
   stream. */
#include "streamer.h"
#include <AudioToolbox/AudioToolbox.h>
#include <stdlib.h>
#include <string.h>

static AudioStreamer *gStreamer; /* the only instance */

static void AudioStreamerSetState(AudioStreamer *me, AudioStreamState state, const char *why) {
    me->state = state;
    pthread_cond_broadcast(&me->condition);
    me->stateChanged(me, why);
}

/* On the thread of the queue: a buffer was played. Only the thread of the stream fills it again. */
static void AudioStreamerBufferDone(void *inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer) {
    AudioStreamer *me = (AudioStreamer *)inUserData;
    int i;
    (void)inAQ;
    pthread_mutex_lock(&me->mutex);
    for (i = 0; i < AS_BUFFERS; i++)
        if (me->buffers[i] == inBuffer) me->inUse[i] = 0;
    pthread_cond_broadcast(&me->condition);
    pthread_mutex_unlock(&me->mutex);
}

static void AudioStreamerRunningChanged(void *inUserData, AudioQueueRef inAQ, AudioQueuePropertyID inID) {
    AudioStreamer *me = (AudioStreamer *)inUserData;
    UInt32 running = 0, size = sizeof(running);
    if (AudioQueueGetProperty(inAQ, inID, &running, &size) != noErr) return;
    pthread_mutex_lock(&me->mutex);
    me->running = (int)running;
    pthread_cond_broadcast(&me->condition);
    pthread_mutex_unlock(&me->mutex);
}

/* The network always has data. */
static void AudioStreamerFillBuffer(AudioStreamer *me, int i) {
    short *out = (short *)me->buffers[i]->mAudioData;
    UInt32 frames = me->buffers[i]->mAudioDataBytesCapacity / 4, f;
    for (f = 0; f < frames; f++, me->phase++) {
        *out++ = (short)(me->phase % 100 * 200);
        *out++ = (short)(me->phase % 50 * 400);
    }
    me->buffers[i]->mAudioDataByteSize = frames * 4;
    if (AudioQueueEnqueueBuffer(me->queue, me->buffers[i], 0, NULL) != noErr) return;
    me->inUse[i] = 1;
    me->packets++;
    pthread_cond_broadcast(&me->condition);
}

static int AudioStreamerOpenQueue(AudioStreamer *me) {
    AudioStreamBasicDescription asbd;
    int i;
    memset(&asbd, 0, sizeof(asbd));
    asbd.mSampleRate = 44100.0;
    asbd.mFormatID = kAudioFormatLinearPCM;
    asbd.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked;
    asbd.mBytesPerPacket = asbd.mBytesPerFrame = 4;
    asbd.mFramesPerPacket = 1;
    asbd.mChannelsPerFrame = 2;
    asbd.mBitsPerChannel = 16;
    if (AudioQueueNewOutput(&asbd, AudioStreamerBufferDone, me, NULL, NULL, 0, &me->queue)) return 0;
    AudioQueueAddPropertyListener(me->queue, kAudioQueueProperty_IsRunning, AudioStreamerRunningChanged, me);
    for (i = 0; i < AS_BUFFERS; i++) {
        if (AudioQueueAllocateBuffer(me->queue, 4096, &me->buffers[i])) return 0;
        AudioStreamerFillBuffer(me, i);
    }
    return 1;
}

/* Called with the mutex held; the stop hands the buffers back, and waits for callbacks, which lock it too. */
static void AudioStreamerCloseQueue(AudioStreamer *me) {
    AudioQueueRef queue = me->queue;
    pthread_mutex_unlock(&me->mutex);
    if (AudioQueueStop(queue, true)) printf("# AudioStreamer: cannot stop\n");
    AudioQueueRemovePropertyListener(queue, kAudioQueueProperty_IsRunning, AudioStreamerRunningChanged, me);
    AudioQueueDispose(queue, true);
    pthread_mutex_lock(&me->mutex);
    me->queue = NULL;
    me->running = 0;
    memset(me->inUse, 0, sizeof(me->inUse));
}

static void AudioStreamerInterruption(void *inClientData, UInt32 inInterruptionState) {
    AudioStreamer *me = (AudioStreamer *)inClientData;
    pthread_mutex_lock(&me->mutex);
    if (inInterruptionState == kAudioSessionBeginInterruption) {
        if (me->state == AS_PLAYING) {
            /* The queue stops by itself. */
            me->pausedByInterruption = 1;
            AudioStreamerSetState(me, AS_PAUSED, "interruption");
        }
        /* Activates at once, because an end is not guaranteed. */
        if (AudioSessionSetActive(true) == kAudioSessionNotActiveError) me->stateChanged(me, "not yet");
    } else {
        UInt32 type = kAudioSessionInterruptionType_ShouldResume;
        UInt32 size = sizeof(type);
        AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type);
        if (me->pausedByInterruption && type == kAudioSessionInterruptionType_ShouldResume) {
            AudioSessionSetActive(true);
            if (AudioQueueStart(me->queue, NULL) == noErr) AudioStreamerSetState(me, AS_PLAYING, "resumed");
        } else {
            me->stateChanged(me, "stays paused");
        }
        me->pausedByInterruption = 0;
    }
    pthread_mutex_unlock(&me->mutex);
}

/* Waits for one unplugged device, and removes itself inside the call. */
static void AudioStreamerUnpluggedOnce(void *inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData) {
    AudioStreamer *me = (AudioStreamer *)inClientData;
    (void)inDataSize, (void)inData;
    AudioSessionRemovePropertyListenerWithUserData(inID, AudioStreamerUnpluggedOnce, me);
    me->unpluggedOnce++;
}

static void AudioStreamerRouteChanged(void *inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData) {
    CFDictionaryRef info = (CFDictionaryRef)inData;
    CFStringRef oldRoute = (CFStringRef)CFDictionaryGetValue(info, CFSTR(kAudioSession_AudioRouteChangeKey_OldRoute));
    CFNumberRef reason = (CFNumberRef)CFDictionaryGetValue(info, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
    int why = 0;
    AudioStreamer *me = gStreamer;
    (void)inClientData, (void)inID, (void)inDataSize;
    CFNumberGetValue(reason, CFNumberGetType(reason), &why);
    if (why != kAudioSessionRouteChangeReason_OldDeviceUnavailable) return;

    pthread_mutex_lock(&me->mutex);
    if (me->state == AS_PLAYING && oldRoute && CFStringHasPrefix(oldRoute, CFSTR("Headphone"))) {
        AudioQueuePause(me->queue);
        AudioStreamerSetState(me, AS_PAUSED, "headphones pulled");
    }
    pthread_mutex_unlock(&me->mutex);
}

static void AudioStreamerSetUpSession(AudioStreamer *me) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    unsigned long mix = 0;

    AudioSessionInitialize(NULL, NULL, AudioStreamerInterruption, me);
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(category), &category);
    AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof(mix), &mix);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, AudioStreamerRouteChanged, me);
    AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, AudioStreamerUnpluggedOnce, me);
    AudioSessionSetActive(true);
}

static void *AudioStreamerThread(void *user) {
    AudioStreamer *me = (AudioStreamer *)user;
    pthread_mutex_lock(&me->mutex);
    AudioStreamerSetUpSession(me);
    if (!AudioStreamerOpenQueue(me) || AudioQueueStart(me->queue, NULL) != noErr) me->stateChanged(me, "no queue");
    AudioStreamerSetState(me, AS_PLAYING, "started");
    while (me->state != AS_STOPPING) {
        int i;
        for (i = 0; i < AS_BUFFERS; i++) {
            /* Checks the sample rate between packets, with the mutex held. */
            Float64 rate;
            UInt32 size = sizeof(rate);
            AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate);
            if (!me->inUse[i]) AudioStreamerFillBuffer(me, i);
        }
        pthread_cond_wait(&me->condition, &me->mutex);
    }
    AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation | 0xF0);
    AudioStreamerCloseQueue(me);
    AudioStreamerSetState(me, AS_IDLE, "stopped");
    pthread_mutex_unlock(&me->mutex);
    return NULL;
}

AudioStreamer *AudioStreamerCreate(void (*stateChanged)(AudioStreamer *, const char *)) {
    AudioStreamer *me = (AudioStreamer *)calloc(1, sizeof(AudioStreamer));
    pthread_mutex_init(&me->mutex, NULL);
    pthread_cond_init(&me->condition, NULL);
    me->stateChanged = stateChanged;
    gStreamer = me;
    return me;
}

void AudioStreamerStart(AudioStreamer *me) {
    me->state = AS_STARTING;
    pthread_create(&me->thread, NULL, AudioStreamerThread, me);
}

void AudioStreamerPause(AudioStreamer *me) {
    pthread_mutex_lock(&me->mutex);
    AudioQueuePause(me->queue);
    AudioStreamerSetState(me, AS_PAUSED, "paused");
    pthread_mutex_unlock(&me->mutex);
}

void AudioStreamerPlay(AudioStreamer *me) {
    pthread_mutex_lock(&me->mutex);
    if (me->state == AS_PAUSED && AudioSessionSetActive(true) == 0 && AudioQueueStart(me->queue, NULL) == 0) {
        AudioStreamerSetState(me, AS_PLAYING, "played");
    }
    pthread_mutex_unlock(&me->mutex);
}

void AudioStreamerStop(AudioStreamer *me) {
    pthread_mutex_lock(&me->mutex);
    me->state = AS_STOPPING;
    pthread_cond_broadcast(&me->condition);
    pthread_mutex_unlock(&me->mutex);
    pthread_join(me->thread, NULL);
}

/* The listeners stay registered: their pointer is never freed. */
void AudioStreamerDestroy(AudioStreamer *me) { AudioStreamerStop(me); }
