/* SPDX-License-Identifier: Apache-2.0 */
/* A tone in the platform's own style: the render callback of a RemoteIO unit computes each slice. A call stops the unit,
   and the program starts it again afterwards. A line with a number sets the frequency; the end of the input ends it.

       cc tone.c $(pkg-config --cflags --libs audiotoolbox) -lm -o tone
       ./tone [FREQUENCY] */
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RATE = 44100 };

static AudioUnit unit;
static _Atomic double frequency = 440;

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "tone: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

/* On the unit's real-time thread: no lock, no allocation, no output. */
static OSStatus render(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *buffers) {
    static double phase;
    double step = 2 * M_PI * atomic_load(&frequency) / RATE;
    SInt16 *samples = buffers->mBuffers[0].mData;
    (void)data, (void)flags, (void)time, (void)bus;
    for (UInt32 i = 0; i < frames; i++) {
        samples[i] = (SInt16)(10000 * sin(phase));
        phase = fmod(phase + step, 2 * M_PI);
    }
    return noErr;
}

static void interruptionChanged(void *data, UInt32 state) {
    (void)data;
    if (state == kAudioSessionBeginInterruption) {
        puts("interrupted"); /* the unit has stopped by itself */
        return;
    }
    check(AudioOutputUnitStart(unit), "starting again"); /* activates the session */
    puts("playing");
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
        .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        .mBytesPerPacket = 2,
        .mFramesPerPacket = 1,
        .mBytesPerFrame = 2,
        .mChannelsPerFrame = 1,
        .mBitsPerChannel = 16,
    };
    AURenderCallbackStruct callback = {render, NULL};
    check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &remoteIO), &unit), "making the unit");
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format),
        "the format");
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback),
        "the callback");
    check(AudioUnitInitialize(unit), "initializing the unit");
}

/* False at the end of the input. */
static bool readFrequency(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return false;
    double wanted = atof(line);
    if (wanted > 0 && wanted < RATE / 2) atomic_store(&frequency, wanted);
    return true;
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    Float32 duration = 0.01f;
    if (count > 1) atomic_store(&frequency, atof(arguments[1]));
    setvbuf(stdout, NULL, _IOLBF, 0);
    check(AudioSessionInitialize(NULL, NULL, interruptionChanged, NULL), "the session");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "the category");
    check(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof duration, &duration),
        "the length of a slice");
    makeUnit();
    check(AudioOutputUnitStart(unit), "starting");
    puts("playing");
    struct pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}};
    while (poll(waiting, 2, -1) > 0) {
        if (waiting[1].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[0].revents && !readFrequency()) break;
    }
    check(AudioOutputUnitStop(unit), "stopping");
    check(AudioComponentInstanceDispose(unit), "disposing of the unit");
    puts("done");
    return 0;
}
