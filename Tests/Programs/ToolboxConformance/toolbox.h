/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the programs of this folder share, beside the harness of Tests/Programs/Conformance. They compile as C and as C++. */
#ifndef TOOLBOX_CONFORMANCE_H
#define TOOLBOX_CONFORMANCE_H

#include "../Conformance/conformance.h"

#include <AudioUnit/AudioUnit.h>

#define UNIT(call, expected) EXPECT_INTEGER(call, expected)
#define UNIT_OK(call) EXPECT_INTEGER(call, 0)

static MAYBE_UNUSED AudioComponent find(UInt32 type, UInt32 subtype) {
    AudioComponentDescription wanted;
    /* The flags are ignored: programs leave them as they find them. */
    memset(&wanted, 0xAA, sizeof wanted);
    wanted.componentType = type;
    wanted.componentSubType = subtype;
    wanted.componentManufacturer = kAudioUnitManufacturer_Apple;
    return AudioComponentFindNext(NULL, &wanted);
}

static MAYBE_UNUSED AudioUnit make_unit(UInt32 type, UInt32 subtype) {
    AudioUnit unit = NULL;
    REQUIRE(find(type, subtype) != NULL);
    REQUIRE(AudioComponentInstanceNew(find(type, subtype), &unit) == 0);
    return unit;
}

static MAYBE_UNUSED AudioUnit make_io(void) { return make_unit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO); }

/* Packed native 16-bit samples. */
static MAYBE_UNUSED AudioStreamBasicDescription int16_format(double rate, UInt32 channels) {
    AudioStreamBasicDescription format;
    memset(&format, 0xAA, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = format.mBytesPerFrame = 2 * channels;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = channels;
    format.mBitsPerChannel = 16;
    return format;
}

static MAYBE_UNUSED OSStatus set_format(AudioUnit unit, UInt32 scope, UInt32 element, AudioStreamBasicDescription format) {
    return AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &format, sizeof format);
}

static MAYBE_UNUSED OSStatus get_format(AudioUnit unit, UInt32 scope, UInt32 element, AudioStreamBasicDescription *format) {
    UInt32 size = sizeof *format;
    return AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, format, &size);
}

static MAYBE_UNUSED OSStatus set_number(AudioUnit unit, UInt32 property, UInt32 scope, UInt32 element, UInt32 value) {
    return AudioUnitSetProperty(unit, property, scope, element, &value, sizeof value);
}

static MAYBE_UNUSED UInt32 get_number(AudioUnit unit, UInt32 property, UInt32 scope, UInt32 element) {
    UInt32 value = 0xDEADBEEF, size = sizeof value;
    UNIT_OK(AudioUnitGetProperty(unit, property, scope, element, &value, &size));
    return value;
}

static MAYBE_UNUSED OSStatus set_callback(
    AudioUnit unit, UInt32 property, UInt32 scope, UInt32 element, AURenderCallback procedure, void *reference) {
    AURenderCallbackStruct callback;
    callback.inputProc = procedure;
    callback.inputProcRefCon = reference;
    return AudioUnitSetProperty(unit, property, scope, element, &callback, sizeof callback);
}

static MAYBE_UNUSED OSStatus set_render_callback(AudioUnit unit, AURenderCallback procedure, void *reference) {
    return set_callback(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, procedure, reference);
}

/* Renders frames into one buffer of `size` bytes, which becomes the size that the unit states. */
static MAYBE_UNUSED OSStatus render_into(
    AudioUnit unit, AudioUnitRenderActionFlags *flags, UInt32 frames, void *data, UInt32 *size, double at) {
    AudioTimeStamp time;
    AudioBufferList list;
    memset(&time, 0, sizeof time);
    time.mSampleTime = at;
    time.mFlags = kAudioTimeStampSampleTimeValid;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = 1;
    list.mBuffers[0].mDataByteSize = *size;
    list.mBuffers[0].mData = data;
    OSStatus status = AudioUnitRender(unit, flags, &time, 0, frames, &list);
    *size = list.mBuffers[0].mDataByteSize;
    return status;
}

/* Waits until a counter of another thread reaches a number. */
static MAYBE_UNUSED void wait_for_count(const char *file, int line, volatile int *count, int wanted) {
    struct timespec pause = {0, 1000000};
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < wanted) {
        if (milliseconds() > deadline) {
            failed(file, line, "the count is %d after %d s, not %d", *count, TIME_LIMIT_MS / 1000, wanted);
            exit(1);
        }
        nanosleep(&pause, NULL);
    }
}

#define WAIT_FOR(count, wanted) wait_for_count(__FILE__, __LINE__, &(count), (wanted))

/* The floats of a recording. */
static MAYBE_UNUSED float *read_wave(const char *path, size_t *frames, UInt32 *rate, UInt32 *channels) {
    FILE *file = fopen(path, "rb");
    unsigned char header[8], *data = NULL;
    UInt32 size = 0;
    *frames = 0, *rate = 0, *channels = 0;
    if (!file) return NULL;
    if (fseek(file, 12, SEEK_SET) != 0) abort();
    while (fread(header, 8, 1, file) == 1) {
        memcpy(&size, header + 4, 4);
        if (memcmp(header, "fmt ", 4) == 0) {
            unsigned char format[16];
            if (size < 16 || fread(format, 16, 1, file) != 1) abort();
            memcpy(rate, format + 4, 4);
            *channels = format[2];
            EXPECT_INTEGER(format[14], 32);
            if (fseek(file, (long)size - 16, SEEK_CUR) != 0) abort();
        } else if (memcmp(header, "data", 4) == 0) {
            data = (unsigned char *)malloc(1 << 24);
            *frames = fread(data, 4 * *channels, (1 << 24) / (4 * *channels), file);
            break;
        } else if (fseek(file, (long)size, SEEK_CUR) != 0)
            abort();
    }
    fclose(file);
    return (float *)(void *)data;
}

/* A tone of 440 Hz, for the simulated microphone to hear. */
static MAYBE_UNUSED void write_microphone(void) {
    FILE *file = fopen("microphone.wav", "wb");
    UInt32 size = 44100 * 2, rate = 44100, bytes = rate * 2, riff = size + 36, sixteen = 16, format = 0x00010001,
           block = 0x00100002;
    REQUIRE(file != NULL);
    fwrite("RIFF", 4, 1, file), fwrite(&riff, 4, 1, file), fwrite("WAVEfmt ", 8, 1, file), fwrite(&sixteen, 4, 1, file);
    fwrite(&format, 4, 1, file), fwrite(&rate, 4, 1, file), fwrite(&bytes, 4, 1, file), fwrite(&block, 4, 1, file);
    fwrite("data", 4, 1, file), fwrite(&size, 4, 1, file);
    for (int i = 0; i < 44100; i++) {
        SInt16 sample = (SInt16)lrint(8000 * sin(2 * M_PI * 440 * i / 44100));
        fwrite(&sample, 2, 1, file);
    }
    fclose(file);
}

#endif
