/* SPDX-License-Identifier: Apache-2.0 */
/* hostile ADVERSARY [SECONDS]: two sessions of two processes interrupt each other and resume: first without other
   processes, then beside an adversary, then without others again. Every interruption must arrive and end, in turn, and the
   processes must not grow. The times are printed, without a limit. */
#include "hostile.h"

#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The longest wait for any event, in milliseconds. */
enum { WAIT_LIMIT = 60000 };
enum { MOST_TIMES = 1 << 20, WARM_UP = 300, AFTERWARDS = 100 };
/* In KB. A full table and the buffers for it are 2 MB. Later nothing more is needed. */
enum { ROOM_FOR_A_FULL_TABLE = 2048, A_COPY_OF_THE_FILE = 768 };
/* The monitor may be in a transaction during the count, and keeps eight FIFOs of other processes open. */
enum { OPEN_MEANWHILE = 3 + 8 };

static char folder[64] = "/tmp/hostile.XXXXXX";
static const char *role = "hostile";

const char *shared_folder(void) { return folder; }

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "#   %s: ", role);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _exit(1);
}

uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sleep_milliseconds(unsigned milliseconds) {
    struct timespec pause = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

/* ---- Shared memory of a run ---- */

struct size {
    long descriptors, mappings, kilobytes;
};

static struct {
    uint64_t requested;
    uint32_t times[MOST_TIMES]; /* microseconds, of begins and ends */
    uint32_t count;
    struct size listener, activator;
} * shared;

static long lines_of(const char *path) {
    char line[512];
    long count = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) count++;
    if (file) fclose(file);
    return count;
}

static struct size size_now(void) {
    struct size size = {0, lines_of("/proc/self/maps"), 0};
    char line[256];
    DIR *descriptors = opendir("/proc/self/fd");
    while (descriptors && readdir(descriptors)) size.descriptors++;
    if (descriptors) closedir(descriptors);
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) sscanf(line, "RssAnon: %ld", &size.kilobytes);
    if (status) fclose(status);
    return size;
}

/* ---- The two sessions ---- */

static void send_byte(int line, char byte) {
    if (write(line, &byte, 1) != 1) fail("the other process has ended");
}

static void await(int line, char byte, const char *what) {
    struct pollfd waiting = {.fd = line, .events = POLLIN};
    char seen = 0;
    if (poll(&waiting, 1, WAIT_LIMIT) != 1) fail("awaited %s for %d s; seen: nothing", what, WAIT_LIMIT / 1000);
    if (read(line, &seen, 1) != 1) fail("awaited %s; seen: the end of its process", what);
    if (seen != byte) fail("awaited %s (%c); seen: %c", what, byte, seen);
}

static void check(OSStatus status, const char *call) {
    if (status != 0) fail("%s gives %s", call, AudioSessionLinuxStatusName(status));
}

static void begin_session(AudioSessionInterruptionListener listener) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    check(AudioSessionInitialize(NULL, NULL, listener, NULL), "Initialize");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "setting the category");
}

static bool is_interrupted;
static int to_other;

static void note_time(void) {
    uint64_t took = (nanoseconds() - shared->requested) / 1000;
    if (shared->count < MOST_TIMES) shared->times[shared->count++] = took > UINT32_MAX ? UINT32_MAX : (uint32_t)took;
}

static void on_interruption(void *data, UInt32 state) {
    (void)data;
    if (is_interrupted == (state == kAudioSessionBeginInterruption))
        fail("two %s without the other between them", is_interrupted ? "begins" : "ends");
    is_interrupted = !is_interrupted;
    note_time();
    if (!is_interrupted) {
        UInt32 type = 0, size = sizeof type;
        check(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type), "reading the type");
        if (type != kAudioSessionInterruptionType_ShouldResume) fail("an end says that it should not resume");
        check(AudioSessionSetActive(true), "resuming");
    }
    send_byte(to_other, is_interrupted ? 'b' : 'e');
}

/* Runs until the other process closes the pipe. */
static void run_listener(int line) {
    begin_session(on_interruption);
    check(AudioSessionSetActive(true), "the listener's SetActive(true)");
    struct pollfd waiting[2] = {{.fd = AudioSessionLinuxEventDescriptor(), .events = POLLIN}, {.fd = line, .events = POLLIN}};
    send_byte(to_other, 'r');
    for (;;) {
        if (poll(waiting, 2, -1) < 0) continue;
        if (waiting[0].revents) check(AudioSessionLinuxDispatchEvents(), "dispatching");
        if (!waiting[1].revents) continue;
        char byte;
        if (read(line, &byte, 1) != 1) _exit(0);
        shared->listener = size_now();
        send_byte(to_other, 's');
    }
}

static void interrupt_once(int line) {
    shared->requested = nanoseconds();
    check(AudioSessionSetActive(true), "SetActive(true)");
    await(line, 'b', "the other's begin");
    shared->requested = nanoseconds();
    check(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation), "SetActive(false)");
    await(line, 'e', "the other's end");
}

static void measure(int from, int to) {
    send_byte(to, 's');
    await(from, 's', "the other's size");
    shared->activator = size_now();
}

/* ---- The run ---- */

static void start_listener(int *from, int *to) {
    int there[2], back[2];
    if (pipe(there) != 0 || pipe(back) != 0) fail("no pipe");
    if (fork() == 0) {
        role = "listener";
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(there[1]);
        close(back[0]);
        to_other = back[1];
        run_listener(there[0]);
    }
    close(there[0]);
    close(back[1]);
    *from = back[0];
    *to = there[1];
    await(*from, 'r', "the listener");
    char table[128];
    snprintf(table, sizeof table, "%s/" TABLE, folder);
    if (access(table, R_OK) != 0) fail("the table is not at its path");
}

static int progress_line;

static bool has_begun;

void report_begin(void) {
    has_begun = true;
    send_byte(progress_line, 'w');
}

void report_step(void) {
    if (!has_begun) send_byte(progress_line, '.');
}

void close_progress_line(void) { close(progress_line); }

static pid_t start_adversary(const struct adversary *adversary) {
    int line[2];
    if (!adversary->run) return 0;
    if (pipe(line) != 0) fail("no pipe");
    pid_t child = fork();
    if (child == 0) {
        role = adversary->name;
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(line[0]);
        progress_line = line[1];
        adversary->run();
    }
    close(line[1]);
    struct pollfd waiting = {.fd = line[0], .events = POLLIN};
    char byte = '.';
    for (long steps = 0; byte != 'w'; steps++) {
        if (poll(&waiting, 1, WAIT_LIMIT) != 1)
            fail("awaited the next step of %s for %d s; seen: %ld steps", adversary->name, WAIT_LIMIT / 1000, steps);
        if (read(line[0], &byte, 1) == 1) continue;
        int status = 0;
        waitpid(child, &status, 0);
        fail("%s has ended after %ld steps: %s", adversary->name, steps,
            WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
    }
    close(line[0]);
    return child;
}

static void end_adversary(pid_t child) {
    if (child <= 0) return;
    kill(-child, SIGKILL);
    while (waitpid(-child, NULL, 0) > 0) {}
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void print_times(const struct adversary *adversary) {
    uint32_t count = shared->count;
    qsort(shared->times, count, sizeof shared->times[0], compare);
    if (count == 0) fail("nothing was measured");
    printf("ok - beside a process that %s every interruption arrives and ends\n", adversary->action);
    printf("#   %-10s %8u events: median %9.3f ms, 90 %% %9.3f ms, 99 %% %9.3f ms, longest %9.3f ms\n", adversary->name, count,
        shared->times[count / 2] / 1e3, shared->times[(uint64_t)count * 90 / 100] / 1e3,
        shared->times[(uint64_t)count * 99 / 100] / 1e3, shared->times[count - 1] / 1e3);
}

static void check_size(const char *name, struct size before, struct size after, long growth) {
    if (after.descriptors > before.descriptors + OPEN_MEANWHILE)
        fail("the %s has %ld descriptors, not %ld", name, after.descriptors, before.descriptors);
    if (after.kilobytes > before.kilobytes + growth)
        fail("the %s has %ld KB, not %ld KB", name, after.kilobytes, before.kilobytes);
    if (after.mappings > before.mappings + 4) fail("the %s has %ld mappings, not %ld", name, after.mappings, before.mappings);
}

static void run(const struct adversary *adversary, unsigned seconds) {
    int from, to;
    start_listener(&from, &to);
    role = "activator";
    begin_session(NULL);
    for (int i = 0; i < WARM_UP; i++) interrupt_once(from);
    measure(from, to);
    struct size listener = shared->listener, activator = shared->activator;

    pid_t child = start_adversary(adversary);
    interrupt_once(from);
    shared->count = 0;
    struct size listener_beside = {0}, activator_beside = {0};
    for (int half = 0; half < 2; half++) {
        uint64_t end = nanoseconds() + seconds * 500000000ull;
        for (int i = 0; i < 2 || nanoseconds() < end; i++) interrupt_once(from);
        measure(from, to);
        if (half == 0) listener_beside = shared->listener, activator_beside = shared->activator;
    }
    check_size("listener", listener_beside, shared->listener, A_COPY_OF_THE_FILE);
    check_size("activator", activator_beside, shared->activator, A_COPY_OF_THE_FILE);
    print_times(adversary);

    end_adversary(child);
    for (int i = 0; i < AFTERWARDS; i++) interrupt_once(from);
    measure(from, to);
    check_size("listener", listener, shared->listener, ROOM_FOR_A_FULL_TABLE);
    check_size("activator", activator, shared->activator, ROOM_FOR_A_FULL_TABLE);
}

static bool make_small_disk(void) {
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount("tmpfs", folder, "tmpfs", 0, "size=1m,mode=700") == 0;
}

static void clear_up(bool is_mounted) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s%s", folder, is_mounted ? "/*" : "");
    (void)!system(command);
}

int main(int count, char **arguments) {
    const struct adversary *adversary = adversaries;
    if (count < 2 || strcmp(arguments[1], "--list") == 0) {
        for (; adversary->name; adversary++) puts(adversary->name);
        puts("set-user-id");
        return 0;
    }
    if (strcmp(arguments[1], "--session") == 0) initialize_session();
    bool is_secure = strcmp(arguments[1], "set-user-id") == 0;
    while (!is_secure && adversary->name && strcmp(adversary->name, arguments[1]) != 0) adversary++;
    if (!adversary->name) fail("no adversary is called %s", arguments[1]);
    if (!mkdtemp(folder)) fail("no folder");
    if (is_secure) {
        pid_t checker = fork();
        if (checker == 0) exit(check_set_user_id());
        int result = 1;
        waitpid(checker, &result, 0);
        clear_up(false);
        return result == 0 ? 0 : 1;
    }
    if (adversary->needs_small_disk && !make_small_disk()) {
        rmdir(folder);
        printf("ok - # skipped: %s needs a disk of its own\n", adversary->name);
        return 0;
    }
    setenv("AUDIOSESSION_RUNTIME_DIR", folder, 1);
    setenv("AUDIOSESSION_HARDWARE", "simulated", 1);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) fail("no memory");
    setvbuf(stdout, NULL, _IOLBF, 0);

    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run(adversary, count > 2 ? (unsigned)atoi(arguments[2]) : 3);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    clear_up(adversary->needs_small_disk);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    if (WIFSIGNALED(status)) printf("#   killed: %s\n", strsignal(WTERMSIG(status)));
    printf("not ok - beside a process that %s\n", adversary->action);
    return 1;
}
