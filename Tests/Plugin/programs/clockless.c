/* A device that takes and brings whatever is asked for at once, as ALSA's null does, is no reason for a
   program to be late. */
#include "pcm.h"

enum { FRAME = 4, PERIODS = 20 };

static int16_t sound[480 * 2];

static void on_null(void) { setenv("AUDIOSESSION_SLAVE", "null", 1); }

/* In real time, but for what is on its way: a buffer. */
static void expect_real_time(long long began, snd_pcm_uframes_t frames, snd_pcm_uframes_t on_its_way) {
    long long least = (long long)(frames - on_its_way) * 1000 / 48000;
    EXPECT(milliseconds() - began + 1 >= least);
}

TEST(playing, "A program that plays to a device without a clock is never late by that, and plays in real time") {
    on_null();
    snd_pcm_t *pcm = open_player(usual);
    long long began = milliseconds();
    for (int i = 0; i < PERIODS; i++) {
        if (snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING) EXPECT_ALSA(snd_pcm_wait(pcm, LIMIT), 1);
        EXPECT_ALSA(snd_pcm_writei(pcm, sound, 480), 480);
        /* As long as the device needs to take all of it, if it does. */
        usleep(2000);
    }
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    expect_real_time(began, PERIODS * 480, usual.buffer);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    expect_real_time(began, PERIODS * 480, 0);
    snd_pcm_close(pcm);
}

TEST(lateness, "A program that is late with a device without a clock hears of it as with any other") {
    on_null();
    snd_pcm_t *pcm = open_player(usual);
    write_all(pcm, sound, 480, FRAME);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    EXPECT_ALSA(snd_pcm_recover(pcm, -EPIPE, 1), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 480), 480);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
}

TEST(recording, "A program that records from a device without a clock gets silence in real time") {
    on_null();
    setenv("AUDIOSESSION_CATEGORY", "record", 1);
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_CAPTURE, 0, usual);
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
