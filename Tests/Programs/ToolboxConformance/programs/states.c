/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a unit in each of its states, and the log of it. No sound is needed. */
#include "toolbox.h"

TEST(before_initialize, "a start and a render before AudioUnitInitialize give Uninitialized") {
    AudioUnit unit = make_io();
    AudioTimeStamp time;
    AudioBufferList list;
    memset(&time, 0, sizeof time);
    memset(&list, 0, sizeof list);
    UNIT(AudioOutputUnitStart(unit), kAudioUnitErr_Uninitialized);
    UNIT(AudioUnitRender(unit, NULL, &time, 1, 64, &list), kAudioUnitErr_Uninitialized);
    UNIT_OK(AudioOutputUnitStop(unit));
    UNIT_OK(AudioUnitUninitialize(unit));
    EXPECT_INTEGER(get_number(unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 0);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(directions, "output is on and input is off, until the program changes it before AudioUnitInitialize") {
    AudioUnit unit = make_io();
    EXPECT_INTEGER(get_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0), 1);
    EXPECT_INTEGER(get_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1), 0);
    UNIT_OK(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    EXPECT_INTEGER(get_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1), 1);
    UNIT(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 0, 1), kAudioUnitErr_InvalidElement);
    UNIT_OK(AudioUnitInitialize(unit));
    UNIT(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 0), kAudioUnitErr_Initialized);
    UNIT(set_number(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 512), kAudioUnitErr_Initialized);
    UNIT_OK(AudioUnitUninitialize(unit));
    UNIT_OK(set_number(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 512));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(default_format, "the default format is float, not interleaved, stereo, 44,100 Hz, in slices of at most 4,096 frames") {
    AudioUnit unit = make_io();
    AudioStreamBasicDescription format;
    for (UInt32 element = 0; element < 2; element++) {
        UNIT_OK(get_format(unit, element == 0 ? kAudioUnitScope_Input : kAudioUnitScope_Output, element, &format));
        EXPECT_NUMBER(format.mSampleRate, 44100);
        EXPECT_INTEGER(format.mFormatFlags, 0x29);
        EXPECT_INTEGER(format.mBytesPerFrame, 4);
        EXPECT_INTEGER(format.mChannelsPerFrame, 2);
    }
    EXPECT_INTEGER(get_number(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0), 4096);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(hardware_side, "the hardware's side shows the rate of the hardware, and cannot be set") {
    AudioUnit unit = make_io();
    AudioStreamBasicDescription format;
    UNIT_OK(get_format(unit, kAudioUnitScope_Output, 0, &format));
    EXPECT_NUMBER(format.mSampleRate, 44100);
    EXPECT_INTEGER(format.mChannelsPerFrame, 2);
    UNIT(set_format(unit, kAudioUnitScope_Output, 0, int16_format(8000, 1)), kAudioUnitErr_PropertyNotWritable);
    UNIT(set_format(unit, kAudioUnitScope_Input, 1, int16_format(8000, 1)), kAudioUnitErr_PropertyNotWritable);
    /* 0 keeps the hardware's rate, which programs read back. */
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(0, 2)));
    UNIT_OK(get_format(unit, kAudioUnitScope_Input, 0, &format));
    EXPECT_NUMBER(format.mSampleRate, 44100);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(callback_shapes, "a NULL callback of size 0 is an error; a struct with a NULL procedure removes the callback") {
    AudioUnit unit = make_io();
    UNIT(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, NULL, 0),
        kAudioUnitErr_InvalidPropertyValue);
    UNIT_OK(set_render_callback(unit, NULL, NULL));
    UNIT_OK(set_callback(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 1, NULL, NULL));
    UNIT_OK(set_callback(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Input, 0, NULL, NULL));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(volume, "the volume of an I/O unit is a parameter") {
    AudioUnit unit = make_io();
    Float32 value = 0;
    AudioUnitParameterInfo info;
    UInt32 size = sizeof info;
    UNIT_OK(AudioUnitSetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Output, 0, 0.5f, 0));
    UNIT_OK(AudioUnitGetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, &value));
    EXPECT_NUMBER(value, 0.5);
    UNIT(AudioUnitSetParameter(unit, 1, kAudioUnitScope_Output, 0, 0.5f, 0), kAudioUnitErr_InvalidParameter);
    UNIT_OK(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, 0, kHALOutputParam_Volume, &info, &size));
    EXPECT_TEXT(info.name, "Volume");
    EXPECT_INTEGER(size, sizeof info);
    AudioUnitParameterEvent event;
    memset(&event, 0, sizeof event);
    event.parameter = kHALOutputParam_Volume;
    event.eventType = kParameterEvent_Ramped;
    event.eventValues.ramp.durationInFrames = 100;
    event.eventValues.ramp.endValue = 0.25f;
    UNIT_OK(AudioUnitScheduleParameters(unit, &event, 1));
    UNIT_OK(AudioUnitGetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, &value));
    EXPECT_NUMBER(value, 0.25);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(the_log, "the log names the call, the property, the result and the likely mistake") {
    begin_log();
    AudioUnit unit = make_io();
    AudioStreamBasicDescription format = int16_format(44100, 2);
    format.mBytesPerFrame = 3;
    set_format(unit, kAudioUnitScope_Input, 0, format);
    AudioOutputUnitStart(unit);
    AudioUnitInitialize(NULL);
    set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1);
    const char *log = take_log();
    EXPECT(strstr(log, "AudioComponentInstanceNew(RemoteIO) = 0") != NULL);
    EXPECT(strstr(log,
               "AudioUnitSetProperty(RemoteIO, kAudioUnitProperty_StreamFormat, Input, 0, Linear PCM, 16 bit little-endian "
               "signed integer, 2 channels, 44100 Hz") != NULL);
    EXPECT(strstr(log,
               ") = kAudioUnitErr_FormatNotSupported (-10868): mBytesPerFrame is 3, and the samples of a frame have 4 bytes") !=
        NULL);
    EXPECT(strstr(log,
               "AudioOutputUnitStart(RemoteIO) = kAudioUnitErr_Uninitialized (-10867): AudioUnitInitialize comes first") != NULL);
    EXPECT(strstr(log, "AudioUnitInitialize(?) = kAudio_ParamError (-50): the pointer is no unit") != NULL);
    EXPECT(strstr(log, "kAudioOutputUnitProperty_EnableIO, Input, 1, 1) = 0\n") != NULL);
    if (failures) failed(__FILE__, __LINE__, "the log is: %s", log);
    AudioComponentInstanceDispose(unit);
    take_log();
}
