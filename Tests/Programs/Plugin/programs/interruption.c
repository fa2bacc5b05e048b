/* SPDX-License-Identifier: Apache-2.0 */
/* The stream follows its session: interruptions, ducking, silence, routes. */
#include "pcm.h"

enum { FRAME = 4 };

static unsigned char sound[48000 * FRAME * 4];

static void expect_heard_once(size_t size) {
    size_t found;
    unsigned char *recording = played(&found);
    found = without_silence(recording, found, FRAME);
    EXPECT_INTEGER(found, size);
    if (found == size) EXPECT(memcmp(recording, sound, size) == 0);
    free(recording);
}

/* Waits until the stream's thread has given the device back. Returns the position of that moment. */
static snd_pcm_sframes_t wait_until_suspended(void) {
    static const char words[] = "playback is held after ";
    return atol(strstr(wait_for_log(words), words) + sizeof words - 1);
}

/* The position and the state stay as they were at the suspension. */
static void expect_suspended(snd_pcm_t *pcm, snd_pcm_sframes_t position) {
    /* Three periods of the device: a stream that is not suspended moves meanwhile. */
    const struct timespec periods = {0, 30000000};
    for (int look = 0; look < 2; look++) {
        EXPECT_INTEGER(snd_pcm_avail(pcm), position);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
        nanosleep(&periods, NULL);
    }
}

/* Waits until so many frames of the full buffer have been played. */
static void wait_until_played(snd_pcm_t *pcm, snd_pcm_uframes_t frames) {
    snd_pcm_sw_params_t *params;
    snd_pcm_sw_params_alloca(&params);
    REQUIRE_ALSA(snd_pcm_sw_params_current(pcm, params));
    REQUIRE_ALSA(snd_pcm_sw_params_set_avail_min(pcm, params, frames));
    REQUIRE_ALSA(snd_pcm_sw_params(pcm, params));
    EXPECT_ALSA(snd_pcm_wait(pcm, LIMIT), 1);
    EXPECT(snd_pcm_avail(pcm) >= (snd_pcm_sframes_t)frames);
}

static void start_playing(snd_pcm_t **pcm) {
    struct setup setup = usual;
    setup.period = 2400;
    setup.buffer = 48000;
    *pcm = open_player(setup);
    EXPECT_ALSA(snd_pcm_writei(*pcm, sound, 48000), 48000);
    EXPECT_INTEGER(snd_pcm_state(*pcm), SND_PCM_STATE_RUNNING);
}

TEST(interrupted, "An interrupted stream stands still, and continues at the same frame") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    fill(sound, sizeof sound);
    begin_log_for_waiting();
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'c'), 0);
    snd_pcm_sframes_t position = wait_until_suspended();
    EXPECT(position < 48000);
    expect_suspended(pcm, position);
    EXPECT_STATUS(request(other, 'e'), 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once(48000 * FRAME);
    end_other(other);
}

TEST(closed_while_held, "A stream can be closed while it is interrupted") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    begin_log_for_waiting();
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'c'), 0);
    wait_until_suspended();
    EXPECT_ALSA(snd_pcm_close(pcm), 0);
    end_other(other);
}

TEST(late_on_interruption, "on_interrupt xrun: an interruption is an underrun, and no start succeeds before its end") {
    setenv("AUDIOSESSION_ON_INTERRUPT", "xrun", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'c'), 0);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 10000), -EBUSY);
    EXPECT_STATUS(request(other, 'e'), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 10000), 10000);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(waiting_on_interruption, "on_interrupt xrun: an interruption ends the wait for room with EPIPE") {
    setenv("AUDIOSESSION_ON_INTERRUPT", "xrun", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    start_playing(&pcm);
    /* The buffer is full: each write waits for room. The call comes after the first such write. */
    snd_pcm_sframes_t count = snd_pcm_writei(pcm, sound, 4800);
    EXPECT_ALSA(count, 4800);
    post_command(other, 'c');
    while (count >= 0) count = snd_pcm_writei(pcm, sound, 4800);
    EXPECT_ALSA(count, -EPIPE);
    EXPECT_STATUS(read_answer(other), 0);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(silent_on_interruption, "on_interrupt silence: the stream continues without a sound") {
    setenv("AUDIOSESSION_ON_INTERRUPT", "silence", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    fill(sound, sizeof sound);
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'c'), 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size;
    unsigned char *recording = played(&size);
    EXPECT(without_silence(recording, size, FRAME) < 48000 * FRAME);
    free(recording);
    end_other(other);
}

TEST(refused, "A stream of a session that does not mix does not start during a call") {
    struct other other = start_other();
    EXPECT_STATUS(request(other, 'c'), 0);
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 480), -EBUSY);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_PREPARED);
    EXPECT_STATUS(request(other, 'e'), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(others, "Playback interrupts other sessions, and a close lets them resume") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    EXPECT_STATUS(request(other, 'm'), 0);
    EXPECT_STATUS(request(other, 'a'), 0);
    EXPECT_STATUS(request(other, 'o'), 0);
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'o'), 1);
    EXPECT_ALSA(snd_pcm_close(pcm), 0);
    EXPECT_STATUS(request(other, 'o'), 0);
    end_other(other);
}

TEST(dropped, "A drop without a close lets other sessions resume") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    EXPECT_STATUS(request(other, 'm'), 0);
    EXPECT_STATUS(request(other, 'a'), 0);
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'i'), 1);
    EXPECT_ALSA(snd_pcm_drop(pcm), 0);
    EXPECT_STATUS(request(other, 'i'), 0);
    EXPECT_STATUS(request(other, 'a'), 0);
    EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_STATUS(request(other, 'i'), 1);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(playing,
    "OtherAudioIsPlaying counts a program with streams while one runs, and a program without streams while its session is "
    "active") {
    struct other other = start_other();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_STATUS(request(other, 'o'), 0);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_STATUS(request(other, 'o'), 1);
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_STATUS(request(other, 'o'), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_STATUS(request(other, 'o'), 1);
    EXPECT_ALSA(snd_pcm_drop(pcm), 0);
    EXPECT_STATUS(request(other, 'o'), 0);
    snd_pcm_close(pcm);
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT_STATUS(request(other, 'o'), 0);
    end_other(other);
}

/* The first frame below, or above, a level. */
static size_t first_below(const int16_t *samples, size_t frames, size_t from, int level) {
    while (from < frames && samples[from * 2] >= level) from++;
    return from;
}

static size_t first_above(const int16_t *samples, size_t frames, size_t from, int level) {
    while (from < frames && samples[from * 2] <= level) from++;
    return from;
}

/* On a busy machine the device may underrun for a moment: the recording has silence there. */
static int16_t *played_without_gaps(size_t *size) {
    unsigned char *bytes = played(size);
    *size = without_silence(bytes, *size, FRAME);
    return (int16_t *)bytes;
}

TEST(ducked, "A ducked stream is at a fifth, with a ramp of 40 ms each way and without a step") {
    enum { LEVEL = 20000 };
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    setenv("AUDIOSESSION_OPTIONS", "mix", 1);
    fill_steadily((int16_t *)sound, sizeof sound / FRAME, LEVEL);
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'd'), 0);
    wait_until_played(pcm, 4800);
    EXPECT_STATUS(request(other, 'a'), 0);
    /* The queue when the ducking begins, the ramp, and many frames at the lower level. */
    wait_until_played(pcm, 19200);
    EXPECT_STATUS(request(other, 'x'), 0);
    write_all(pcm, sound, 9600, FRAME);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size, frames;
    int16_t *samples = played_without_gaps(&size);
    frames = size / FRAME;
    EXPECT_INTEGER(frames, 57600);
    size_t down = first_below(samples, frames, 0, LEVEL), low = first_below(samples, frames, down, LEVEL / 5 + 1);
    size_t up = first_above(samples, frames, low, LEVEL / 5), full = first_above(samples, frames, up, LEVEL - 1);
    EXPECT(down < frames && low < frames && up < frames && full < frames);
    EXPECT(low - down > 1800 && low - down <= 1920);
    EXPECT(full - up > 1800 && full - up <= 1920);
    for (size_t i = 1; i < frames; i++) EXPECT(abs(samples[i * 2] - samples[i * 2 - 2]) <= 10);
    for (size_t i = low; i < up; i++) EXPECT(abs(samples[i * 2] - LEVEL / 5) <= 1);
    free(samples);
    end_other(other);
}

TEST(ducked_from_the_start, "A stream that starts while another ducks is low from its first frame") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    setenv("AUDIOSESSION_OPTIONS", "mix", 1);
    fill_steadily((int16_t *)sound, sizeof sound / FRAME, 20000);
    EXPECT_STATUS(request(other, 'd'), 0);
    EXPECT_STATUS(request(other, 'a'), 0);
    start_playing(&pcm);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size;
    int16_t *samples = played_without_gaps(&size);
    for (size_t i = 0; i < size / 2; i++) EXPECT_INTEGER(samples[i], 4000);
    free(samples);
    end_other(other);
}

TEST(silenced, "While another session records, playback is silenced, and continues") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    setenv("AUDIOSESSION_OPTIONS", "mix", 1);
    fill_steadily((int16_t *)sound, sizeof sound / FRAME, 20000);
    start_playing(&pcm);
    EXPECT_STATUS(request(other, 'r'), 0);
    EXPECT_STATUS(request(other, 'a'), 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size;
    unsigned char *recording = played(&size);
    EXPECT(size >= 48000 * FRAME);
    EXPECT(size >= 4800 && is_silent(recording + size - 4800, 4800));
    free(recording);
    end_other(other);
}

/* The level at which a sound of this level is played. All frames have it. */
static int level_heard(int16_t level) {
    /* Each stream has a file of its own, with a number from the second one on. */
    static int stream;
    size_t size;
    char file[64];
    snd_pcm_t *pcm = open_player(usual);
    fill_steadily((int16_t *)sound, 4800, level);
    write_all(pcm, sound, 4800, FRAME);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    snprintf(file, sizeof file, "played.%d.wav", ++stream);
    if (stream > 1) REQUIRE(rename(file, PLAYED) == 0);
    int16_t *samples = played_without_gaps(&size);
    int found = size > 0 ? samples[0] : 0;
    for (size_t i = 0; i < size / 2; i++) EXPECT_INTEGER(samples[i], found);
    free(samples);
    return found;
}

TEST(switches, "The silent switch silences AmbientSound and SoloAmbientSound, and no other category; so does the screen lock") {
    const struct {
        UInt32 category;
        bool obeys;
    } rows[] = {
        {kAudioSessionCategory_AmbientSound, true},
        {kAudioSessionCategory_UserInterfaceSoundEffects, true},
        {kAudioSessionCategory_SoloAmbientSound, true},
        {kAudioSessionCategory_MediaPlayback, false},
        {kAudioSessionCategory_LiveAudio, false},
        {kAudioSessionCategory_PlayAndRecord, false},
        {kAudioSessionLinuxCategory_MultiRoute, false},
    };
    const char *off[] = {"silent off", "lock off"}, *on[] = {"silent on", "lock on"};
    record_what_is_played();
    BEGIN_SESSION();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EXPECT_OK(set_category(rows[i].category));
        EXPECT_INTEGER(level_heard(20000), 20000);
        for (int which = 0; which < 2; which++) {
            SIMULATE(on[which]);
            EXPECT_INTEGER(level_heard(20000), rows[i].obeys ? 0 : 20000);
            SIMULATE(off[which]);
        }
    }
}

TEST(duckers,
    "Several sessions that duck lower others once; a session that ducks is not ducked; a session that does not mix ducks "
    "nothing") {
    struct other other = start_other(), third = start_other();
    record_what_is_played();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_STATUS(request(other, 'd'), 0);
    EXPECT_INTEGER(level_heard(20000), 20000);
    EXPECT_STATUS(request(other, 'a'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_STATUS(request(third, 'd'), 0);
    EXPECT_STATUS(request(third, 'a'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1));
    EXPECT_INTEGER(level_heard(20000), 20000);
    EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 0));
    EXPECT_STATUS(request(third, 'X'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_STATUS(request(other, 'D'), 0);
    EXPECT_INTEGER(level_heard(20000), 20000);
    EXPECT_STATUS(request(other, 'd'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_STATUS(request(other, 'n'), 0);
    EXPECT_INTEGER(level_heard(20000), 20000);
    end_other(third);
    end_other(other);
}

TEST(lost_while_waiting, "on_route_loss stop: a program that waits for room learns that its device is gone") {
    setenv("AUDIOSESSION_ON_ROUTE_LOSS", "stop", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    for (int life = 1; life <= 2; life++) {
        SIMULATE("plug headphones");
        start_playing(&pcm);
        SIMULATE("unplug headphones");
        int result = 1;
        while (result == 1) result = snd_pcm_wait(pcm, LIMIT);
        EXPECT_ALSA(result, -ENODEV);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_DISCONNECTED);
        snd_pcm_close(pcm);
    }
    end_other(other);
}

TEST(lost, "on_route_loss stop: the stream ends with ENODEV when its device is removed, and not when another one is") {
    setenv("AUDIOSESSION_ON_ROUTE_LOSS", "stop", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    BEGIN_SESSION();
    SIMULATE("plug hdmi");
    SIMULATE("plug headphones");
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    start_playing(&pcm);
    SIMULATE("unplug hdmi");
    wait_until_played(pcm, 9600);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    SIMULATE("unplug headphones");
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_DISCONNECTED);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 10), -ENODEV);
    snd_pcm_close(pcm);
    end_other(other);
}
