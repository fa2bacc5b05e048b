/* SPDX-License-Identifier: Apache-2.0 */
/* Varispeed and NewTimePitch: the frames that they ask of their source, and their parameters. */
#include "mixer.h"

static UInt32 frames_asked;

static OSStatus count_frames(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus;
    memset(list->mBuffers[0].mData, 0, list->mBuffers[0].mDataByteSize);
    frames_asked += frames;
    return noErr;
}

static AudioUnit make_speed_unit(UInt32 subtype) {
    AudioUnit unit = NULL;
    AURenderCallbackStruct callback = {count_frames, NULL};
    UNIT_OK(AudioComponentInstanceNew(find(kAudioUnitType_FormatConverter, subtype), &unit));
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_format(unit, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(
        AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
    UNIT_OK(AudioUnitInitialize(unit));
    frames_asked = 0;
    return unit;
}

/* The frames that the unit asks for while it renders so many. */
static UInt32 asked_for(AudioUnit unit, UInt32 frames) {
    UInt32 before = frames_asked;
    Float32 samples[500];
    for (UInt32 done = 0; done < frames; done += 500) UNIT_OK(mix(unit, 500, samples, sizeof samples, done));
    return frames_asked - before;
}

TEST(varispeed, "Varispeed asks for frames by its rate, which cents state as well") {
    AudioUnit unit = make_speed_unit(kAudioUnitSubType_Varispeed);
    AudioUnitParameterValue value = 0;
    asked_for(unit, 1000);
    EXPECT_NEAR(asked_for(unit, 10000), 10000, 2);
    UNIT_OK(AudioUnitSetParameter(unit, kVarispeedParam_PlaybackCents, kAudioUnitScope_Global, 0, 1200, 0));
    UNIT_OK(AudioUnitGetParameter(unit, kVarispeedParam_PlaybackRate, kAudioUnitScope_Global, 0, &value));
    EXPECT_NEAR(value, 2, 1e-6);
    asked_for(unit, 1000);
    EXPECT_NEAR(asked_for(unit, 10000), 20000, 2);
    EXPECT_INTEGER(
        AudioUnitSetParameter(unit, kVarispeedParam_PlaybackRate, kAudioUnitScope_Input, 0, 1, 0), kAudioUnitErr_InvalidScope);
    EXPECT_INTEGER(AudioUnitSetParameter(unit, 2, kAudioUnitScope_Global, 0, 1, 0), kAudioUnitErr_InvalidParameter);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(time_pitch, "NewTimePitch asks for frames by its rate, whatever its pitch is") {
    AudioUnit unit = make_speed_unit(kAudioUnitSubType_NewTimePitch);
    UNIT_OK(AudioUnitSetParameter(unit, kNewTimePitchParam_Rate, kAudioUnitScope_Global, 0, 0.5f, 0));
    UNIT_OK(AudioUnitSetParameter(unit, kNewTimePitchParam_Pitch, kAudioUnitScope_Global, 0, -500, 0));
    asked_for(unit, 5000);
    EXPECT_NEAR(asked_for(unit, 50000), 25000, 1500);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}
