/* SPDX-License-Identifier: Apache-2.0 */
/* GenericOutput and AUConverter: AudioUnitRender pulls them, faster than real time and exactly. */
#include "toolbox.h"

struct source {
    SInt16 next;
    int calls;
    double expected_time;
};

static OSStatus count_up(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    struct source *source = (struct source *)reference;
    SInt16 *samples = (SInt16 *)list->mBuffers[0].mData;
    (void)flags, (void)bus;
    EXPECT_INTEGER(list->mNumberBuffers, 1);
    EXPECT_INTEGER(list->mBuffers[0].mDataByteSize, frames * 2);
    EXPECT_NUMBER(time->mSampleTime, source->expected_time);
    source->expected_time += frames;
    for (UInt32 i = 0; i < frames; i++) samples[i] = source->next++;
    source->calls++;
    return 0;
}

static void prepare(AudioUnit unit, AudioStreamBasicDescription from, AudioStreamBasicDescription to, struct source *source) {
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, from));
    UNIT_OK(set_format(unit, kAudioUnitScope_Output, 0, to));
    UNIT_OK(set_render_callback(unit, count_up, source));
    UNIT_OK(AudioUnitInitialize(unit));
}

static OSStatus pull(AudioUnit unit, UInt32 frames, void *data, UInt32 size, double at) {
    AudioUnitRenderActionFlags flags = 0;
    UInt32 given = size;
    OSStatus status = render_into(unit, &flags, frames, data, &given, at);
    if (status == 0) EXPECT_INTEGER(given, size);
    return status;
}

TEST(exact, "a pulled unit gives each frame of its source once, in the format that was set") {
    AudioUnit unit = make_unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    struct source source = {0, 0, 0};
    AudioStreamBasicDescription floats = int16_format(8000, 1);
    floats.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
    floats.mBytesPerFrame = floats.mBytesPerPacket = 4;
    floats.mBitsPerChannel = 32;
    prepare(unit, int16_format(8000, 1), floats, &source);
    static Float32 samples[1024];
    int position = 0;
    UInt32 sizes[] = {1, 160, 1024, 3};
    for (int i = 0; i < 4; i++) {
        UNIT_OK(pull(unit, sizes[i], samples, sizes[i] * 4, position));
        for (UInt32 frame = 0; frame < sizes[i]; frame++, position++)
            if (samples[frame] != (Float32)position / 32768)
                return failed(__FILE__, __LINE__, "frame %d is %g", position, samples[frame]);
    }
    UNIT(pull(unit, 1025, samples, sizeof samples, position), kAudioUnitErr_TooManyFramesToProcess);
    UNIT(pull(unit, 64, samples, 255, position), kAudio_ParamError);
    EXPECT_INTEGER(source.calls, 4);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

static AudioUnit first, second;

static OSStatus from_first(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)bus;
    return AudioUnitRender(first, flags, time, 0, frames, list);
}

TEST(chain, "a unit that pulls another one in its callback, or by a connection, gives the same") {
    static SInt16 through_callback[512], through_connection[512];
    for (int turn = 0; turn < 2; turn++) {
        struct source source = {0, 0, 0};
        first = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
        second = make_unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
        prepare(first, int16_format(44100, 1), int16_format(44100, 1), &source);
        UNIT_OK(set_format(second, kAudioUnitScope_Input, 0, int16_format(44100, 1)));
        UNIT_OK(set_format(second, kAudioUnitScope_Output, 0, int16_format(44100, 1)));
        if (turn == 0) {
            UNIT_OK(set_render_callback(second, from_first, NULL));
        } else {
            AudioUnitConnection connection = {first, 0, 0};
            UNIT_OK(AudioUnitSetProperty(
                second, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection, sizeof connection));
        }
        UNIT_OK(AudioUnitInitialize(second));
        UNIT_OK(pull(second, 512, turn == 0 ? through_callback : through_connection, 1024, 0));
        UNIT_OK(AudioComponentInstanceDispose(first));
        UNIT_OK(AudioComponentInstanceDispose(second));
    }
    EXPECT(memcmp(through_callback, through_connection, sizeof through_callback) == 0);
    EXPECT_INTEGER(through_connection[511], 511);
}

static OSStatus tone(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    double *phase = (double *)reference;
    SInt16 *samples = (SInt16 *)list->mBuffers[0].mData;
    (void)flags, (void)time, (void)bus;
    for (UInt32 i = 0; i < frames; i++, *phase += 2 * M_PI * 1000 / 44100) samples[i] = (SInt16)lrint(16000 * sin(*phase));
    return 0;
}

TEST(rate, "a tone of another rate keeps its pitch and its level") {
    AudioUnit unit = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    double phase = 0, sine = 0, cosine = 0;
    static SInt16 samples[48000];
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(44100, 1)));
    UNIT_OK(set_format(unit, kAudioUnitScope_Output, 0, int16_format(48000, 1)));
    UNIT_OK(set_render_callback(unit, tone, &phase));
    UNIT_OK(AudioUnitInitialize(unit));
    for (int i = 0; i < 4800; i += 480) UNIT_OK(pull(unit, 480, samples, 960, 0));
    for (int i = 0; i < 48000; i += 480) UNIT_OK(pull(unit, 480, samples + i, 960, 0));
    for (int i = 0; i < 48000; i++) {
        sine += samples[i] * sin(2 * M_PI * 1000 * i / 48000) / 24000;
        cosine += samples[i] * cos(2 * M_PI * 1000 * i / 48000) / 24000;
    }
    double level = sqrt(sine * sine + cosine * cosine), worst = 0;
    for (int i = 0; i < 48000; i++) {
        double rest = samples[i] - sine * sin(2 * M_PI * 1000 * i / 48000) - cosine * cos(2 * M_PI * 1000 * i / 48000);
        worst = fmax(worst, fabs(rest));
    }
    EXPECT(fabs(level - 16000) < 16);
    /* Two roundings to 16 bits, and the filter. */
    EXPECT(worst < 2.5);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}
