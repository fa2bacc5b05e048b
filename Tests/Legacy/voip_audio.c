/* SPDX-License-Identifier: Apache-2.0 */
/* In the style of the telephone stacks: a C module with one global instance, one mutex, a worker thread with the run
   loop of the session, and results that are checked sometimes. */
#include "remoteio.h"
#include "voip_audio.h"
#include <AudioToolbox/AudioToolbox.h>

#if !TARGET_OS_IPHONE
#error for the telephone only
#endif

#define LOG_STATUS(what, st) \
    do { \
        if (st) fprintf(stdout, "# voip: %s: error %d\n", what, (int)st); \
    } while (0)

static struct voip_audio {
    pthread_mutex_t mutex;
    pthread_cond_t ready;
    pthread_t worker;
    CFRunLoopRef loop;
    int initialized, open, active;
    voip_cb cb;
    double rate, ptime;
    UInt32 in_channels;
    unsigned long cycles, gets_failed;
    struct RemoteIO io;
} g;

struct RemoteIO *voip_audio_unit(void) {
    return &g.io;
}

/* Audio thread: reads the latency in every cycle, under the lock, for the echo canceller. */
static void render_cb(void *user, short *buf, int frames) {
    struct voip_audio *dev = (struct voip_audio *)user;
    Float32 lat = 0;
    UInt32 size = sizeof(lat);

    pthread_mutex_lock(&dev->mutex);
    if (AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareInputLatency, &size, &lat) != 0) dev->gets_failed++;
    if (AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputLatency, &size, &lat) != 0) dev->gets_failed++;
    dev->cycles++;
    memset(buf, 0, frames * sizeof(short));
    pthread_mutex_unlock(&dev->mutex);
}

static const char *route_name(void) {
    static char name[64];
    CFStringRef route = NULL;
    UInt32 size = sizeof(CFStringRef);

    /* Never released: the name of the function says Get. */
    if (AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route) != noErr || route == NULL) return "?";
    CFStringGetCString(route, name, sizeof(name), kCFStringEncodingASCII);
    return name;
}

static void start_io(void) {
    OSStatus st = AudioSessionSetActive(true);
    LOG_STATUS("AudioSessionSetActive(true)", st);
    pthread_mutex_lock(&g.mutex);
    g.active = st == 0;
    pthread_mutex_unlock(&g.mutex);
    if (st == 0) RemoteIOStart(&g.io, &render_cb, &g);
}

static void interruption_listener(void *user, UInt32 state) {
    struct voip_audio *dev = (struct voip_audio *)user;

    if (state == kAudioSessionBeginInterruption) {
        RemoteIOStop(&dev->io);
        pthread_mutex_lock(&dev->mutex);
        dev->active = 0;
        /* The session is inactive already; many programs deactivate here. */
        OSStatus st = AudioSessionSetActive(false);
        pthread_mutex_unlock(&dev->mutex);
        dev->cb(VOIP_EV_SUSPENDED, (int)st, "");
    } else {
        if (!dev->open) return;
        start_io();
        dev->cb(VOIP_EV_RESUMED, dev->active, "");
    }
}

/* One procedure for all properties. */
static void prop_listener(void *user, AudioSessionPropertyID id, UInt32 size, const void *data) {
    (void)user;
    if (id == kAudioSessionProperty_AudioRouteChange) {
        if (size != sizeof(CFDictionaryRef)) return;
        CFDictionaryRef dict = (CFDictionaryRef)data;
        CFNumberRef num = (CFNumberRef)CFDictionaryGetValue(dict, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
        int reason;
        CFNumberGetValue(num, kCFNumberIntType, &reason);

        pthread_mutex_lock(&g.mutex);
        const char *name = route_name();
        UInt32 speaker = kAudioSessionOverrideAudioRoute_Speaker;
        /* An unplugged headset selects the loudspeaker. */
        if (reason == kAudioSessionRouteChangeReason_OldDeviceUnavailable && strncmp(name, "Receiver", 8) == 0)
            (void)AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, sizeof(speaker), &speaker);
        pthread_mutex_unlock(&g.mutex);
        g.cb(VOIP_EV_ROUTE, reason, name);
    } else if (id == kAudioSessionProperty_AudioInputAvailable) {
        if (size == sizeof(UInt32)) g.cb(VOIP_EV_INPUT, (int)*(UInt32 *)data, "");
    } else if (id == kAudioSessionProperty_ServerDied) {
        g.cb(VOIP_EV_RESET, (int)*(const UInt32 *)data, "");
    }
}

static void *worker_main(void *arg) {
    (void)arg;
    OSStatus st = AudioSessionInitialize(CFRunLoopGetCurrent(), kCFRunLoopDefaultMode, interruption_listener, &g);
    if (st != kAudioSessionNoError && st != kAudioSessionAlreadyInitialized) LOG_STATUS("AudioSessionInitialize", st);

    pthread_mutex_lock(&g.mutex);
    g.loop = CFRunLoopGetCurrent();
    g.initialized = 1;
    pthread_cond_broadcast(&g.ready);
    pthread_mutex_unlock(&g.mutex);

    CFRunLoopRun();
    return NULL;
}

int voip_audio_init(voip_cb cb) {
    if (g.initialized) {
        /* A second telephone call. */
        OSStatus st = AudioSessionInitialize(NULL, NULL, NULL, NULL);
        return st == 1768843636 ? 0 : -1;
    }
    pthread_mutex_init(&g.mutex, NULL);
    pthread_cond_init(&g.ready, NULL);
    g.cb = cb;
    pthread_create(&g.worker, NULL, worker_main, NULL);
    pthread_mutex_lock(&g.mutex);
    while (!g.initialized) pthread_cond_wait(&g.ready, &g.mutex);
    pthread_mutex_unlock(&g.mutex);
    return 0;
}

int voip_audio_open(double rate, double ptime, int with_input) {
    Float64 hw_rate = rate, got_rate;
    Float32 hw_dur = ptime, got_dur;
    UInt32 cat = kAudioSessionCategory_MediaPlayback, size, yes = 1;
    OSStatus st;

    pthread_mutex_lock(&g.mutex);
    /* Active first, category later, as in sample code of that time. */
    st = AudioSessionSetActive(true);
    LOG_STATUS("AudioSessionSetActive", st);
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(cat), &cat);

    AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof(hw_rate), &hw_rate);
    AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof(hw_dur), &hw_dur);
    size = sizeof(got_rate);
    AudioSessionGetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, &size, &got_rate);
    size = sizeof(got_dur);
    AudioSessionGetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, &size, &got_dur);
    if (got_rate != hw_rate || got_dur != hw_dur) {
        pthread_mutex_unlock(&g.mutex);
        return -1;
    }

    /* The number of input channels is an error in a category without input: change the category and try again. */
    size = sizeof(g.in_channels);
    st = AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareInputNumberChannels, &size, &g.in_channels);
    if (st == kAudioSessionIncompatibleCategory && with_input) {
        cat = kAudioSessionCategory_PlayAndRecord;
        st = AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(cat), &cat);
        if (st == 0) {
            AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, sizeof(yes), &yes);
            UInt32 mode = kAudioSessionMode_VoiceChat;
            /* Refused while active; the result is ignored. */
            AudioSessionSetProperty(kAudioSessionProperty_Mode, sizeof(mode), &mode);
            st = AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareInputNumberChannels, &size, &g.in_channels);
        }
    }

    /* For every call again, with the same procedure and NULL. */
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, prop_listener, NULL);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, prop_listener, NULL);
    AudioSessionAddPropertyListener(kAudioSessionProperty_ServerDied, prop_listener, NULL);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioCategory, prop_listener, NULL);
    g.open = 1;
    pthread_mutex_unlock(&g.mutex);
    start_io();
    return st == 0 ? (int)g.in_channels : -1;
}

void voip_audio_close(void) {
    pthread_mutex_lock(&g.mutex);
    g.open = 0;
    pthread_mutex_unlock(&g.mutex);
    RemoteIOStop(&g.io);
    AudioSessionSetActive(false);
    AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, prop_listener, NULL);
    /* The wrong property: a copy of the line above. */
    AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRoute, prop_listener, NULL);
}

void voip_audio_shutdown(void) {
    CFRunLoopStop(g.loop);
    pthread_join(g.worker, NULL);
}

int voip_audio_set_loudspeaker(int on) {
    UInt32 route = on ? kAudioSessionOverrideAudioRoute_Speaker : kAudioSessionOverrideAudioRoute_None;
    pthread_mutex_lock(&g.mutex);
    OSStatus st = AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, sizeof(route), &route);
    pthread_mutex_unlock(&g.mutex);
    return (int)st;
}

int voip_audio_set_bluetooth(int on) {
    UInt32 allow = on;
    return (int)AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, sizeof(allow), &allow);
}

int voip_audio_set_mic_gain(double gain) {
    UInt32 available = 0, size = sizeof(available);
    Float32 scalar = gain;
    AudioSessionGetProperty(kAudioSessionProperty_InputGainAvailable, &size, &available);
    if (!available) return -1;
    return (int)AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, sizeof(scalar), &scalar);
}

int voip_audio_is_headset(void) {
    CFStringRef route;
    UInt32 size = sizeof(route);
    if (AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route) != 0 || !route) return 0;
    return CFStringHasPrefix(route, CFSTR("Head")) && CFStringCompare(route, CFSTR("HeadsetBT"), 0) != kCFCompareEqualTo;
}
