/* SPDX-License-Identifier: Apache-2.0 */
/* MultiChannelMixer: what AudioUnitRender gives is the sum that this program computes itself. */
#include "mixer.h"

TEST(sum, "at unity the output is the sum of inputs in any format, sample by sample") {
    AudioUnit mixer = make_mixer(5);
    AudioStreamBasicDescription formats[5] = {int16_format(44100, 2), float_format(44100, 2, 1), int16_format(44100, 1),
        fixed_format(44100, 2), float_format(44100, 1, 0)};
    struct voice voices[5];
    memset(voices, 0, sizeof voices);
    for (UInt32 i = 0; i < 5; i++) set_voice(mixer, i, formats[i], &voices[i]);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 2, 0)));
    UNIT_OK(AudioUnitInitialize(mixer));
    UInt32 sizes[] = {512, 1, 1024, 333};
    double position = 0;
    for (int turn = 0; turn < 4; turn++) {
        Float32 samples[2048];
        UNIT_OK(mix(mixer, sizes[turn], samples, sizes[turn] * 8, position));
        for (UInt32 i = 0; i < 2 * sizes[turn]; i++) {
            Float32 expected = 0;
            for (UInt32 input = 0; input < 5; input++)
                expected += voice_sample(input, (UInt32)position + i / 2, formats[input].mChannelsPerFrame == 1 ? 0 : i % 2);
            if (samples[i] != expected) return failed(__FILE__, __LINE__, "sample %u is %g, not %g", i, samples[i], expected);
        }
        position += sizes[turn];
    }
    EXPECT_INTEGER(voices[4].calls, 4);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(many, "32 inputs of 16 bits give their sum, and clip where it does not fit") {
    AudioUnit mixer = make_mixer(32);
    struct voice voices[32];
    SInt16 samples[2 * 256];
    memset(voices, 0, sizeof voices);
    for (UInt32 i = 0; i < 32; i++) set_voice(mixer, i, int16_format(44100, 2), &voices[i]);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, int16_format(44100, 2)));
    UNIT_OK(AudioUnitInitialize(mixer));
    UNIT_OK(mix(mixer, 256, samples, sizeof samples, 0));
    int clipped = 0;
    for (UInt32 i = 0; i < 512; i++) {
        int expected = 0;
        for (UInt32 input = 0; input < 32; input++) expected += voice_integer(input, i / 2, i % 2);
        if (expected > 32767 || expected < -32768) clipped++;
        expected = expected > 32767 ? 32767 : expected < -32768 ? -32768 : expected;
        if (samples[i] != expected) return failed(__FILE__, __LINE__, "sample %u is %d, not %d", i, samples[i], expected);
    }
    EXPECT(clipped > 0);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(elements, "the number of inputs is set before AudioUnitInitialize, and every input has a format of its own") {
    AudioUnit mixer = make_unit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AudioStreamBasicDescription format;
    UInt32 count = 3;
    EXPECT_INTEGER(get_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0), 8);
    EXPECT_INTEGER(get_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0), 1);
    UNIT_OK(set_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, 3));
    UNIT_OK(set_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, 1));
    Boolean can_be_set = 9;
    UNIT_OK(AudioUnitGetPropertyInfo(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, NULL, &can_be_set));
    EXPECT_INTEGER(can_be_set, 0);
    UNIT_OK(AudioUnitGetPropertyInfo(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, NULL, &can_be_set));
    EXPECT_INTEGER(can_be_set, 1);
    EXPECT_INTEGER(get_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0), 3);
    UNIT(set_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, 0), kAudioUnitErr_InvalidPropertyValue);
    UNIT(set_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, 1025), kAudioUnitErr_InvalidPropertyValue);
    UNIT(set_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, 2), kAudioUnitErr_InvalidPropertyValue);
    UNIT(AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Global, 0, &count, sizeof count),
        kAudioUnitErr_PropertyNotWritable);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Input, 1, int16_format(8000, 1)));
    UNIT(set_format(mixer, kAudioUnitScope_Input, 3, int16_format(8000, 1)), kAudioUnitErr_InvalidElement);
    UNIT_OK(get_format(mixer, kAudioUnitScope_Input, 1, &format));
    EXPECT_NUMBER(format.mSampleRate, 8000);
    UNIT_OK(get_format(mixer, kAudioUnitScope_Input, 2, &format));
    EXPECT_NUMBER(format.mSampleRate, 44100);
    UNIT(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 3, 0.5f, 0),
        kAudioUnitErr_InvalidElement);
    UNIT(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Output, 0, 0.5f, 0),
        kAudioUnitErr_InvalidParameter);
    UNIT(AudioUnitSetParameter(mixer, 7, kAudioUnitScope_Input, 0, 0.5f, 0), kAudioUnitErr_InvalidParameter);
    UNIT(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Global, 0, 0.5f, 0),
        kAudioUnitErr_InvalidScope);
    UNIT_OK(AudioUnitInitialize(mixer));
    UNIT(set_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, 4), kAudioUnitErr_Initialized);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Input, 0, int16_format(22050, 1)));
    UNIT(AudioOutputUnitStart(mixer), kAudio_ParamError);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(levels, "volume, enable and pan apply to an input, and volume to the output") {
    AudioUnit mixer = make_mixer(2);
    struct voice voices[2] = {make_voice(1, 0), make_voice(1, 0)};
    Float32 samples[2 * 64];
    for (UInt32 i = 0; i < 2; i++) set_voice(mixer, i, float_format(44100, 2, 1), &voices[i]);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 2, 0)));
    UNIT_OK(set_parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5f));
    UNIT_OK(set_parameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0, -0.5f));
    UNIT_OK(set_parameter(mixer, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 1, 0));
    UNIT_OK(AudioUnitInitialize(mixer));
    UNIT_OK(mix(mixer, 64, samples, sizeof samples, 0));
    EXPECT_NUMBER(samples[0], 0.5);
    EXPECT_NUMBER(samples[1], 0.25);
    EXPECT_INTEGER(voices[0].calls, 1);
    EXPECT_INTEGER(voices[1].calls, 0);
    UNIT_OK(set_parameter(mixer, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(set_parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, 0.5f));
    UNIT_OK(mix(mixer, 64, samples, sizeof samples, 64));
    /* A change takes a slice, in equal steps. */
    for (int i = 1; i < 64; i++) EXPECT(fabsf(samples[2 * i] - samples[2 * i - 2]) < 0.03f);
    UNIT_OK(mix(mixer, 64, samples, sizeof samples, 128));
    EXPECT_NUMBER(samples[0], 0.75);
    EXPECT_NUMBER(samples[127], 0.625);
    UNIT_OK(set_parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 7));
    EXPECT_NUMBER(get_parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0), 7);
    UNIT(set_parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, NAN), kAudioUnitErr_InvalidParameter);
    UNIT(set_parameter(mixer, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0, 0),
        kAudioUnitErr_InvalidParameter);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(ramp, "a scheduled ramp begins and ends at its frames") {
    AudioUnit mixer = make_mixer(1);
    struct voice voice = make_voice(1, 0);
    Float32 samples[4 * 500];
    AudioUnitParameterEvent event;
    set_voice(mixer, 0, float_format(44100, 1, 0), &voice);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(AudioUnitInitialize(mixer));
    UNIT_OK(mix(mixer, 500, samples, 2000, 0));
    EXPECT_NUMBER(samples[499], 1);
    memset(&event, 0, sizeof event);
    event.scope = kAudioUnitScope_Input;
    event.parameter = kMultiChannelMixerParam_Volume;
    event.eventType = kParameterEvent_Ramped;
    event.eventValues.ramp.startBufferOffset = 100;
    event.eventValues.ramp.durationInFrames = 800;
    event.eventValues.ramp.startValue = 1;
    event.eventValues.ramp.endValue = 0.25f;
    UNIT_OK(AudioUnitScheduleParameters(mixer, &event, 1));
    for (int i = 0; i < 4; i++) UNIT_OK(mix(mixer, 500, samples + 500 * i, 2000, 500 + 500 * i));
    for (int i = 0; i < 2000; i++) {
        double expected = i < 100 ? 1 : i < 900 ? 1 - 0.75 * (i - 100) / 800 : 0.25;
        if (fabs(samples[i] - expected) > 1e-6)
            return failed(__FILE__, __LINE__, "frame %d is %g, not %g", i, samples[i], expected);
    }
    event.eventType = 9;
    UNIT(AudioUnitScheduleParameters(mixer, &event, 1), kAudio_ParamError);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(rates, "inputs of other rates keep their level, and are asked for as many frames as they have time for") {
    AudioUnit mixer = make_mixer(3);
    struct voice voices[3] = {make_voice(0.25f, 0), make_voice(0.5f, 0), make_voice(0.125f, 0)};
    static Float32 samples[44100];
    set_voice(mixer, 0, float_format(22050, 1, 0), &voices[0]);
    set_voice(mixer, 1, float_format(44100, 1, 0), &voices[1]);
    set_voice(mixer, 2, int16_format(48000, 1), &voices[2]);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(AudioUnitInitialize(mixer));
    for (int i = 0; i < 44100; i += 441) UNIT_OK(mix(mixer, 441, samples + i, 441 * 4, i));
    for (int i = 2000; i < 44100; i++)
        if (fabs(samples[i] - 0.875) > 1e-3) return failed(__FILE__, __LINE__, "frame %d is %g", i, samples[i]);
    EXPECT(voices[0].frames > 22050 - 512 && voices[0].frames < 22050 + 512);
    EXPECT_INTEGER(voices[1].frames, 44100);
    EXPECT(voices[2].frames > 48000 - 512 && voices[2].frames < 48000 + 512);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(meters, "meters show decibels before and behind the volume, while they are on") {
    AudioUnit mixer = make_mixer(2);
    struct voice voices[2] = {make_voice(0.5f, 0), make_voice(0.25f, 0)};
    Float32 samples[441];
    for (UInt32 i = 0; i < 2; i++) set_voice(mixer, i, float_format(44100, 1, 0), &voices[i]);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_number(mixer, kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, 1));
    UNIT_OK(set_number(mixer, kAudioUnitProperty_MeteringMode, kAudioUnitScope_Output, 0, 1));
    UNIT_OK(set_parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5f));
    UNIT_OK(AudioUnitInitialize(mixer));
    for (int i = 0; i < 100; i++) UNIT_OK(mix(mixer, 441, samples, sizeof samples, i * 441));
    EXPECT_NEAR(get_parameter(mixer, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0), -6.02, 0.05);
    EXPECT_NEAR(get_parameter(mixer, kMultiChannelMixerParam_PrePeakHoldLevel, kAudioUnitScope_Input, 0), -6.02, 0.05);
    EXPECT_NEAR(get_parameter(mixer, kMultiChannelMixerParam_PostAveragePower, kAudioUnitScope_Input, 0), -12.04, 0.05);
    EXPECT_NEAR(get_parameter(mixer, kMultiChannelMixerParam_PostPeakHoldLevel, kAudioUnitScope_Output, 0), -6.02, 0.05);
    EXPECT_NUMBER(get_parameter(mixer, kMultiChannelMixerParam_PreAveragePower + 1, kAudioUnitScope_Input, 0), -120);
    EXPECT_NUMBER(get_parameter(mixer, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 1), -120);
    UNIT_OK(set_number(mixer, kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, 0));
    EXPECT_NUMBER(get_parameter(mixer, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0), -120);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(sources, "an input without a source, or with one that fails, is silent") {
    AudioUnit mixer = make_mixer(3);
    struct voice voices[2] = {make_voice(0.5f, 0), make_voice(0.25f, 4711)};
    Float32 samples[64];
    AudioUnitRenderActionFlags flags = 0;
    OSStatus error = 0;
    UInt32 size = sizeof error;
    for (UInt32 i = 0; i < 2; i++) set_voice(mixer, i, float_format(44100, 1, 0), &voices[i]);
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(AudioUnitInitialize(mixer));
    UNIT_OK(mix(mixer, 64, samples, sizeof samples, 0));
    EXPECT_NUMBER(samples[63], 0.5);
    UNIT_OK(AudioUnitGetProperty(mixer, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, &error, &size));
    EXPECT_INTEGER(error, 4711);
    UNIT_OK(set_callback(mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, NULL, NULL));
    UNIT_OK(mix_with_flags(mixer, &flags, 64, samples, sizeof samples, 64));
    EXPECT(flags & kAudioUnitRenderAction_OutputIsSilence);
    EXPECT_NUMBER(samples[63], 0);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}

TEST(connection, "another unit feeds an input by a connection, in its own format") {
    AudioUnit mixer = make_mixer(2), converter = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    struct voice voices[2] = {make_voice(0.5f, 0), make_voice(0.25f, 0)};
    AudioUnitConnection connection = {converter, 0, 1};
    AudioStreamBasicDescription format;
    Float32 samples[64];
    set_voice(mixer, 0, float_format(44100, 1, 0), &voices[0]);
    set_voice(converter, 0, float_format(44100, 1, 0), &voices[1]);
    UNIT_OK(set_format(converter, kAudioUnitScope_Output, 0, int16_format(44100, 1)));
    UNIT_OK(AudioUnitInitialize(converter));
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(
        AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 1, &connection, sizeof connection));
    UNIT_OK(get_format(mixer, kAudioUnitScope_Input, 1, &format));
    EXPECT_INTEGER(format.mBitsPerChannel, 16);
    connection.destInputNumber = 2;
    UNIT(AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 1, &connection, sizeof connection),
        kAudioUnitErr_InvalidPropertyValue);
    UNIT_OK(AudioUnitInitialize(mixer));
    UNIT_OK(mix(mixer, 64, samples, sizeof samples, 0));
    EXPECT_NUMBER(samples[63], 0.75);
    UNIT_OK(AudioComponentInstanceDispose(converter));
    UNIT_OK(mix(mixer, 64, samples, sizeof samples, 64));
    EXPECT_NUMBER(samples[63], 0.5);
    UNIT_OK(AudioComponentInstanceDispose(mixer));
}
