/* SPDX-License-Identifier: Apache-2.0 */
/* In the style of the radio players: an object with a thread that reads the network, decodes and fills the queue.
   One mutex protects everything, and the listeners lock it too. The thread initializes the session for each
   stream. */
#include "streamer.h"
#include <AudioToolbox/AudioToolbox.h>
#include <stdlib.h>

static AudioStreamer *gStreamer; /* the only instance */

static void AudioStreamerSetState(AudioStreamer *me, AudioStreamState state, const char *why) {
    me->state = state;
    pthread_cond_broadcast(&me->condition);
    me->stateChanged(me, why);
}

static void AudioStreamerFill(void *user, short *samples, int frames) {
    AudioStreamer *me = (AudioStreamer *)user;
    memset(samples, 1, frames * 2);
    pthread_mutex_lock(&me->mutex);
    me->wanted++;
    pthread_cond_broadcast(&me->condition);
    pthread_mutex_unlock(&me->mutex);
}

/* Called with the mutex held; the thread of the queue locks it too. */
static void AudioStreamerStopQueue(AudioStreamer *me) {
    pthread_mutex_unlock(&me->mutex);
    RemoteIOStop(&me->queue);
    pthread_mutex_lock(&me->mutex);
}

static void AudioStreamerInterruption(void *inClientData, UInt32 inInterruptionState) {
    AudioStreamer *me = (AudioStreamer *)inClientData;
    pthread_mutex_lock(&me->mutex);
    if (inInterruptionState == kAudioSessionBeginInterruption) {
        if (me->state == AS_PLAYING) {
            AudioStreamerStopQueue(me);
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
            RemoteIOStart(&me->queue, AudioStreamerFill, me);
            AudioStreamerSetState(me, AS_PLAYING, "resumed");
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
        AudioStreamerStopQueue(me);
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
    RemoteIOStart(&me->queue, AudioStreamerFill, me);
    AudioStreamerSetState(me, AS_PLAYING, "started");
    while (me->state != AS_STOPPING) {
        while (me->packets < me->wanted) {
            /* Checks the sample rate between packets, with the mutex held. */
            Float64 rate;
            UInt32 size = sizeof(rate);
            AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate);
            me->packets++;
            pthread_cond_broadcast(&me->condition);
        }
        pthread_cond_wait(&me->condition, &me->mutex);
    }
    AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation | 0xF0);
    AudioStreamerStopQueue(me);
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
    AudioStreamerStopQueue(me);
    AudioStreamerSetState(me, AS_PAUSED, "paused");
    pthread_mutex_unlock(&me->mutex);
}

void AudioStreamerPlay(AudioStreamer *me) {
    pthread_mutex_lock(&me->mutex);
    if (me->state == AS_PAUSED && AudioSessionSetActive(true) == 0) {
        RemoteIOStart(&me->queue, AudioStreamerFill, me);
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
