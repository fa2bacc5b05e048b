/* SPDX-License-Identifier: Apache-2.0 */
/* The time stamps of input: they grow by one slice from the first callback on, in every life of the unit. */
#include "traps.h"

enum { SLICES = 24 };

struct recorder {
    AudioUnit unit;
    volatile int count;
    UInt32 frames[SLICES];
    UInt32 flags[SLICES];
    UInt64 host[SLICES];
    UInt64 called[SLICES];
    double sample[SLICES];
};

static OSStatus note(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    struct recorder *recorder = (struct recorder *)reference;
    AudioBufferList own = {1, {{1, 0, NULL}}};
    int index = recorder->count;
    (void)list;
    if (index >= SLICES) return 0;
    if (AudioUnitRender(recorder->unit, flags, time, bus, frames, &own) != 0) failed(__FILE__, __LINE__, "the render fails");
    recorder->called[index] = mach_absolute_time();
    recorder->frames[index] = frames;
    recorder->flags[index] = time->mFlags;
    recorder->host[index] = time->mHostTime;
    recorder->sample[index] = time->mSampleTime;
    __atomic_add_fetch(&recorder->count, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static OSStatus be_silent(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)time, (void)bus, (void)frames;
    *flags |= kAudioUnitRenderAction_OutputIsSilence;
    for (UInt32 i = 0; i < list->mNumberBuffers; i++) memset(list->mBuffers[i].mData, 0, list->mBuffers[i].mDataByteSize);
    return 0;
}

static void begin_recorder(struct recorder *recorder, UInt32 subtype, int plays, double rate) {
    memset(recorder, 0, sizeof *recorder);
    recorder->unit = make_unit(kAudioUnitType_Output, subtype);
    UNIT_OK(set_number(recorder->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(set_number(recorder->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, (UInt32)plays));
    UNIT_OK(set_format(recorder->unit, kAudioUnitScope_Output, 1, int16_format(rate, 1)));
    if (plays) {
        UNIT_OK(set_format(recorder->unit, kAudioUnitScope_Input, 0, int16_format(rate, 1)));
        UNIT_OK(set_render_callback(recorder->unit, be_silent, NULL));
    }
    UNIT_OK(set_callback(recorder->unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, note, recorder));
    UNIT_OK(AudioUnitInitialize(recorder->unit));
}

/* The times of one run: each slice is one slice behind the one before it. */
static void expect_steady(struct recorder *recorder, double rate, int line) {
    recorder->count = 0;
    UInt64 before = mach_absolute_time();
    UNIT_OK(AudioOutputUnitStart(recorder->unit));
    WAIT_FOR(recorder->count, SLICES);
    UInt64 after = mach_absolute_time();
    UNIT_OK(AudioOutputUnitStop(recorder->unit));
    double slice = recorder->frames[0] / rate * 1e9;
    for (int i = 0; i < SLICES; i++) {
        if ((recorder->flags[i] & kAudioTimeStampSampleHostTimeValid) != kAudioTimeStampSampleHostTimeValid)
            return failed(__FILE__, line, "slice %d has the flags %u", i, recorder->flags[i]);
        if (recorder->host[i] > after) return failed(__FILE__, line, "slice %d is in the future", i);
        /* The primed silence is one slice before the first captured frame. */
        if ((double)recorder->host[i] < (double)before - 3 * slice)
            return failed(__FILE__, line, "slice %d is before the start", i);
        if (i == 0) continue;
        if (recorder->host[i] < recorder->host[i - 1]) return failed(__FILE__, line, "the time of slice %d goes back", i);
        if (recorder->sample[i] < recorder->sample[i - 1] + recorder->frames[i - 1])
            return failed(__FILE__, line, "the sample time of slice %d is %g", i, recorder->sample[i]);
    }
    /* The first slice is one slice before the second, and not later. The clock of the device differs by less than 1 %. When the
       machine stands still between both, the second one begins after it. */
    double first = (double)(recorder->host[1] - recorder->host[0]);
    double late = fmax((double)(recorder->called[1] - recorder->called[0]) - slice, 0);
    if (recorder->sample[1] == recorder->sample[0] + recorder->frames[0] && (first < slice / 2 || first > slice * 3 / 2 + late))
        failed(__FILE__, line, "the first slice is %.1f ms before the second, not %.1f ms", first / 1e6, slice / 1e6);
}

static void expect_times(UInt32 subtype, int plays, double rate, double duration, int line) {
    struct recorder recorder;
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, (Float32)duration));
    begin_recorder(&recorder, subtype, plays, rate);
    for (int life = 0; life < 3; life++) {
        expect_steady(&recorder, rate, line);
        if (life == 0) continue;
        UNIT_OK(AudioUnitUninitialize(recorder.unit));
        UNIT_OK(AudioUnitInitialize(recorder.unit));
    }
    UNIT_OK(AudioComponentInstanceDispose(recorder.unit));
}
#define EXPECT_TIMES(subtype, plays, rate, duration) expect_times(subtype, plays, rate, duration, __LINE__)

TEST(duplex, "in a unit that also plays, the first slice of input is one slice before the second") {
    begin_session_with_microphone();
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 1, 44100, 0.023);
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 1, 44100, 0.005);
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 1, 8000, 0.02);
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 1, 16000, 0.01);
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 1, 96000, 0.01);
}

TEST(input_alone, "in a unit that only records, the time never goes back") {
    begin_session_with_microphone();
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 0, 44100, 0.023);
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 0, 8000, 0.02);
    EXPECT_TIMES(kAudioUnitSubType_RemoteIO, 0, 48000, 0.005);
}

TEST(voice, "in a voice unit, the time never goes back") {
    begin_session_with_microphone();
    EXPECT_TIMES(kAudioUnitSubType_VoiceProcessingIO, 1, 44100, 0.023);
    EXPECT_TIMES(kAudioUnitSubType_VoiceProcessingIO, 1, 8000, 0.02);
}
