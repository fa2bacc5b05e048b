/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes that callers state for properties of units: a get copies what fits, and a set accepts what it can read. */
#include "mixer.h"

#include <AudioToolbox/AudioFile.h>

enum { RIOC = 1, VPIO = 2, GENR = 4, CONV = 8, MCMX = 16, SSPL = 32, AFPL = 64, VARI = 128, NUTP = 256 };
enum {
    IO = RIOC | VPIO,
    CONVERTING = GENR | CONV | VARI | NUTP,
    PULLED = CONVERTING | MCMX,
    PLAYERS = SSPL | AFPL,
    FED = IO | PULLED,
    OUTPUT = IO | GENR,
    MAPPED = IO | CONVERTING,
    ALL = FED | PLAYERS
};

static const UInt32 components[][2] = {
    {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO},
    {kAudioUnitType_Output, kAudioUnitSubType_VoiceProcessingIO},
    {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput},
    {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter},
    {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer},
    {kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer},
    {kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer},
    {kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed},
    {kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch},
};
enum { KINDS = sizeof components / sizeof components[0] };

struct row {
    UInt32 property, scope, element;
    int kinds;
};

/* A place of every property that can be read. */
static const struct row readable[] = {
    {kAudioUnitProperty_SampleRate, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0, FED},
    {kAudioUnitProperty_ParameterList, kAudioUnitScope_Input, 0, MCMX},
    {kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Input, kMultiChannelMixerParam_Volume, MCMX},
    {kAudioUnitProperty_CPULoad, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, FED},
    {kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, ALL},
    {kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, IO},
    {kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, ALL},
    {kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_SupportedNumChannels, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, 0, PULLED | PLAYERS},
    {kAudioUnitProperty_TailTime, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, FED},
    {kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_InPlaceProcessing, kAudioUnitScope_Global, 0, ALL},
    {kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, PULLED},
    {kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Output, 0, ALL},
    {kAudioUnitProperty_IsInterAppConnected, kAudioUnitScope_Global, 0, OUTPUT},
    {kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, OUTPUT},
    {kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, MAPPED},
    {kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, IO},
    {kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, IO},
    {kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, IO},
    {kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Input, 1, IO},
    {kAudioOutputUnitProperty_StartTimestampsAtZero, kAudioUnitScope_Global, 0, MAPPED},
    {kAUVoiceIOProperty_BypassVoiceProcessing, kAudioUnitScope_Global, 0, VPIO},
    {kAUVoiceIOProperty_VoiceProcessingEnableAGC, kAudioUnitScope_Global, 0, VPIO},
    {kAUVoiceIOProperty_DuckNonVoiceAudio, kAudioUnitScope_Global, 0, VPIO},
    {kAUVoiceIOProperty_VoiceProcessingQuality, kAudioUnitScope_Global, 0, VPIO},
    {kAUVoiceIOProperty_MuteOutput, kAudioUnitScope_Global, 0, VPIO},
    {kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Input, 0, MCMX},
    {kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, MCMX},
    {kAudioUnitProperty_SampleRateConverterComplexity, kAudioUnitScope_Global, 0, PULLED},
    {kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, PLAYERS},
    {kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, PLAYERS},
};

enum { ROWS = sizeof readable / sizeof readable[0], MOST = 512 };

static AudioUnit make_kind(int kind) { return make_unit(components[kind][0], components[kind][1]); }

/* One property: every size up to its own, and one that is larger. */
static void read_all_sizes(AudioUnit unit, const struct row *row) {
    unsigned char whole[MOST], part[MOST];
    UInt32 stated = 0, size = MOST;
    UNIT_OK(AudioUnitGetPropertyInfo(unit, row->property, row->scope, row->element, &stated, NULL));
    memset(whole, 0xA5, sizeof whole);
    UNIT_OK(AudioUnitGetProperty(unit, row->property, row->scope, row->element, whole, &size));
    EXPECT_INTEGER(size, stated);
    for (UInt32 i = size; i < MOST; i++)
        if (whole[i] != 0xA5) return failed(__FILE__, __LINE__, "property %u writes behind its value", row->property);
    for (UInt32 count = 0; count <= stated; count++) {
        UInt32 given = count;
        memset(part, 0x5A, sizeof part);
        OSStatus status = AudioUnitGetProperty(unit, row->property, row->scope, row->element, part, &given);
        bool is_prefix = memcmp(part, whole, count) == 0;
        for (UInt32 i = count; i < MOST; i++) is_prefix = is_prefix && part[i] == 0x5A;
        if (status != 0 || given != count || !is_prefix)
            return failed(__FILE__, __LINE__, "property %u with %u of %u bytes: status %d, size %u, prefix %d", row->property,
                count, stated, (int)status, given, is_prefix);
    }
    size = 1;
    UNIT_OK(AudioUnitGetProperty(unit, row->property, row->scope, row->element, NULL, &size));
    EXPECT_INTEGER(size, stated);
    UNIT(AudioUnitGetProperty(unit, row->property, row->scope, row->element, whole, NULL), kAudio_ParamError);
}

TEST(gets, "a get with less room than the value has copies the beginning of the value, and keeps the size of the caller") {
    for (int kind = 0; kind < KINDS; kind++) {
        AudioUnit unit = make_kind(kind);
        for (int life = 0; life < 3; life++) {
            for (int i = 0; i < ROWS; i++)
                if (readable[i].kinds & 1 << kind) read_all_sizes(unit, &readable[i]);
            if (life == 0) UNIT_OK(AudioUnitInitialize(unit));
            if (life == 1) {
                UNIT_OK(AudioUnitUninitialize(unit));
                UNIT_OK(AudioUnitInitialize(unit));
            }
        }
        UNIT_OK(AudioComponentInstanceDispose(unit));
    }
}

TEST(boolean, "IsRunning fits into a Boolean") {
    AudioUnit unit = make_io();
    struct voice voice = make_voice(0.5f, 0);
    BEGIN_SESSION();
    set_voice(unit, 0, int16_format(44100, 2), &voice);
    UNIT_OK(AudioUnitInitialize(unit));
    for (int life = 0; life < 2; life++) {
        for (int turn = 0; turn < 2; turn++) {
            Boolean flags[2] = {9, 9};
            UInt32 size = 1;
            UNIT_OK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, flags, &size));
            EXPECT_INTEGER(flags[0], turn);
            EXPECT_INTEGER(flags[1], 9);
            EXPECT_INTEGER(size, 1);
            UNIT_OK(turn ? AudioOutputUnitStop(unit) : AudioOutputUnitStart(unit));
        }
        UNIT_OK(AudioUnitUninitialize(unit));
        UNIT_OK(AudioUnitInitialize(unit));
    }
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

static OSStatus fail_once(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames, (void)list;
    return 0x01020304;
}

TEST(last_error, "an error that was read in part stays, and one that was read is gone") {
    AudioUnit unit = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_format(unit, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_render_callback(unit, fail_once, NULL));
    for (int life = 0; life < 2; life++) {
        UNIT_OK(AudioUnitInitialize(unit));
        Float32 samples[64];
        UNIT(mix(unit, 64, samples, sizeof samples, 0), 0x01020304);
        for (UInt32 size = 0; size < 4; size++) {
            UInt32 room = size;
            OSStatus status = 0;
            UNIT_OK(AudioUnitGetProperty(unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, &status, &room));
            if (size == 1) EXPECT_INTEGER(status, 4);
        }
        EXPECT_INTEGER(get_number(unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0), 0x01020304);
        EXPECT_INTEGER(get_number(unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0), 0);
        UNIT_OK(AudioUnitUninitialize(unit));
    }
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

/* The sizes that a set accepts: `least` and more, or `least` alone. */
struct setting {
    UInt32 property, scope, element;
    UInt32 least;
    bool may_be_larger;
    int kinds;
};

static const struct setting settings[] = {
    {kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, 36, true, FED},
    {kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, 36, true, PULLED | PLAYERS},
    {kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, 36, true, IO},
    {kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, sizeof(AURenderCallbackStruct), true, FED},
    {kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, sizeof(AudioUnitConnection), true, FED},
    {kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, sizeof(HostCallbackInfo), true, ALL},
    {kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, sizeof(AURenderCallbackStruct), true, IO},
    {kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, sizeof(AudioTimeStamp), true, PLAYERS},
    {kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, 8, false, PULLED | PLAYERS},
    {kAudioUnitProperty_PresentationLatency, kAudioUnitScope_Output, 0, 8, false, PULLED},
    {kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, 4, false, ALL},
    {kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, 0, 4, false, ALL},
    {kAudioUnitProperty_InPlaceProcessing, kAudioUnitScope_Global, 0, 4, false, ALL},
    {kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, 4, false, PULLED},
    {kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Output, 0, 4, false, ALL},
    {kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, 4, false, IO},
    {kAudioOutputUnitProperty_StartTimestampsAtZero, kAudioUnitScope_Global, 0, 4, false, MAPPED},
    {kAUVoiceIOProperty_BypassVoiceProcessing, kAudioUnitScope_Global, 0, 4, false, VPIO},
    {kAUVoiceIOProperty_VoiceProcessingEnableAGC, kAudioUnitScope_Global, 0, 4, false, VPIO},
    {kAUVoiceIOProperty_DuckNonVoiceAudio, kAudioUnitScope_Global, 0, 4, false, VPIO},
    {kAUVoiceIOProperty_VoiceProcessingQuality, kAudioUnitScope_Global, 0, 4, false, VPIO},
    {kAUVoiceIOProperty_MuteOutput, kAudioUnitScope_Global, 0, 4, false, VPIO},
    {kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, 4, false, MCMX},
};

/* Bytes that the set accepts. */
static void put_setting(const struct setting *setting, unsigned char bytes[MOST]) {
    AudioStreamBasicDescription format = float_format(22050, 2, 1);
    AudioTimeStamp time;
    Float64 rate = 22050;
    UInt32 number = setting->property == kAudioUnitProperty_MaximumFramesPerSlice ? 2048 : 1;
    memset(bytes, 0, MOST);
    memset(&time, 0, sizeof time);
    time.mFlags = kAudioTimeStampSampleTimeValid;
    if (setting->property == kAudioUnitProperty_StreamFormat)
        memcpy(bytes, &format, sizeof format);
    else if (setting->property == kAudioUnitProperty_ScheduleStartTimeStamp)
        memcpy(bytes, &time, sizeof time);
    else if (setting->least == 8)
        memcpy(bytes, &rate, sizeof rate);
    else if (setting->least == 4)
        memcpy(bytes, &number, sizeof number);
}

static void set_all_sizes(AudioUnit unit, const struct setting *setting) {
    unsigned char bytes[MOST];
    put_setting(setting, bytes);
    for (UInt32 size = 0; size <= MOST; size += size < 160 ? 1 : 352) {
        bool fits = size == setting->least || (size > setting->least && setting->may_be_larger);
        OSStatus expected = fits ? 0 : kAudioUnitErr_InvalidPropertyValue;
        OSStatus found = AudioUnitSetProperty(unit, setting->property, setting->scope, setting->element, bytes, size);
        if (found != expected)
            return failed(__FILE__, __LINE__, "property %u of %u bytes with %u: %d, not %d", setting->property, setting->least,
                size, (int)found, (int)expected);
    }
    UNIT(AudioUnitSetProperty(unit, setting->property, setting->scope, setting->element, NULL, setting->least),
        kAudioUnitErr_InvalidPropertyValue);
}

TEST(sets, "a set of a structure accepts a larger size, and a set of a number exactly its own") {
    for (int kind = 0; kind < KINDS; kind++) {
        AudioUnit unit = make_kind(kind);
        for (int life = 0; life < 2; life++) {
            for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
                if (settings[i].kinds & 1 << kind) set_all_sizes(unit, &settings[i]);
            UNIT_OK(AudioUnitInitialize(unit));
            UNIT_OK(AudioUnitUninitialize(unit));
        }
        UNIT_OK(AudioComponentInstanceDispose(unit));
    }
}
