/* SPDX-License-Identifier: Apache-2.0 */
/* In the style of the telephone stacks: a C module with one global instance, one mutex, a worker thread with the run
   loop of the session, and results that are checked sometimes. */
#include "voip_audio.h"
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if !TARGET_OS_IPHONE
#error for the telephone only
#endif

#define LOG_STATUS(what, st) \
    do { \
        if (st) fprintf(stdout, "# voip: %s: error %d\n", what, (int)st); \
    } while (0)

#define MAX_FRAME 4096

static struct voip_audio {
    pthread_mutex_t mutex;
    pthread_cond_t ready;
    pthread_t worker;
    CFRunLoopRef loop;
    int initialized, open, active;
    voip_cb cb;
    double rate, ptime;
    UInt32 in_channels;
    unsigned long cycles, gets_failed, late_callbacks, renders_failed;
    int no_ec, io_quit;
    voip_frame_cb get, put;
    /* One unit for each direction. */
    AudioUnit play_unit, rec_unit;
    AudioStreamBasicDescription fmt;
    int frame;
    /* The rest of a slice that is no whole frame. */
    short play_buf[MAX_FRAME], rec_buf[MAX_FRAME];
    int play_left, rec_count;
} g;

void voip_audio_set_stream(voip_frame_cb get, voip_frame_cb put) {
    g.get = get;
    g.put = put;
}

void voip_audio_set_echo_canceller(int on) { g.no_ec = !on; }

/* Audio thread: reads the latency in every cycle, under the lock, for the echo canceller. */
static void read_latency(struct voip_audio *dev) {
    Float32 lat = 0;
    UInt32 size = sizeof(lat);

    pthread_mutex_lock(&dev->mutex);
    if (AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareInputLatency, &size, &lat) != 0) dev->gets_failed++;
    if (AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputLatency, &size, &lat) != 0) dev->gets_failed++;
    dev->cycles++;
    if (dev->io_quit) dev->late_callbacks++;
    pthread_mutex_unlock(&dev->mutex);
}

static OSStatus play_cb(
    void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *ts, UInt32 bus, UInt32 frames, AudioBufferList *data) {
    struct voip_audio *dev = (struct voip_audio *)user;
    short *out = (short *)data->mBuffers[0].mData;
    (void)flags, (void)ts, (void)bus;

    read_latency(dev);
    while (frames > 0) {
        int part;
        if (dev->play_left == 0) {
            dev->get(dev->play_buf, dev->frame);
            dev->play_left = dev->frame;
        }
        part = dev->play_left < (int)frames ? dev->play_left : (int)frames;
        memcpy(out, dev->play_buf + dev->frame - dev->play_left, part * sizeof(short));
        out += part;
        frames -= part;
        dev->play_left -= part;
    }
    return noErr;
}

static OSStatus rec_cb(
    void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *ts, UInt32 bus, UInt32 frames, AudioBufferList *data) {
    struct voip_audio *dev = (struct voip_audio *)user;
    AudioBufferList list;
    OSStatus st;
    const short *in;
    (void)data, (void)bus;

    read_latency(dev);
    /* The unit lends its buffer. The size counts samples, not bytes; the unit ignores it. */
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = dev->fmt.mChannelsPerFrame;
    list.mBuffers[0].mDataByteSize = frames * dev->fmt.mChannelsPerFrame;
    list.mBuffers[0].mData = NULL;
    st = AudioUnitRender(dev->rec_unit, flags, ts, 1, frames, &list);
    if (st != noErr) {
        dev->renders_failed++;
        return st;
    }
    in = (const short *)list.mBuffers[0].mData;
    while (frames > 0) {
        int part = dev->frame - dev->rec_count < (int)frames ? dev->frame - dev->rec_count : (int)frames;
        memcpy(dev->rec_buf + dev->rec_count, in, part * sizeof(short));
        in += part;
        frames -= part;
        dev->rec_count += part;
        if (dev->rec_count == dev->frame) {
            dev->put(dev->rec_buf, dev->frame);
            dev->rec_count = 0;
        }
    }
    return noErr;
}

/* A unit that plays or records only. The hardware's side of the format belongs to the hardware; programs set it all the same. */
static AudioUnit create_unit(int is_input) {
    AudioComponentDescription desc;
    AURenderCallbackStruct cb;
    AudioUnit unit = NULL;
    UInt32 on = 1, off = 0;
    OSStatus st;

    desc.componentType = kAudioUnitType_Output;
    desc.componentSubType = g.no_ec ? kAudioUnitSubType_RemoteIO : kAudioUnitSubType_VoiceProcessingIO;
    desc.componentManufacturer = kAudioUnitManufacturer_Apple;
    desc.componentFlags = 0;
    desc.componentFlagsMask = 0;
    st = AudioComponentInstanceNew(AudioComponentFindNext(NULL, &desc), &unit);
    LOG_STATUS("AudioComponentInstanceNew", st);
    if (st) return NULL;

    cb.inputProcRefCon = &g;
    if (is_input) {
        st = AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, sizeof(on));
        LOG_STATUS("EnableIO of the input", st);
        st = AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &off, sizeof(off));
        LOG_STATUS("EnableIO of the output", st);
        (void)AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &g.fmt, sizeof(g.fmt));
        st = AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &g.fmt, sizeof(g.fmt));
        LOG_STATUS("StreamFormat of the input", st);
        cb.inputProc = rec_cb;
        st = AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &cb, sizeof(cb));
        LOG_STATUS("SetInputCallback", st);
    } else {
        (void)AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &g.fmt, sizeof(g.fmt));
        st = AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &g.fmt, sizeof(g.fmt));
        LOG_STATUS("StreamFormat of the output", st);
        cb.inputProc = play_cb;
        st = AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &cb, sizeof(cb));
        LOG_STATUS("SetRenderCallback", st);
    }
    st = AudioUnitInitialize(unit);
    LOG_STATUS("AudioUnitInitialize", st);
    return unit;
}

static void create_units(double rate, double ptime) {
    memset(&g.fmt, 0, sizeof(g.fmt));
    g.fmt.mSampleRate = rate;
    g.fmt.mFormatID = kAudioFormatLinearPCM;
    g.fmt.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked;
    g.fmt.mBytesPerPacket = g.fmt.mBytesPerFrame = sizeof(short);
    g.fmt.mFramesPerPacket = g.fmt.mChannelsPerFrame = 1;
    g.fmt.mBitsPerChannel = 16;
    g.frame = (int)(rate * ptime + 0.5);
    g.play_left = g.rec_count = 0;
    g.play_unit = create_unit(0);
    g.rec_unit = create_unit(1);
}

static void dispose_unit(AudioUnit *unit) {
    if (*unit == NULL) return;
    AudioUnitUninitialize(*unit);
    AudioComponentInstanceDispose(*unit);
    *unit = NULL;
}

static int unit_is_running(AudioUnit unit) {
    UInt32 running = 0, size = sizeof(running);
    AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &running, &size);
    return (int)running;
}

int voip_audio_is_running(void) { return unit_is_running(g.play_unit) + unit_is_running(g.rec_unit); }

/* No callback runs after this. Stopped units are stopped again after an interruption. */
static void stop_io(void) {
    OSStatus st;
    if (g.rec_unit) {
        st = AudioOutputUnitStop(g.rec_unit);
        LOG_STATUS("AudioOutputUnitStop of the input", st);
    }
    if (g.play_unit) {
        st = AudioOutputUnitStop(g.play_unit);
        LOG_STATUS("AudioOutputUnitStop of the output", st);
    }
    pthread_mutex_lock(&g.mutex);
    g.io_quit = 1;
    pthread_mutex_unlock(&g.mutex);
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
    g.io_quit = st != 0;
    pthread_mutex_unlock(&g.mutex);
    if (st != 0) return;
    st = AudioOutputUnitStart(g.rec_unit);
    LOG_STATUS("AudioOutputUnitStart of the input", st);
    st = AudioOutputUnitStart(g.play_unit);
    LOG_STATUS("AudioOutputUnitStart of the output", st);
}

static void interruption_listener(void *user, UInt32 state) {
    struct voip_audio *dev = (struct voip_audio *)user;

    if (state == kAudioSessionBeginInterruption) {
        stop_io();
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
    create_units(rate, ptime);
    start_io();
    return st == 0 ? (int)g.in_channels : -1;
}

void voip_audio_close(void) {
    pthread_mutex_lock(&g.mutex);
    g.open = 0;
    pthread_mutex_unlock(&g.mutex);
    stop_io();
    AudioSessionSetActive(false);
    dispose_unit(&g.play_unit);
    dispose_unit(&g.rec_unit);
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
