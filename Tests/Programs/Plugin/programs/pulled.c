/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that call the program for each slice: the engine's table as units and queues use it. */
#include "pull.h"

TEST(sound, "A program without a session plays in constant slices, and the machine records what it plays") {
    struct puller puller;
    struct pull_format format;
    struct pull_counters counters;
    record_what_is_played();
    create_puller(&puller, PULL_OUTPUT, play_ones);
    EXPECT(engine()->pull_format(puller.stream, &format) && format.output_rate == 44100 && format.output_channels == 2);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 48000), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, 20);
    EXPECT(engine()->pull_is_running(puller.stream));
    EXPECT_INTEGER(puller.format.slice, 470);
    engine()->pull_stop(puller.stream);
    int cycles = puller.cycles;
    engine()->pull_read_counters(puller.stream, &counters);
    EXPECT_INTEGER(counters.cycles, cycles);
    EXPECT(!engine()->pull_is_running(puller.stream));
    size_t size;
    float *recording = (float *)played(&size);
    EXPECT(size >= 18 * 470 * 8);
    /* On a busy machine the device is late, and a gap is silent. */
    for (size_t i = 0; i < size / 4 && counters.underruns == 0; i++)
        if (recording[i] != 0.5f) {
            failed(__FILE__, __LINE__, "sample %zu is %g", i, recording[i]);
            break;
        }
    free(recording);
    engine()->pull_destroy(puller.stream);
    EXPECT_INTEGER(puller.cycles, cycles);
    EXPECT_INTEGER(puller.stops, 0);
}

TEST(arguments, "Arguments that make no stream are refused") {
    struct puller puller;
    struct pull_callbacks callbacks;
    void *stream = &puller;
    memset(&callbacks, 0, sizeof callbacks);
    EXPECT_INTEGER(engine()->pull_create(&callbacks, NULL, 0, &stream), -50);
    EXPECT(stream == NULL);
    EXPECT_INTEGER(engine()->pull_create(&callbacks, NULL, 4, &stream), -50);
    EXPECT_INTEGER(engine()->pull_create(NULL, NULL, PULL_OUTPUT, &stream), -50);
    EXPECT_INTEGER(engine()->pull_create(&callbacks, NULL, PULL_OUTPUT, NULL), -50);
    /* A stream without callbacks plays silence. */
    EXPECT_INTEGER(engine()->pull_create(&callbacks, NULL, PULL_OUTPUT, &stream), 0);
    EXPECT_INTEGER(engine()->pull_start(stream, 0, 48000), -50);
    EXPECT_INTEGER(engine()->pull_start(stream, 512, NAN), -50);
    EXPECT_INTEGER(engine()->pull_start(stream, 1e300, 48000), 0);
    EXPECT_INTEGER(engine()->pull_start(stream, 512, 48000), 0);
    engine()->pull_stop(stream);
    EXPECT_INTEGER(engine()->pull_start(stream, 512, 48000), 0);
    engine()->pull_destroy(stream);
    engine()->pull_destroy(NULL);
    engine()->pull_stop(NULL);
    EXPECT(!engine()->pull_is_running(NULL));
}

TEST(interruption, "An interruption stops the stream once; it starts again when the program says so") {
    struct puller puller;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    struct other other = start_other();
    create_puller(&puller, PULL_OUTPUT, play_ones);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 44100), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, 3);
    EXPECT_OK(request(other, 'c'));
    WAIT_UNTIL_COUNTED(puller.stops, 1);
    EXPECT_INTEGER(puller.reason, PULL_STOPPED_BY_INTERRUPTION);
    EXPECT(!puller.was_running_when_stopped && !engine()->pull_is_running(puller.stream));
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 44100), kAudioSessionNotActiveError);
    int cycles = puller.cycles;
    EXPECT_OK(request(other, 'e'));
    WAIT_UNTIL(events_of(0) == 2);
    EXPECT(!engine()->pull_is_running(puller.stream));
    EXPECT_INTEGER(puller.cycles, cycles);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 44100), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, cycles + 3);
    EXPECT_INTEGER(puller.stops, 1);
    end_other(other);
    engine()->pull_destroy(puller.stream);
}

TEST(deactivation, "A deactivation by the program stops the stream before its call returns, and a start activates the session") {
    struct puller puller;
    BEGIN_SESSION();
    create_puller(&puller, PULL_OUTPUT, play_ones);
    for (int round = 1; round <= 3; round++) {
        EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 44100), 0);
        EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
        EXPECT(!engine()->pull_is_running(puller.stream));
        WAIT_UNTIL_COUNTED(puller.stops, round);
    }
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT_INTEGER(puller.stops, 3);
    engine()->pull_destroy(puller.stream);
}

TEST(category, "A category without the direction refuses a start with its code, and stops a stream that runs") {
    struct puller puller;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    create_puller(&puller, PULL_OUTPUT | PULL_INPUT, play_ones);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 44100), kAudioSessionIncompatibleCategory);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 44100), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, 3);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    WAIT_UNTIL_COUNTED(puller.stops, 1);
    EXPECT_INTEGER(puller.reason, PULL_STOPPED_BY_CATEGORY);
    engine()->pull_destroy(puller.stream);
}

TEST(route, "A stream moves with the route, and the program is notified of the new format") {
    struct puller puller;
    BEGIN_SESSION();
    create_puller(&puller, PULL_OUTPUT, play_ones);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 441, 44100), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, 3);
    SIMULATE("plug usb");
    WAIT_UNTIL_COUNTED(puller.changes, 1);
    EXPECT_NUMBER(puller.format.output_rate, 48000);
    EXPECT_INTEGER(puller.format.slice, 480);
    EXPECT_NUMBER(engine()->session_hardware_rate(false), 48000);
    int cycles = puller.cycles;
    WAIT_UNTIL_COUNTED(puller.cycles, cycles + 3);
    SIMULATE("unplug usb");
    WAIT_UNTIL_COUNTED(puller.changes, 2);
    EXPECT_NUMBER(puller.format.output_rate, 44100);
    EXPECT_INTEGER(puller.stops, 0);
    engine()->pull_destroy(puller.stream);
}

TEST(slice, "While the program has units or queues, the duration of the hardware's buffer is that of their slices") {
    EXPECT_NUMBER(engine()->session_preferred_slice(), 0);
    engine()->session_set_io_slice(0.0125);
    BEGIN_SESSION();
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration), 0.0125f);
    engine()->session_set_io_slice(0.025);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration), 0.025f);
    engine()->session_set_io_slice(0);
    EXPECT(get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration) != 0.025f);
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 0.5f));
    EXPECT_NUMBER(engine()->session_preferred_slice(), 0.5);
    EXPECT_NUMBER(engine()->session_hardware_rate(false), 44100);
    EXPECT_NUMBER(engine()->session_hardware_rate(true), 0);
}

static void destroy_itself(struct puller *puller, struct pull_cycle *cycle) {
    engine()->pull_stop(puller->stream);
    engine()->pull_destroy(puller->stream);
    play_ones(puller, cycle);
}

TEST(destruction, "A stream that is destroyed in its render ends when the render has returned") {
    enum { STREAMS = 50 };
    static struct puller pullers[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        create_puller(&pullers[i], PULL_OUTPUT, destroy_itself);
        EXPECT_INTEGER(engine()->pull_start(pullers[i].stream, 64, 44100), 0);
        WAIT_UNTIL_COUNTED(pullers[i].cycles, 1);
    }
    for (int i = 0; i < STREAMS; i++) EXPECT_INTEGER(pullers[i].cycles, 1);
}

static void destroy_when_stopped(void *context, enum pull_stop_reason reason) {
    struct puller *puller = (struct puller *)context;
    engine()->pull_destroy(puller->stream);
    puller->reason = (int)reason;
    __atomic_add_fetch(&puller->stops, 1, __ATOMIC_RELEASE);
}

TEST(destruction_after_stop, "A stream that is destroyed in the callback that reports its stop renders no more") {
    struct puller puller;
    struct pull_callbacks callbacks;
    BEGIN_SESSION();
    memset(&puller, 0, sizeof puller);
    memset(&callbacks, 0, sizeof callbacks);
    puller.work = play_ones;
    callbacks.render = puller_renders;
    callbacks.configure = puller_is_configured;
    callbacks.stopped = destroy_when_stopped;
    EXPECT_INTEGER(engine()->pull_create(&callbacks, &puller, PULL_OUTPUT, &puller.stream), 0);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 512, 44100), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, 2);
    SIMULATE("server die");
    WAIT_UNTIL_COUNTED(puller.stops, 1);
    EXPECT_INTEGER(puller.reason, PULL_STOPPED_BY_DEAD_SERVER);
}

/* ---- Input ---- */

enum { MICROPHONE_FRAMES = 30000 };
static volatile bool is_wrong;

/* The samples count from 1 to the end of the file, again and again. A jump of the count of frames skips some. */
static void check_input(struct puller *puller, struct pull_cycle *cycle) {
    static uint64_t expected_frame;
    if (puller->cycles == 0) expected_frame = cycle->input_frame;
    for (uint32_t i = 0; i < cycle->input_frames && expected_frame == cycle->input_frame; i++) {
        uint64_t place = (cycle->input_frame + i) % MICROPHONE_FRAMES + 1;
        if (cycle->input[i] != (float)place / 32768) is_wrong = true;
    }
    expected_frame = cycle->input_frame + cycle->input_frames;
    play_ones(puller, cycle);
}

static void write_microphone(void) {
    static int16_t samples[MICROPHONE_FRAMES];
    static const unsigned char header[44] = {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0, 0, 0,
        1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0, 'd', 'a', 't', 'a', (MICROPHONE_FRAMES * 2) & 255,
        (MICROPHONE_FRAMES * 2) >> 8, 0, 0};
    for (int i = 0; i < MICROPHONE_FRAMES; i++) samples[i] = (int16_t)(i + 1);
    FILE *file = fopen("microphone.wav", "wb");
    REQUIRE(file && fwrite(header, sizeof header, 1, file) == 1 && fwrite(samples, sizeof samples, 1, file) == 1);
    REQUIRE(fclose(file) == 0);
    setenv("AUDIOSESSION_SIMULATION_MICROPHONE", "microphone.wav", 1);
}

TEST(input, "A cycle with both directions has the frames that the microphone has captured, in order") {
    struct puller puller;
    write_microphone();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    create_puller(&puller, PULL_OUTPUT | PULL_INPUT, check_input);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 441, 44100), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, 100);
    engine()->pull_stop(puller.stream);
    EXPECT(!is_wrong);
    EXPECT(puller.format.shares_clock && puller.format.input_rate == 44100 && puller.format.input_channels == 1);
    engine()->pull_destroy(puller.stream);
}
