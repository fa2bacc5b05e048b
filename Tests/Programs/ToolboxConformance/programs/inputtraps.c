/* SPDX-License-Identifier: Apache-2.0 */
/* Liberties that programs take with units that record and convert: each was found in programs for the platform. */
#include "traps.h"

/* ---- Lists of buffers ---- */

static OSStatus borrow(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *none) {
    struct program *program = (struct program *)reference;
    AudioBufferList list;
    (void)bus, (void)none;
    memset(&list, program->inputs % 2 ? 0xAA : 0, sizeof list);
    list.mNumberBuffers = 1;
    list.mBuffers[0].mData = NULL;
    if (AudioUnitRender(program->unit, flags, time, 1, frames, &list) != 0) add_one(&program->faults);
    if (list.mBuffers[0].mDataByteSize != frames * 2 || list.mBuffers[0].mNumberChannels != 1) add_one(&program->faults);
    hear(program, (const SInt16 *)list.mBuffers[0].mData, frames);
    add_one(&program->inputs);
    return 0;
}

TEST(borrowed, "a list without a pointer gets a buffer, its size and its channel count, whatever they were before") {
    struct program program;
    begin_session_with_microphone();
    begin_recording(&program, kAudioUnitSubType_RemoteIO, int16_format(44100, 1));
    set_input_callback(&program, borrow);
    run(&program);
    WAIT_FOR(program.inputs, 20);
    end(&program);
    EXPECT(is_microphone(&program));
}

static SInt16 own_samples[4096];
static AudioBufferList own_list;

/* The list keeps what the render before has left in it. */
static OSStatus never_restore(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *none) {
    struct program *program = (struct program *)reference;
    (void)bus, (void)none;
    if (AudioUnitRender(program->unit, flags, time, 1, frames, &own_list) != 0) add_one(&program->faults);
    if (own_list.mBuffers[0].mData != own_samples || own_list.mBuffers[0].mDataByteSize != frames * 2) add_one(&program->faults);
    hear(program, own_samples, frames);
    memset(own_samples, 0, sizeof own_samples);
    add_one(&program->inputs);
    return 0;
}

TEST(unrestored, "a list of the program takes every slice, though its size is that of the slice before") {
    struct program program;
    begin_session_with_microphone();
    /* A rate at which the frames of the hardware's periods vary. */
    begin_recording(&program, kAudioUnitSubType_RemoteIO, int16_format(16000, 1));
    own_list.mNumberBuffers = 1;
    own_list.mBuffers[0].mNumberChannels = 1;
    own_list.mBuffers[0].mDataByteSize = sizeof own_samples;
    own_list.mBuffers[0].mData = own_samples;
    set_input_callback(&program, never_restore);
    run(&program);
    WAIT_FOR(program.inputs, 20);
    end(&program);
    EXPECT(is_microphone(&program));
}

static OSStatus render_own_time(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *none) {
    struct program *program = (struct program *)reference;
    AudioTimeStamp altered = *time;
    (void)bus, (void)none;
    altered.mSampleTime = program->inputs % 2 ? -12345.5 : 1e9;
    altered.mHostTime = 0;
    altered.mFlags = kAudioTimeStampSampleTimeValid;
    own_list.mNumberBuffers = 1;
    own_list.mBuffers[0].mData = own_samples;
    own_list.mBuffers[0].mDataByteSize = sizeof own_samples;
    if (AudioUnitRender(program->unit, flags, &altered, 1, frames, &own_list) != 0) add_one(&program->faults);
    hear(program, own_samples, frames);
    add_one(&program->inputs);
    return 0;
}

TEST(own_time, "input is rendered with a time stamp that the program has altered") {
    struct program program;
    begin_session_with_microphone();
    begin_recording(&program, kAudioUnitSubType_RemoteIO, int16_format(44100, 1));
    set_input_callback(&program, render_own_time);
    run(&program);
    WAIT_FOR(program.inputs, 20);
    end(&program);
    EXPECT(is_microphone(&program));
}

/* The slice in three parts, then as a whole. */
static OSStatus render_parts(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *output) {
    struct program *program = (struct program *)reference;
    static SInt16 parts[4096];
    UInt32 sizes[] = {frames / 4, frames / 2, frames - frames / 4 - frames / 2}, done = 0;
    (void)bus, (void)output;
    own_list.mNumberBuffers = 1;
    for (int i = 0; i < 3; done += sizes[i++]) {
        own_list.mBuffers[0].mData = parts + done;
        own_list.mBuffers[0].mDataByteSize = sizes[i] * 2;
        if (AudioUnitRender(program->unit, flags, time, 1, sizes[i], &own_list) != 0) add_one(&program->faults);
    }
    own_list.mBuffers[0].mData = own_samples;
    own_list.mBuffers[0].mDataByteSize = frames * 2;
    if (AudioUnitRender(program->unit, flags, time, 1, frames, &own_list) != 0) add_one(&program->faults);
    if (memcmp(parts, own_samples, frames * 2) != 0) add_one(&program->faults);
    hear(program, parts + frames / 2, frames / 2);
    add_one(&program->calls);
    return 0;
}

TEST(parts, "a slice of input rendered in parts is the slice") {
    struct program program;
    begin_session_with_microphone();
    begin_recording(&program, kAudioUnitSubType_RemoteIO, int16_format(44100, 1));
    UNIT_OK(set_format(program.unit, kAudioUnitScope_Input, 0, int16_format(44100, 1)));
    UNIT_OK(set_render_callback(program.unit, render_parts, &program));
    run(&program);
    WAIT_FOR(program.calls, 20);
    end(&program);
    EXPECT(is_microphone(&program));
}

/* ---- Several units ---- */

static SInt16 others[1024];

static OSStatus give_own_pointer(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus;
    if (frames > 1024) return kAudioUnitErr_TooManyFramesToProcess;
    list->mBuffers[0].mData = others;
    return 0;
}

static OSStatus convert(AudioUnit converter, UInt32 frames, SInt16 *samples) {
    AudioUnitRenderActionFlags flags = 0;
    AudioTimeStamp time;
    AudioBufferList list;
    memset(&time, 0, sizeof time);
    time.mFlags = kAudioTimeStampSampleTimeValid;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = 1;
    list.mBuffers[0].mDataByteSize = frames * 2;
    list.mBuffers[0].mData = samples;
    return AudioUnitRender(converter, &flags, &time, 0, frames, &list);
}

static AudioUnit make_converter(double from, double to, AURenderCallback procedure, void *reference) {
    AudioUnit converter = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    UNIT_OK(set_format(converter, kAudioUnitScope_Input, 0, int16_format(from, 1)));
    UNIT_OK(set_format(converter, kAudioUnitScope_Output, 0, int16_format(to, 1)));
    UNIT_OK(set_render_callback(converter, procedure, reference));
    UNIT_OK(AudioUnitInitialize(converter));
    return converter;
}

TEST(replaced_pointer, "a converter reads from the pointer that its callback has put into the list") {
    AudioUnit converter = make_converter(44100, 44100, give_own_pointer, NULL);
    static SInt16 samples[512];
    for (int i = 0; i < 1024; i++) others[i] = (SInt16)(i * 7 + 1);
    for (int turn = 0; turn < 3; turn++) {
        memset(samples, 0, sizeof samples);
        UNIT_OK(convert(converter, 512, samples));
        EXPECT(memcmp(samples, others, sizeof samples) == 0);
    }
    UNIT_OK(AudioComponentInstanceDispose(converter));
}

TEST(converter_stop, "a stop or a start of a converter is an error, and the converter goes on") {
    AudioUnit converter = make_converter(44100, 44100, give_own_pointer, NULL);
    static SInt16 samples[64];
    others[0] = 4321;
    UNIT(AudioOutputUnitStop(converter), kAudio_ParamError);
    UNIT(AudioOutputUnitStart(converter), kAudio_ParamError);
    UNIT_OK(convert(converter, 64, samples));
    EXPECT_INTEGER(samples[0], 4321);
    UNIT_OK(AudioUnitUninitialize(converter));
    UNIT(AudioOutputUnitStop(converter), kAudio_ParamError);
    UNIT_OK(AudioComponentInstanceDispose(converter));
}

static AudioUnit nested_converter;

static OSStatus render_input(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)bus;
    return AudioUnitRender(((struct program *)reference)->unit, flags, time, 1, frames, list);
}

static OSStatus convert_input(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *none) {
    struct program *program = (struct program *)reference;
    (void)flags, (void)time, (void)bus, (void)none;
    if (convert(nested_converter, frames / 2, own_samples) != 0) add_one(&program->faults);
    hear(program, own_samples, frames / 2);
    add_one(&program->inputs);
    return 0;
}

TEST(nested, "an input callback renders a converter, whose callback renders the input") {
    struct program program;
    begin_session_with_microphone();
    begin_recording(&program, kAudioUnitSubType_RemoteIO, int16_format(44100, 1));
    nested_converter = make_converter(44100, 22050, render_input, &program);
    set_input_callback(&program, convert_input);
    run(&program);
    WAIT_FOR(program.inputs, 20);
    end(&program);
    UNIT_OK(AudioComponentInstanceDispose(nested_converter));
    EXPECT(is_microphone(&program));
}

/* One unit records and another one plays. */
static void expect_two_units(UInt32 subtype, bool hears_the_tone) {
    struct program recorder, player;
    begin_session_with_microphone();
    begin_recording(&recorder, subtype, int16_format(16000, 1));
    UNIT_OK(set_number(recorder.unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, 0));
    set_input_callback(&recorder, borrow);
    begin(&player, subtype);
    UNIT_OK(set_format(player.unit, kAudioUnitScope_Input, 0, int16_format(16000, 1)));
    UNIT_OK(set_render_callback(player.unit, play_level, &player));
    run(&recorder);
    run(&player);
    for (int i = 1; i <= 4; i++) {
        WAIT_FOR(recorder.inputs, 5 * i);
        WAIT_FOR(player.calls, 5 * i);
    }
    UNIT_OK(AudioOutputUnitStop(player.unit));
    player.is_stopped = true;
    int inputs = recorder.inputs;
    WAIT_FOR(recorder.inputs, inputs + 3);
    end(&recorder);
    end(&player);
    if (hears_the_tone) EXPECT(is_microphone(&recorder));
}

TEST(two_units, "one RemoteIO plays while another one, whose output is off, records; either stops alone") {
    expect_two_units(kAudioUnitSubType_RemoteIO, true);
}

/* The tone may be noise to the processor. */
TEST(two_voices, "one VoiceProcessingIO plays while another one, whose output is off, records; either stops alone") {
    expect_two_units(kAudioUnitSubType_VoiceProcessingIO, false);
}
