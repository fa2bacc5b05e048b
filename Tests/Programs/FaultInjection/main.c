/* SPDX-License-Identifier: Apache-2.0 */
#include "failures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Functions of AddressSanitizer, if the program is built with it. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

/* ---- faults ---- */

struct fault {
    enum fault_kind how;
    int error;
    bool is_lasting;
    const char *name;
};

static const struct fault faults[] = {
    {FAULT_ERROR, EIO, false, "EIO"},
    {FAULT_ERROR, EIO, true, "EIO from there on"},
    {FAULT_ERROR, EMFILE, false, "EMFILE"},
    {FAULT_ERROR, EMFILE, true, "EMFILE from there on"},
    {FAULT_ERROR, ENOMEM, false, "ENOMEM"},
    {FAULT_ERROR, ENOENT, false, "ENOENT"},
    {FAULT_ERROR, EAGAIN, false, "EAGAIN"},
    {FAULT_ERROR, 500000, false, "an error of libasound's own"},
    {FAULT_ERROR, EINTR, false, "EINTR"},
    {FAULT_SHORT, 0, false, "half of a transfer"},
    {FAULT_SHORT, 0, true, "halves of all transfers"},
};
enum { FAULTS = sizeof faults / sizeof *faults };

static const struct fault *fault;
static const struct step *step;
static uint64_t nth;

bool fault_is_invisible(void) { return fault->how == FAULT_SHORT || fault->error == EINTR; }

/* A shortage of descriptors is temporary. EAGAIN of a wake-up means that the reader has been woken. */
bool may_use_private_table(void) { return (fault->is_lasting && fault->error == EIO) || fault->error == EAGAIN; }

bool may_use_default_machine(void) { return fault->error == ENOENT; }

bool may_lose_events(void) { return fault->is_lasting; }

/* ---- failures ---- */

static bool has_failed;

void complain(const char *format, ...) {
    va_list arguments;
    const char *call = fault_plan_struck();
    has_failed = true;
    printf("not ok - %s, %s in call %llu (%s): ", step->name, fault->name, (unsigned long long)nth, call ? call : "none");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

/* ---- the peer ---- */

static int to_peer, from_peer;
static int peer_events;

static void on_property_change(void *data, UInt32 state) { (void)data, (void)state, peer_events++; }

int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_interrupted(int milliseconds) {
    int64_t end = now_ms() + milliseconds, left = milliseconds;
    do {
        struct pollfd item = {.fd = AudioSessionLinuxEventDescriptor(), .events = POLLIN};
        poll(&item, 1, (int)left);
        AudioSessionLinuxDispatchEvents();
        left = end - now_ms();
    } while (peer_events == 0 && left > 0);
    return peer_events != 0;
}

static bool change_category(UInt32 category) {
    return AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category) == 0;
}

static bool run_command(char command) {
    UInt32 others = 1, size = sizeof others;
    switch (command) {
    case PLAY_EXCLUSIVELY: return change_category(kAudioSessionCategory_MediaPlayback) && AudioSessionSetActive(true) == 0;
    case AWAIT_INTERRUPTION:
        if (is_interrupted(WAIT_LIMIT_MS)) return true;
        printf("# awaited for %d ms: an interruption of the peer; seen: no event\n", WAIT_LIMIT_MS);
        return false;
    case CHECK_UNDISTURBED: return !is_interrupted(0);
    case PLAY_MIXED:
        peer_events = 0;
        return AudioSessionSetActive(false) == 0 && change_category(kAudioSessionCategory_AmbientSound) &&
            AudioSessionSetActive(true) == 0;
    case PLUG: return AudioSessionLinuxSimulate("plug headphones") == 0;
    case UNPLUG: return AudioSessionLinuxSimulate("unplug headphones") == 0;
    case BEGIN_CALL: return AudioSessionLinuxSimulate("interrupt begin") == 0;
    case END_CALL: return AudioSessionLinuxSimulate("interrupt end") == 0;
    }
    /* No other session is active, and no event has reached the peer. */
    if (AudioSessionSetActive(false) || AudioSessionSetActive(true))
        return puts("# the peer cannot deactivate and activate its session"), false;
    /* This property has no listener. */
    for (int64_t end = now_ms() + WAIT_LIMIT_MS; others && now_ms() < end;) {
        OSStatus status = AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &others);
        if (status) return printf("# the peer's OtherAudioIsPlaying gives %s\n", AudioSessionLinuxStatusName(status)), false;
        if (others) usleep(10000);
    }
    if (others) {
        printf("# awaited for %d ms: that the peer's OtherAudioIsPlaying is 0; seen: %u\n", WAIT_LIMIT_MS, (unsigned)others);
        return false;
    }
    AudioSessionLinuxDispatchEvents();
    if (peer_events) return puts("# the peer received an interruption"), false;
    return true;
}

static void run_peer(int in, int out) {
    char command;
    setenv("AUDIOSESSION_HARDWARE", "simulated", 1);
    if (AudioSessionInitialize(NULL, NULL, on_property_change, NULL) || AudioSessionLinuxEventDescriptor() < 0 ||
        !change_category(kAudioSessionCategory_AmbientSound) || AudioSessionSetActive(true))
        _exit(1);
    while (read(in, &command, 1) == 1) {
        bool is_done = run_command(command);
        AudioSessionLinuxDispatchEvents();
        if (command == BEGIN_CALL || command == END_CALL) peer_events = 0;
        fflush(stdout);
        if (write(out, is_done ? "y" : "n", 1) != 1) break;
    }
    _exit(0);
}

bool peer(enum peer_command command) {
    char answer = 'n', text = (char)command;
    return write(to_peer, &text, 1) == 1 && read(from_peer, &answer, 1) == 1 && answer == 'y';
}

static void start_peer(void) {
    int there[2], back[2];
    if (pipe(there) || pipe(back)) exit(2);
    if (fork() == 0) {
        close(there[1]);
        close(back[0]);
        run_peer(there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    to_peer = there[1];
    from_peer = back[0];
    if (!peer(CHECK_STATE)) exit(2);
}

static void stop_peer(void) {
    close(to_peer);
    close(from_peer);
    wait(NULL);
}

/* ---- the resources of a process ---- */

struct resources {
    int descriptors, threads, mappings;
};

/* Without the FIFOs that await the end of other processes and those that wake them: the number of processes varies. */
static int count_descriptors(void) {
    int count = 0, monitored = 0, woken = 0;
    struct dirent *entry;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && (entry = readdir(directory))) {
        char target[256] = "";
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
        if (length > 0 && strstr(target, ".alive"))
            monitored++;
        else if (length > 0 && strstr(target, ".wakeup"))
            woken++;
        else
            count++;
    }
    if (directory) closedir(directory);
    enum { OWN = 1, OTHERS = 3 };
    if (monitored > OWN + OTHERS) complain("monitors %d processes", monitored - OWN);
    if (woken > OWN + OTHERS) complain("wakes %d processes", woken - OWN);
    return count;
}

static void show_descriptors(void) {
    struct dirent *entry;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && (entry = readdir(directory))) {
        char target[256] = "";
        if (readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1) > 0)
            printf("#   %s: %s\n", entry->d_name, target);
    }
    if (directory) closedir(directory);
    /* The process ends by _exit. */
    fflush(stdout);
}

static int count_threads(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/task");
    while (directory && readdir(directory)) count++;
    if (directory) closedir(directory);
    return count;
}

static int count_mappings(void) {
    int count = 0;
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) count++;
    if (maps) fclose(maps);
    return count;
}

static struct resources count_resources(void) {
    return (struct resources){count_descriptors(), count_threads(), count_mappings()};
}

/* The resources of a process without faults after the same step, and those of this process before the fault, which depend on
   the other processes. */
static struct resources *usual, before;

static int larger(int a, int b) { return a > b ? a : b; }
static struct resources most_allowed(void) {
    return (struct resources){larger(usual->descriptors, before.descriptors), larger(usual->threads, before.threads),
        larger(usual->mappings, before.mappings)};
}

static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Threads open and close files meanwhile: the median of several counts is used. */
static struct resources median_resources(void) {
    enum { LOOKS = 9 };
    int descriptors[LOOKS], threads[LOOKS], mappings[LOOKS];
    for (int look = 0; look < LOOKS; look++) {
        struct resources now = count_resources();
        descriptors[look] = now.descriptors;
        threads[look] = now.threads;
        mappings[look] = now.mappings;
        usleep(500);
    }
    qsort(descriptors, LOOKS, sizeof(int), by_size);
    qsort(threads, LOOKS, sizeof(int), by_size);
    qsort(mappings, LOOKS, sizeof(int), by_size);
    return (struct resources){descriptors[LOOKS / 2], threads[LOOKS / 2], mappings[LOOKS / 2]};
}

static struct resources final_resources(void) {
    struct resources least = count_resources(), most = most_allowed();
    for (int64_t end = now_ms() + WAIT_LIMIT_MS; now_ms() < end;) {
        if (least.descriptors <= most.descriptors && least.threads <= most.threads) break;
        usleep(10000);
        struct resources now = count_resources();
        if (now.descriptors < least.descriptors) least.descriptors = now.descriptors;
        if (now.threads < least.threads) least.threads = now.threads;
        if (now.mappings < least.mappings) least.mappings = now.mappings;
        if (__lsan_do_recoverable_leak_check) least.mappings = 0;
    }
    return least;
}

/* A process that got no instance has fewer descriptors than usual. */
static void check_inotify(void) {
    int instance = inotify_init1(IN_CLOEXEC);
    if (instance < 0)
        complain("this user has no inotify instance left (/proc/sys/fs/inotify/max_user_instances): end what holds them");
    else
        close(instance);
}

static void check_resources(void) {
    if (nth == 0) {
        *usual = median_resources();
        check_inotify();
        return;
    }
    if ((step->habits & ENDS) && fault->is_lasting && fault->error == EIO) return;
    struct resources now = final_resources(), most = most_allowed();
    if (now.descriptors > most.descriptors)
        complain("%d descriptors too many", now.descriptors - most.descriptors), show_descriptors();
    if (now.threads > most.threads) complain("%d threads too many", now.threads - most.threads);
    /* A growing heap adds mappings. AddressSanitizer adds others, and finds leaks by itself. */
    enum { OF_HEAP = 3 };
    if (!__lsan_do_recoverable_leak_check && now.mappings > most.mappings + OF_HEAP)
        complain("%d mappings too many", now.mappings - most.mappings);
    if (__lsan_do_recoverable_leak_check && !(step->habits & LOADS) && __lsan_do_recoverable_leak_check())
        complain("AddressSanitizer finds a leak");
}

/* ---- one process, in which one call fails ---- */

enum verdict { PASSED = 0, NOT_PASSED = 1, NO_CALL_FAILED = 3 };

static bool is_allowed(OSStatus status) {
    if (status == 0) return true;
    if (fault_is_invisible()) return false;
    for (int i = 0; i < 3 && step->allowed[i]; i++)
        if (step->allowed[i] == status) return true;
    return false;
}

static void run_step(void) {
    struct fault_plan plan = {
        .how = fault->how, .where = step->where, .error = fault->error, .nth = nth, .is_lasting = fault->is_lasting};
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    /* Longer than two waits that reach their limits, so that these print what they awaited. */
    alarm(3 * WAIT_LIMIT_MS / 1000);
    step->prepare();
    if (nth && AudioSessionLinuxEventDescriptor() >= 0) before = median_resources();
    if (nth) fault_plan_begin(plan);
    OSStatus status = step->act();
    fault_plan_end();
    if (!is_allowed(status)) complain("gives %s", AudioSessionLinuxStatusName(status));
    step->check(status);
    check_resources();
    if (!has_failed && nth && !fault_plan_struck()) _exit(NO_CALL_FAILED);
    _exit(has_failed ? NOT_PASSED : PASSED);
}

static void run(const char *format, const char *folder) {
    char command[128];
    snprintf(command, sizeof command, format, folder);
    if (system(command)) exit(2);
}

/* Removes the files of a process that could not remove them itself. */
static void remove_stale_files(const char *folder) {
    char path[400];
    struct dirent *entry;
    DIR *directory = opendir(folder);
    while (directory && (entry = readdir(directory))) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || (strcmp(ending, ".wakeup") && strcmp(ending, ".alive"))) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        int fd = open(path, O_WRONLY | O_NONBLOCK);
        if (fd < 0)
            unlink(path);
        else
            close(fd);
    }
    if (directory) closedir(directory);
    snprintf(path, sizeof path, "%s/new", folder);
    if (access(path, F_OK) == 0) run("rm -rf %s/new", folder);
}

static void clear_folder(const char *folder) {
    run("rm -rf %s", folder);
    if (mkdir(folder, 0700)) exit(2);
}

static enum verdict try_call(const char *folder) {
    int status;
    bool passed = true;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) run_step();
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) complain("killed: %s", strsignal(WTERMSIG(status))), passed = false;
    if (!peer(CHECK_STATE)) {
        complain("the peer does not work; the lines above say why");
        passed = false;
        stop_peer();
        clear_folder(folder);
        start_peer();
    }
    remove_stale_files(folder);
    return !passed ? NOT_PASSED : (enum verdict)WEXITSTATUS(status);
}

/* ---- all steps ---- */

/* AddressSanitizer is slow: there only the first faults, which reach all error paths. */
static int fault_count(void) { return __lsan_do_recoverable_leak_check ? 2 : FAULTS; }

static uint64_t every_nth(void) {
    const char *number = getenv("FAULT_EVERY");
    return number && atoi(number) > 0 ? (uint64_t)atoi(number) : 3;
}

/* The faults of a LONG step are listed one by one, so that they can run at the same time. */
static void list_steps(void) {
    for (int i = 0; i < step_count; i++) {
        if (!(steps[i].habits & LONG))
            printf("%s\t\n", steps[i].name);
        else
            for (int f = 0; f < fault_count(); f++) printf("%s\t%s\n", steps[i].name, faults[f].name);
    }
}

/* A step ends after so many failures: each may have waited for a minute. */
enum { MOST_FAILURES = 5 };

struct tally {
    unsigned long long calls;
    int failures;
};

/* One call after the other fails in this way. */
static void try_fault(const char *folder, struct tally *tally) {
    uint64_t stride = step->habits & LONG ? every_nth() : 1;
    nth = 1 + (uint64_t)(fault - faults) % stride;
    /* The order of threads varies: two runs without a fault end the list. */
    for (int quiet = 0; quiet < 2 && tally->failures < MOST_FAILURES;) {
        enum verdict verdict = try_call(folder);
        if (verdict == NOT_PASSED) tally->failures++;
        quiet = verdict == NO_CALL_FAILED ? quiet + 1 : 0;
        if (quiet == 0) nth += stride, tally->calls++;
    }
    nth = 0;
}

/* `name`: one fault; NULL: all of them. */
static bool try_step(const char *folder, const char *name) {
    struct tally tally = {0};
    clear_folder(folder);
    start_peer();
    fault = faults;
    nth = 0;
    /* Without usual resources to compare with, each further call would fail. */
    if (try_call(folder) == NOT_PASSED) tally.failures = MOST_FAILURES;
    for (fault = faults; fault < faults + fault_count(); fault++)
        if (!name || strcmp(name, fault->name) == 0) try_fault(folder, &tally);
    stop_peer();
    printf("%s - %s%s%s: %llu failures\n", tally.failures ? "not ok" : "ok", step->name, name ? ", " : "", name ? name : "",
        tally.calls);
    fflush(stdout);
    return tally.failures == 0;
}

/* All steps, or the one that is named, with all faults or the one that is named; with --list, their names. */
int main(int count, char **arguments) {
    const char *wanted = count > 1 ? arguments[1] : NULL, *name = count > 2 && *arguments[2] ? arguments[2] : NULL;
    char folder[] = "/tmp/faults.XXXXXX";
    bool all_passed = true;
    if (wanted && strcmp(wanted, "--list") == 0) return list_steps(), 0;
    if (!mkdtemp(folder)) return 2;
    setenv("AUDIOSESSION_RUNTIME_DIR", folder, 1);
    unsetenv("AUDIOSESSION_DEBUG");
    usual = mmap(NULL, sizeof *usual, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (usual == MAP_FAILED) return 2;
    signal(SIGPIPE, SIG_IGN);
    /* One heap for all threads: otherwise the number of mappings depends on the order of the threads. */
    mallopt(M_ARENA_MAX, 1);
    for (step = steps; step < steps + step_count; step++)
        if (!wanted || strcmp(wanted, step->name) == 0) all_passed &= try_step(folder, name);
    clear_folder(folder);
    rmdir(folder);
    return all_passed ? 0 : 1;
}
