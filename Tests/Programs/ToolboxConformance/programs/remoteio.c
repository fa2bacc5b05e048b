/* SPDX-License-Identifier: Apache-2.0 */
/* RemoteIO on a simulated machine, which records what is played: pitch, gaps and silence in numbers. */
#include "toolbox.h"

static double level_of(const float *samples, size_t count, double frequency, double rate, double *worst) {
    double sine = 0, cosine = 0;
    for (size_t i = 0; i < count; i++) {
        sine += samples[2 * i] * sin(2 * M_PI * frequency * (double)i / rate) * 2 / (double)count;
        cosine += samples[2 * i] * cos(2 * M_PI * frequency * (double)i / rate) * 2 / (double)count;
    }
    *worst = 0;
    for (size_t i = 0; i < count; i++) {
        double phase = 2 * M_PI * frequency * (double)i / rate;
        *worst = fmax(*worst, fabs(samples[2 * i] - sine * sin(phase) - cosine * cos(phase)));
    }
    return sqrt(sine * sine + cosine * cosine);
}

struct player {
    double phase, step;
    volatile int calls;
    UInt32 frames;
    double next_time;
    UInt64 last_host_time;
    volatile int faults;
    /* The time of a start or of another device can lie before what the one before had still to play. */
    volatile int returns;
    /* Frames were lost: on a busy machine the device waits. */
    volatile int gaps;
    double lost;
    volatile int stop_after;
    AudioUnit unit;
};

static OSStatus play_tone(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    struct player *player = (struct player *)reference;
    SInt16 *samples = (SInt16 *)list->mBuffers[0].mData;
    (void)flags;
    if (player->calls == 0) player->frames = frames;
    if (bus != 0 || frames != player->frames || list->mBuffers[0].mDataByteSize != frames * 4) player->faults++;
    if (time->mSampleTime < player->next_time) player->faults++;
    if (time->mSampleTime > player->next_time) player->gaps++, player->lost += time->mSampleTime - player->next_time;
    if (time->mHostTime <= player->last_host_time) player->returns++;
    if ((time->mFlags & 7) != 7) player->faults++;
    player->next_time = time->mSampleTime + frames;
    player->last_host_time = time->mHostTime;
    for (UInt32 i = 0; i < frames; i++, player->phase += player->step)
        samples[2 * i] = samples[2 * i + 1] = (SInt16)lrint(16000 * sin(player->phase));
    __atomic_add_fetch(&player->calls, 1, __ATOMIC_SEQ_CST);
    if (player->stop_after && player->calls == player->stop_after) UNIT_OK(AudioOutputUnitStop(player->unit));
    return 0;
}

static void prepare(struct player *player, double rate) {
    memset(player, 0, sizeof *player);
    player->step = 2 * M_PI * 1000 / rate;
    player->next_time = 0;
    player->unit = make_io();
    UNIT_OK(set_format(player->unit, kAudioUnitScope_Input, 0, int16_format(rate, 2)));
    UNIT_OK(set_render_callback(player->unit, play_tone, player));
    UNIT_OK(AudioUnitInitialize(player->unit));
}

TEST(pitch, "a tone of 48,000 Hz is played at its pitch on hardware of 44,100 Hz, without a gap") {
    struct player player;
    size_t frames, first = 0;
    UInt32 rate, channels;
    double worst, largest = 0;
    int bad = 0;
    setenv("AUDIOSESSION_SIMULATION_WAV", "played.wav", 1);
    prepare(&player, 48000);
    EXPECT_INTEGER(get_number(player.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 0);
    UNIT_OK(AudioOutputUnitStart(player.unit));
    EXPECT_INTEGER(get_number(player.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 1);
    WAIT_FOR(player.calls, 40);
    UNIT_OK(AudioOutputUnitStop(player.unit));
    int calls = player.calls;
    EXPECT_INTEGER(player.faults, 0);
    EXPECT_INTEGER(player.returns, 0);
    EXPECT_INTEGER(player.frames, 1024);
    UNIT_OK(AudioComponentInstanceDispose(player.unit));
    EXPECT_INTEGER(player.calls, calls);
    float *samples = read_wave("played.wav", &frames, &rate, &channels);
    REQUIRE(samples && frames > 30000);
    EXPECT_INTEGER(channels, 2);
    EXPECT_INTEGER(rate, 44100);
    while (first < frames && samples[2 * first] == 0) first++;
    first += 2000;
    /* In parts of a twentieth of a second: the tone, but for the parts of each gap. */
    for (size_t part = first; part + 2205 <= first + 22050; part += 2205) {
        double level = level_of(samples + 2 * part, 2205, 1000, rate, &worst);
        if (worst > largest) largest = worst;
        if (fabs(level - 16000.0 / 32768) > 0.001 || worst > 0.001) bad++;
    }
    if (bad > 2 * player.gaps + player.lost / 48000 * 20)
        failed(__FILE__, __LINE__, "%d of 10 parts are not the tone, with %d gaps of %g frames; the largest difference is %g",
            bad, player.gaps, player.lost, largest);
    free(samples);
}

TEST(stop_inside, "a stop inside the callback returns at once, and that callback is the last one") {
    struct player player;
    prepare(&player, 44100);
    player.stop_after = 5;
    UNIT_OK(AudioOutputUnitStart(player.unit));
    WAIT_FOR(player.calls, 5);
    UNIT_OK(AudioOutputUnitStop(player.unit));
    EXPECT_INTEGER(player.calls, 5);
    EXPECT_INTEGER(get_number(player.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 0);
    player.stop_after = 0;
    player.next_time = 0;
    UNIT_OK(AudioOutputUnitStart(player.unit));
    WAIT_FOR(player.calls, 10);
    /* Disposed while it runs. */
    UNIT_OK(AudioComponentInstanceDispose(player.unit));
    int calls = player.calls;
    UNIT(AudioOutputUnitStop(player.unit), kAudio_ParamError);
    EXPECT_INTEGER(player.calls, calls);
}

static volatile int running_changes;

static void notice_running(void *data, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
    (void)data, (void)unit, (void)id, (void)scope, (void)element;
    __atomic_add_fetch(&running_changes, 1, __ATOMIC_SEQ_CST);
}

TEST(interruption, "an interruption stops the unit and calls its listener; nothing starts again by itself") {
    struct player player;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    prepare(&player, 44100);
    UNIT_OK(AudioUnitAddPropertyListener(player.unit, kAudioOutputUnitProperty_IsRunning, notice_running, NULL));
    UNIT_OK(AudioOutputUnitStart(player.unit));
    WAIT_FOR(running_changes, 1);
    WAIT_FOR(player.calls, 3);
    SIMULATE("interrupt begin");
    WAIT_FOR(running_changes, 2);
    EXPECT_INTEGER(get_number(player.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 0);
    int calls = player.calls;
    UNIT_OK(AudioOutputUnitStop(player.unit));
    SIMULATE("interrupt end");
    WAIT_UNTIL(events_of(0) == 2);
    EXPECT_INTEGER(get_number(player.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 0);
    EXPECT_INTEGER(player.calls, calls);
    player.next_time = 0;
    UNIT_OK(AudioOutputUnitStart(player.unit));
    WAIT_FOR(player.calls, calls + 3);
    EXPECT_INTEGER(player.faults, 0);
    UNIT_OK(AudioComponentInstanceDispose(player.unit));
}

TEST(route, "a unit goes on when the route changes, and its hardware's side follows") {
    struct player player;
    AudioStreamBasicDescription format;
    BEGIN_SESSION();
    prepare(&player, 22050);
    UNIT_OK(AudioUnitAddPropertyListener(player.unit, kAudioUnitProperty_StreamFormat, notice_running, NULL));
    UNIT_OK(AudioOutputUnitStart(player.unit));
    WAIT_FOR(player.calls, 3);
    SIMULATE("plug usb");
    WAIT_FOR(running_changes, 1);
    UNIT_OK(get_format(player.unit, kAudioUnitScope_Output, 0, &format));
    EXPECT_NUMBER(format.mSampleRate, 48000);
    UNIT_OK(get_format(player.unit, kAudioUnitScope_Input, 0, &format));
    EXPECT_NUMBER(format.mSampleRate, 22050);
    int calls = player.calls;
    WAIT_FOR(player.calls, calls + 5);
    EXPECT_INTEGER(get_number(player.unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 1);
    EXPECT_INTEGER(player.faults, 0);
    EXPECT(player.returns <= 1);
    UNIT_OK(AudioComponentInstanceDispose(player.unit));
}

TEST(category, "a start that the session refuses gives the session's own result code") {
    AudioUnit unit = make_io();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    UNIT_OK(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(AudioUnitInitialize(unit));
    UNIT(AudioOutputUnitStart(unit), kAudioSessionIncompatibleCategory);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    UNIT_OK(AudioOutputUnitStart(unit));
    UNIT_OK(AudioOutputUnitStop(unit));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(slice, "the slice is the preferred duration of the session, and the session publishes it while the unit exists") {
    struct player player;
    BEGIN_SESSION();
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 512.0f / 44100));
    prepare(&player, 44100);
    UNIT_OK(AudioOutputUnitStart(player.unit));
    WAIT_FOR(player.calls, 5);
    EXPECT_INTEGER(player.frames, 512);
    EXPECT(fabs(get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration) - 512.0 / 44100) < 1e-6);
    EXPECT_INTEGER(player.faults, 0);
    UNIT_OK(AudioComponentInstanceDispose(player.unit));
}

/* ---- input ---- */

struct recorder {
    AudioUnit unit;
    volatile int calls, faults;
    UInt32 frames;
    double level;
};

/* Without a buffer of its own, and with whatever was in the list. */
static OSStatus record(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *none) {
    struct recorder *recorder = (struct recorder *)reference;
    AudioBufferList list;
    if (recorder->calls == 0) recorder->frames = frames;
    if (none || bus != 1 || frames != recorder->frames) recorder->faults++;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = 99;
    list.mBuffers[0].mDataByteSize = frames;
    list.mBuffers[0].mData = NULL;
    if (AudioUnitRender(recorder->unit, flags, time, 1, frames, &list) != 0) recorder->faults++;
    if (list.mBuffers[0].mDataByteSize != frames * 2 || !list.mBuffers[0].mData) recorder->faults++;
    const SInt16 *samples = (const SInt16 *)list.mBuffers[0].mData;
    for (UInt32 i = 0; samples && i < frames; i++) recorder->level = fmax(recorder->level, fabs(samples[i] / 32768.0));
    __atomic_add_fetch(&recorder->calls, 1, __ATOMIC_SEQ_CST);
    return 0;
}

TEST(recording, "an input unit is called for each slice and gets the sound of the microphone") {
    struct recorder recorder;
    memset(&recorder, 0, sizeof recorder);
    write_microphone();
    setenv("AUDIOSESSION_SIMULATION_MICROPHONE", "microphone.wav", 1);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    recorder.unit = make_io();
    UNIT_OK(set_number(recorder.unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(set_number(recorder.unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, 0));
    UNIT_OK(set_format(recorder.unit, kAudioUnitScope_Output, 1, int16_format(16000, 1)));
    UNIT_OK(set_callback(recorder.unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, record, &recorder));
    UNIT_OK(AudioUnitInitialize(recorder.unit));
    UNIT_OK(AudioOutputUnitStart(recorder.unit));
    WAIT_FOR(recorder.calls, 20);
    UNIT_OK(AudioOutputUnitStop(recorder.unit));
    EXPECT_INTEGER(recorder.faults, 0);
    EXPECT(fabs(recorder.level - 8000.0 / 32768) < 0.01);
    UNIT_OK(AudioComponentInstanceDispose(recorder.unit));
}

static OSStatus echo(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    struct recorder *recorder = (struct recorder *)reference;
    (void)bus;
    if (AudioUnitRender(recorder->unit, flags, time, 1, frames, list) != 0) recorder->faults++;
    const SInt16 *samples = (const SInt16 *)list->mBuffers[0].mData;
    for (UInt32 i = 0; i < frames; i++) recorder->level = fmax(recorder->level, fabs(samples[i] / 32768.0));
    __atomic_add_fetch(&recorder->calls, 1, __ATOMIC_SEQ_CST);
    return 0;
}

TEST(through, "input rendered in the output callback, into the output's own buffers, is what is played") {
    struct recorder recorder;
    size_t frames;
    UInt32 rate, channels;
    double loudest = 0;
    memset(&recorder, 0, sizeof recorder);
    write_microphone();
    setenv("AUDIOSESSION_SIMULATION_MICROPHONE", "microphone.wav", 1);
    setenv("AUDIOSESSION_SIMULATION_WAV", "played.wav", 1);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    recorder.unit = make_io();
    UNIT_OK(set_number(recorder.unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(set_format(recorder.unit, kAudioUnitScope_Output, 1, int16_format(44100, 1)));
    UNIT_OK(set_format(recorder.unit, kAudioUnitScope_Input, 0, int16_format(44100, 1)));
    UNIT_OK(set_render_callback(recorder.unit, echo, &recorder));
    UNIT_OK(AudioUnitInitialize(recorder.unit));
    UNIT_OK(AudioOutputUnitStart(recorder.unit));
    WAIT_FOR(recorder.calls, 20);
    UNIT_OK(AudioComponentInstanceDispose(recorder.unit));
    EXPECT_INTEGER(recorder.faults, 0);
    EXPECT(fabs(recorder.level - 8000.0 / 32768) < 0.01);
    float *samples = read_wave("played.wav", &frames, &rate, &channels);
    REQUIRE(samples && frames > 10000);
    for (size_t i = 0; i < channels * frames; i++) loudest = fmax(loudest, fabs(samples[i]));
    EXPECT(fabs(loudest - 8000.0 / 32768) < 0.01);
    free(samples);
}
