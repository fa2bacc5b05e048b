/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of the plug-in is a PCM: it pauses, drains, underruns, and can be polled. */
#include "pcm.h"

#include <dirent.h>

enum { FRAME = 4, SECOND = 48000 * FRAME };

static unsigned char sound[SECOND];

static void expect_heard_once(size_t size) {
    size_t found;
    unsigned char *recording = played(&found);
    found = without_silence(recording, found, FRAME);
    EXPECT_INTEGER(found, size);
    if (found == size) EXPECT(memcmp(recording, sound, size) == 0);
    free(recording);
}

TEST(pausing, "A paused stream stands still, and continues at the same frame") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(usual);
    write_all(pcm, sound, ROOM, FRAME);
    for (int i = 0; i < 3; i++) {
        snd_pcm_sframes_t delay = -1, later = -2;
        EXPECT_ALSA(snd_pcm_pause(pcm, 1), 0);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_PAUSED);
        EXPECT_ALSA(snd_pcm_delay(pcm, &delay), 0);
        usleep(50000);
        EXPECT_ALSA(snd_pcm_delay(pcm, &later), 0);
        EXPECT_INTEGER(later, delay);
        EXPECT_ALSA(snd_pcm_pause(pcm, 0), 0);
        write_all(pcm, sound + (ROOM + i * 960) * FRAME, 960, FRAME);
    }
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once((ROOM + 3 * 960) * FRAME);
}

TEST(late, "A late program gets EPIPE, and continues after a prepare") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(usual);
    write_all(pcm, sound, ROOM, FRAME);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 10), -EPIPE);
    EXPECT_ALSA(snd_pcm_recover(pcm, -EPIPE, 1), 0);
    write_all(pcm, sound + ROOM * FRAME, 2880, FRAME);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once((ROOM + 2880) * FRAME);
}

TEST(barely_late, "A frame that a write has accepted is played, also if the stream ends as late at that moment") {
    enum { PERIOD = 480, ROUNDS = 90 };
    struct setup setup = usual;
    setup.period = PERIOD / 2;
    setup.buffer = PERIOD;
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(setup);
    size_t done = 0, end = PERIOD;
    for (int round = 0; round < ROUNDS; round++, end += PERIOD) {
        while (done < end) {
            snd_pcm_sframes_t count = snd_pcm_writei(pcm, sound + done * FRAME, end - done);
            if (count == -EPIPE)
                REQUIRE_ALSA(snd_pcm_prepare(pcm));
            else {
                REQUIRE_ALSA(count);
                done += (size_t)count;
            }
        }
        /* The buffer lasts 10 ms: the next write comes just before, at, or just after its end. */
        usleep((useconds_t)(9000 + round % 30 * 50));
    }
    if (snd_pcm_avail(pcm) == -EPIPE) REQUIRE_ALSA(snd_pcm_prepare(pcm));
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once(done * FRAME);
}

TEST(empty, "A stream that starts without a frame underruns at once") {
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_start(pcm), 0);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    snd_pcm_close(pcm);
}

TEST(dropping, "A drop stops the sound at once, and the next start begins with the next frame") {
    record_what_is_played();
    fill(sound, sizeof sound);
    struct setup setup = usual;
    setup.period = 4800;
    setup.buffer = 19200;
    snd_pcm_t *pcm = open_player(setup);
    write_all(pcm, sound, 19200, FRAME);
    EXPECT_ALSA(snd_pcm_drop(pcm), 0);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_SETUP);
    size_t size;
    unsigned char *recording = played(&size);
    EXPECT(size < 9600 * FRAME);
    EXPECT(memcmp(recording, sound, size) == 0);
    free(recording);
    EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    EXPECT_INTEGER(snd_pcm_avail(pcm), 19200);
    snd_pcm_close(pcm);
}

TEST(polling_a_late_stream, "Poll reports an error when the stream has ended because the program is late, also the second time") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(usual);
    struct pollfd waiting[4];
    int count = snd_pcm_poll_descriptors(pcm, waiting, 4);
    REQUIRE(count > 0 && count <= 4);
    for (int life = 1; life <= 2; life++) {
        unsigned short events = 0;
        write_all(pcm, sound, ROOM, FRAME);
        do {
            REQUIRE(poll(waiting, (nfds_t)count, LIMIT) > 0);
            REQUIRE_ALSA(snd_pcm_poll_descriptors_revents(pcm, waiting, (unsigned)count, &events));
        } while (!(events & POLLERR) && snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING);
        EXPECT(events & POLLERR);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_XRUN);
        EXPECT_ALSA(snd_pcm_writei(pcm, sound, 10), -EPIPE);
        EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    }
    snd_pcm_close(pcm);
}

TEST(polling, "Poll reports room when there is room, and not before") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK, usual);
    struct pollfd waiting[4];
    int count = snd_pcm_poll_descriptors(pcm, waiting, 4), useless = 0;
    REQUIRE(count > 0 && count <= 4);
    snd_pcm_uframes_t done = 0;
    while (done < 24000) {
        snd_pcm_sframes_t written = snd_pcm_writei(pcm, sound + done * FRAME, 24000 - done);
        if (written == -EAGAIN) {
            unsigned short events = 0;
            REQUIRE(poll(waiting, (nfds_t)count, LIMIT) > 0);
            REQUIRE_ALSA(snd_pcm_poll_descriptors_revents(pcm, waiting, (unsigned)count, &events));
            EXPECT((events & POLLERR) == 0);
            if (!(events & POLLOUT))
                useless++;
            else
                EXPECT(snd_pcm_avail_update(pcm) >= (snd_pcm_sframes_t)usual.period);
            continue;
        }
        REQUIRE_ALSA(written);
        done += (snd_pcm_uframes_t)written;
    }
    /* A descriptor that stays readable without room wakes the program thousands of times. */
    EXPECT(useless <= 200);
    EXPECT_ALSA(snd_pcm_nonblock(pcm, 0), 0);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once(24000 * FRAME);
}

static void wait_for(snd_pcm_t *pcm, snd_pcm_uframes_t frames) {
    snd_pcm_sw_params_t *params;
    snd_pcm_sw_params_alloca(&params);
    REQUIRE_ALSA(snd_pcm_sw_params_current(pcm, params));
    REQUIRE_ALSA(snd_pcm_sw_params_set_avail_min(pcm, params, frames));
    REQUIRE_ALSA(snd_pcm_sw_params(pcm, params));
}

TEST(room, "Poll reports room when there is as much as the program waits for, in each life") {
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK, usual);
    const snd_pcm_sframes_t rooms[] = {1440, 480, 2400, 1440};
    struct pollfd waiting[4];
    int count = snd_pcm_poll_descriptors(pcm, waiting, 4);
    REQUIRE(count > 0 && count <= 4);
    for (int life = 0; life < 4; life++) {
        wait_for(pcm, (snd_pcm_uframes_t)rooms[life]);
        for (int reports = 0; reports < 10;) {
            snd_pcm_sframes_t written = snd_pcm_writei(pcm, sound, ROOM);
            if (written != -EAGAIN) {
                REQUIRE_ALSA(written);
                continue;
            }
            unsigned short events = 0;
            REQUIRE(poll(waiting, (nfds_t)count, LIMIT) > 0);
            REQUIRE_ALSA(snd_pcm_poll_descriptors_revents(pcm, waiting, (unsigned)count, &events));
            if (!(events & POLLOUT)) continue;
            EXPECT(snd_pcm_avail_update(pcm) >= rooms[life]);
            reports++;
        }
        EXPECT_ALSA(snd_pcm_drop(pcm), 0);
        EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    }
    snd_pcm_close(pcm);
}

TEST(waiting_before_the_start, "A wait for room returns at once until the stream starts") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = NULL;
    REQUIRE_ALSA(snd_pcm_open(&pcm, "audiosession", SND_PCM_STREAM_PLAYBACK, 0));
    REQUIRE_ALSA(snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 44100, 1, 200000));
    for (int i = 0; i < 20; i++) {
        REQUIRE(snd_pcm_wait(pcm, LIMIT) == 1);
        write_all(pcm, sound + i * 512 * FRAME, 512, FRAME);
    }
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once(20 * 512 * FRAME);
}

TEST(nonblocking_drain, "A nonblocking drain returns EAGAIN until the last frame was played") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK, usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM - 20), ROOM - 20);
    EXPECT_ALSA(snd_pcm_drain(pcm), -EAGAIN);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_DRAINING);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_SETUP);
    snd_pcm_close(pcm);
    expect_heard_once((ROOM - 20) * FRAME);
}

TEST(short_sound, "A drain plays a sound that is shorter than the start threshold") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(usual);
    snd_pcm_sw_params_t *params;
    snd_pcm_sw_params_alloca(&params);
    REQUIRE_ALSA(snd_pcm_sw_params_current(pcm, params));
    REQUIRE_ALSA(snd_pcm_sw_params_set_start_threshold(pcm, params, usual.buffer));
    REQUIRE_ALSA(snd_pcm_sw_params(pcm, params));
    for (int i = 0; i < 2; i++) {
        EXPECT_ALSA(snd_pcm_writei(pcm, sound + i * 960 * FRAME, 960), 960);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_PREPARED);
        EXPECT_ALSA(snd_pcm_drain(pcm), 0);
        EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    }
    snd_pcm_close(pcm);
    expect_heard_once(2 * 960 * FRAME);
}

TEST(played_again, "A stream that was drained plays again after it is prepared, and waits for room as before") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(usual);
    for (int i = 0; i < 2; i++) {
        /* More than the buffer holds: the writes wait for room, and not until everything was played. A slow machine may be late, but
           not each time. */
        int waits = 0, early = 0;
        for (snd_pcm_uframes_t done = 0; done < 2 * ROOM; done += ROOM / 8) {
            REQUIRE(snd_pcm_wait(pcm, LIMIT) == 1);
            waits += snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING;
            early += snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING && snd_pcm_avail_update(pcm) < ROOM;
            write_all(pcm, sound + ((snd_pcm_uframes_t)i * 2 * ROOM + done) * FRAME, ROOM / 8, FRAME);
        }
        EXPECT(waits == 0 || early > 0);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
        EXPECT_ALSA(snd_pcm_drain(pcm), 0);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_SETUP);
        EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    }
    snd_pcm_close(pcm);
    expect_heard_once(4 * ROOM * FRAME);
}

TEST(delay, "The delay counts frames that were written and not played, also those that the device has accepted") {
    record_what_is_played();
    struct setup setup = usual;
    /* The device's periods of 10 ms are coarse beside this buffer: room is counted by what the device accepted. */
    setup.buffer = 720;
    snd_pcm_t *pcm = open_player(setup);
    snd_pcm_sframes_t delay = -1, longest = 0;
    for (int i = 0; i < 100; i++) {
        snd_pcm_sframes_t count = snd_pcm_writei(pcm, sound, 720);
        if (count == -EPIPE) {
            REQUIRE_ALSA(snd_pcm_prepare(pcm));
            continue;
        }
        REQUIRE_ALSA(count);
        if (snd_pcm_delay(pcm, &delay) < 0) continue;
        if (delay > longest) longest = delay;
    }
    EXPECT(longest > 720);
    snd_pcm_close(pcm);
}

TEST(rewinding, "Frames that were rewound in the buffer are not played") {
    record_what_is_played();
    fill(sound, sizeof sound);
    struct setup setup = usual;
    setup.period = 4800;
    setup.buffer = 19200;
    snd_pcm_t *pcm = open_player(setup);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 9600), 9600);
    EXPECT_ALSA(snd_pcm_rewindable(pcm), 9600);
    EXPECT_ALSA(snd_pcm_rewind(pcm, 4800), 4800);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound + 9600 * FRAME, 2400), 2400);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    memmove(sound + 4800 * FRAME, sound + 9600 * FRAME, 2400 * FRAME);
    expect_heard_once(7200 * FRAME);
}

TEST(endless, "A stream without a stop threshold continues in silence") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(usual);
    snd_pcm_sw_params_t *params;
    snd_pcm_uframes_t boundary;
    snd_pcm_sw_params_alloca(&params);
    REQUIRE_ALSA(snd_pcm_sw_params_current(pcm, params));
    REQUIRE_ALSA(snd_pcm_sw_params_get_boundary(params, &boundary));
    REQUIRE_ALSA(snd_pcm_sw_params_set_stop_threshold(pcm, params, boundary));
    REQUIRE_ALSA(snd_pcm_sw_params(pcm, params));
    write_all(pcm, sound, ROOM, FRAME);
    long long deadline = milliseconds() + LIMIT;
    while (snd_pcm_avail(pcm) < ROOM + 2880 && milliseconds() < deadline) usleep(1000);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    EXPECT(snd_pcm_avail(pcm) >= ROOM + 2880);
    EXPECT_ALSA(snd_pcm_drop(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once(ROOM * FRAME);
}

TEST(pace, "A second of sound takes a second") {
    snd_pcm_t *pcm = open_player(usual);
    long long before = milliseconds();
    write_all(pcm, sound, 48000, FRAME);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    long long took = milliseconds() - before;
    EXPECT(took >= 990);
    snd_pcm_close(pcm);
}

TEST(capturing, "A simulated microphone records silence at its rate") {
    /* A second of room: on a busy machine the program reads late. */
    struct setup setup = usual;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_CAPTURE, 0, setup);
    memset(sound, 1, sizeof sound);
    long long before = milliseconds();
    snd_pcm_uframes_t done = 0;
    while (done < 24000) {
        snd_pcm_sframes_t count = snd_pcm_readi(pcm, sound + done * FRAME, 480);
        REQUIRE_ALSA(count);
        done += (snd_pcm_uframes_t)count;
    }
    EXPECT(milliseconds() - before >= 490);
    EXPECT(is_silent(sound, done * FRAME));
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    EXPECT_ALSA(snd_pcm_readi(pcm, sound, 480), -EPIPE);
    snd_pcm_close(pcm);
}

static int count_of(const char *path) {
    int count = 0;
    DIR *folder = opendir(path);
    REQUIRE(folder != NULL);
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

TEST(tidy, "Closed streams leave no thread and no descriptor behind") {
    for (int round = 0, threads = 0, descriptors = 0; round < 30; round++) {
        snd_pcm_t *player = open_player(usual), *recorder = open_pcm(SND_PCM_STREAM_CAPTURE, 0, usual);
        write_all(player, sound, 960, FRAME);
        if (round % 3) snd_pcm_drop(player);
        snd_pcm_close(player);
        snd_pcm_close(recorder);
        /* libasound keeps a descriptor from the first stream. */
        if (round <= 1) threads = count_of("/proc/self/task"), descriptors = count_of("/proc/self/fd");
        EXPECT_INTEGER(count_of("/proc/self/task"), threads);
        EXPECT_INTEGER(count_of("/proc/self/fd"), descriptors);
    }
}

/* Like Ctrl-Z and fg. */
static void stop_for(int milliseconds) {
    pid_t program = getpid(), shell = fork();
    REQUIRE(shell >= 0);
    if (shell == 0) {
        struct timespec pause = {0, milliseconds * 1000000L};
        kill(program, SIGSTOP);
        nanosleep(&pause, NULL);
        kill(program, SIGCONT);
        _exit(0);
    }
    waitpid(shell, NULL, 0);
}

TEST(stopped, "The recording has silence for the time in which the program was stopped") {
    enum { PAUSE_MS = 200, ON_ITS_WAY_MS = 60, FRAMES = 48000 };
    size_t size;
    record_what_is_played();
    fill(sound, sizeof sound);
    /* A second of sound is in the buffer: on a busy machine the program goes on late, and may not underrun. */
    struct setup setup = usual;
    setup.buffer = FRAMES;
    snd_pcm_t *pcm = open_player(setup);
    write_all(pcm, sound, FRAMES, FRAME);
    /* Playback may begin late: the buffer is full until then. */
    EXPECT_ALSA(snd_pcm_wait(pcm, LIMIT), 1);
    stop_for(PAUSE_MS);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    unsigned char *recording = played(&size);
    EXPECT(size >= (FRAMES + 48 * (PAUSE_MS - ON_ITS_WAY_MS)) * FRAME);
    EXPECT_INTEGER(without_silence(recording, size, FRAME), FRAMES * FRAME);
    EXPECT(memcmp(recording, sound, FRAMES * FRAME) == 0);
    free(recording);
}

TEST(full, "A recording on a full disk ends with its frames, and the program continues") {
    enum { FRAMES = 9600 };
    struct rlimit small = {44 + 1000 * FRAME + 2, 44 + 1000 * FRAME + 2};
    uint32_t said = 0;
    size_t size;
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    record_what_is_played();
    fill(sound, sizeof sound);
    signal(SIGXFSZ, SIG_IGN);
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_INTEGER(setrlimit(RLIMIT_FSIZE, &small), 0);
    write_all(pcm, sound, FRAMES, FRAME);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    EXPECT(strstr(take_log(), "the file does not contain the following sound") != NULL);
    unsigned char *recording = played(&size);
    FILE *file = fopen(PLAYED, "rb");
    EXPECT(file && fseek(file, 40, SEEK_SET) == 0 && fread(&said, 4, 1, file) == 1);
    EXPECT_INTEGER(said, size);
    EXPECT(size <= 1000 * FRAME);
    EXPECT(memcmp(recording, sound, size) == 0);
    if (file) fclose(file);
    free(recording);
}

TEST(nowhere, "A recording that cannot be created is reported without the debug log too, and the program continues") {
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    setenv("AUDIOSESSION_SIMULATION_WAV", "no such folder/played.wav", 1);
    snd_pcm_t *pcm = open_player(usual);
    write_all(pcm, sound, 960, FRAME);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    EXPECT(strstr(take_log(), "AUDIOSESSION_SIMULATION_WAV: no such folder/played.wav: No such file") != NULL);
}

TEST(configured_twice, "A stream can be configured a second time") {
    record_what_is_played();
    fill(sound, sizeof sound);
    snd_pcm_t *pcm = open_player(usual);
    struct setup other = usual;
    other.period = 1024;
    other.buffer = 8192;
    EXPECT_ALSA(snd_pcm_hw_free(pcm), 0);
    configure(pcm, other);
    write_all(pcm, sound, 9600, FRAME);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    expect_heard_once(9600 * FRAME);
}

TEST(capture_delay, "The delay of a capture counts the frames that were captured and not read") {
    struct setup setup = usual;
    snd_pcm_sframes_t delay = -1;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_CAPTURE, 0, setup);
    EXPECT_ALSA(snd_pcm_start(pcm), 0);
    for (int turn = 1; turn <= 2; turn++) {
        EXPECT_ALSA(snd_pcm_wait(pcm, TIME_LIMIT_MS), 1);
        EXPECT_ALSA(snd_pcm_delay(pcm, &delay), 0);
        EXPECT(delay >= 480);
        EXPECT_ALSA(snd_pcm_readi(pcm, sound, 480), 480);
    }
    snd_pcm_close(pcm);
}
