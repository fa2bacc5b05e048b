/* SPDX-License-Identifier: Apache-2.0 */
/* In the style of the game engines: the sound device behind the types and functions of the engine. The engine has a
   main loop of its own; the application runs the run loop between frames. */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <assert.h>
#include <string.h>

typedef enum { qfalse, qtrue } qboolean;

static struct {
    qboolean initialized, paused, foreign_music, muted;
    int frames_mixed, routes_changed, resets;
    float volume;
    int category_sets_in_listener;
    AudioUnit unit;
} snd;

extern void Com_Printf(const char *fmt, ...);
extern void Com_FrameMixed(void);

static const char *reasons[8] = {"unknown", "new device", "old device gone", "category", "override", "?", "wake", "no route"};

/* Two voices of the mixer. */
static OSStatus SNDDMA_Mix(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData) {
    static UInt32 phase;
    short *out = (short *)ioData->mBuffers[0].mData;
    UInt32 i;
    (void)inRefCon, (void)inTimeStamp, (void)inBusNumber;
    if (snd.muted) {
        memset(out, 0, ioData->mBuffers[0].mDataByteSize);
        *ioActionFlags |= kAudioUnitRenderAction_OutputIsSilence;
    } else {
        for (i = 0; i < inNumberFrames; i++, phase++) {
            *out++ = (short)((phase & 63) << 8);
            *out++ = (short)((phase & 31) << 9);
        }
    }
    snd.frames_mixed += inNumberFrames;
    Com_FrameMixed();
    return noErr;
}

static qboolean SNDDMA_OpenUnit(void) {
    AudioComponentDescription desc = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    AudioStreamBasicDescription fmt;
    AURenderCallbackStruct callback;
    AudioComponent comp = AudioComponentFindNext(NULL, &desc);
    if (comp == NULL || AudioComponentInstanceNew(comp, &snd.unit) != noErr) return qfalse;
    if (AudioUnitInitialize(snd.unit) != noErr) return qfalse;

    /* The format of the engine, after the unit was initialized. */
    memset(&fmt, 0, sizeof(fmt));
    fmt.mSampleRate = 22050;
    fmt.mFormatID = kAudioFormatLinearPCM;
    fmt.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked;
    fmt.mBytesPerPacket = 4;
    fmt.mFramesPerPacket = 1;
    fmt.mBytesPerFrame = 4;
    fmt.mChannelsPerFrame = 2;
    fmt.mBitsPerChannel = 16;
    if (AudioUnitSetProperty(snd.unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &fmt, sizeof(fmt)))
        return qfalse;

    callback.inputProc = SNDDMA_Mix;
    callback.inputProcRefCon = NULL;
    if (AudioUnitSetProperty(
            snd.unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global, 0, &callback, sizeof(callback)))
        return qfalse;
    return AudioOutputUnitStart(snd.unit) == noErr ? qtrue : qfalse;
}

/* The empty route name indicates the silent switch. */
static qboolean SND_IsMuted(void) {
    CFStringRef route;
    UInt32 size = sizeof(CFStringRef);
    qboolean muted = qfalse;
    OSStatus err = AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route);
    if (err == noErr && (route == NULL || CFStringGetLength(route) == 0)) muted = qtrue;
    if (err == noErr && route) CFRelease(route);
    return muted;
}

static UInt32 SND_OtherMusic(void) {
    /* One variable for both. */
    UInt32 size = sizeof(size);
    if (AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &size)) return 0;
    return size;
}

static void SND_SetCategory(void) {
    /* The music of another program continues with the effects of the game. */
    UInt32 cat = snd.foreign_music ? kAudioSessionCategory_UserInterfaceSoundEffects : kAudioSessionCategory_SoloAmbientSound;
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(cat), &cat);
}

void SND_Resume(void) {
    OSStatus err;
    if (!snd.paused) return;
    err = AudioSessionSetActive(true);
    if (err != noErr) {
        Com_Printf("SND: can't resume, %d", (int)err);
        return;
    }
    snd.paused = qfalse;
    if (AudioOutputUnitStart(snd.unit) != noErr) Com_Printf("SND: no sound");
    Com_Printf("SND: resumed");
}

static void SND_Interruption(void *inUserData, UInt32 interruptionState) {
    assert(inUserData == (void *)0x51DE);
    if (interruptionState == kAudioSessionBeginInterruption) {
        if (AudioOutputUnitStop(snd.unit) != noErr) Com_Printf("SND: cannot stop");
        snd.paused = qtrue;
        if (AudioSessionSetActive(false) != noErr) Com_Printf("SND: deactivation failed");
        Com_Printf("SND: interrupted");
    } else if (interruptionState == kAudioSessionEndInterruption) {
        UInt32 type = 0, size = sizeof(type);
        AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type);
        assert(type == kAudioSessionInterruptionType_ShouldResume || type == kAudioSessionInterruptionType_ShouldNotResume);
        Com_Printf("SND: interruption over, should%s resume", type == 'irsm' ? "" : " not");
        SND_Resume();
    }
}

/* One function for every change. */
static void SND_PropertyListener(
    void *inUserData, AudioSessionPropertyID inPropertyID, UInt32 inPropertyValueSize, const void *inPropertyValue) {
    (void)inUserData;
    switch (inPropertyID) {
    case kAudioSessionProperty_AudioRouteChange: {
        SInt32 reason = -1;
        CFDictionaryRef change = (CFDictionaryRef)inPropertyValue;
        CFNumberRef number = (CFNumberRef)CFDictionaryGetValue(change, CFSTR("OutputDeviceDidChange_Reason"));
        CFNumberGetValue(number, CFNumberGetType(number), &reason);
        snd.routes_changed++;
        Com_Printf("SND: route changed: %s", reasons[reason]);
        snd.foreign_music = SND_OtherMusic() ? qtrue : qfalse;
        if (reason != kAudioSessionRouteChangeReason_CategoryChange) {
            int before = snd.routes_changed;
            /* Sets the category twice inside the listener; the listener is not called recursively. */
            UInt32 cat = kAudioSessionCategory_PlayAndRecord;
            AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(cat), &cat);
            SND_SetCategory();
            assert(before == snd.routes_changed);
            snd.category_sets_in_listener++;
        }
        break;
    }
    case kAudioSessionProperty_CurrentHardwareOutputVolume:
        if (inPropertyValueSize == sizeof(Float32)) snd.volume = *((Float32 *)inPropertyValue);
        Com_Printf("SND: volume %.2f", snd.volume);
        break;
    case kAudioSessionProperty_ServerDied:
        snd.resets++;
        Com_Printf("SND: server %s", *(UInt32 *)inPropertyValue ? "died" : "is back");
        break;
    case kAudioSessionProperty_AudioInputAvailable: Com_Printf("SND: input %u", (unsigned)*(UInt32 *)inPropertyValue); break;
    default: break;
    }
}

qboolean SNDDMA_Init(void) {
    static const AudioSessionPropertyID all[] = {kAudioSessionProperty_AudioRouteChange,
        kAudioSessionProperty_CurrentHardwareOutputVolume, kAudioSessionProperty_ServerDied,
        kAudioSessionProperty_AudioInputAvailable, kAudioSessionProperty_CurrentHardwareOutputNumberChannels,
        kAudioSessionProperty_CurrentHardwareInputNumberChannels, kAudioSessionProperty_OtherAudioIsPlaying,
        kAudioSessionProperty_AudioRoute};
    UInt32 size;
    Float64 rate;
    int i;

    /* The engine restarts its sound with every level; the session exists already. */
    OSStatus err = AudioSessionInitialize(NULL, NULL, SND_Interruption, (void *)0x51DE);
    if (err != noErr && err != 'init') return qfalse;

    snd.foreign_music = SND_OtherMusic() ? qtrue : qfalse;
    SND_SetCategory();
    for (i = 0; i < 8; i++) AudioSessionAddPropertyListener(all[i], SND_PropertyListener, NULL);
    if (AudioSessionSetActive(true) != noErr) return qfalse;

    size = sizeof(Float64);
    if (AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate) != noErr || rate < 8000)
        return qfalse;
    /* The same variable again: it contains 8, and 4 is needed. */
    if (AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputVolume, &size, &snd.volume) != noErr) return qfalse;

    snd.muted = SND_IsMuted();
    snd.paused = qfalse;
    if (!SNDDMA_OpenUnit()) return qfalse;
    snd.initialized = qtrue;
    return qtrue;
}

void SNDDMA_BeginFrame(void) { snd.muted = SND_IsMuted(); }

void SNDDMA_Shutdown(void) {
    /* The order of device and session varies in old programs. */
    AudioSessionSetActive(false);
    AudioOutputUnitStop(snd.unit);
    AudioSessionSetActive(false);
    AudioUnitUninitialize(snd.unit);
    AudioComponentInstanceDispose(snd.unit);
    snd.unit = NULL;
    snd.initialized = qfalse;
}
