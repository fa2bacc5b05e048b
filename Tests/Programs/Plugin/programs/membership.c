/* SPDX-License-Identifier: Apache-2.0 */
/* A stream belongs to the session of its program, or to a session that is made for the streams. */
#include "pcm.h"

#include <dirent.h>

enum { FRAME = 4 };

static int16_t sound[48000 * 2];

static bool is_active(void) {
    /* An active session refuses a new mode. */
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

TEST(busy, "Deactivation while streams run returns '!act', and stops them") {
    begin_log_for_waiting();
    BEGIN_SESSION();
    struct setup setup = usual;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_player(setup);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    EXPECT_OK(AudioSessionSetActive(false));
    wait_for_log("playback is held after ");
    EXPECT(snd_pcm_avail(pcm) < 48000);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    EXPECT_OK(AudioSessionSetActive(false));
    snd_pcm_close(pcm);
}

TEST(paused_is_busy, "Deactivation while a stream is paused returns '!act'") {
    BEGIN_SESSION();
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    EXPECT_ALSA(snd_pcm_pause(pcm, 1), 0);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    snd_pcm_close(pcm);
}

TEST(draining_is_busy, "Deactivation while a stream drains returns '!act'") {
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

TEST(interrupted_program, "An interruption of the program's session suspends its streams until the program activates it again") {
    struct other other = start_other();
    BEGIN_SESSION();
    struct setup setup = usual;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_player(setup);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    EXPECT_STATUS(request(other, 'c'), 0);
    WAIT_UNTIL(event_count == 1);
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT_STATUS(request(other, 'e'), 0);
    WAIT_UNTIL(event_count == 2);
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

TEST(directions, "An open in a direction that the session's category does not allow fails with EPERM") {
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

TEST(reasons, "The log names the category that does not permit a direction") {
    begin_log();
    BEGIN_SESSION();
    expect_refused_with_reason(SND_PCM_STREAM_CAPTURE);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    expect_refused_with_reason(SND_PCM_STREAM_PLAYBACK);
}

TEST(chosen, "The environment sets the category of the session that is made for streams") {
    setenv("AUDIOSESSION_CATEGORY", "record", 1);
    expect_open(SND_PCM_STREAM_PLAYBACK, -EPERM);
    expect_open(SND_PCM_STREAM_CAPTURE, 0);
}

TEST(joined, "The session of a program has the streams that were opened before it") {
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

/* A stream of this category runs, for five seconds if it plays, and the program initializes its session then. */
static snd_pcm_t *initialize_while_running(const char *category, snd_pcm_stream_t direction) {
    struct setup setup = usual;
    setup.buffer = 5 * 48000;
    setenv("AUDIOSESSION_CATEGORY", category, 1);
    snd_pcm_t *pcm = open_pcm(direction, 0, setup);
    if (direction == SND_PCM_STREAM_PLAYBACK)
        for (int second = 0; second < 5; second++) EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    else
        EXPECT_ALSA(snd_pcm_start(pcm), 0);
    BEGIN_SESSION();
    return pcm;
}

static void join_running(const char *category, UInt32 code, snd_pcm_stream_t direction) {
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        snd_pcm_t *pcm = initialize_while_running(category, direction);
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), code);
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
        EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
        EXPECT_OK(AudioSessionSetActive(true));
        EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
        snd_pcm_close(pcm);
        exit(failures ? 1 : 0);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    EXPECT_INTEGER(status, 0);
}

TEST(joined_while_running,
    "A stream that runs when its program initializes the session belongs to it at once, with its category and its activity") {
    join_running("AmbientSound", kAudioSessionCategory_AmbientSound, SND_PCM_STREAM_PLAYBACK);
    join_running("SoloAmbientSound", kAudioSessionCategory_SoloAmbientSound, SND_PCM_STREAM_PLAYBACK);
    join_running("MediaPlayback", kAudioSessionCategory_MediaPlayback, SND_PCM_STREAM_PLAYBACK);
    join_running("RecordAudio", kAudioSessionCategory_RecordAudio, SND_PCM_STREAM_CAPTURE);
    join_running("PlayAndRecord", kAudioSessionCategory_PlayAndRecord, SND_PCM_STREAM_PLAYBACK);
    join_running("MultiRoute", kAudioSessionLinuxCategory_MultiRoute, SND_PCM_STREAM_PLAYBACK);
}

TEST(followed_after_joining, "An interruption reaches a program once, and the stream that ran before the session") {
    struct other other = start_other();
    begin_log_for_waiting();
    snd_pcm_t *pcm = initialize_while_running("MediaPlayback", SND_PCM_STREAM_PLAYBACK);
    EXPECT_STATUS(request(other, 'c'), 0);
    wait_for_log("playback is held after ");
    EXPECT_STATUS(request(other, 'e'), 0);
    WAIT_UNTIL(event_count == 2);
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 2);
    EXPECT_INTEGER(events[0].whole, kAudioSessionBeginInterruption);
    EXPECT_INTEGER(events[1].whole, kAudioSessionEndInterruption);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(joined_without_interruption, "A program that initializes its session while its stream runs interrupts no other session") {
    struct other other = start_other();
    EXPECT_STATUS(request(other, 'm'), 0);
    snd_pcm_t *pcm = initialize_while_running("MediaPlayback", SND_PCM_STREAM_PLAYBACK);
    EXPECT_STATUS(request(other, 'a'), 0);
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(events[0].whole, kAudioSessionBeginInterruption);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_STATUS(request(other, 'i'), 1);
    snd_pcm_close(pcm);
    end_other(other);
}

static int count_entries(const char *path) {
    int count = 0;
    DIR *folder = opendir(path);
    REQUIRE(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* An endpoint is two FIFOs. */
static int count_fifos(void) {
    int count = 0;
    char path[600];
    struct stat status;
    const char *runtime = getenv("AUDIOSESSION_RUNTIME_DIR");
    DIR *folder = opendir(runtime);
    REQUIRE(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", runtime, entry->d_name);
        if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) count++;
    }
    closedir(folder);
    return count;
}

/* The program's thread, the monitor, and one for each stream. Simulated hardware has none. */
static void expect_one_engine(int streams) {
    EXPECT_INTEGER(count_entries("/proc/self/task"), 2 + streams);
    EXPECT_INTEGER(count_fifos(), 2);
}

TEST(session_then_stream, "A process whose session comes before its streams has one endpoint and one monitor thread") {
    BEGIN_SESSION();
    expect_one_engine(0);
    snd_pcm_t *pcm = open_player(usual);
    expect_one_engine(1);
    snd_pcm_close(pcm);
    expect_one_engine(0);
}

TEST(stream_then_session, "A process whose streams come before its session has one endpoint and one monitor thread") {
    snd_pcm_t *pcm = open_player(usual);
    expect_one_engine(1);
    BEGIN_SESSION();
    expect_one_engine(1);
    snd_pcm_close(pcm);
    expect_one_engine(0);
}

TEST(memory, "The memory of a process with the library, the plug-in and one stream can be read, and is printed") {
    char line[128];
    long resident = 0, share = 0, own = 0;
    BEGIN_SESSION();
    snd_pcm_t *pcm = open_player(usual);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    REQUIRE(file != NULL);
    while (fgets(line, sizeof line, file)) {
        long size = 0;
        sscanf(line, "Rss: %ld", &resident);
        sscanf(line, "Pss: %ld", &share);
        if (sscanf(line, "Private_Clean: %ld", &size) == 1 || sscanf(line, "Private_Dirty: %ld", &size) == 1) own += size;
    }
    fclose(file);
    EXPECT(resident >= share && share >= own && own > 0);
    printf("# a process with the library, the plug-in and one stream: RSS %ld kB, PSS %ld kB, private %ld kB\n", resident, share,
        own);
    snd_pcm_close(pcm);
}

TEST(streams_alone, "The last stream of a program without a session leaves no thread and no endpoint") {
    for (int round = 0; round < 2; round++) {
        snd_pcm_t *pcm = open_player(usual);
        expect_one_engine(1);
        snd_pcm_close(pcm);
        EXPECT_INTEGER(count_entries("/proc/self/task"), 1);
        EXPECT_INTEGER(count_fifos(), 0);
    }
}

TEST(forked, "A child of fork has an engine of its own, for streams and for a session") {
    BEGIN_SESSION();
    snd_pcm_t *pcm = open_player(usual);
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        snd_pcm_t *own = open_player(usual);
        EXPECT_INTEGER(count_entries("/proc/self/task"), 3);
        EXPECT_ALSA(snd_pcm_writei(own, sound, ROOM), ROOM);
        BEGIN_SESSION();
        EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
        snd_pcm_close(own);
        exit(failures ? 1 : 0);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    EXPECT_INTEGER(status, 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), ROOM);
    snd_pcm_close(pcm);
}

/* The state after a start, or the error of the start. */
static int start_error(void) {
    snd_pcm_t *pcm = open_player(usual);
    snd_pcm_sframes_t written = snd_pcm_writei(pcm, sound, ROOM);
    snd_pcm_close(pcm);
    return written < 0 ? (int)written : 0;
}

TEST(dead_server, "While the audio server is dead no stream starts, with and without a session of the program") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    SIMULATE("server die");
    EXPECT_STATUS(AudioSessionSetActive(true), kAudioSessionUnspecifiedError);
    EXPECT_ALSA(start_error(), -EIO);
    SIMULATE("server restart");
    EXPECT_ALSA(start_error(), 0);
}

TEST(server_dies, "A stream stops when the audio server dies, and starts again when it is back") {
    struct other other = start_other();
    struct setup setup = usual;
    setup.buffer = 48000;
    snd_pcm_t *pcm = open_player(setup);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    EXPECT_STATUS(request(other, 's'), 0);
    WAIT_UNTIL_STATE(pcm, SND_PCM_STATE_XRUN);
    EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, ROOM), -EIO);
    EXPECT_STATUS(request(other, 'S'), 0);
    snd_pcm_sframes_t written;
    long long deadline = milliseconds() + LIMIT;
    /* A write that cannot start the stream leaves its frames in the buffer: prepare empties it. */
    do {
        EXPECT_ALSA(snd_pcm_prepare(pcm), 0);
        written = snd_pcm_writei(pcm, sound, ROOM);
    } while (written == -EIO && milliseconds() < deadline && snd_pcm_wait(pcm, 10) >= -EPIPE);
    EXPECT_ALSA(written, ROOM);
    snd_pcm_close(pcm);
    end_other(other);
}

TEST(no_microphone, "In RecordAudio no stream starts without a microphone") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_CAPTURE, 0, usual);
    SIMULATE("unplug microphone");
    EXPECT_STATUS(AudioSessionSetActive(true), kAudioServicesNoHardwareError);
    EXPECT_ALSA(snd_pcm_start(pcm), -ENODEV);
    SIMULATE("plug microphone");
    EXPECT_ALSA(snd_pcm_start(pcm), 0);
    snd_pcm_close(pcm);
}

TEST(new_stream_during_call, "A stream that opens in an interrupted session is refused during the call") {
    struct other other = start_other();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_STATUS(request(other, 'c'), 0);
    WAIT_UNTIL(event_count == 1);
    EXPECT_ALSA(start_error(), -EBUSY);
    EXPECT_STATUS(request(other, 'e'), 0);
    EXPECT_ALSA(start_error(), 0);
    end_other(other);
}

TEST(unplugged_machine, "An open without any device fails with ENODEV") {
    BEGIN_SESSION();
    SIMULATE("unplug speaker");
    SIMULATE("unplug receiver");
    expect_open(SND_PCM_STREAM_PLAYBACK, -ENODEV);
    SIMULATE("plug speaker");
    expect_open(SND_PCM_STREAM_PLAYBACK, 0);
}

/* A file of the runtime directory whose name begins with these words. */
static int open_runtime_file(const char *words, int how) {
    char path[600];
    int file = -1;
    const char *runtime = getenv("AUDIOSESSION_RUNTIME_DIR");
    DIR *folder = opendir(runtime);
    REQUIRE(folder != NULL);
    for (struct dirent *entry; file < 0 && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (strncmp(entry->d_name, words, strlen(words)) != 0 || entry->d_name[length - 1] == 'k') continue; /* .lock */
        snprintf(path, sizeof path, "%s/%s", runtime, entry->d_name);
        file = open(path, how);
    }
    closedir(folder);
    REQUIRE(file >= 0);
    return file;
}

/* The number of links: 0 when another process has replaced the file. */
static int links(int file) {
    struct stat status;
    REQUIRE(fstat(file, &status) == 0);
    return (int)status.st_nlink;
}

static void unplug_while_locked(const struct setup *setup, snd_pcm_uframes_t frames) {
    char machine[4096];
    struct flock lock;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    SIMULATE("volume 0.5");
    int simulation = open_runtime_file("simulation", O_RDWR);
    ssize_t size = read(simulation, machine, sizeof machine);
    REQUIRE(size > 0);
    close(simulation);
    SIMULATE("plug headphones");
    setenv("AUDIOSESSION_ON_ROUTE_LOSS", "stop", 1);
    snd_pcm_t *pcm = open_player(*setup);
    EXPECT_ALSA(snd_pcm_writei(pcm, sound, frames), frames);
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    DELIVER_ALL_EVENTS();
    int before = event_count;

    int table = open_runtime_file("sessions.", O_RDWR);
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    REQUIRE(fcntl(table, F_OFD_SETLKW, &lock) == 0);
    simulation = open_runtime_file("simulation", O_WRONLY | O_TRUNC);
    REQUIRE(write(simulation, machine, (size_t)size) == size);
    close(simulation);
    snd_pcm_sframes_t written;
    do written = snd_pcm_writei(pcm, sound, 480);
    while (written > 0);
    /* A thread that waits for the lock replaces the table after a second. The monitor may still do that for the start of the
       stream. */
    if (written == -EPIPE || links(table) != 1) exit(LATE);
    EXPECT_ALSA(written, -ENODEV);
    WAIT_UNTIL(event_count > before);
    EXPECT_INTEGER(events[before].id, kAudioSessionProperty_AudioRouteChange);
    close(table);
    snd_pcm_close(pcm);
}

TEST(jack_without_table, "A jack event reaches the program and its streams while another process holds the lock of the table") {
    struct setup setup = usual;
    setup.buffer = 48000;
    try_in_time(unplug_while_locked, &setup, setup.buffer);
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

TEST(ports, "A stream of a MultiRoute session plays to the port that it names while that port exists") {
    setenv("AUDIOSESSION_SIMULATION_WAV", PLAYED, 1);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionLinuxCategory_MultiRoute));
    SIMULATE("plug headphones");
    EXPECT(!is_heard_on("audiosession:PORT=hdmi"));
    SIMULATE("plug hdmi");
    EXPECT(is_heard_on("audiosession:PORT=hdmi"));
}
