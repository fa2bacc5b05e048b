/* What the session decides happens to the sound. */
#include "pcm.h"

enum { FRAME = 4 };

static unsigned char sound[48000 * FRAME * 4];

static void expect_heard_once(size_t size) {
    size_t found;
    unsigned char *heard = played(&found);
    found = without_silence(heard, found, FRAME);
    EXPECT_INTEGER(found, size);
    if (found == size) EXPECT(memcmp(heard, sound, size) == 0);
    free(heard);
}

/* Until the stream's thread has given the device back. The position at which it did so. */
static snd_pcm_sframes_t wait_until_suspended(void) {
    static const char words[] = "playback is suspended after ";
    return atol(strstr(wait_for_log(words), words) + sizeof words - 1);
}

/* The position stays where the stream was suspended, and the state is what it was. */
static void expect_suspended(snd_pcm_t *pcm, snd_pcm_sframes_t position) {
    /* Three of the device's periods: a stream that still moved would have moved. */
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

TEST(interrupted, "An interrupted stream stands still, and goes on at the same frame") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    fill(sound, sizeof sound);
    begin_log_for_waiting();
    start_playing(&pcm);
    EXPECT_STATUS(tell(other, 'c'), 0);
    snd_pcm_sframes_t position = wait_until_suspended();
    EXPECT(position < 48000);
    expect_suspended(pcm, position);
    EXPECT_STATUS(tell(other, 'e'), 0);
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
    EXPECT_STATUS(tell(other, 'c'), 0);
    wait_until_suspended();
    EXPECT_ALSA(snd_pcm_close(pcm), 0);
    end_other(other);
}

TEST(late_on_interruption, "on_interrupt xrun: an interruption is as if the program had been late, and no start until its end") {
    setenv("AUDIOSESSION_ON_INTERRUPT", "xrun", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    start_playing(&pcm);
    EXPECT_STATUS(tell(other, 'c'), 0);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 10000), -EBUSY);
    EXPECT_STATUS(tell(other, 'e'), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 10000), 10000);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(waiting_on_interruption, "on_interrupt xrun: a program that waits for room hears of it as of being late") {
    setenv("AUDIOSESSION_ON_INTERRUPT", "xrun", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    start_playing(&pcm);
    /* The buffer is full: each write waits for room, and the call comes after the first that did. */
    snd_pcm_sframes_t count = snd_pcm_writei(pcm, sound, 4800);
    EXPECT_ALSA(count, 4800);
    post_command(other, 'c');
    while (count >= 0) count = snd_pcm_writei(pcm, sound, 4800);
    EXPECT_ALSA(count, -EPIPE);
    EXPECT_STATUS(read_answer(other), 0);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(silent_on_interruption, "on_interrupt silence: time goes on without a sound") {
    setenv("AUDIOSESSION_ON_INTERRUPT", "silence", 1);
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    fill(sound, sizeof sound);
    start_playing(&pcm);
    EXPECT_STATUS(tell(other, 'c'), 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size;
    unsigned char *heard = played(&size);
    EXPECT(without_silence(heard, size, FRAME) < 48000 * FRAME);
    free(heard);
    end_other(other);
}

TEST(refused, "Nothing that does not mix starts during a call") {
    struct other other = start_other();
    EXPECT_STATUS(tell(other, 'c'), 0);
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 480), -EBUSY);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_PREPARED);
    EXPECT_STATUS(tell(other, 'e'), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(others, "Playing interrupts others, and closing lets them go on") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    EXPECT_STATUS(tell(other, 'm'), 0);
    EXPECT_STATUS(tell(other, 'a'), 0);
    EXPECT_STATUS(tell(other, 'o'), 0);
    start_playing(&pcm);
    EXPECT_STATUS(tell(other, 'o'), 1);
    EXPECT_ALSA(snd_pcm_close(pcm), 0);
    EXPECT_STATUS(tell(other, 'o'), 0);
    end_other(other);
}

TEST(dropped, "A stream that is dropped and not closed lets others go on") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    EXPECT_STATUS(tell(other, 'm'), 0);
    EXPECT_STATUS(tell(other, 'a'), 0);
    start_playing(&pcm);
    EXPECT_STATUS(tell(other, 'i'), 1);
    EXPECT_ALSA(snd_pcm_drop(pcm), 0);
    EXPECT_STATUS(tell(other, 'i'), 0);
    EXPECT_STATUS(tell(other, 'a'), 0);
    EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_STATUS(tell(other, 'i'), 1);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(playing, "A program whose streams are known plays while one of them runs; of one without streams its session says so") {
    struct other other = start_other();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_STATUS(tell(other, 'o'), 0);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_STATUS(tell(other, 'o'), 1);
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_STATUS(tell(other, 'o'), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_STATUS(tell(other, 'o'), 1);
    EXPECT_ALSA(snd_pcm_drop(pcm), 0);
    EXPECT_STATUS(tell(other, 'o'), 0);
    snd_pcm_close(pcm);
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT_STATUS(tell(other, 'o'), 0);
    end_other(other);
}

/* Where a level begins and ends to be heard, in frames. */
static size_t first_below(const int16_t *samples, size_t frames, size_t from, int level) {
    while (from < frames && samples[from * 2] >= level) from++;
    return from;
}

static size_t first_above(const int16_t *samples, size_t frames, size_t from, int level) {
    while (from < frames && samples[from * 2] <= level) from++;
    return from;
}

/* On a busy machine the device may have run dry for a moment: what was not played is not missing. */
static int16_t *played_without_gaps(size_t *size) {
    unsigned char *bytes = played(size);
    *size = without_silence(bytes, *size, FRAME);
    return (int16_t *)bytes;
}

TEST(ducked, "A ducked stream is at a fifth, with a ramp of 40 ms each way and not a step in it") {
    enum { LEVEL = 20000 };
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    setenv("AUDIOSESSION_OPTIONS", "mix", 1);
    fill_steadily((int16_t *)sound, sizeof sound / FRAME, LEVEL);
    start_playing(&pcm);
    EXPECT_STATUS(tell(other, 'd'), 0);
    wait_until_played(pcm, 4800);
    EXPECT_STATUS(tell(other, 'a'), 0);
    /* What is on its way when the ducking begins, the ramp, and a good part at the lower level. */
    wait_until_played(pcm, 19200);
    EXPECT_STATUS(tell(other, 'x'), 0);
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
    EXPECT_STATUS(tell(other, 'd'), 0);
    EXPECT_STATUS(tell(other, 'a'), 0);
    start_playing(&pcm);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size;
    int16_t *samples = played_without_gaps(&size);
    for (size_t i = 0; i < size / 2; i++) EXPECT_INTEGER(samples[i], 4000);
    free(samples);
    end_other(other);
}

TEST(silenced, "While another records, playing is silenced, and the program does not notice") {
    struct other other = start_other();
    snd_pcm_t *pcm;
    record_what_is_played();
    setenv("AUDIOSESSION_OPTIONS", "mix", 1);
    fill_steadily((int16_t *)sound, sizeof sound / FRAME, 20000);
    start_playing(&pcm);
    EXPECT_STATUS(tell(other, 'r'), 0);
    EXPECT_STATUS(tell(other, 'a'), 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size;
    unsigned char *heard = played(&size);
    EXPECT(size >= 48000 * FRAME);
    EXPECT(size >= 4800 && is_silent(heard + size - 4800, 4800));
    free(heard);
    end_other(other);
}

/* What a sound of this loudness is heard at; all of it alike. */
static int level_heard(int16_t level) {
    /* Each stream has a file of its own, numbered from the second one on. */
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

TEST(switches, "The silent switch and the screen lock, each alone, silence AmbientSound and SoloAmbientSound, and no other category") {
    const struct { UInt32 category; bool obeys; } rows[] = {
        {kAudioSessionCategory_AmbientSound, true},     {kAudioSessionCategory_UserInterfaceSoundEffects, true},
        {kAudioSessionCategory_SoloAmbientSound, true}, {kAudioSessionCategory_MediaPlayback, false},
        {kAudioSessionCategory_LiveAudio, false},       {kAudioSessionCategory_PlayAndRecord, false},
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

TEST(duckers, "However many duck, others are at a fifth; who ducks is not ducked; without mixing ducking has no effect") {
    struct other other = start_other(), third = start_other();
    record_what_is_played();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_STATUS(tell(other, 'd'), 0);
    EXPECT_INTEGER(level_heard(20000), 20000);
    EXPECT_STATUS(tell(other, 'a'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_STATUS(tell(third, 'd'), 0);
    EXPECT_STATUS(tell(third, 'a'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1));
    EXPECT_INTEGER(level_heard(20000), 20000);
    EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 0));
    EXPECT_STATUS(tell(third, 'X'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_STATUS(tell(other, 'D'), 0);
    EXPECT_INTEGER(level_heard(20000), 20000);
    EXPECT_STATUS(tell(other, 'd'), 0);
    EXPECT_INTEGER(level_heard(20000), 4000);
    EXPECT_STATUS(tell(other, 'n'), 0);
    EXPECT_INTEGER(level_heard(20000), 20000);
    end_other(third);
    end_other(other);
}

TEST(lost, "on_route_loss stop: the stream is at its end when its device is pulled out") {
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
