/* SPDX-License-Identifier: Apache-2.0 */
/* A device without a clock, such as null, accepts and returns all frames at once. */
#include "pcm.h"

enum { FRAME = 4, PERIODS = 20 };

static int16_t sound[480 * 2];

static void on_null(void) { setenv("AUDIOSESSION_SLAVE", "null", 1); }

/* In real time, except for a buffer in the queue. */
static void expect_real_time(long long began, snd_pcm_uframes_t frames, snd_pcm_uframes_t on_its_way) {
    long long least = (long long)(frames - on_its_way) * 1000 / 48000;
    EXPECT(milliseconds() - began + 1 >= least);
}

TEST(playing, "A device without a clock plays in real time") {
    on_null();
    /* A second of room, and full from the start: a busy machine is not late. */
    struct setup setup = usual;
    setup.buffer = 48000;
    static int16_t silence[48000 * 2];
    snd_pcm_t *pcm = open_player(setup);
    long long began = milliseconds();
    EXPECT_ALSA(snd_pcm_writei(pcm, silence, setup.buffer), setup.buffer);
    for (int i = 0; i < PERIODS; i++) EXPECT_ALSA(snd_pcm_writei(pcm, sound, 480), 480);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    expect_real_time(began, PERIODS * 480, 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    expect_real_time(began, setup.buffer + PERIODS * 480, 0);
    snd_pcm_close(pcm);
}

TEST(lateness, "A late program gets EPIPE from a device without a clock") {
    on_null();
    snd_pcm_t *pcm = open_player(usual);
    write_all(pcm, sound, 480, FRAME);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    EXPECT_ALSA(snd_pcm_recover(pcm, -EPIPE, 1), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 480), 480);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
}

TEST(recording, "A device without a clock records silence in real time") {
    on_null();
    setenv("AUDIOSESSION_CATEGORY", "record", 1);
    struct setup setup = usual;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_CAPTURE, 0, setup);
    long long began = milliseconds();
    EXPECT_ALSA(snd_pcm_start(pcm), 0);
    for (int i = 0; i < PERIODS; i++) {
        memset(sound, 1, sizeof sound);
        EXPECT_ALSA(snd_pcm_readi(pcm, sound, 480), 480);
        EXPECT(is_silent((unsigned char *)sound, sizeof sound));
    }
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    expect_real_time(began, PERIODS * 480, 0);
    snd_pcm_close(pcm);
}
