/* SPDX-License-Identifier: Apache-2.0 */
/* Liberties that programs take with units that play, and that have to work: each was found in programs for the platform. */
#include "traps.h"

/* ---- Order of calls ---- */

TEST(no_callback_after_stop, "no callback runs after AudioOutputUnitStop has returned, and a start goes on") {
    struct program program;
    begin_playing(&program, 44100, 2);
    UNIT_OK(AudioUnitInitialize(program.unit));
    for (int i = 0; i < 20; i++) {
        int calls = program.calls;
        program.is_stopped = false;
        UNIT_OK(AudioOutputUnitStart(program.unit));
        WAIT_FOR(program.calls, calls + 2);
        UNIT_OK(AudioOutputUnitStop(program.unit));
        program.is_stopped = true;
    }
    end(&program);
}

static struct program interrupted;

static void stop_and_start(void *data, UInt32 state) {
    record_interruption(data, state);
    if (state == kAudioSessionBeginInterruption) {
        UNIT_OK(AudioOutputUnitStop(interrupted.unit));
        interrupted.is_stopped = true;
        EXPECT_OK(AudioSessionSetActive(false));
    } else {
        interrupted.is_stopped = false;
        EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
        EXPECT_OK(AudioSessionSetActive(true));
        UNIT_OK(AudioOutputUnitStart(interrupted.unit));
    }
}

TEST(interruption_listener, "an interruption listener stops the unit and deactivates the session, and starts both at the end") {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, stop_and_start, NULL));
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    begin_playing(&interrupted, 44100, 2);
    run(&interrupted);
    WAIT_FOR(interrupted.calls, 3);
    SIMULATE("interrupt begin");
    WAIT_UNTIL(events_of(0) == 1);
    int calls = interrupted.calls;
    SIMULATE("interrupt end");
    WAIT_UNTIL(events_of(0) == 2);
    WAIT_FOR(interrupted.calls, calls + 3);
    EXPECT_INTEGER(get_number(interrupted.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 1);
    end(&interrupted);
}

TEST(late_format, "a format that is set after AudioUnitInitialize, or while the unit runs, is that of the next callbacks") {
    struct program program;
    begin_playing(&program, 44100, 2);
    UNIT_OK(AudioUnitInitialize(program.unit));
    UNIT_OK(set_format(program.unit, kAudioUnitScope_Input, 0, int16_format(22050, 1)));
    UNIT_OK(AudioOutputUnitStart(program.unit));
    WAIT_FOR(program.calls, 3);
    EXPECT_INTEGER(program.bytes, program.frames * 2);
    UNIT_OK(set_format(program.unit, kAudioUnitScope_Input, 0, int16_format(48000, 2)));
    int calls = program.calls;
    /* A callback may have begun before. */
    WAIT_FOR(program.calls, calls + 3);
    UNIT_OK(AudioOutputUnitStop(program.unit));
    EXPECT_INTEGER(program.bytes, program.frames * 4);
    end(&program);
}

TEST(uninitialize_first, "AudioUnitUninitialize stops a unit that runs, and the stop after it is harmless") {
    struct program program;
    begin_playing(&program, 44100, 2);
    run(&program);
    WAIT_FOR(program.calls, 3);
    UNIT_OK(AudioUnitUninitialize(program.unit));
    program.is_stopped = true;
    EXPECT_INTEGER(get_number(program.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 0);
    UNIT_OK(AudioOutputUnitStop(program.unit));
    end(&program);
}

static OSStatus count_input(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)flags, (void)time, (void)bus, (void)frames, (void)list;
    add_one(&((struct program *)reference)->inputs);
    return 0;
}

TEST(places, "callbacks are called wherever they were set: in any scope, of either element") {
    static const UInt32 places[][2] = {{kAudioUnitScope_Input, 0}, {kAudioUnitScope_Global, 1}, {kAudioUnitScope_Global, 0},
        {kAudioUnitScope_Output, 1}, {kAudioUnitScope_Output, 0}};
    begin_session_with_microphone();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct program program;
        begin_recording(&program, kAudioUnitSubType_RemoteIO, int16_format(44100, 1));
        UNIT_OK(set_format(program.unit, kAudioUnitScope_Input, 0, int16_format(44100, 1)));
        UNIT_OK(
            set_callback(program.unit, kAudioUnitProperty_SetRenderCallback, places[i][0], places[i][1], play_level, &program));
        UNIT_OK(set_callback(
            program.unit, kAudioOutputUnitProperty_SetInputCallback, places[i][0], places[i][1], count_input, &program));
        run(&program);
        WAIT_FOR(program.calls, 2);
        WAIT_FOR(program.inputs, 2);
        end(&program);
    }
}

TEST(layout, "a channel layout is kept, and one that is longer than its bytes is refused") {
    AudioUnit unit = make_io();
    AudioChannelLayout layout;
    UInt32 size = sizeof layout;
    memset(&layout, 0, sizeof layout);
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono;
    UNIT_OK(AudioUnitSetProperty(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Input, 0, &layout, size));
    layout.mChannelLayoutTag = 0;
    UNIT_OK(AudioUnitGetProperty(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Input, 0, &layout, &size));
    EXPECT_INTEGER(layout.mChannelLayoutTag, kAudioChannelLayoutTag_Mono);
    layout.mNumberChannelDescriptions = 9;
    UNIT(AudioUnitSetProperty(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Input, 0, &layout, sizeof layout),
        kAudioUnitErr_InvalidPropertyValue);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

/* ---- What is played ---- */

/* Counts the frames of what was played in which both channels have these levels, and those that are not silent. */
static size_t frames_of(float left, float right, size_t *sounds) {
    size_t frames, count = 0;
    UInt32 rate, channels;
    float *samples = read_wave("played.wav", &frames, &rate, &channels);
    REQUIRE(samples != NULL);
    REQUIRE(channels == 2);
    *sounds = 0;
    for (size_t i = 0; i < frames; i++) {
        if (samples[2 * i] != 0 || samples[2 * i + 1] != 0) ++*sounds;
        if (fabsf(samples[2 * i] - left) < 0.0005f && fabsf(samples[2 * i + 1] - right) < 0.0005f) count++;
    }
    free(samples);
    return count;
}

enum { SILENT_CALLS = 15 };

/* Fills nothing, then fails, then says that there is nothing; at last it plays. */
static OSStatus play_nothing(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    struct program *program = (struct program *)reference;
    int way = program->calls % 3;
    if (program->calls >= SILENT_CALLS) return play_level(reference, flags, time, bus, frames, list);
    if (way == 0) return add_one(&program->calls), 0;
    play_level(reference, flags, time, bus, frames, list);
    if (way == 2) list->mBuffers[0].mDataByteSize = 0;
    return way == 1 ? -1 : 0;
}

TEST(nothing_to_play, "a callback that fills nothing, fails or sets the size 0 plays silence, and the next one is called") {
    struct program program;
    size_t sounds;
    setenv("AUDIOSESSION_SIMULATION_WAV", "played.wav", 1);
    begin(&program, kAudioUnitSubType_RemoteIO);
    UNIT_OK(set_format(program.unit, kAudioUnitScope_Input, 0, int16_format(44100, 2)));
    UNIT_OK(set_render_callback(program.unit, play_nothing, &program));
    run(&program);
    WAIT_FOR(program.calls, SILENT_CALLS + 10);
    end(&program);
    EXPECT(frames_of(0.25f, 0.25f, &sounds) > 2 * program.frames);
    EXPECT(sounds <= (size_t)(program.calls - SILENT_CALLS) * program.frames);
}

/* Two buffers of floats. */
static OSStatus play_floats(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    struct program *program = (struct program *)reference;
    (void)flags, (void)time, (void)bus;
    if (list->mNumberBuffers != 2 || list->mBuffers[0].mDataByteSize != frames * 4) {
        add_one(&program->faults);
        return 0;
    }
    /* The list declares one buffer; the second one follows it. */
    const AudioBuffer *buffers = list->mBuffers;
    for (UInt32 i = 0; i < frames; i++) {
        ((Float32 *)buffers[0].mData)[i] = 0.25f;
        ((Float32 *)buffers[1].mData)[i] = -0.5f;
    }
    program->frames = frames;
    add_one(&program->calls);
    return 0;
}

TEST(no_format, "a program that sets no format fills two buffers with floats, and they are the left and the right channel") {
    struct program program;
    size_t sounds;
    setenv("AUDIOSESSION_SIMULATION_WAV", "played.wav", 1);
    begin(&program, kAudioUnitSubType_RemoteIO);
    UNIT_OK(set_render_callback(program.unit, play_floats, &program));
    run(&program);
    WAIT_FOR(program.calls, 20);
    end(&program);
    EXPECT(frames_of(0.25f, -0.5f, &sounds) > 5 * program.frames);
}

TEST(volume, "the volume of an I/O unit is that of what it plays") {
    struct program program;
    size_t sounds;
    setenv("AUDIOSESSION_SIMULATION_WAV", "played.wav", 1);
    begin_playing(&program, 44100, 2);
    UNIT_OK(AudioUnitSetParameter(program.unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, 0.5f, 0));
    run(&program);
    WAIT_FOR(program.calls, 20);
    end(&program);
    EXPECT(frames_of(0.125f, 0.125f, &sounds) > 5 * program.frames);
}

/* ---- Threads and slices ---- */

static OSStatus turn_a_loop(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    SInt32 result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 0);
    if (result != kCFRunLoopRunFinished && result != kCFRunLoopRunTimedOut) add_one(&((struct program *)reference)->faults);
    return play_level(reference, flags, time, bus, frames, list);
}

TEST(loop_in_a_callback, "a callback may turn a run loop of its thread, and returns from it") {
    struct program program;
    begin_playing(&program, 44100, 2);
    UNIT_OK(set_render_callback(program.unit, turn_a_loop, &program));
    run(&program);
    WAIT_FOR(program.calls, 20);
    end(&program);
}

TEST(blocks, "a preferred duration of whole blocks of 64 frames gives slices of as many") {
    static const UInt32 blocks[] = {4, 6, 8, 16};
    BEGIN_SESSION();
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct program program;
        Float32 duration = (Float32)(64 * blocks[i]) / 44100;
        EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, duration));
        begin_playing(&program, 44100, 2);
        run(&program);
        WAIT_FOR(program.calls, 3);
        UNIT_OK(AudioOutputUnitStop(program.unit));
        EXPECT_INTEGER(program.frames, 64 * blocks[i]);
        end(&program);
    }
}
