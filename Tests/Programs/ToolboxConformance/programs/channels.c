/* SPDX-License-Identifier: Apache-2.0 */
/* Units without hardware: the channel map and the clock of a converter, the levels of a mixer, and the callbacks that a program
   reads back. */
#include "mixer.h"

enum { SLICE = 32 };

static const UInt32 mapped[][2] = {
    {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter},
    {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput},
};

/* Each channel has its number, from 1 on. */
static OSStatus play_numbers(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    double *at = (double *)reference;
    UInt32 channels = list->mBuffers[0].mNumberChannels;
    (void)flags, (void)bus;
    if (at) *at = time->mSampleTime;
    for (UInt32 i = 0; i < frames * channels; i++) ((Float32 *)list->mBuffers[0].mData)[i] = (Float32)(i % channels + 1);
    return 0;
}

static OSStatus set_map(AudioUnit unit, UInt32 scope, const SInt32 *map, UInt32 count) {
    return AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, scope, 0, map, count * (UInt32)sizeof *map);
}

static void expect_map(AudioUnit unit, UInt32 scope, const SInt32 *expected, UInt32 count, int line) {
    SInt32 map[16];
    UInt32 size = sizeof map;
    UNIT_OK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_ChannelMap, scope, 0, map, &size));
    if (size != count * sizeof *map || memcmp(map, expected, size) != 0) failed(__FILE__, line, "another map of %u bytes", size);
}
#define EXPECT_MAP(unit, scope, map, count) expect_map(unit, scope, map, count, __LINE__)

static void expect_frame(AudioUnit unit, const Float32 *expected, UInt32 channels, int line) {
    Float32 samples[SLICE * 8];
    OSStatus status = mix(unit, SLICE, samples, SLICE * channels * (UInt32)sizeof *samples, 0);
    if (status != 0) return failed(__FILE__, line, "the render gives %d", (int)status);
    for (UInt32 channel = 0; channel < channels; channel++)
        if (fabs(samples[(SLICE - 1) * channels + channel] - expected[channel]) > 0.001)
            failed(__FILE__, line, "channel %u is %g, not %g", channel, samples[(SLICE - 1) * channels + channel],
                expected[channel]);
}
#define EXPECT_FRAME(unit, expected, channels) expect_frame(unit, expected, channels, __LINE__)

struct mapping {
    SInt32 map[8];
    UInt32 count;
    Float32 expected[4];
};

/* From three channels to four. */
static const struct mapping mappings[] = {
    {{2, 1, 0, -1}, 4, {3, 2, 1, 0}},
    {{0, 0, 0, 0}, 4, {1, 1, 1, 1}},
    {{-1, -1, -1, -1}, 4, {0, 0, 0, 0}},
    /* Fewer entries than channels: the others are silent. More: the rest is ignored. */
    {{1}, 1, {2, 0, 0, 0}},
    {{2, 2, 2, 2, 2, 2}, 6, {3, 3, 3, 3}},
    /* A channel that the source does not have. */
    {{3, 99, -2, 0}, 4, {0, 0, 0, 1}},
    {{2147483647, -2147483647 - 1, 1, 2}, 4, {0, 0, 2, 3}},
};

TEST(channel_map, "a converter and GenericOutput have a channel map") {
    const SInt32 initial[] = {0, 1, 2, -1};
    for (int kind = 0; kind < 2; kind++) {
        AudioUnit unit = make_unit(mapped[kind][0], mapped[kind][1]);
        UInt32 size = 0;
        Boolean writable = 0;
        UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, float_format(44100, 3, 0)));
        UNIT_OK(set_format(unit, kAudioUnitScope_Output, 0, float_format(44100, 4, 0)));
        UNIT_OK(set_render_callback(unit, play_numbers, NULL));
        EXPECT_MAP(unit, kAudioUnitScope_Output, initial, 4);
        UNIT_OK(AudioUnitGetPropertyInfo(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, &size, &writable));
        EXPECT_INTEGER(size, 16);
        EXPECT_INTEGER(writable, 1);
        for (int life = 0; life < 2; life++) {
            UNIT_OK(AudioUnitInitialize(unit));
            for (size_t i = 0; i < sizeof mappings / sizeof mappings[0]; i++) {
                UInt32 scope = i % 2 ? kAudioUnitScope_Input : kAudioUnitScope_Output;
                UNIT_OK(set_map(unit, scope, mappings[i].map, mappings[i].count));
                EXPECT_MAP(unit, kAudioUnitScope_Output, mappings[i].map, mappings[i].count);
                EXPECT_FRAME(unit, mappings[i].expected, 4);
            }
            /* The map stays in the next life. */
            UNIT_OK(AudioUnitUninitialize(unit));
            UNIT_OK(AudioUnitInitialize(unit));
            EXPECT_FRAME(unit, mappings[6].expected, 4);
            /* A map that is refused changes nothing. */
            UNIT(set_map(unit, kAudioUnitScope_Output, initial, 0), kAudioUnitErr_InvalidPropertyValue);
            UNIT(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, initial, 7),
                kAudioUnitErr_InvalidPropertyValue);
            UNIT(set_map(unit, kAudioUnitScope_Global, initial, 4), kAudioUnitErr_InvalidScope);
            UNIT(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 1, initial, 16),
                kAudioUnitErr_InvalidElement);
            EXPECT_FRAME(unit, mappings[6].expected, 4);
            UNIT_OK(AudioUnitUninitialize(unit));
        }
        UNIT_OK(AudioComponentInstanceDispose(unit));
    }
}

static double time_of_source(AudioUnit unit, const double *source, double at) {
    Float32 samples[SLICE];
    UNIT_OK(mix(unit, SLICE, samples, sizeof samples, at));
    return *source;
}

TEST(timestamps, "the source of a converter has sample times from 0, or those of the caller") {
    for (int kind = 0; kind < 2; kind++) {
        AudioUnit unit = make_unit(mapped[kind][0], mapped[kind][1]);
        double source = -1;
        UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, float_format(44100, 1, 0)));
        UNIT_OK(set_format(unit, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
        UNIT_OK(set_render_callback(unit, play_numbers, &source));
        const UInt32 property = kAudioOutputUnitProperty_StartTimestampsAtZero;
        EXPECT_INTEGER(get_number(unit, property, kAudioUnitScope_Global, 0), 1);
        for (int life = 0; life < 2; life++) {
            UNIT_OK(AudioUnitInitialize(unit));
            EXPECT_NUMBER(time_of_source(unit, &source, 7000), 0);
            EXPECT_NUMBER(time_of_source(unit, &source, 7000 + SLICE), SLICE);
            /* A gap of the caller is no gap of the source. */
            EXPECT_NUMBER(time_of_source(unit, &source, 90000), 2 * SLICE);
            UNIT_OK(set_number(unit, property, kAudioUnitScope_Global, 0, 0));
            EXPECT_INTEGER(get_number(unit, property, kAudioUnitScope_Global, 0), 0);
            EXPECT_NUMBER(time_of_source(unit, &source, 7000), 7000);
            EXPECT_NUMBER(time_of_source(unit, &source, 90000), 90000);
            UNIT_OK(set_number(unit, property, kAudioUnitScope_Global, 0, 2));
            UNIT_OK(AudioUnitReset(unit, kAudioUnitScope_Global, 0));
            EXPECT_NUMBER(time_of_source(unit, &source, 7000), 0);
            UNIT_OK(AudioUnitUninitialize(unit));
        }
        UNIT_OK(AudioComponentInstanceDispose(unit));
    }
}

static OSStatus set_levels(AudioUnit mixer, UInt32 input, const Float32 *levels, UInt32 count) {
    return AudioUnitSetProperty(mixer, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Input, input, levels, count * 4);
}

static void expect_levels(AudioUnit mixer, UInt32 input, const Float32 *expected, UInt32 count, int line) {
    Float32 levels[32];
    UInt32 size = sizeof levels;
    UNIT_OK(AudioUnitGetProperty(mixer, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Input, input, levels, &size));
    if (size != count * 4 || memcmp(levels, expected, size) != 0) failed(__FILE__, line, "other levels in %u bytes", size);
}
#define EXPECT_LEVELS(mixer, input, levels, count) expect_levels(mixer, input, levels, count, __LINE__)

TEST(matrix_levels, "an input of a mixer has a level for each channel of the output") {
    AudioUnit mixer = make_mixer(3);
    const Float32 initial[] = {1, 0, 0, 0, 1, 0}, changed[] = {0.5f, 0, -1, 2, 1, 0.25f}, none[6] = {0};
    const Float32 plain[] = {1, 2, 0}, mixed[] = {4.5f, 2, -0.5f}, silent[] = {0, 0, 0};
    UNIT_OK(set_format(mixer, kAudioUnitScope_Input, 2, float_format(44100, 2, 0)));
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 3, 0)));
    UNIT_OK(set_callback(mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 2, play_numbers, NULL));
    for (int life = 0; life < 2; life++) {
        EXPECT_LEVELS(mixer, 2, initial, 6);
        UNIT_OK(AudioUnitInitialize(mixer));
        EXPECT_FRAME(mixer, plain, 3);
        UNIT_OK(set_levels(mixer, 2, changed, 6));
        EXPECT_LEVELS(mixer, 2, changed, 6);
        EXPECT_FRAME(mixer, mixed, 3);
        UNIT_OK(AudioUnitUninitialize(mixer));
        EXPECT_LEVELS(mixer, 2, changed, 6);
        UNIT_OK(AudioUnitInitialize(mixer));
        EXPECT_FRAME(mixer, mixed, 3);
        UNIT_OK(set_levels(mixer, 2, none, 6));
        EXPECT_FRAME(mixer, silent, 3);
        /* Levels that are refused change nothing. */
        UNIT_OK(set_levels(mixer, 2, changed, 6));
        const Float32 endless[] = {1, INFINITY, 0, 0, 1, 0}, unknown[] = {NAN, 0, 0, 0, 1, 0};
        UNIT(set_levels(mixer, 2, endless, 6), kAudioUnitErr_InvalidPropertyValue);
        UNIT(set_levels(mixer, 2, unknown, 6), kAudioUnitErr_InvalidPropertyValue);
        UNIT(set_levels(mixer, 2, changed, 5), kAudioUnitErr_InvalidPropertyValue);
        UNIT(set_levels(mixer, 2, changed, 0), kAudioUnitErr_InvalidPropertyValue);
        UNIT(set_levels(mixer, 3, changed, 6), kAudioUnitErr_InvalidElement);
        UNIT(AudioUnitSetProperty(mixer, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Output, 0, changed, 24),
            kAudioUnitErr_InvalidScope);
        EXPECT_LEVELS(mixer, 2, changed, 6);
        EXPECT_FRAME(mixer, mixed, 3);
        UNIT_OK(set_levels(mixer, 2, initial, 6));
        UNIT_OK(AudioUnitUninitialize(mixer));
    }
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

static void expect_callback(
    AudioUnit unit, UInt32 property, UInt32 scope, UInt32 element, AURenderCallback procedure, void *reference, int line) {
    AURenderCallbackStruct found;
    UInt32 size = sizeof found;
    memset(&found, 0xA5, sizeof found);
    UNIT_OK(AudioUnitGetProperty(unit, property, scope, element, &found, &size));
    if (size != sizeof found || found.inputProc != procedure || found.inputProcRefCon != reference)
        failed(__FILE__, line, "another callback");
}
#define EXPECT_CALLBACK(unit, property, scope, element, procedure, reference) \
    expect_callback(unit, property, scope, element, procedure, reference, __LINE__)

TEST(callbacks, "the callbacks of a unit can be read, and are NULL where none is set") {
    double first, second;
    const UInt32 render = kAudioUnitProperty_SetRenderCallback, input = kAudioOutputUnitProperty_SetInputCallback;
    for (int kind = 0; kind < 4; kind++) {
        AudioUnit unit = kind == 0 ? make_io() : kind == 1 ? make_mixer(4) : make_unit(mapped[kind - 2][0], mapped[kind - 2][1]);
        UInt32 element = kind == 1 ? 3 : 0;
        for (int life = 0; life < 2; life++) {
            EXPECT_CALLBACK(unit, render, kAudioUnitScope_Input, element, NULL, NULL);
            UNIT_OK(set_callback(unit, render, kAudioUnitScope_Input, element, play_numbers, &first));
            EXPECT_CALLBACK(unit, render, kAudioUnitScope_Input, element, play_numbers, &first);
            UNIT_OK(AudioUnitInitialize(unit));
            EXPECT_CALLBACK(unit, render, kAudioUnitScope_Input, element, play_numbers, &first);
            UNIT_OK(set_callback(unit, render, kAudioUnitScope_Input, element, play_numbers, &second));
            EXPECT_CALLBACK(unit, render, kAudioUnitScope_Input, element, play_numbers, &second);
            if (kind == 0) {
                EXPECT_CALLBACK(unit, input, kAudioUnitScope_Global, 0, NULL, NULL);
                UNIT_OK(set_callback(unit, input, kAudioUnitScope_Global, 0, play_numbers, &second));
                EXPECT_CALLBACK(unit, input, kAudioUnitScope_Input, 0, play_numbers, &second);
                EXPECT_CALLBACK(unit, input, kAudioUnitScope_Output, 1, play_numbers, &second);
                UNIT_OK(set_callback(unit, input, kAudioUnitScope_Output, 0, NULL, NULL));
            } else
                UNIT(set_callback(unit, input, kAudioUnitScope_Global, 0, play_numbers, NULL), kAudioUnitErr_InvalidProperty);
            UNIT_OK(AudioUnitUninitialize(unit));
            UNIT_OK(set_callback(unit, render, kAudioUnitScope_Input, element, NULL, NULL));
        }
        /* A connection is no callback. */
        AudioUnit source = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
        AudioUnitConnection connection = {source, 0, element};
        UNIT_OK(set_callback(unit, render, kAudioUnitScope_Input, element, play_numbers, &first));
        UNIT_OK(AudioUnitSetProperty(
            unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, element, &connection, sizeof connection));
        EXPECT_CALLBACK(unit, render, kAudioUnitScope_Input, element, NULL, NULL);
        UNIT_OK(AudioComponentInstanceDispose(unit));
        UNIT_OK(AudioComponentInstanceDispose(source));
    }
}
