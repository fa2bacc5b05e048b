/* SPDX-License-Identifier: Apache-2.0 */
/* The ALSA plug-in: a program opens it, plays and records through libasound, and closes it, while calls of the plug-in
   fail. The program gets an error of ALSA or notices nothing. The next stream plays. */
#include "failures.h"

#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { PERIOD = 48, BUFFER = 192, FRAMES = 480, TURN_MS = 20 };

/* The symbol by which libasound recognizes the plug-in. */
extern void *__snd_pcm_audiosession_open_dlsym_pcm_001(void);

static int16_t sound[FRAMES * 2];
static snd_pcm_t *pcm;
/* The first error that ALSA returned. */
static int first_error;
/* The frames that the stream moved while calls failed. */
static snd_pcm_sframes_t moved;

static bool note(int result) {
    if (result < 0 && first_error == 0) first_error = result;
    return result >= 0;
}

static void require(bool holds, const char *what) {
    if (holds) return;
    complain("before: %s does not hold", what);
    exit(2);
}
#define REQUIRE(condition) require(condition, #condition)

/* ---- a program that plays ---- */

static bool choose_form(snd_pcm_t *handle) {
    snd_pcm_hw_params_t *form;
    snd_pcm_hw_params_alloca(&form);
    return note(snd_pcm_hw_params_any(handle, form)) &&
        note(snd_pcm_hw_params_set_access(handle, form, SND_PCM_ACCESS_RW_INTERLEAVED)) &&
        note(snd_pcm_hw_params_set_format(handle, form, SND_PCM_FORMAT_S16)) &&
        note(snd_pcm_hw_params_set_channels(handle, form, 2)) && note(snd_pcm_hw_params_set_rate(handle, form, 48000, 0)) &&
        note(snd_pcm_hw_params_set_period_size(handle, form, PERIOD, 0)) &&
        note(snd_pcm_hw_params_set_buffer_size(handle, form, BUFFER)) && note(snd_pcm_hw_params(handle, form));
}

/* A non-blocking stream, so that a stream that stands still is noticed. */
static snd_pcm_t *open_stream(snd_pcm_stream_t direction) {
    snd_pcm_t *handle = NULL;
    return note(snd_pcm_open(&handle, "audiosession", direction, SND_PCM_NONBLOCK)) ? handle : NULL;
}

/* A stream whose threads met only failures may stand still for good: a short limit is enough for it. */
static bool has_met_failures;
static bool may_stand_still(void) { return has_met_failures && may_lose_events(); }
static int64_t stall_limit_ms(void) { return may_stand_still() ? 2000 : WAIT_LIMIT_MS; }

static bool stands_still(snd_pcm_t *handle, const char *what) {
    if (!may_stand_still())
        complain("awaited for %d ms: %s; the stream is %s", WAIT_LIMIT_MS, what, snd_pcm_state_name(snd_pcm_state(handle)));
    return false;
}

/* Moves so many frames, and continues after an underrun, which is possible on a busy machine. False when the stream stands
   still or has ended. */
static bool move(snd_pcm_t *handle, snd_pcm_sframes_t wanted) {
    bool plays = snd_pcm_stream(handle) == SND_PCM_STREAM_PLAYBACK;
    int64_t since = now_ms();
    while (wanted > 0) {
        if (now_ms() - since > stall_limit_ms()) return stands_still(handle, "the next frames");
        snd_pcm_uframes_t count = wanted < BUFFER ? (snd_pcm_uframes_t)wanted : BUFFER;
        if (!plays && snd_pcm_state(handle) == SND_PCM_STATE_PREPARED) snd_pcm_start(handle);
        snd_pcm_sframes_t done = plays ? snd_pcm_writei(handle, sound, count) : snd_pcm_readi(handle, sound, count);
        if (done == -EAGAIN) {
            snd_pcm_wait(handle, TURN_MS);
            continue;
        }
        if (done == -EPIPE) done = snd_pcm_prepare(handle);
        if (!note((int)done)) return false;
        if (done > 0) wanted -= done, moved += done, since = now_ms();
    }
    return true;
}

static bool drain(snd_pcm_t *handle) {
    int result = snd_pcm_drain(handle);
    for (int64_t since = now_ms(); result == -EAGAIN;) {
        if (now_ms() - since > stall_limit_ms()) return stands_still(handle, "the end of what was played");
        snd_pcm_wait(handle, TURN_MS);
        result = snd_pcm_drain(handle);
    }
    return note(result == -EPIPE ? 0 : result);
}

/* Opens a stream, plays or records, and closes it. */
static bool play_through(snd_pcm_stream_t direction) {
    snd_pcm_t *handle = open_stream(direction);
    if (!handle) return false;
    bool passed = choose_form(handle) && move(handle, FRAMES) && (direction == SND_PCM_STREAM_CAPTURE || drain(handle));
    return note(snd_pcm_close(handle)) && passed;
}

/* ---- before ---- */

/* The least configuration of ALSA, and the plug-in that this program is linked with. */
static void with_plugin(void) {
    char path[256];
    Dl_info plugin;
    setenv("AUDIOSESSION_HARDWARE", "simulated", 1);
    /* The session mixes, so that it interrupts no other. */
    setenv("AUDIOSESSION_OPTIONS", "mix", 1);
    snprintf(path, sizeof path, "%s/asound.conf", getenv("AUDIOSESSION_RUNTIME_DIR"));
    REQUIRE(dladdr((void *)__snd_pcm_audiosession_open_dlsym_pcm_001, &plugin));
    FILE *file = fopen(path, "w");
    REQUIRE(file &&
        fprintf(file, "pcm_type.audiosession { lib \"%s\" }\npcm.audiosession { type audiosession }\npcm.null { type null }\n",
            plugin.dli_fname) > 0);
    REQUIRE(fclose(file) == 0);
    setenv("ALSA_CONFIG_PATH", path, 1);
    unsetenv("ALSA_PLUGIN_DIR");
    /* libasound prints errors by default. */
    snd_lib_error_set_handler((snd_lib_error_handler_t)(void (*)(void))abs);
}

static void on_null(void) {
    with_plugin();
    setenv("AUDIOSESSION_SLAVE", "null", 1);
}

static void with_stream(void) {
    with_plugin();
    pcm = open_stream(SND_PCM_STREAM_PLAYBACK);
    REQUIRE(pcm);
}

static void begin_stream(snd_pcm_stream_t direction) {
    pcm = open_stream(direction);
    REQUIRE(pcm && choose_form(pcm) && move(pcm, BUFFER));
    moved = 0;
}

static void while_playing(void) {
    with_plugin();
    begin_stream(SND_PCM_STREAM_PLAYBACK);
}

static void while_playing_to_null(void) {
    on_null();
    begin_stream(SND_PCM_STREAM_PLAYBACK);
}

static void while_recording(void) {
    with_plugin();
    begin_stream(SND_PCM_STREAM_CAPTURE);
}

/* ---- while calls fail ---- */

static OSStatus open_one(void) { return pcm = open_stream(SND_PCM_STREAM_PLAYBACK), 0; }
static OSStatus open_one_to_record(void) { return pcm = open_stream(SND_PCM_STREAM_CAPTURE), 0; }
static OSStatus choose_its_form(void) { return has_met_failures = true, (void)choose_form(pcm), 0; }
static OSStatus play_one(void) { return has_met_failures = true, (void)play_through(SND_PCM_STREAM_PLAYBACK), 0; }
static OSStatus record_one(void) { return has_met_failures = true, (void)play_through(SND_PCM_STREAM_CAPTURE), 0; }
static OSStatus go_on(void) { return has_met_failures = true, (void)move(pcm, FRAMES), 0; }
static OSStatus close_it(void) {
    note(snd_pcm_close(pcm));
    pcm = NULL;
    return 0;
}

/* ---- after ---- */

static void close_stream(void) {
    if (pcm) EXPECT(snd_pcm_close(pcm) == 0);
    pcm = NULL;
}

static void play_next_stream(void) {
    first_error = 0;
    has_met_failures = false;
    if (!play_through(SND_PCM_STREAM_PLAYBACK)) complain("the next stream does not play: %s", snd_strerror(first_error));
}

static void check_first_error(void) {
    if (fault_is_invisible() && first_error) complain("ALSA says %s", snd_strerror(first_error));
}

static void was_opened(OSStatus status) {
    (void)status;
    check_first_error();
    EXPECT((pcm == NULL) == (first_error != 0));
    close_stream();
    play_next_stream();
}

/* A stream whose parameters are refused is unchanged. */
static void has_form(OSStatus status) {
    (void)status;
    check_first_error();
    EXPECT(snd_pcm_state(pcm) == (first_error ? SND_PCM_STATE_OPEN : SND_PCM_STATE_PREPARED));
    first_error = 0;
    if (snd_pcm_state(pcm) == SND_PCM_STATE_OPEN && !choose_form(pcm))
        complain("no parameters afterwards: %s", snd_strerror(first_error));
    if (!move(pcm, FRAMES)) complain("does not play afterwards: %s", snd_strerror(first_error));
    close_stream();
    play_next_stream();
}

static void next_stream_plays(OSStatus status) {
    (void)status;
    check_first_error();
    play_next_stream();
}

/* The stream moves frames or has ended; it can be started again. */
static void still_flows(OSStatus status) {
    (void)status;
    check_first_error();
    if (!first_error && !may_lose_events()) EXPECT(moved >= FRAMES);
    first_error = 0;
    bool flows = note(snd_pcm_drop(pcm)) && note(snd_pcm_prepare(pcm)) && move(pcm, FRAMES);
    if (!flows && !may_lose_events()) complain("does not begin again: %s", snd_strerror(first_error));
    close_stream();
    play_next_stream();
}

enum { ALL_HABITS = LOADS | ENDS | LONG };

const struct step steps[] = {
    {"opening a stream", FAULT_ALL_THREADS, with_plugin, open_one, {0}, was_opened, ALL_HABITS},
    {"opening a stream to record", FAULT_ALL_THREADS, with_plugin, open_one_to_record, {0}, was_opened, ALL_HABITS},
    {"the form of a stream", FAULT_ALL_THREADS, with_stream, choose_its_form, {0}, has_form, LOADS},
    {"playing", FAULT_ALL_THREADS, with_plugin, play_one, {0}, next_stream_plays, ALL_HABITS},
    {"playing to null", FAULT_ALL_THREADS, on_null, play_one, {0}, next_stream_plays, ALL_HABITS},
    {"recording", FAULT_ALL_THREADS, with_plugin, record_one, {0}, next_stream_plays, ALL_HABITS},
    {"a transfer to be played", FAULT_ALL_THREADS, while_playing, go_on, {0}, still_flows, LOADS},
    {"a transfer to null", FAULT_ALL_THREADS, while_playing_to_null, go_on, {0}, still_flows, LOADS},
    {"a transfer that was recorded", FAULT_ALL_THREADS, while_recording, go_on, {0}, still_flows, LOADS},
    {"closing a stream", FAULT_ALL_THREADS, while_playing, close_it, {0}, next_stream_plays, LOADS | ENDS},
};
const int step_count = sizeof steps / sizeof *steps;
