/* SPDX-License-Identifier: Apache-2.0 */
/* An echo: one RemoteIO unit with both directions. The output's callback renders the input of the same cycle into the
   output's buffers, and adds what was captured some time before. Use headphones.

       cc echo.c $(pkg-config --cflags --libs audiotoolbox) -o echo
       ./echo [MILLISECONDS]      # until the end of the input */
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RATE = 44100, LONGEST = 2 * RATE };

static AudioUnit unit;
static Float32 past[LONGEST];
static UInt32 delay = RATE / 4, position;

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "echo: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

/* On the unit's real-time thread. */
static OSStatus render(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *buffers) {
    OSStatus status = AudioUnitRender(unit, flags, time, 1, frames, buffers);
    Float32 *samples = buffers->mBuffers[0].mData;
    (void)data, (void)bus;
    if (status != noErr) return status;
    for (UInt32 i = 0; i < frames; i++) {
        samples[i] = past[position] = samples[i] + 0.5f * past[position];
        position = (position + 1) % delay;
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
    AudioComponentDescription remoteIO = {
        .componentType = kAudioUnitType_Output,
        .componentSubType = kAudioUnitSubType_RemoteIO,
        .componentManufacturer = kAudioUnitManufacturer_Apple,
    };
    AudioStreamBasicDescription format = {
        .mSampleRate = RATE,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked,
        .mBytesPerPacket = 4,
        .mFramesPerPacket = 1,
        .mBytesPerFrame = 4,
        .mChannelsPerFrame = 1,
        .mBitsPerChannel = 32,
    };
    AURenderCallbackStruct callback = {render, NULL};
    UInt32 on = 1;
    check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &remoteIO), &unit), "making the unit");
    set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, sizeof on, "enabling the input");
    set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format, "the format of the output");
    set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof format, "the format of the input");
    set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback, "the callback");
    check(AudioUnitInitialize(unit), "initializing the unit");
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_PlayAndRecord;
    long milliseconds = count > 1 ? atol(arguments[1]) : 250;
    if (milliseconds > 0 && milliseconds <= 2000) delay = (UInt32)(milliseconds * RATE / 1000);
    setvbuf(stdout, NULL, _IOLBF, 0);
    check(AudioSessionInitialize(NULL, NULL, interruptionChanged, NULL), "the session");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "the category");
    makeUnit();
    check(AudioOutputUnitStart(unit), "starting");
    puts("listening");
    struct pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}};
    while (poll(waiting, 2, -1) > 0) {
        if (waiting[1].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[0].revents && getchar() == EOF) break;
    }
    check(AudioOutputUnitStop(unit), "stopping");
    check(AudioComponentInstanceDispose(unit), "disposing of the unit");
    puts("done");
    return 0;
}
