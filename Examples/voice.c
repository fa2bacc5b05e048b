/* SPDX-License-Identifier: Apache-2.0 */
/* Half a telephone: a VoiceProcessingIO unit plays what it captured a second before. Echo cancellation takes what the
   loudspeaker plays out of what the microphone captures: with "bypass on", loudspeaker and microphone feed each other.

       cc voice.c $(pkg-config --cflags --libs audiotoolbox) -o voice
       ./voice
       bypass on | bypass off | mute on | mute off */
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATE = 16000 /* as telephones have it */ };

static AudioUnit unit;
static SInt16 past[RATE];
static UInt32 position;

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "voice: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

/* On the unit's real-time thread. */
static OSStatus render(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *buffers) {
    OSStatus status = AudioUnitRender(unit, flags, time, 1, frames, buffers);
    SInt16 *samples = buffers->mBuffers[0].mData;
    (void)data, (void)bus;
    if (status != noErr) return status;
    for (UInt32 i = 0; i < frames; i++) {
        SInt16 captured = samples[i];
        samples[i] = past[position];
        past[position] = captured;
        position = (position + 1) % RATE;
    }
    return noErr;
}

static void interruptionChanged(void *data, UInt32 state) {
    (void)data;
    if (state == kAudioSessionBeginInterruption)
        puts("interrupted");
    else if (AudioOutputUnitStart(unit) == noErr)
        puts("listening");
}

static void set(AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element, const void *value, UInt32 size,
    const char *what) {
    check(AudioUnitSetProperty(unit, property, scope, element, value, size), what);
}

static void makeUnit(void) {
    AudioComponentDescription voice = {
        .componentType = kAudioUnitType_Output,
        .componentSubType = kAudioUnitSubType_VoiceProcessingIO,
        .componentManufacturer = kAudioUnitManufacturer_Apple,
    };
    AudioStreamBasicDescription format = {
        .mSampleRate = RATE,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        .mBytesPerPacket = 2,
        .mFramesPerPacket = 1,
        .mBytesPerFrame = 2,
        .mChannelsPerFrame = 1,
        .mBitsPerChannel = 16,
    };
    AURenderCallbackStruct callback = {render, NULL};
    UInt32 on = 1;
    check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &voice), &unit), "making the unit");
    set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, sizeof on, "enabling the input");
    set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format, "the format of the output");
    set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof format, "the format of the input");
    set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback, "the callback");
    check(AudioUnitInitialize(unit), "initializing the unit");
}

/* False at the end of the input. */
static bool readCommand(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return false;
    UInt32 on = strstr(line, " on") != NULL;
    if (strncmp(line, "bypass", 6) == 0)
        set(kAUVoiceIOProperty_BypassVoiceProcessing, kAudioUnitScope_Global, 0, &on, sizeof on, "bypassing");
    if (strncmp(line, "mute", 4) == 0) set(kAUVoiceIOProperty_MuteOutput, kAudioUnitScope_Global, 0, &on, sizeof on, "muting");
    printf("%s", line);
    return true;
}

int main(void) {
    UInt32 category = kAudioSessionCategory_PlayAndRecord, mode = kAudioSessionMode_VoiceChat;
    setvbuf(stdout, NULL, _IOLBF, 0);
    check(AudioSessionInitialize(NULL, NULL, interruptionChanged, NULL), "the session");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "the category");
    check(AudioSessionSetProperty(kAudioSessionProperty_Mode, sizeof mode, &mode), "the mode");
    makeUnit();
    check(AudioOutputUnitStart(unit), "starting");
    puts("listening");
    struct pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}};
    while (poll(waiting, 2, -1) > 0) {
        if (waiting[1].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[0].revents && !readCommand()) break;
    }
    check(AudioOutputUnitStop(unit), "stopping");
    check(AudioComponentInstanceDispose(unit), "disposing of the unit");
    puts("done");
    return 0;
}
