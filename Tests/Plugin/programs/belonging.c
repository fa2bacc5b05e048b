/* A stream belongs to the session of its program, and else has one of its own. */
#include "pcm.h"

enum { FRAME = 4 };

static int16_t sound[48000 * 2];

static bool is_active(void) {
    /* The one thing that an active session refuses. */
    return set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VideoRecording) != 0;
}

TEST(activating, "Starting a stream on an inactive session activates it") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VideoRecording));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    long long deadline = milliseconds() + LIMIT;
    while (!is_active() && milliseconds() < deadline) set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default);
    EXPECT(is_active());
    snd_pcm_close(pcm);
}

TEST(busy, "Deactivating while streams run says '!act', and stops them all the same") {
    begin_log_for_waiting();
    BEGIN_SESSION();
    struct setup setup = usual;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_player(setup);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    EXPECT_OK(AudioSessionSetActive(false));
    wait_for_log("playback is suspended after ");
    EXPECT(snd_pcm_avail(pcm) < 48000);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    EXPECT_OK(AudioSessionSetActive(false));
    snd_pcm_close(pcm);
}

TEST(paused_is_busy, "Deactivating while a stream is paused says '!act'") {
    BEGIN_SESSION();
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_ALSA(snd_pcm_pause(pcm, 1), 0);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    snd_pcm_close(pcm);
}

TEST(draining_is_busy, "Deactivating while a stream drains says '!act'") {
    BEGIN_SESSION();
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_ALSA(snd_pcm_nonblock(pcm, 1), 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), -EAGAIN);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_DRAINING);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    EXPECT_OK(AudioSessionSetActive(false));
    snd_pcm_close(pcm);
}

TEST(interrupted_program, "The program's own session is interrupted, and its streams go on when it activates again") {
    struct other other = start_other();
    BEGIN_SESSION();
    struct setup setup = usual;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_player(setup);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    EXPECT_STATUS(tell(other, 'c'), 0);
    WAIT_UNTIL(heard_count == 1);
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT_STATUS(tell(other, 'e'), 0);
    WAIT_UNTIL(heard_count == 2);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    end_other(other);
}

static void expect_open(snd_pcm_stream_t direction, int expected) {
    snd_pcm_t *pcm = NULL;
    int error = snd_pcm_open(&pcm, "audiosession", direction, 0);
    EXPECT_INTEGER(error, expected);
    if (error >= 0) snd_pcm_close(pcm);
}

TEST(directions, "A direction that the session's category does not allow is not permitted") {
    BEGIN_SESSION();
    expect_open(SND_PCM_STREAM_PLAYBACK, 0);
    expect_open(SND_PCM_STREAM_CAPTURE, -EPERM);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    expect_open(SND_PCM_STREAM_PLAYBACK, -EPERM);
    expect_open(SND_PCM_STREAM_CAPTURE, 0);
    EXPECT_OK(set_category(kAudioSessionCategory_AudioProcessing));
    expect_open(SND_PCM_STREAM_PLAYBACK, -EPERM);
    expect_open(SND_PCM_STREAM_CAPTURE, -EPERM);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    expect_open(SND_PCM_STREAM_PLAYBACK, 0);
    expect_open(SND_PCM_STREAM_CAPTURE, 0);
}

static void expect_refused_with_reason(snd_pcm_stream_t direction) {
    (void)take_log();
    expect_open(direction, -EPERM);
    const char *log_ = take_log();
    EXPECT(strstr(log_, "category") != NULL);
    if (failures) failed(__FILE__, __LINE__, "the log says: %s", log_);
}

TEST(reasons, "Where a direction is not permitted, the log says that it is the category's doing") {
    begin_log();
    BEGIN_SESSION();
    expect_refused_with_reason(SND_PCM_STREAM_CAPTURE);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    expect_refused_with_reason(SND_PCM_STREAM_PLAYBACK);
}

TEST(chosen, "The environment says what session a program without one gets") {
    setenv("AUDIOSESSION_CATEGORY", "record", 1);
    expect_open(SND_PCM_STREAM_PLAYBACK, -EPERM);
    expect_open(SND_PCM_STREAM_CAPTURE, 0);
}

TEST(joined, "A program that makes its session later has its streams in it from their next start") {
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    BEGIN_SESSION();
    EXPECT_ALSA(snd_pcm_drop(pcm), 0);
    EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    snd_pcm_close(pcm);
}

TEST(unplugged_machine, "Without any device, opening says that there is none") {
    BEGIN_SESSION();
    SIMULATE("unplug speaker");
    SIMULATE("unplug receiver");
    expect_open(SND_PCM_STREAM_PLAYBACK, -ENODEV);
    SIMULATE("plug speaker");
    expect_open(SND_PCM_STREAM_PLAYBACK, 0);
}

static bool is_heard_on(const char *name) {
    snd_pcm_t *pcm = NULL;
    struct stat status;
    unlink(PLAYED);
    REQUIRE_ALSA(snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, 0));
    configure(pcm, usual);
    REQUIRE_ALSA(snd_pcm_writei(pcm, sound, 1920));
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    return stat(PLAYED, &status) == 0;
}

TEST(ports, "A stream of a MultiRoute session plays to the port that it names, while that is there") {
    setenv("AUDIOSESSION_SIMULATION_WAV", PLAYED, 1);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionLinuxCategory_MultiRoute));
    SIMULATE("plug headphones");
    EXPECT(!is_heard_on("audiosession:PORT=hdmi"));
    SIMULATE("plug hdmi");
    EXPECT(is_heard_on("audiosession:PORT=hdmi"));
}
