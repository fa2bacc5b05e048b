/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"
#include "fork_gate.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int linux_process_id(void) { return getpid(); }
uint32_t linux_user_id(void) { return geteuid(); }

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t linux_monotonic_nanoseconds(void) { return now(CLOCK_MONOTONIC); }

/* One clock counts while the machine sleeps, the other does not. They are read one after the other, so that their
   difference includes the time between the reads. */
uint64_t linux_nanoseconds_asleep(void) {
    uint64_t awake = now(CLOCK_MONOTONIC);
    return now(CLOCK_BOOTTIME) - awake;
}

void linux_sleep_nanoseconds(uint64_t nanoseconds) {
    struct timespec left = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
    nanosleep(&left, NULL);
}

void linux_yield(void) { sched_yield(); }

const char *linux_environment(const char *name) { return secure_getenv(name); }

const char *linux_error_text(int error) {
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}

/* The fields of /proc/PID/stat after the name. The name is in brackets, and may itself contain brackets. */
static int read_stat(int pid, char *buffer, size_t size, const char **fields) {
    char path[32] = "/proc/self/stat";
    if (pid > 0) snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = linux_open(path, LINUX_READ, 0);
    if (fd < 0) return fd;
    ptrdiff_t length = linux_read(fd, buffer, size - 1);
    close(fd);
    if (length < 0) return length == -ESRCH ? -ENOENT : (int)length;
    buffer[length] = '\0';
    const char *bracket = strrchr(buffer, ')');
    if (!bracket || bracket[1] != ' ') return -EIO;
    *fields = bracket + 2;
    return 0;
}

int linux_process_start_time(int pid, uint64_t *ticks) {
    enum { STATE_FIELD = 3, START_FIELD = 22 };
    char buffer[1024];
    const char *at;
    int error = read_stat(pid, buffer, sizeof buffer, &at);
    if (error < 0) return error;
    for (int field = STATE_FIELD; field < START_FIELD; field++) {
        at = strchr(at, ' ');
        if (!at) return -EIO;
        at++;
    }
    *ticks = strtoull(at, NULL, 10);
    return 0;
}

uint64_t linux_process_namespace(void) {
    struct stat pids, times;
    if (stat("/proc/self/ns/pid", &pids) < 0) return 0;
    if (stat("/proc/self/ns/time", &times) < 0) times.st_ino = 0;
    return (uint64_t)pids.st_ino | (uint64_t)times.st_ino << 32;
}

static int argument_count;
static char **arguments;
__attribute__((constructor)) static void remember_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}
int linux_argument_count(void) { return argument_count; }
const char *linux_argument(int index) { return index >= 0 && index < argument_count ? arguments[index] : ""; }
void linux_exit(int status) { exit(status); }
void linux_at_exit(void (*body)(void)) { atexit(body); }

int linux_end_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int linux_random(void *bytes, size_t count) {
    ssize_t got;
    do got = getrandom(bytes, count, 0);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : (size_t)got < count ? -EIO : 0;
}

const char *linux_program_name(void) { return program_invocation_short_name ? program_invocation_short_name : ""; }

/* Hashing of Embedded Swift calls this function, which glibc has since 2.36. This definition, which
   the version script hides, lets the library run with glibc 2.34. */
__attribute__((visibility("hidden"))) void arc4random_buf(void *bytes, size_t count) {
    unsigned char *at = bytes;
    while (count > 0) {
        ssize_t got = getrandom(at, count, 0);
        if (got < 0 && errno != EINTR) {
            memset(at, 0x5a, count); /* a fixed seed makes hashing guessable, not wrong */
            return;
        }
        if (got > 0) at += got, count -= (size_t)got;
    }
}

/* ---- fork ---- */

static uint32_t ordinary_words[LINUX_WORDS_WIPED_ON_FORK];
uint32_t *linux_the_words_wiped_on_fork = ordinary_words;
void *linux_the_objects_of_words[LINUX_WORDS_WIPED_ON_FORK];

__attribute__((constructor)) static void make_words_wiped_on_fork(void) {
    long page = sysconf(_SC_PAGESIZE);
    void *words = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED) return;
    if (madvise(words, (size_t)page, MADV_WIPEONFORK) == 0)
        linux_the_words_wiped_on_fork = words;
    else
        munmap(words, (size_t)page);
}

enum { MOST_CLOSED_ON_FORK = 64 };
static int closed_on_fork[MOST_CLOSED_ON_FORK];
static int count_closed_on_fork;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void fork_gate_enter(void) { pthread_mutex_lock(&gate); }
void fork_gate_leave(void) { pthread_mutex_unlock(&gate); }

/* The thread that explores the sound cards holds locks of libraries, which would be locked in a child for ever. Therefore fork()
   waits for it, unless this thread itself forks: ALSA's plug-in of a sound server starts that server. */
static _Thread_local bool is_exploring;
static const uint64_t longest_exploration_ns = 1000000000;

void linux_begin_exploration(void) { is_exploring = true; }
bool linux_await_exploration(void) {
    uint64_t deadline = linux_monotonic_nanoseconds() + longest_exploration_ns;
    return linux_wait_until(linux_word_wiped_on_fork(LINUX_WORD_OF_EXPLORATION), 1, deadline);
}
static void before_fork(void) {
    if (!is_exploring) linux_await_exploration();
    fork_gate_enter();
}
static void after_fork_in_child(void) {
    for (int i = 0; i < count_closed_on_fork; i++) close(closed_on_fork[i]);
    count_closed_on_fork = 0;
    fork_gate_leave();
}
__attribute__((constructor)) static void install_handlers(void) {
    pthread_atfork(before_fork, fork_gate_leave, after_fork_in_child);
}

void linux_close_on_fork(int fd) {
    fork_gate_enter();
    if (count_closed_on_fork < MOST_CLOSED_ON_FORK) closed_on_fork[count_closed_on_fork++] = fd;
    fork_gate_leave();
}

void linux_forget_on_fork(int fd) {
    fork_gate_enter();
    for (int i = 0; i < count_closed_on_fork; i++)
        if (closed_on_fork[i] == fd) {
            closed_on_fork[i] = closed_on_fork[--count_closed_on_fork];
            break;
        }
    fork_gate_leave();
}

int linux_set_environment(const char *name, const char *value) { return setenv(name, value, 1) == 0 ? 0 : -errno; }

int linux_execute(const char *const *arguments) {
    execvp(arguments[0], (char *const *)arguments);
    return -errno;
}
