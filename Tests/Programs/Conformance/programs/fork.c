/* SPDX-License-Identifier: Apache-2.0 */
/* Children of fork, and programs started by exec. */
#include "conformance.h"

#include <sched.h>

static int in_child(void (*what)(void)) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        event_count = 0;
        alarm(60);
        what();
        _exit(failures ? 1 : 0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void find_nothing_initialized(void) {
    UInt32 number = 0, size = 4;
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionSetActiveWithFlags(0, 0), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &number), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &number), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionGetPropertySize(kAudioSessionProperty_AudioCategory, &size), kAudioSessionNotInitialized);
    EXPECT_STATUS(
        AudioSessionAddPropertyListener(kAudioSessionProperty_ServerDied, record_event, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionRemovePropertyListener(kAudioSessionProperty_ServerDied), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_ServerDied, record_event, NULL),
        kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, (char *)&number, &size), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxSetDisplayName("child"), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxDispatchEvents(), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxSimulate("wake"), kAudioSessionNotInitialized);
    EXPECT_INTEGER(AudioSessionLinuxEventDescriptor(), -1);
}

TEST(child_is_not_initialized, "after fork the child is not initialized: every call but Initialize gives '!ini'") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_INTEGER(in_child(find_nothing_initialized), 0);
    EXPECT_OK(AudioSessionSetActive(0));
}

static void ask_for_the_hardware(void) {
    AudioSessionInitialize(NULL, NULL, NULL, NULL);
    get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume);
}

static void fork_at_once(void) {
    AudioSessionInitialize(NULL, NULL, NULL, NULL);
    EXPECT_INTEGER(in_child(ask_for_the_hardware), 0);
}

TEST(child_of_exploration, "a child that is forked while the cards are explored explores them itself") {
    char text[65536] = "";
    int errors = dup(2), log = open("log", O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
    setenv("AUDIOSESSION_HARDWARE", "alsa", 1);
    setenv("AUDIOSESSION_DEBUG", "1", 1);
    EXPECT(dup2(log, 2) == 2);
    for (int round = 0; round < 20; round++) EXPECT_INTEGER(in_child(fork_at_once), 0);
    EXPECT(dup2(errors, 2) == 2);
    EXPECT(pread(log, text, sizeof text - 1, 0) > 0);
    EXPECT(strstr(text, "AudioSessionInitialize") != NULL);
    EXPECT(strstr(text, "does not answer") == NULL);
    close(errors);
    close(log);
}

static void use_a_session(void) {
    BEGIN_SESSION();
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_SoloAmbientSound);
    EXPECT_OK(set_category(kAudioSessionCategory_AmbientSound));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    bool is_low = get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume) < 0.6;
    SIMULATE(is_low ? "volume 0.75" : "volume 0.25");
    WAIT_UNTIL(event_count == 1);
    EXPECT_NUMBER(events[0].number, is_low ? 0.75 : 0.25);
}

TEST(child_initializes, "Initialize in the child works, and the parent's session stays as it was") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    EXPECT_INTEGER(in_child(use_a_session), 0);
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_MediaPlayback);
}

static volatile int stop_calling;

static void *keep_calling(void *unused) {
    (void)unused;
    for (int i = 0; !stop_calling; i++) {
        (void)set_category(i % 2 ? kAudioSessionCategory_MediaPlayback : kAudioSessionCategory_PlayAndRecord);
        (void)AudioSessionSetActive((Boolean)(i % 3 != 0));
        (void)get_status(kAudioSessionProperty_CurrentHardwareSampleRate);
        (void)AudioSessionLinuxSimulate(i % 2 ? "plug line-in" : "unplug line-in");
        (void)AudioSessionLinuxDispatchEvents();
    }
    return NULL;
}

TEST(fork_at_any_moment, "fork while other threads are inside calls: the child still initializes") {
    pthread_t threads[3];
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareInputNumberChannels, record_event, NULL));
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, keep_calling, NULL);
    for (int i = 0; i < 50 && !failures; i++) EXPECT_INTEGER(in_child(use_a_session), 0);
    stop_calling = 1;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

static void fork_again(void) {
    use_a_session();
    EXPECT_INTEGER(in_child(find_nothing_initialized), 0);
    EXPECT_INTEGER(in_child(use_a_session), 0);
}

TEST(grandchildren, "a grandchild is not initialized either") {
    BEGIN_SESSION();
    EXPECT_INTEGER(in_child(fork_again), 0);
}

/* How many descriptors of this process are open as a file whose name ends like this. */
static int descriptors_of(const char *ending) {
    int count = 0;
    char path[64], name[4096];
    for (int i = 0; i < 1024; i++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        ssize_t length = readlink(path, name, sizeof name - 1);
        name[length > 0 ? length : 0] = 0;
        /* The name of a file that has been removed goes on. */
        count += strstr(name, ending) != NULL;
    }
    return count;
}

/* How many descriptors the epoll instances of this process watch that it has closed: they would be ready for ever. */
static int watched_and_closed(void) {
    int count = 0, watched;
    unsigned long inode;
    char path[64], line[256];
    for (int i = 0; i < 1024; i++) {
        snprintf(path, sizeof path, "/proc/self/fdinfo/%d", i);
        FILE *file = fopen(path, "re");
        while (file && fgets(line, sizeof line, file)) {
            const char *of_file = strstr(line, "ino:");
            struct stat status;
            if (sscanf(line, "tfd: %d", &watched) != 1 || !of_file || sscanf(of_file, "ino:%lx", &inode) != 1) continue;
            count += fstat(watched, &status) != 0 || status.st_ino != inode;
        }
        if (file) fclose(file);
    }
    return count;
}

static pid_t child_that_waits(void) {
    pid_t child = fork();
    if (child != 0) return child;
    alarm(60);
    for (;;) pause();
}

TEST(copies_of_descriptors, "the end of a process is noticed once, also while a child has copies of what watched it") {
    BEGIN_SESSION();
    int own = descriptors_of(".alive");
    for (int life = 0; life < 2; life++) {
        int ready[2];
        char byte = 0;
        REQUIRE(pipe(ready) == 0);
        pid_t other = fork();
        if (other == 0) {
            if (AudioSessionInitialize(NULL, NULL, NULL, NULL) != 0 || write(ready[1], "y", 1) != 1) _exit(1);
            alarm(60);
            for (;;) pause();
        }
        EXPECT_INTEGER(read(ready[0], &byte, 1), 1);
        /* No event tells of a descriptor: the alarm of the test is the limit. */
        while (descriptors_of(".alive") == own) sched_yield();
        pid_t child = child_that_waits();
        REQUIRE(other > 0 && child > 0);
        EXPECT_INTEGER(kill(other, SIGKILL), 0);
        waitpid(other, NULL, 0);
        while (descriptors_of(".alive") > own) sched_yield();
        EXPECT_INTEGER(watched_and_closed(), 0);
        EXPECT_INTEGER(kill(child, SIGKILL), 0);
        waitpid(child, NULL, 0);
        close(ready[0]);
        close(ready[1]);
    }
}

static int open_descriptors(void) {
    int count = 0;
    for (int i = 0; i < 1024; i++) count += fcntl(i, F_GETFD) >= 0 && !(fcntl(i, F_GETFD) & FD_CLOEXEC);
    return count;
}

TEST(exec_inherits_nothing, "exec inherits no descriptor of the library") {
    int before = open_descriptors();
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    SIMULATE("plug headphones");
    EXPECT_INTEGER(open_descriptors(), before);
}

TEST(exec_ends_the_session, "exec ends the session as exit does") {
    int ready[2], status = -1;
    char byte = 0;
    REQUIRE(pipe(ready) == 0);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    pid_t child = fork();
    if (child == 0) {
        close(ready[0]);
        if (AudioSessionInitialize(NULL, NULL, NULL, NULL) != 0 || AudioSessionSetActive(1) != 0) _exit(1);
        if (write(ready[1], "y", 1) != 1) _exit(1);
        /* The process continues without a session until it is killed. */
        execlp("sleep", "sleep", "1000", (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    EXPECT_INTEGER(read(ready[0], &byte, 1), 1);
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[0].whole, kAudioSessionBeginInterruption);
    EXPECT_INTEGER(events[1].whole, kAudioSessionEndInterruption);
    EXPECT_INTEGER(kill(child, SIGKILL), 0);
    waitpid(child, &status, 0);
    EXPECT(WIFSIGNALED(status));
}
