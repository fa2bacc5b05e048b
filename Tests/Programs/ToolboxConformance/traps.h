/* SPDX-License-Identifier: Apache-2.0 */
/* A unit, its callbacks and what they saw, for programs about the liberties that others take. */
#ifndef TRAPS_H
#define TRAPS_H

#include "toolbox.h"

/* A program's unit, and what its callbacks saw. */
struct program {
    AudioUnit unit;
    volatile int calls, inputs, faults;
    /* A callback while this is set is a fault. */
    volatile bool is_stopped;
    volatile UInt32 frames, bytes;
    double loudest;
};

static MAYBE_UNUSED void add_one(volatile int *count) { __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST); }

static MAYBE_UNUSED void begin(struct program *program, UInt32 subtype) {
    memset(program, 0, sizeof *program);
    program->unit = make_unit(kAudioUnitType_Output, subtype);
}

static MAYBE_UNUSED void begin_recording(struct program *program, UInt32 subtype, AudioStreamBasicDescription format) {
    begin(program, subtype);
    UNIT_OK(set_number(program->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(set_format(program->unit, kAudioUnitScope_Output, 1, format));
}

/* A session that records a tone. */
static MAYBE_UNUSED void begin_session_with_microphone(void) {
    write_microphone();
    setenv("AUDIOSESSION_SIMULATION_MICROPHONE", "microphone.wav", 1);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
}

static MAYBE_UNUSED void run(struct program *program) {
    UNIT_OK(AudioUnitInitialize(program->unit));
    UNIT_OK(AudioOutputUnitStart(program->unit));
}

static MAYBE_UNUSED void end(struct program *program) {
    UNIT_OK(AudioComponentInstanceDispose(program->unit));
    EXPECT_INTEGER(program->faults, 0);
}

static MAYBE_UNUSED void set_input_callback(struct program *program, AURenderCallback procedure) {
    UNIT_OK(
        set_callback(program->unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, procedure, program));
}

static MAYBE_UNUSED void hear(struct program *program, const SInt16 *samples, UInt32 frames) {
    for (UInt32 i = 0; samples && i < frames; i++) program->loudest = fmax(program->loudest, abs(samples[i]));
}

/* The program has heard the tone of the microphone, whose peak is 8,000, and nothing louder. On a machine that stands still the tone
   continues at another place, and a change of its rate exceeds the step there by up to a fifth. */
static MAYBE_UNUSED bool is_microphone(const struct program *program) {
    return program->loudest > 7700 && program->loudest < 9600;
}

/* Fills buffers of 16-bit integers with one value. */
static MAYBE_UNUSED OSStatus play_level(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
    UInt32 bus, UInt32 frames, AudioBufferList *list) {
    struct program *program = (struct program *)reference;
    SInt16 *samples = (SInt16 *)list->mBuffers[0].mData;
    (void)flags, (void)time, (void)bus;
    if (program->is_stopped) add_one(&program->faults);
    program->frames = frames;
    program->bytes = list->mBuffers[0].mDataByteSize;
    for (UInt32 i = 0; i < program->bytes / 2; i++) samples[i] = 8192;
    add_one(&program->calls);
    return 0;
}

static MAYBE_UNUSED void begin_playing(struct program *program, double rate, UInt32 channels) {
    begin(program, kAudioUnitSubType_RemoteIO);
    UNIT_OK(set_format(program->unit, kAudioUnitScope_Input, 0, int16_format(rate, channels)));
    UNIT_OK(set_render_callback(program->unit, play_level, program));
}

#endif
