/* SPDX-License-Identifier: Apache-2.0 */
/* An offline bounce: a mixer adds three voices, a GenericOutput unit pulls it faster than real time, and a file takes the
   sound. It needs no sound card and no session.

       cc bounce.c $(pkg-config --cflags --libs audiotoolbox) -lm -o bounce
       ./bounce SECONDS FILE.wav */
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 44100, VOICES = 3, SLICE = 512 };

struct voice {
    double frequency, phase;
    Float32 pan;
};

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "bounce: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

/* Gives the samples of one voice. */
static OSStatus render(
    void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *list) {
    struct voice *voice = data;
    Float32 *samples = list->mBuffers[0].mData;
    (void)flags, (void)time, (void)bus;
    for (UInt32 i = 0; i < frames; i++) {
        samples[i] = 0.25f * (Float32)sin(voice->phase);
        voice->phase = fmod(voice->phase + 2 * M_PI * voice->frequency / RATE, 2 * M_PI);
    }
    return noErr;
}

static AudioUnit make(OSType type, OSType subtype) {
    AudioComponentDescription wanted = {
        .componentType = type, .componentSubType = subtype, .componentManufacturer = kAudioUnitManufacturer_Apple};
    AudioUnit unit;
    check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit), "making a unit");
    return unit;
}

static void set(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *value, UInt32 size) {
    check(AudioUnitSetProperty(unit, id, scope, element, value, size), "a property");
}

static AudioStreamBasicDescription floats(UInt32 channels) {
    AudioStreamBasicDescription format = {
        .mSampleRate = RATE,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked,
        .mBytesPerPacket = 4 * channels,
        .mFramesPerPacket = 1,
        .mBytesPerFrame = 4 * channels,
        .mChannelsPerFrame = channels,
        .mBitsPerChannel = 32,
    };
    return format;
}

static AudioUnit makeMixer(struct voice *voices) {
    AudioUnit mixer = make(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AudioStreamBasicDescription mono = floats(1), stereo = floats(2);
    UInt32 count = VOICES;
    set(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, sizeof count);
    set(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &stereo, sizeof stereo);
    for (UInt32 i = 0; i < VOICES; i++) {
        AURenderCallbackStruct callback = {render, &voices[i]};
        set(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, i, &mono, sizeof mono);
        set(mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, i, &callback, sizeof callback);
        check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, i, voices[i].pan, 0), "the pan");
    }
    check(AudioUnitInitialize(mixer), "initializing the mixer");
    return mixer;
}

/* The end of the chain, which AudioUnitRender pulls. */
static AudioUnit makeOutput(AudioUnit mixer) {
    AudioUnit output = make(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    AudioStreamBasicDescription stereo = floats(2);
    AudioUnitConnection connection = {mixer, 0, 0};
    set(output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &stereo, sizeof stereo);
    set(output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &stereo, sizeof stereo);
    set(output, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection, sizeof connection);
    check(AudioUnitInitialize(output), "initializing the output");
    return output;
}

/* A file of 16-bit samples that takes floats. */
static ExtAudioFileRef makeFile(const char *path) {
    AudioStreamBasicDescription client = floats(2), format = client;
    ExtAudioFileRef file;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = format.mBytesPerFrame = 4;
    format.mBitsPerChannel = 16;
    check(ExtAudioFileLinuxCreateWithPath(path, kAudioFileWAVEType, &format, NULL, kAudioFileFlags_EraseFile, &file), path);
    check(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client), "the client format");
    return file;
}

int main(int count, char **arguments) {
    static Float32 samples[2 * SLICE];
    struct voice voices[VOICES] = {{261.63, 0, -1}, {329.63, 0, 0}, {392, 0, 1}};
    AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
    if (count != 3) {
        fputs("usage: bounce SECONDS FILE.wav\n", stderr);
        return 2;
    }
    long frames = (long)(atof(arguments[1]) * RATE);
    AudioUnit mixer = makeMixer(voices), output = makeOutput(mixer);
    ExtAudioFileRef file = makeFile(arguments[2]);
    while (time.mSampleTime < (Float64)frames) {
        long left = frames - (long)time.mSampleTime;
        UInt32 slice = left < SLICE ? (UInt32)left : SLICE;
        AudioUnitRenderActionFlags flags = 0;
        AudioBufferList list = {1, {{2, (UInt32)(2 * sizeof *samples) * slice, samples}}};
        check(AudioUnitRender(output, &flags, &time, 0, slice, &list), "rendering");
        check(ExtAudioFileWrite(file, slice, &list), "writing");
        time.mSampleTime += slice;
    }
    check(ExtAudioFileDispose(file), "closing the file");
    AudioComponentInstanceDispose(output);
    AudioComponentInstanceDispose(mixer);
    printf("%ld frames\n", frames);
    return 0;
}
