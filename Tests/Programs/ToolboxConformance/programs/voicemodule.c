/* SPDX-License-Identifier: Apache-2.0 */
/* The module of the voice processing: what loads it, and a voice unit without it. */
#include "traps.h"

static bool has_loaded(const char *name) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    bool found = false;
    REQUIRE(maps != NULL);
    while (!found && fgets(line, sizeof line, maps)) found = strstr(line, name) != NULL;
    fclose(maps);
    return found;
}

static OSStatus receive(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    struct program *program = (struct program *)reference;
    AudioBufferList own = {1, {{1, 0, NULL}}};
    (void)list;
    if (AudioUnitRender(program->unit, flags, time, bus, frames, &own) != 0) add_one(&program->faults);
    hear(program, (const SInt16 *)own.mBuffers[0].mData, frames);
    add_one(&program->inputs);
    return 0;
}

/* A unit records the tone of the microphone. */
static void record(UInt32 subtype) {
    struct program program;
    begin_recording(&program, subtype, int16_format(44100, 1));
    UNIT_OK(set_number(program.unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, 0));
    set_input_callback(&program, receive);
    run(&program);
    WAIT_FOR(program.inputs, 20);
    UNIT_OK(AudioOutputUnitStop(program.unit));
    end(&program);
    EXPECT(program.loudest > 1000);
}

TEST(loading, "libspeexdsp is loaded with the first voice unit, and not before") {
    begin_session_with_microphone();
    record(kAudioUnitSubType_RemoteIO);
    EXPECT(!has_loaded("libspeexdsp"));
    record(kAudioUnitSubType_VoiceProcessingIO);
    EXPECT(has_loaded("libspeexdsp"));
}

TEST(missing, "without its module a voice unit records the microphone, and one line says what is missing") {
    begin_session_with_microphone();
    setenv("AUDIOTOOLBOX_VOICE", "/nonexistent", 1);
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    record(kAudioUnitSubType_VoiceProcessingIO);
    record(kAudioUnitSubType_VoiceProcessingIO);
    const char *log_ = take_log();
    EXPECT(strstr(log_, "VoiceProcessingIO removes no echo") != NULL &&
        strstr(log_, "install the package libaudiotoolbox0") != NULL);
    EXPECT(strchr(log_, '\n') != NULL && strchr(log_, '\n')[1] == 0);
    EXPECT(!has_loaded("libspeexdsp"));
}
